#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# clean_clone.sh SOURCE: what a newcomer does first. Clones the repository into
# an empty folder, runs `./run demo` without a display, and looks at what is
# there. The demo after the build may take two minutes.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! git -C "$source" rev-parse --git-dir >/dev/null 2>&1; then
  echo "not a clone: nothing to clone from"
  exit 1
fi
git clone --quiet --depth 1 "file://$source" "$folder/limber"
cd "$folder/limber"
unset DISPLAY
./run demo
begin=$SECONDS
./run demo >"$folder/second.log"
took=$((SECONDS - begin))
echo "the demo took $took s after the build"
[ "$took" -le 120 ]
for name in take.c3d solved.bvh fat_walk.bvh pushed.bvh take.png solved.png \
    fat_walk.png pushed.png rag_doll.png index.html; do
  [ -s "out/demo/$name" ] || { echo "no out/demo/$name"; exit 1; }
done
grep -q 'Look at out/demo/index.html' "$folder/second.log"
if command -v chromium >/dev/null; then
  tests/app/check_pages.sh --only out/demo/index.html
else
  echo "the page was not opened: no Debian package chromium"
fi
# Nothing is left behind that git would want to add.
[ -z "$(git status --porcelain)" ]
