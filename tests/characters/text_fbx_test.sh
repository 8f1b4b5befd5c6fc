#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# text_fbx_test.sh LIMBER SOURCE: the text FBX that Blender does not read has its
# joints where three.js has them, within 0.5 mm. Ends with 77 (skipped) without
# npm or the shared files.
. "$(dirname "$0")/common.sh"
file=$data/rigs/fbx/maya_character_7500_ascii.fbx
[ -e "$file" ] || skip "no shared characters at $data/rigs"
command -v npm >/dev/null || skip "no npm (apt-get install npm)"
cp "$source"/web/package*.json "$source/tests/characters/compare_fbx.mjs" \
  "$source/tests/app/browser/bvh.mjs" "$folder"
cd "$folder"
npm ci --ignore-scripts >npm.log 2>&1 ||
  skip "npm cannot fetch its packages: $(tail -n 1 npm.log)"
# BVH in centimetres, as the file has them.
run convert "$file" "$folder/ours.bvh"
node compare_fbx.mjs "$file" ours.bvh 0.5 ||
  fail "joints are elsewhere in three.js"
# The guard itself: a joint that is a millimetre off is found.
sed '0,/OFFSET 0 100 0/s//OFFSET 0 100.1 0/' ours.bvh >off.bvh
cmp -s ours.bvh off.bvh && fail "the joint was not moved"
if node compare_fbx.mjs "$file" off.bvh 0.5 >/dev/null; then
  fail "a millimetre passes"
fi
