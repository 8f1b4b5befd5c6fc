// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// node compare_fbx.mjs FILE.fbx CLIP.bvh TOLERANCE_MM: the joints of an FBX file
// as three.js reads it are where the clip, in centimetres, has them, in up to
// ten frames. Run in a folder with `three`; bvh.mjs lies beside this file.
import {readFileSync} from 'node:fs';
// What the loader asks of a browser before it comes to bones.
globalThis.window = globalThis;
globalThis.self = globalThis;
globalThis.document = {createElementNS: () => ({addEventListener() {},
  removeEventListener() {}, style: {}})};
const {AnimationMixer, PropertyBinding, Vector3} = await import('three');
const {FBXLoader} = await import('three/addons/loaders/FBXLoader.js');
const {placesOf, readBvh} = await import('./bvh.mjs');

const [file, clip, tolerance] = process.argv.slice(2);
const kMillimetres = 10;  // In a centimetre.
const bytes = readFileSync(file);
const group = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset,
    bytes.byteOffset + bytes.length), '');
const nodes = new Map();
group.traverse((node) => {
  if (!nodes.has(node.name)) nodes.set(node.name, node);
});
const bvh = readBvh(clip);
const mixer = new AnimationMixer(group);
if (group.animations[0]) mixer.clipAction(group.animations[0]).play();
const last = bvh.frames - 1;
const frames = new Set(Array.from({length: 10},
    (_, i) => Math.round(i * last / 9)));
let worst = 0;
let where = '';
const missing = new Set();
for (const frame of frames) {
  mixer.setTime(frame * bvh.step);
  group.updateMatrixWorld(true);
  for (const [name, p] of Object.entries(placesOf(bvh, frame))) {
    const node = nodes.get(name) ??
        nodes.get(PropertyBinding.sanitizeNodeName(name));
    if (!node) {
      missing.add(name);
      continue;
    }
    const q = new Vector3().setFromMatrixPosition(node.matrixWorld);
    const off = kMillimetres * q.distanceTo(new Vector3(...p));
    if (off >= worst) [worst, where] = [off, `${name} in frame ${frame}`];
  }
}
console.log(`${bvh.joints.length} joints, ${frames.size} frames, worst ` +
    `${worst.toExponential(1)} mm (${where})`);
if (missing.size > 0) console.log(`not in the file: ${[...missing].join(' ')}`);
process.exit(worst <= Number(tolerance) && missing.size === 0 ? 0 : 1);
