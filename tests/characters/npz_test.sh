#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# npz_test.sh LIMBER SOURCE: numpy reads what Limber writes, and Limber what
# numpy writes, stored and packed, in every type and order. Ends with 77
# (skipped) without numpy.
. "$(dirname "$0")/common.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null ||
  skip "no numpy (apt-get install python3-numpy)"
run convert "$source/data/clips/walk.bvh" "$folder/walk.npz"
/usr/bin/python3 "$source/tests/characters/save_npz.py" "$folder/walk.npz" \
  "$folder"
count=0
for file in "$folder"/as_*.npz; do
  run convert "$file" "$folder/back.npz" --force
  /usr/bin/python3 "$source/tests/characters/save_npz.py" --same \
    "$folder/walk.npz" "$folder/back.npz" || fail "$(basename "$file")"
  count=$((count + 1))
done
echo "$count files of numpy"
[ "$count" -ge 12 ] || fail "expected a dozen files"
# Poses as AMASS has them: Z up, 120 Hz, a body that stands.
"$limber" info "$folder/poses.npz" >"$folder/info.log" 2>&1 ||
  { cat "$folder/info.log"; fail "poses are not read"; }
grep -q 'SMPL-H' "$folder/info.log" || { cat "$folder/info.log"; fail "model"; }
grep -q '120' "$folder/info.log" || fail "rate"
run retarget "$folder/poses.npz" --to fat_man -o "$folder/fat.bvh"
if "$limber" info "$folder/pickle.npz" >"$folder/info.log" 2>&1; then
  fail "a pickle is opened"
fi
grep -q 'a pickle, which is not opened' "$folder/info.log" ||
  { cat "$folder/info.log"; fail "the message"; }
