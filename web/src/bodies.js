// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// All parts of an actor as one geometry, which is drawn in one go: where each
// part is, and its colour, stands in a small texture that changes from picture
// to picture. Light falls on corners, not on pixels, so that a page also moves
// where the processor draws it.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color,
  CylinderGeometry, DataTexture, FloatType, Matrix4, Mesh, Quaternion,
  RGBAFormat, SRGBColorSpace, ShaderMaterial, SphereGeometry, Vector3,
} from 'three';

/** Parts in a row of the texture, four texels each. */
const kPartsInRow = 64;
const kTexels = 4;

/** Where the light comes from; shadows fall the other way onto the floor. */
export const kLight = new Vector3(0.45, 1, 0.55).normalize();
/** Shadows lie so far above the floor, so that neither hides the other [m]. */
const kShadowHeight = 0.003;

/** Red, green, blue as the screen has them in the numbers of the light. */
export function colourOf([r, g, b]) {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}

/** @param round  pieces of a circle; `caps`  rings of each end of a capsule. */
function geometryOf(part, {round, caps}) {
  switch (part.kind) {
    case 'box': return new BoxGeometry(...part.size);
    case 'capsule':
      return new CapsuleGeometry(part.radius, part.length ?? 0, caps, round);
    case 'cylinder':
      return new CylinderGeometry(part.radius, part.radius, part.length, round);
    case 'ellipsoid': {
      // The largest parts of a body: their outline is seen.
      const ball = new SphereGeometry(0.5, round + 4, Math.ceil(round / 2) + 2);
      return ball.scale(...part.size);
    }
    default:
      return new SphereGeometry(part.radius, round, Math.ceil(round / 2));
  }
}

/** One geometry of the parts with these numbers; `owner` says whose a corner
 *  is. */
function mergedGeometry(parts, numbers, detail) {
  const pieces = numbers.map((i) => geometryOf(parts[i], detail));
  const count = (of) => pieces.reduce((sum, piece) => sum + of(piece), 0);
  const corners = count((piece) => piece.attributes.position.count);
  const positions = new Float32Array(3 * corners);
  const normals = new Float32Array(3 * corners);
  const owners = new Float32Array(corners);
  const indices = new Uint32Array(count((piece) => piece.index.count));
  let [corner, index] = [0, 0];
  pieces.forEach((piece, k) => {
    const {position, normal} = piece.attributes;
    positions.set(position.array, 3 * corner);
    normals.set(normal.array, 3 * corner);
    owners.fill(numbers[k], corner, corner + position.count);
    for (const at of piece.index.array) indices[index++] = corner + at;
    corner += position.count;
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setAttribute('owner', new BufferAttribute(owners, 1));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

/** The rows of a part's matrix, and its colour; each is fetched once. */
const kRows = `
  attribute float owner;
  uniform highp sampler2D parts;
  ivec2 texel(int i) {
    int part = int(owner);
    return ivec2(${kTexels} * (part % ${kPartsInRow}) + i,
        part / ${kPartsInRow});
  }`;
const kFetch = `
  vec4 x = texelFetch(parts, texel(0), 0);
  vec4 y = texelFetch(parts, texel(1), 0);
  vec4 z = texelFetch(parts, texel(2), 0);
  vec4 corner = vec4(position, 1.0);
  vec3 p = vec3(dot(x, corner), dot(y, corner), dot(z, corner));`;

/** Light from the sky, from the ground and from the sun. */
function bodyMaterial(uniforms, isClear) {
  return new ShaderMaterial({
    uniforms, transparent: isClear, depthWrite: !isClear,
    // Where a ghost and a body are in one place, the body is seen.
    polygonOffset: isClear, polygonOffsetFactor: 2, polygonOffsetUnits: 8,
    vertexShader: `${kRows}
      uniform vec3 light;
      varying vec4 shade;
      void main() {
        ${kFetch}
        vec4 colour = texelFetch(parts, texel(3), 0);
        gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
        vec3 n = vec3(dot(x.xyz, normal), dot(y.xyz, normal),
            dot(z.xyz, normal));
        vec3 lit = colour.rgb * (mix(vec3(0.145, 0.135, 0.11), vec3(0.541),
            0.5 + 0.5 * n.y) + 0.605 * max(0.0, dot(n, light)));
        shade = vec4(mix(1.055 * pow(lit, vec3(0.41667)) - 0.055, 12.92 * lit,
            vec3(lessThan(lit, vec3(0.0031)))), colour.a);
      }`,
    fragmentShader: `
      varying vec4 shade;
      void main() { gl_FragColor = shade; }`,
  });
}

/** Flattened onto the floor, away from the light. */
function shadowMaterial(uniforms) {
  return new ShaderMaterial({
    uniforms, depthWrite: false,
    vertexShader: `${kRows}
      uniform vec3 light;
      void main() {
        ${kFetch}
        p -= light * (p.y - ${kShadowHeight}) / light.y;
        gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
        // What is below the floor throws none, nor does what is not solid.
        if (y.w <= 0.0) gl_Position = vec4(0.0, 0.0, -2.0, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 shadow;
      void main() { gl_FragColor = vec4(shadow, 1.0); }`,
  });
}

/** How finely solids and their shadows are drawn: with a graphics card, and
 *  without, where every triangle takes about a microsecond. */
const kDetail = {
  card: {body: {round: 16, caps: 4}, shadow: {round: 8, caps: 2}},
  software: {body: {round: 8, caps: 2}, shadow: {round: 6, caps: 1}},
};

/** The solids of an actor. */
export class Solids {
  constructor(actor, group, theme) {
    this.actor = actor;
    const {parts} = actor;
    this.fixed = parts.map(({X}) => new Matrix4().compose(
        new Vector3(X[0], X[1], X[2]),
        new Quaternion(X[4], X[5], X[6], X[3]), new Vector3(1, 1, 1)));
    this.isSeen = new Uint8Array(parts.length);
    const rows = Math.max(1, Math.ceil(parts.length / kPartsInRow));
    this.values = new Float32Array(4 * kTexels * kPartsInRow * rows);
    this.texture = new DataTexture(this.values, kTexels * kPartsInRow, rows,
        RGBAFormat, FloatType);
    parts.forEach((part, i) => this.paint(i, part.colour));
    const uniforms = {parts: {value: this.texture}, ...theme.uniforms};
    const detail = theme.isSoftware ? kDetail.software : kDetail.card;
    // What is not seen costs nothing: one geometry for each layer.
    this.meshes = [];
    this.isShown = true;
    for (const layer of ['all', 'body', 'bone']) {
      for (const isClear of [false, true]) {
        const numbers = [...parts.keys()].filter((i) =>
          parts[i].layer === layer && (parts[i].opacity < 1) === isClear);
        if (numbers.length === 0) continue;
        this.add(group, layer, mergedGeometry(parts, numbers, detail.body),
            bodyMaterial(uniforms, isClear), false);
        if (isClear) continue;
        this.add(group, layer, mergedGeometry(parts, numbers, detail.shadow),
            shadowMaterial(uniforms), true);
      }
    }
    this.matrix = new Matrix4();
  }

  add(group, layer, geometry, material, isShadow) {
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    if (isShadow) mesh.renderOrder = -1;
    group.add(mesh);
    this.meshes.push({mesh, layer, isShadow});
  }

  /** Whether bodies are drawn, or only their shadows: a character's. */
  show(isShown) {
    this.isShown = isShown;
  }

  paint(i, colour) {
    const {r, g, b} = colourOf(colour);
    this.values.set([r, g, b, this.actor.parts[i].opacity],
        4 * (kTexels * i + 3));
    this.texture.needsUpdate = true;
  }

  /** Moves every part to where its track is; hides those of the other layer. */
  place(bones, shift) {
    const {parts, tracks} = this.actor;
    const {values, matrix} = this;
    for (const {mesh, layer, isShadow} of this.meshes) {
      mesh.visible = (this.isShown || isShadow) &&
          (layer === 'all' || (layer === 'bone') === bones);
    }
    for (let i = 0; i < parts.length; ++i) {
      const {layer, track} = parts[i];
      const at = 4 * kTexels * i;
      this.isSeen[i] = tracks[track].isSeen &&
          (layer === 'all' || (layer === 'bone') === bones) ? 1 : 0;
      if (!this.isSeen[i]) {
        this.hide(i);
        continue;
      }
      const e = matrix.multiplyMatrices(tracks[track].world, this.fixed[i])
          .elements;
      for (let r = 0; r < 3; ++r) {
        for (let c = 0; c < 4; ++c) values[at + 4 * r + c] = e[4 * c + r];
      }
      values[at + 3] += shift.x;
      values[at + 7] += shift.y;
      values[at + 11] += shift.z;
    }
    this.texture.needsUpdate = true;
  }

  /** Hides a part until it is placed again. */
  hide(i) {
    this.values.fill(0, 4 * kTexels * i, 4 * kTexels * i + 12);
    this.texture.needsUpdate = true;
  }

  /** Where the part `i` is in the world. */
  placeOf(i, out) {
    const at = 4 * kTexels * i;
    return out.set(this.values[at + 3], this.values[at + 7],
        this.values[at + 11]);
  }
}
