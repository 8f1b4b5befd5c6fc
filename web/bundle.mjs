// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// node bundle.mjs OUTPUT: the player and what it takes of three.js as one
// script, small and deflated, as the program carries it.
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {deflateSync} from 'node:zlib';
import {build} from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const {outputFiles} = await build({
  entryPoints: [join(folder, 'src', 'player.js')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2020',
  loader: {'.css': 'text'},
  legalComments: 'inline',
});
writeFileSync(process.argv[2], deflateSync(outputFiles[0].contents, {level: 9}));
