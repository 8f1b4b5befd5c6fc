// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The player of Limber's pages: each element `.limber-player` that holds a
// recording as JSON becomes a stage with a time line. What the element showed
// before (a strip of pictures) stays where there is no WebGL.
import {Vector3} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import style from './player.css';
import {Actor} from './recording.js';
import {Stage} from './stage.js';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2];

/** How often the time is told while it runs [ms]. */
const kSayEvery = 100;

const kKeys = 'Space plays and stops, the arrow keys step by a frame (with ' +
    'shift by half a second), Home and End jump, F follows, B shows bones, ' +
    'G hides and shows the other body, S puts bodies side by side, A hides ' +
    'and shows forces, + and - change the speed.';

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A sign of the picture and what it means. */
function legendEntry({kind, colour, text}) {
  const sign = make('b', {textContent: kind === 'arrow' ? '➜' : '●'});
  sign.style.color =
      `rgb(${colour.map((part) => Math.round(255 * part)).join(' ')})`;
  return make('span', {}, sign, ` ${text}`);
}

export class Player {
  constructor(element, recording, actors) {
    this.element = element;
    this.recording = recording;
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.isFollowing = true;
    this.options = {bones: false, lines: true, others: true, beside: false,
      forces: true};
    this.drawn = 0;
    this.said = -Infinity;
    this.move = new Vector3();
    this.answer = (now) => {
      this.isAsked = false;
      this.draw(now);
    };
    this.canvas = make('canvas', {});
    this.stage = new Stage(this.canvas, actors, recording);
    this.build();
    this.orbit = new OrbitControls(this.stage.camera, this.canvas);
    this.orbit.addEventListener('change', () => this.ask());
    // On a phone one finger still scrolls the page when it moves up or down.
    this.canvas.style.touchAction = 'pan-y';
    this.watch();
    this.lookAtStart();
  }

  get duration() {
    return (this.recording.frames - 1) / this.recording.rate;
  }

  // --- what is on the page -------------------------------------------------

  build() {
    const button = (text, title, action) =>
        make('button', {type: 'button', textContent: text, title,
          ariaLabel: title, onclick: action});
    this.playButton = button('▶', 'Play (space)', () => this.toggle());
    this.slider = make('input', {type: 'range', min: 0, max: this.duration,
      step: 'any', value: 0, ariaLabel: 'Time',
      oninput: () => this.seek(Number(this.slider.value))});
    const marks = this.recording.events.map((event) => {
      const mark = make('i', {title: event.text});
      const share = (t) => 100 * t / Math.max(this.duration, 1e-9);
      mark.style.left = `${share(event.from)}%`;
      mark.style.width = `${share(event.to - event.from)}%`;
      return mark;
    });
    this.output = make('output', {});
    this.speedChoice = make('select', {ariaLabel: 'Speed', title: 'Speed',
      onchange: () => this.setSpeed(Number(this.speedChoice.value))},
    ...kSpeeds.map((speed) => make('option', {value: speed,
      textContent: `${speed} ×`, selected: speed === 1})));
    this.switches = {
      follow: button('Follow', 'The camera goes along (F)',
          () => this.setFollow(!this.isFollowing)),
    };
    const bodies = this.stage.bodies;
    if (bodies.some((body) => body.hasSolids &&
        body.actor.parts.some((part) => part.layer === 'bone'))) {
      this.switches.bones = button('Bones', 'Bones instead of bodies (B)',
          () => this.flip('bones'));
    }
    if (bodies.some((body) => body.actor.isGhost)) {
      const other = bodies.find((body) => body.actor.isGhost).actor.name;
      this.switches.others = button(other, `Show ${other} (G)`,
          () => this.flip('others'));
      this.switches.beside = button('Beside',
          'Side by side or over one another (S)', () => this.flip('beside'));
    }
    const forces = bodies.flatMap((body) =>
      body.actor.marks.filter((mark) => mark.isForce));
    if (forces.length > 0) {
      const hasArrows = forces.some((mark) => mark.kind === 'arrow');
      this.switches.forces = button(hasArrows ? 'Forces' : 'Contacts',
          'Arrows of forces, and where bodies touch (A)',
          () => this.flip('forces'));
    }
    this.says = make('p', {className: 'says'});
    this.legend = make('p', {className: 'legend'},
        ...(this.recording.legend ?? []).map(legendEntry));
    const bar = make('div', {className: 'bar'}, this.playButton,
        button('‹', 'One frame back (left)', () => this.step(-1)),
        button('›', 'One frame on (right)', () => this.step(1)),
        make('div', {className: 'time'}, this.slider, ...marks),
        this.output, this.speedChoice, ...Object.values(this.switches));
    this.element.replaceChildren(
        make('div', {className: 'view'}, this.canvas, this.says, this.legend),
        bar);
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label',
        `${this.recording.title}: moving picture. ${kKeys}`);
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.showSwitches();
  }

  showSwitches() {
    const state = {...this.options, follow: this.isFollowing};
    for (const [name, button] of Object.entries(this.switches)) {
      button.setAttribute('aria-pressed', String(state[name]));
    }
  }

  /** Follows the element's size and the reader's choice of light or dark. */
  watch() {
    new ResizeObserver(() => this.fit()).observe(this.canvas);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const paint = () => {
      this.stage.setTheme(dark.matches);
      this.ask();
    };
    dark.addEventListener('change', paint);
    paint();
    this.fit();
  }

  fit() {
    const {clientWidth, clientHeight} = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.stage.resize(clientWidth, clientHeight);
    this.ask();
  }

  // --- time ----------------------------------------------------------------

  seek(time) {
    this.time = Math.max(0, Math.min(time, this.duration));
    this.ask();
  }

  step(frames) {
    this.stop();
    const frame = Math.round(this.time * this.recording.rate) + frames;
    this.seek(frame / this.recording.rate);
  }

  toggle() {
    if (this.isPlaying) {
      this.stop();
      return;
    }
    if (this.time >= this.duration) this.time = 0;
    this.isPlaying = true;
    this.playButton.textContent = '❚❚';
    this.last = undefined;
    this.ask();
  }

  stop() {
    this.isPlaying = false;
    this.playButton.textContent = '▶';
    this.ask();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speedChoice.value = speed;
  }

  /** Asks for one picture; many asks before it give one. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(this.answer);
  }

  draw(now) {
    if (this.isPlaying) {
      if (this.last !== undefined) {
        this.time += this.speed * (now - this.last) / 1000;
      }
      this.last = now;
      // It begins anew after the end, as a clip that is looked at should.
      if (this.time > this.duration) this.time = 0;
    }
    this.show(now);
    ++this.drawn;
    if (this.isPlaying) this.ask();
  }

  show(now = performance.now()) {
    this.stage.set(this.time * this.recording.rate, this.options);
    if (this.isFollowing) this.follow();
    this.stage.draw();
    // Numbers that change sixty times a second cannot be read, and laying out
    // the page costs more than drawing the figure.
    if (this.isPlaying && now - this.said < kSayEvery) return;
    this.said = now;
    this.say();
  }

  /** Time and events in words, and on the time line. */
  say() {
    this.slider.value = this.time;
    const shown = `${this.time.toFixed(2)} s`;
    this.output.textContent = `${shown} of ${this.duration.toFixed(2)} s`;
    this.slider.setAttribute('aria-valuetext', shown);
    const now = this.recording.events.filter((event) =>
      event.from <= this.time && this.time <= Math.max(event.to,
          event.from + 0.5));
    this.says.textContent = now.map((event) => event.text).join(', ');
  }

  // --- camera --------------------------------------------------------------

  /** From the front left, so that all of the body is seen. */
  lookAtStart() {
    this.stage.arrange(this.options.beside);
    this.stage.set(0, this.options);
    const centre = this.stage.centre();
    this.orbit.target.copy(centre);
    const {camera} = this.stage;
    const narrow = Math.min(1, camera.aspect);
    const distance = this.recording.radius /
        (Math.tan(camera.fov * Math.PI / 360) * narrow);
    const forward = new Vector3(...this.recording.forward);
    const up = new Vector3(0, 1, 0);
    const eye = forward.clone().multiplyScalar(0.78)
        .addScaledVector(up.clone().cross(forward), 0.62)
        .addScaledVector(up, 0.3).normalize();
    camera.position.copy(centre).addScaledVector(eye, distance);
    camera.far = 20 * distance + 100;
    this.orbit.update();
  }

  /** Moves camera and target along with what is seen. */
  follow() {
    const move = this.move.subVectors(this.stage.centre(), this.orbit.target);
    this.orbit.target.add(move);
    this.stage.camera.position.add(move);
    this.stage.camera.lookAt(this.orbit.target);
    this.stage.camera.updateMatrixWorld();
  }

  setFollow(isFollowing) {
    this.isFollowing = isFollowing;
    this.showSwitches();
    this.ask();
  }

  flip(name) {
    if (!(name in this.switches)) return;
    this.options[name] = !this.options[name];
    this.legend.hidden = !this.options.forces;
    if (name === 'beside') this.stage.arrange(this.options.beside);
    this.showSwitches();
    this.ask();
  }

  // --- keys ----------------------------------------------------------------

  press(event) {
    // The time line and the choice of speed have keys of their own.
    if (event.target.tagName === 'SELECT') return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target.tagName === 'BUTTON';
    const far = event.shiftKey ? 0.5 * this.recording.rate : 1;
    const actions = {
      'ArrowLeft': () => this.step(-far),
      'ArrowRight': () => this.step(far),
      'Home': () => this.seek(0),
      'End': () => this.seek(this.duration),
      'f': () => this.setFollow(!this.isFollowing),
      'b': () => this.flip('bones'),
      'g': () => this.flip('others'),
      's': () => this.flip('beside'),
      'a': () => this.flip('forces'),
      '+': () => this.faster(1),
      '-': () => this.faster(-1),
    };
    if (!isButton) actions[' '] = () => this.toggle();
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() :
        event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  faster(places) {
    const now = kSpeeds.indexOf(this.speed);
    this.setSpeed(kSpeeds[Math.max(0, Math.min(kSpeeds.length - 1,
        now + places))]);
  }

  // --- for tests -----------------------------------------------------------

  /** Where the parts called `name` are on the canvas [px], by actor. */
  pixelsOf(name) {
    return this.stage.pixelsOf(name, this.canvas.clientWidth,
        this.canvas.clientHeight);
  }
}

async function begin(element) {
  const recording = JSON.parse(
      element.querySelector('script[type="application/json"]').textContent);
  const actors = await Promise.all(recording.actors.map(
      (actor) => Actor.load(actor, recording.frames)));
  const fallback = [...element.childNodes];
  try {
    element.limberPlayer = new Player(element, recording, actors);
  } catch (error) {
    // There is no WebGL: the pictures stay.
    element.replaceChildren(...fallback);
    element.dataset.player = 'none';
    return;
  }
  element.dataset.player = 'ready';
}

document.head.append(make('style', {textContent: style}));
for (const element of document.querySelectorAll('.limber-player')) {
  begin(element);
}
