// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What a page carries of a motion, and where everything is at any time. The
// program packs it (app/player/recording.h); the letters are the same.
import {AnimationMixer, Matrix4, Quaternion, Vector3} from 'three';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';

/** The bytes of base64 text. */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** What zlib's deflate made of bytes. */
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(
      new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Channels of 16-bit numbers, one after another, as differences from frame to
 * frame: first all low bytes, then all high bytes. 0, -1, 1, -2 ... are stored
 * as 0, 1, 2, 3 ...
 */
export function channelsOf(bytes, frames) {
  const count = bytes.length / 2;
  const values = new Int16Array(count);
  for (let i = 0; i < count; ++i) {
    const stored = bytes[i] | bytes[count + i] << 8;
    const difference = stored >> 1 ^ -(stored & 1);
    values[i] = i % frames === 0 ? difference : values[i - 1] + difference;
  }
  return values;
}

/** Whether `frame` lies in one of the spans [first, end), which rise. */
function isWithin(spans, frame) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (spans[middle][1] <= frame) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low][0] <= frame;
}

/** `share` of the way from one number of a channel to another. */
function between(values, k, next, share) {
  return values[k] * (1 - share) + values[next] * share;
}

/** One thing that moves: a pose in the world, or in its parent track. */
class Track {
  constructor(description, take) {
    this.parent = description.parent;
    this.hidden = description.hidden ?? [];
    this.isSeen = true;
    this.world = new Matrix4();
    this.place = new Vector3();
    this.turn = new Quaternion();
    const {p, q} = description;
    if (Array.isArray(p)) {
      this.fixedPlace = new Vector3(...p);
    } else {
      this.low = p.low;
      this.step = p.step;
      this.places = [take(), take(), take()];
    }
    if (Array.isArray(q)) {
      this.fixedTurn = new Quaternion(q[1], q[2], q[3], q[0]);
    } else {
      this.turns = [take(), take(), take(), take()];
    }
  }

  /** Sets the pose between frame `k` and the next, `share` of the way. */
  set(k, next, share, tracks) {
    if (this.fixedPlace) {
      this.place.copy(this.fixedPlace);
    } else {
      const {low, step, places} = this;
      for (let axis = 0; axis < 3; ++axis) {
        this.place.setComponent(axis, low[axis] + step[axis] *
            (32768 + between(places[axis], k, next, share)));
      }
    }
    if (this.fixedTurn) {
      this.turn.copy(this.fixedTurn);
    } else {
      // The program keeps neighbours in one half of the sphere, so that the
      // straight way between them is the short one.
      const {turns} = this;
      this.turn.set(between(turns[1], k, next, share),
          between(turns[2], k, next, share), between(turns[3], k, next, share),
          between(turns[0], k, next, share)).normalize();
    }
    this.world.compose(this.place, this.turn, kOne);
    this.isSeen = !isWithin(this.hidden, share < 0.5 ? k : next);
    if (this.parent >= 0) {
      this.world.premultiply(tracks[this.parent].world);
    }
  }
}

const kOne = new Vector3(1, 1, 1);

/** Lines with ends of their own: ropes, forces, trails. */
class Lines {
  constructor(description, take) {
    this.low = description.low;
    this.step = description.step;
    this.slots = description.slots.map((slot) => ({
      colour: slot.colour,
      hidden: slot.hidden ?? [],
      ends: Array.from({length: 6}, take),
    }));
  }

  /** Writes the ends [x y z x y z] of a slot at frame `k` to `out` from `at`
   *  on; false where it is not seen. */
  at(slot, k, out, at) {
    if (isWithin(slot.hidden, k)) return false;
    for (let i = 0; i < 6; ++i) {
      out[at + i] = this.low[i % 3] +
          this.step[i % 3] * (32768 + slot.ends[i][k]);
    }
    return true;
  }
}

/** An arrow, a place that touches, or a target. */
class Mark {
  constructor({kind, colour, force, hidden}, {low, step, reach}, take) {
    Object.assign(this, {kind, colour, low, step, reach});
    this.isForce = force ?? false;
    this.hidden = hidden ?? [];
    this.places = [take(), take(), take()];
    if (kind === 'arrow') this.vectors = [take(), take(), take()];
  }

  /** Sets where it is at frame `k`, and an arrow's vector; false where it is
   *  not seen. */
  at(k, point, vector) {
    if (isWithin(this.hidden, k)) return false;
    for (let i = 0; i < 3; ++i) {
      point.setComponent(i,
          this.low[i] + this.step * (32768 + this.places[i][k]));
      if (this.vectors) vector.setComponent(i, this.reach * this.vectors[i][k]);
    }
    return true;
  }
}

/** A skinned figure that plays an animation of its own file. */
class Character {
  static async load({glb, animation}) {
    const bytes = await inflate(bytesOf(glb));
    return new Character(
        await new GLTFLoader().parseAsync(bytes.buffer, ''), animation);
  }

  constructor(gltf, animation) {
    this.scene = gltf.scene;
    // Bones carry skins out of the box that their meshes had at rest.
    this.scene.traverse((node) => node.frustumCulled = false);
    const clip = gltf.animations.at(animation);
    if (!clip) return;
    this.mixer = new AnimationMixer(gltf.scene);
    this.mixer.clipAction(clip).play();
    this.begin = Math.min(...clip.tracks.map((track) => track.times[0]));
    this.end = clip.duration;
  }

  /** Poses it `time` seconds after its first key. */
  set(time) {
    // At the very end the animation would begin anew.
    this.mixer?.setTime(Math.min(this.begin + time, this.end - 1e-4));
  }
}

/** One show: somebody, markers, or a scene. */
export class Actor {
  static async load(description, frames) {
    const bytes = await inflate(bytesOf(description.data));
    const actor = new Actor(description, channelsOf(bytes, frames), frames);
    if (description.character) {
      actor.character = await Character.load(description.character);
    }
    return actor;
  }

  constructor(description, values, frames) {
    let used = 0;
    const take = () => values.subarray(used, used += frames);
    this.name = description.name;
    this.isGhost = description.ghost;
    this.parts = description.parts;
    this.links = description.links;
    this.frames = frames;
    this.tracks = description.tracks.map((track) => new Track(track, take));
    this.lines = new Lines(description.lines, take);
    const {marks} = description;
    this.marks = (marks?.slots ?? []).map(
        (slot) => new Mark(slot, marks, take));
    this.centre = new Track(description.centre, take);
  }

  /** Puts every track where it is at `frame`, which may lie between two. */
  set(frame, rate) {
    this.character?.set(frame / rate);
    const k = Math.max(0, Math.min(Math.floor(frame), this.frames - 1));
    const next = Math.min(k + 1, this.frames - 1);
    const share = Math.max(0, Math.min(frame - k, 1));
    this.nearest = share < 0.5 ? k : next;
    for (const track of this.tracks) track.set(k, next, share, this.tracks);
    this.centre.set(k, next, share, []);
  }
}
