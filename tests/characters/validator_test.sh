#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# validator_test.sh LIMBER SOURCE: every kind of GLB that Limber writes has no
# error by the Khronos validator. Ends with 77 (skipped) without npm.
. "$(dirname "$0")/common.sh"
need_npm
clips=$source/data/clips
cd "$folder"
run convert "$clips/walk.bvh" hero.glb
run solve "$source/data/takes/march.c3d" -o solved.glb
run edit "$clips/walk.bvh" --push chest@0.3s:10Ns:+x -o edited.glb
run combine "$clips/walk.bvh" "$clips/jump.bvh" -o combined.glb
run simulate "$source/data/scenes/umbrella.json" --duration 0.5 \
  -o simulated.glb
files=(hero.glb solved.glb edited.glb combined.glb simulated.glb)
characters=("$folder/hero.glb")
for name in CesiumMan RiggedFigure; do
  file=$data/rigs/gltf/$name.glb
  if [ -e "$file" ]; then
    characters+=("$file")
  else
    echo "NOT CHECKED: $name.glb is not at $data"
  fi
done
for character in "${characters[@]}"; do
  written=onto_$(basename "$character")
  run retarget "$clips/march.bvh" --to "$character" -o "$written"
  files+=("$written")
done
cd "$folder/npm"
node "$source/tests/characters/validate.mjs" "${files[@]/#/$folder/}" ||
  fail "the validator finds errors"
# The guard itself: a file with an index out of range is found.
sed 's/"scene":0/"scene":7/' "$folder/hero.glb" >"$folder/bad.glb"
if node "$source/tests/characters/validate.mjs" "$folder/bad.glb" >/dev/null
then
  fail "a broken file passes the validator"
fi
