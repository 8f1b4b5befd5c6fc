#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# addon_test.sh LIMBER SOURCE: the add-on in headless Blender imports a take,
# retargets onto an armature and pushes one; joints are where the program's own
# result has them within 0.5 mm. Ends with 77 (skipped) without Blender.
. "$(dirname "$0")/common.sh"
need_blender
export LIMBER=$limber
clips=$source/data/clips
run convert "$clips/walk.bvh" "$folder/hero.glb"
run solve "$source/data/takes/march.c3d" -o "$folder/solved.npz"
in_blender "$source/tests/characters/addon_test.py" \
  "$source/tools/blender/limber_addon.py" "$source/data/takes/march.c3d" \
  "$folder/solved.npz" "$folder/hero.glb" "$clips/march.bvh" "$limber" \
  "$folder" || fail "the add-on does otherwise than the program"
