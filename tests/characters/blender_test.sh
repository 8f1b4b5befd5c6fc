#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# blender_test.sh LIMBER SOURCE written MAKE_RIG | samples: joints in Blender
# are where Limber has them, at ten times. "written": characters that Limber
# wrote, within 0.5 mm. "samples": the shared glTF files within 0.1 mm and FBX files within
# 0.5 mm, or refused by name. Ends with 77 (skipped) without Blender, and
# "samples" without the shared files.
. "$(dirname "$0")/common.sh"
need_blender
failed=0
make_rig=${4:-}

# compare CHARACTER NPZ TOLERANCE_MM [ANIMATION]
compare() {
  echo "$(basename "$1"):"
  in_blender "$source/tests/characters/blender_compare.py" "$@" || failed=1
}

compare_written() {
  local clips=$source/data/clips file written
  run convert "$clips/walk.bvh" "$folder/hero.glb"
  run convert "$folder/hero.glb" "$folder/hero.npz"
  compare "$folder/hero.glb" "$folder/hero.npz" 0.5
  "$make_rig" "$clips/walk.bvh" mixamo "$folder/mixamo.glb"
  for file in "$folder/hero.glb" "$folder/mixamo.glb" \
      "$data/rigs/gltf/CesiumMan.glb" "$data/rigs/gltf/RiggedFigure.glb"; do
    if [ ! -e "$file" ]; then
      echo "NOT CHECKED: $file is not there"
      continue
    fi
    written=$folder/onto_$(basename "$file")
    run retarget "$clips/march.bvh" --to "$file" -o "$written"
    run convert "$written" "$folder/onto.npz" --animation \
      "$(basename "$written" .glb)"
    compare "$written" "$folder/onto.npz" 0.5 "$(basename "$written" .glb)"
  done
  # The guard itself: another clip is farther away than that.
  run convert "$clips/march.bvh" "$folder/other.npz"
  if in_blender "$source/tests/characters/blender_compare.py" \
      "$folder/hero.glb" "$folder/other.npz" 0.5 >/dev/null; then
    fail "another motion passes"
  fi
}

compare_samples() {
  local file options
  [ -d "$data/rigs" ] || skip "no shared characters at $data/rigs"
  for file in "$data"/rigs/gltf/*.gl* "$data"/gltf-fbx/*.gltf \
      "$data"/rigs/fbx/*.fbx "$data"/gltf-fbx/*.fbx; do
    options=()
    # Frames that meet keys at 24, 30 and 60 Hz and at quarters of a second.
    case $file in *.gl*) options=(--rate 120) ;; esac
    if ! "$limber" convert "$file" "$folder/ours.npz" --force \
        ${options[@]+"${options[@]}"} >"$folder/run.log" 2>&1; then
      # Refused by name: these are before FBX 7.1.
      grep -q 'version before 7.1' "$folder/run.log" ||
        { cat "$folder/run.log"; failed=1; }
      echo "$(basename "$file"): refused, FBX before 7.1"
      continue
    fi
    if head -c 20 "$file" | grep -q '^; FBX'; then
      echo "$(basename "$file"): not here, Blender reads no text FBX: text_fbx_test.sh"
      continue
    fi
    case $file in
      *.fbx) compare "$file" "$folder/ours.npz" 0.5 ;;
      *) compare "$file" "$folder/ours.npz" 0.1 ;;
    esac
  done
}

case $3 in
  written) compare_written ;;
  samples) compare_samples ;;
  *) fail "expected written or samples, found $3" ;;
esac
[ "$failed" -eq 0 ] || fail "joints are elsewhere in Blender"
