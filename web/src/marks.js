// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts on bodies: arrows of forces and pushes, places that touch, targets.
import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry,
  DynamicDrawUsage, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
  MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';
import {colourOf} from './bodies.js';

/** Of an arrow [m]: the shaft's radius, the tip's radius and length. */
const kShaft = 0.012;
const kTip = 0.035;
const kTipLength = 0.09;
/** Of a place that touches [m]. */
const kTouch = 0.035;
const kTouchHeight = 0.012;
/** Of what somebody reaches for, or looks at [m]. */
const kTarget = 0.03;

const kUp = new Vector3(0, 1, 0);

/** Copies of one geometry, each with a colour; those of a picture come first.
 */
class Copies {
  constructor(group, geometry, most) {
    this.mesh = new InstancedMesh(geometry,
        new MeshBasicMaterial({depthTest: false, fog: false}), most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    if (most > 0) group.add(this.mesh);
  }

  clear() {
    this.mesh.count = 0;
  }

  add(matrix, colour) {
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    this.mesh.setColorAt(this.mesh.count, colour);
    ++this.mesh.count;
  }

  done() {
    this.mesh.visible = this.mesh.count > 0;
    if (!this.mesh.visible) return;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }
}

/** Arrows, places and targets of an actor. */
export class Marks {
  constructor(actor, group) {
    this.slots = actor.marks;
    for (const slot of this.slots) slot.shade = colourOf(slot.colour);
    const count = (kind) =>
      this.slots.filter((slot) => slot.kind === kind).length;
    this.shafts = new Copies(group,
        new CylinderGeometry(kShaft, kShaft, 1, 8).translate(0, 0.5, 0),
        count('arrow'));
    this.tips = new Copies(group, new ConeGeometry(kTip, kTipLength, 10)
        .translate(0, -kTipLength / 2, 0), count('arrow'));
    this.touches = new Copies(group,
        new CylinderGeometry(kTouch, kTouch, kTouchHeight, 14),
        count('touch'));
    this.targets = new Copies(group, new SphereGeometry(kTarget, 12, 8),
        count('target'));
    this.all = [this.shafts, this.tips, this.touches, this.targets];
    this.point = new Vector3();
    this.vector = new Vector3();
    this.turn = new Quaternion();
    this.size = new Vector3();
    this.matrix = new Matrix4();
  }

  /** Draws what acts at frame `k`: the arrows of forces only if they are
   *  wanted, those of events always. */
  place(k, showsForces, shift) {
    for (const copies of this.all) copies.clear();
    for (const slot of this.slots) {
      if (slot.isForce && !showsForces) continue;
      if (!slot.at(k, this.point, this.vector)) continue;
      this.point.add(shift);
      if (slot.kind === 'arrow') {
        this.addArrow(slot.shade);
        continue;
      }
      const copies = slot.kind === 'touch' ? this.touches : this.targets;
      copies.add(this.matrix.makeTranslation(this.point), slot.shade);
    }
    for (const copies of this.all) copies.done();
  }

  /** From `point` along `vector`; a short one is all tip. */
  addArrow(shade) {
    const length = this.vector.length();
    if (length < 1e-3) return;
    const thick = Math.min(1, length / kTipLength);
    this.turn.setFromUnitVectors(kUp, this.vector.divideScalar(length));
    const shaft = Math.max(1e-3, length - kTipLength);
    this.matrix.compose(this.point, this.turn, this.size.set(thick, shaft,
        thick));
    this.shafts.add(this.matrix, shade);
    this.point.addScaledVector(this.vector, length);
    this.matrix.compose(this.point, this.turn,
        this.size.set(thick, thick, thick));
    this.tips.add(this.matrix, shade);
  }
}

/** Lines between tracks, and lines of their own: ropes, errors of markers. */
export class Strokes {
  constructor(actor, group) {
    this.actor = actor;
    this.most = actor.links.length + actor.lines.slots.length;
    if (this.most === 0) return;
    this.ends = new BufferAttribute(new Float32Array(6 * this.most), 3);
    this.colours = new BufferAttribute(new Float32Array(6 * this.most), 3);
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute('position', this.ends);
    this.geometry.setAttribute('color', this.colours);
    this.lines = new LineSegments(this.geometry, new LineBasicMaterial(
        {vertexColors: true, depthTest: false}));
    this.lines.renderOrder = 1;
    this.lines.frustumCulled = false;
    group.add(this.lines);
    for (const link of actor.links) link.shade = colourOf(link.colour);
    for (const slot of actor.lines.slots) slot.shade = colourOf(slot.colour);
  }

  place(isShown, shift) {
    if (this.most === 0) return;
    this.lines.visible = isShown;
    if (!isShown) return;
    const {tracks, links, lines, nearest} = this.actor;
    const {array} = this.ends;
    let count = 0;
    for (const link of links) {
      const [a, b] = [tracks[link.a], tracks[link.b]];
      if (!a.isSeen || !b.isSeen) continue;
      for (let i = 0; i < 3; ++i) {
        array[6 * count + i] = a.world.elements[12 + i];
        array[6 * count + 3 + i] = b.world.elements[12 + i];
      }
      this.end(count++, link.shade, shift);
    }
    for (const slot of lines.slots) {
      if (!lines.at(slot, nearest, array, 6 * count)) continue;
      this.end(count++, slot.shade, shift);
    }
    this.ends.needsUpdate = true;
    this.colours.needsUpdate = true;
    this.geometry.setDrawRange(0, 2 * count);
  }

  /** Shifts and colours the line whose ends have been set. */
  end(line, shade, shift) {
    for (let at = 6 * line; at < 6 * line + 6; at += 3) {
      this.ends.array[at] += shift.x;
      this.ends.array[at + 1] += shift.y;
      this.ends.array[at + 2] += shift.z;
      shade.toArray(this.colours.array, at);
    }
  }
}
