// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies, marks and floor in one WebGL scene.
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Fog,
  Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, PerspectiveCamera, PlaneGeometry, Scene, Vector3,
  WebGLRenderer,
} from 'three';
import {Solids, kLight} from './bodies.js';
import {Marks, Strokes} from './marks.js';

/** Figures stand so far apart when they are seen side by side [m]. */
const kApart = 1.2;

/** Nothing nearer to the camera is drawn [m]. */
const kNear = 0.02;
/** Of the floor; it ends in the haze [lines]. */
const kFloorSize = 60;
/** Lines to each side where the processor draws: half of what a picture of one
 *  figure costs is not its body. */
const kLinesInSoftware = 8;
/** Where the haze begins and ends [lines]. */
const kHaze = [8, kFloorSize / 2];
/** Lines are a metre apart around what is smaller than this [m], and farther
 *  around what is larger. */
const kSmall = 3;

const kThemes = {
  light: {sky: '#e9edf2', floor: '#d9d6cf', grid: '#b5b0a6', shadow: '#b3aea4'},
  dark: {sky: '#1a1e24', floor: '#2a2f37', grid: '#444c57', shadow: '#1b1f25'},
};

/** Lines on the floor, as far as `reach` of them, `apart` metres from one
 *  another, cut where they would pass behind the camera: some drawers lose such
 *  lines. */
class Grid {
  constructor(reach, apart) {
    this.reach = reach;
    this.apart = apart;
    this.ends = new BufferAttribute(new Float32Array(12 * (2 * reach + 1)), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.ends);
    this.lines = new LineSegments(geometry,
        new LineBasicMaterial({depthWrite: false}));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = -2;
    this.eye = new Vector3();
    this.view = new Vector3();
  }

  /** Lines stay where they are in the room. */
  set(camera) {
    camera.getWorldPosition(this.eye);
    camera.getWorldDirection(this.view);
    const {apart} = this;
    const x = apart * Math.round(this.eye.x / apart);
    const z = apart * Math.round(this.eye.z / apart);
    const far = apart * this.reach;
    let at = 0;
    for (let i = -this.reach; i <= this.reach; ++i) {
      at = this.add(at, x + i * apart, z - far, 0, 2 * far);
      at = this.add(at, x - far, z + i * apart, 2 * far, 0);
    }
    this.ends.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, at / 3);
  }

  /** A line from (x, z) on by (dx, dz), as far as it is before the camera. */
  add(at, x, z, dx, dz) {
    const {eye, view} = this;
    // How far before the camera its beginning is, and how that changes.
    const depth = (x - eye.x) * view.x - eye.y * view.y + (z - eye.z) * view.z;
    const change = dx * view.x + dz * view.z;
    let [from, to] = [0, 1];
    const border = (kNear - depth) / change;
    if (change > 0) from = Math.max(from, border);
    if (change < 0) to = Math.min(to, border);
    if (change === 0 && depth < kNear || from >= to) return at;
    this.ends.array.set([x + from * dx, 0, z + from * dz,
      x + to * dx, 0, z + to * dz], at);
    return at + 6;
  }
}

/** Whether WebGL is drawn by the processor. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** One actor as it is seen. */
class Body {
  constructor(actor, theme) {
    this.actor = actor;
    this.group = new Group();
    this.shift = new Vector3();
    this.solids = new Solids(actor, this.group, theme);
    this.strokes = new Strokes(actor, this.group);
    this.marks = new Marks(actor, this.group);
    if (actor.character) this.group.add(actor.character.scene);
    // Without solids the bones are all there is.
    this.hasSolids = actor.parts.some((part) => part.layer === 'body');
  }

  /** Moves everything to where the actor's tracks are. */
  place(options) {
    // A character stands for the plain bodies; they throw its shadow.
    const {character} = this.actor;
    if (character) {
      character.scene.visible = !options.bones;
      character.scene.position.copy(this.shift);
      this.solids.show(options.bones);
    }
    this.solids.place(options.bones || !this.hasSolids, this.shift);
    this.strokes.place(options.lines, this.shift);
    this.marks.place(this.actor.nearest, options.forces, this.shift);
  }
}

/** Everything that is seen, and the camera. */
export class Stage {
  constructor(canvas, actors, recording) {
    // Without a graphics card every pixel counts: no smooth edges, and no
    // floor but its lines.
    this.isSoftware = drawsInSoftware();
    // An opaque canvas need not be mixed with the page behind it.
    const context = canvas.getContext('webgl2',
        {alpha: false, antialias: !this.isSoftware, stencil: false});
    this.renderer = new WebGLRenderer({canvas, context});
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(35, 1, kNear, 500);
    this.recording = recording;
    this.apart = Math.max(1, Math.round(recording.radius / kSmall));
    this.theme = {isSoftware: this.isSoftware, uniforms: {
      light: {value: kLight}, shadow: {value: new Vector3()},
    }};
    this.bodies = actors.map((actor) => new Body(actor, this.theme));
    for (const body of this.bodies) this.scene.add(body.group);
    this.middle = new Vector3();
    this.addFloor();
    if (actors.some((actor) => actor.character)) this.addLights();
    this.setTheme(false);
  }

  /** For characters, whose materials are their own. */
  addLights() {
    this.scene.add(new HemisphereLight(0xffffff, 0x8d8678, 1.7));
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.copy(kLight).multiplyScalar(10);
    this.scene.add(sun);
  }

  /** A floor with a line every metre that goes along with the camera. */
  addFloor() {
    // Floor, lines and shadows lie in one plane: they are painted in turn.
    this.ground = new Mesh(new PlaneGeometry(kFloorSize * this.apart,
        kFloorSize * this.apart),
        new MeshBasicMaterial({side: DoubleSide, depthWrite: false}));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.renderOrder = -3;
    this.ground.visible = !this.isSoftware;
    this.grid = new Grid(this.isSoftware ? kLinesInSoftware : kFloorSize / 2,
        this.apart);
    this.scene.add(this.ground, this.grid.lines);
  }

  setTheme(isDark) {
    const colours = isDark ? kThemes.dark : kThemes.light;
    const far = this.isSoftware ? colours.floor : colours.sky;
    this.scene.background = new Color(far);
    this.scene.fog = new Fog(far, ...kHaze.map((lines) => lines * this.apart));
    const {shadow} = this.theme.uniforms;
    // As it stands: nothing lights a shadow.
    const shade = new Color(colours.shadow).convertLinearToSRGB();
    shadow.value.set(shade.r, shade.g, shade.b);
    this.ground.material.color.set(colours.floor);
    this.grid.lines.material.color.set(colours.grid);
  }

  /** Puts actors apart or over one another. */
  arrange(isBeside) {
    const across = this.sideways();
    this.bodies.forEach((body, i) => {
      const place = isBeside ? i - 0.5 * (this.bodies.length - 1) : 0;
      body.shift.copy(across).multiplyScalar(kApart * place);
    });
  }

  /** Level and across the way that is gone, so that nobody runs into another.
   */
  sideways() {
    const {actor} = this.bodies[0];
    actor.set(0, 1);
    const way = actor.centre.place.clone();
    actor.set(actor.frames - 1, 1);
    way.subVectors(actor.centre.place, way).setY(0);
    if (way.length() < 0.5) return new Vector3(1, 0, 0);
    return new Vector3(way.z, 0, -way.x).normalize();
  }

  /** The middle of what is seen; the same vector every time. */
  centre() {
    this.middle.set(0, 0, 0);
    for (const body of this.bodies) {
      this.middle.add(body.actor.centre.place).add(body.shift);
    }
    return this.middle.divideScalar(this.bodies.length);
  }

  set(frame, options) {
    for (const body of this.bodies) {
      body.actor.set(frame, this.recording.rate);
      body.group.visible = !body.actor.isGhost || options.others;
      if (body.group.visible) body.place(options);
    }
    this.tint(frame / this.recording.rate);
  }

  /** Colours the parts that an event changes, while it lasts. */
  tint(time) {
    const {solids, actor} = this.bodies[0];
    for (const event of this.recording.events) {
      if (!event.parts) continue;
      const isOn = event.from <= time && time <= event.to;
      if (isOn === (event.isOn ?? false)) continue;
      event.isOn = isOn;
      for (const i of event.parts) {
        solids.paint(i, isOn ? event.colour : actor.parts[i].colour);
      }
    }
  }

  resize(width, height) {
    this.renderer.setPixelRatio(
        Math.min(devicePixelRatio, this.isSoftware ? 1 : 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  draw() {
    this.ground.position.x = this.camera.position.x;
    this.ground.position.z = this.camera.position.z;
    this.grid.set(this.camera);
    this.renderer.render(this.scene, this.camera);
  }

  /** Where the parts of that name are on the canvas [px], by actor. */
  pixelsOf(name, width, height) {
    return this.bodies.map(({actor, solids}) => {
      const i = actor.parts.findIndex(
          (part, k) => part.name === name && solids.isSeen[k]);
      if (i < 0) return null;
      const p = solids.placeOf(i, new Vector3()).project(this.camera);
      return [(p.x + 1) / 2 * width, (1 - p.y) / 2 * height];
    });
  }
}
