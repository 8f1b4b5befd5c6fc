// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// node validate.mjs FILE.glb...: what the Khronos validator says. Ends with 1
// if it finds an error in any of them.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const require = createRequire(process.cwd() + '/');
const validator = require('gltf-validator');
let errors = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(
      new Uint8Array(readFileSync(file)), {uri: file});
  const found = report.issues;
  errors += found.numErrors;
  console.log(`${file}: ${found.numErrors} errors, ${found.numWarnings} ` +
              `warnings, ${report.info.animationCount} animations`);
  for (const one of found.messages.filter(m => m.severity === 0)) {
    console.log(`  ${one.pointer}: ${one.code}: ${one.message}`);
  }
}
process.exit(errors > 0 ? 1 : 0);
