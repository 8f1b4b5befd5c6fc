// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// node read_usd.mjs FILE.usda OUT.usda: reads a stage with TinyUSDZ, which
// checks that joints, transforms, samples and weights fit each other, and writes
// what it has understood as text. Ends with 1 if it refuses the file.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(process.cwd() + '/');
const path = require.resolve('tinyusdz/tinyusdz.js');
const {default: init} = await import(pathToFileURL(path));
// The package is built for browsers: it asks whether it is in one.
globalThis.window = globalThis;
process.type = 'renderer';
const wasm = readFileSync(path.replace('.js', '.wasm'));
const native = await init({
  instantiateWasm: (imports, done) => {
    WebAssembly.instantiate(wasm, imports)
        .then(made => done(made.instance, made.module));
  }
});
const [file, out] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));

const scene = new native.TinyUSDZLoaderNative();
if (!scene.loadFromBinary(bytes, file)) {
  console.log(`${file}: refused: ${scene.error?.() ?? ''}`);
  process.exit(1);
}
console.log(`${file}: ${scene.numMeshes()} meshes, ${scene.numRootNodes()} ` +
            'root nodes');
if (scene.numMeshes() !== 1) process.exit(1);
const layer = new native.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(bytes, file)) process.exit(1);
writeFileSync(out, layer.layerToString());
