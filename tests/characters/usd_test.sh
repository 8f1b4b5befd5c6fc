#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# usd_test.sh LIMBER SOURCE: TinyUSDZ reads the USD that Limber writes, with
# every joint where Limber has it within 0.01 mm. Ends with 77 (skipped) without
# npm or numpy.
. "$(dirname "$0")/common.sh"
need_npm
/usr/bin/python3 -c 'import numpy' 2>/dev/null ||
  skip "no numpy (apt-get install python3-numpy)"
characters=$source/tests/characters
cd "$folder/npm"
for clip in walk march jump; do
  run convert "$source/data/clips/$clip.bvh" "$folder/$clip.usda"
  run convert "$source/data/clips/$clip.bvh" "$folder/$clip.npz"
  node "$characters/read_usd.mjs" "$folder/$clip.usda" "$folder/$clip.read" \
    >"$folder/node.log" 2>&1 ||
    { cut -c 1-300 "$folder/node.log"; fail "TinyUSDZ refuses $clip.usda"; }
  /usr/bin/python3 "$characters/compare_usd.py" "$folder/$clip.read" \
    "$folder/$clip.npz" 0.01 || fail "$clip.usda is read otherwise"
done
# The guards themselves: a skeleton that lacks a matrix, and another clip.
sed -E 's/(bindTransforms = \[)\(\([^)]*\), \([^)]*\), \([^)]*\), \([^)]*\)\), /\1/' \
  "$folder/walk.usda" >"$folder/bad.usda"
if node "$characters/read_usd.mjs" "$folder/bad.usda" "$folder/bad.read" \
    >/dev/null 2>&1; then
  fail "a skeleton without a matrix passes"
fi
if /usr/bin/python3 "$characters/compare_usd.py" "$folder/walk.read" \
    "$folder/jump.npz" 0.01 >/dev/null 2>&1; then
  fail "another clip passes"
fi
