#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# check_player.sh LIMBER SOURCE: a page with a walk in a real browser
# (tests/app/browser/check_player.mjs), and a pushed one on a phone. Fails without Chromium, node and npm.
set -euo pipefail
limber=$1 source=$2
for tool in chromium node npm; do
  command -v "$tool" >/dev/null || { echo "$tool is missing"; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$source"/tests/app/browser/* "$folder"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >/dev/null)
"$limber" page "$source/data/clips/walk.bvh" -o "$folder/walk.html" >/dev/null
node "$folder/check_player.mjs" "$folder/walk.html" \
  "$source/data/clips/walk.bvh" "$folder/walk.png"
# Two bodies, with forces and an event, on a phone and with keys alone. The
# name has no place to break a line at.
clip="$folder/$(printf 'walk_%.0s' {1..20}).bvh"
cp "$source/data/clips/walk.bvh" "$clip"
"$limber" edit "$clip" --push chest@0.5s:20Ns:+x \
  -o "$folder/pushed.bvh" --report "$folder/pushed.html" >/dev/null
mkdir "$folder/pictures"
node "$folder/check_phone.mjs" "$folder/pushed.html" "$folder/pictures"
if [ -n "${LIMBER_KEEP_PICTURES:-}" ]; then
  cp "$folder/walk.png" "$LIMBER_KEEP_PICTURES/player.png"
  cp "$folder"/pictures/*.png "$LIMBER_KEEP_PICTURES"
fi
