#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# make_pictures.sh: makes the pictures of README.md and of the pages of docs
# anew, from bundled data, without a screen.
set -euo pipefail
cd "$(dirname "$0")/.."
limber=build/release/limber
pictures=docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"

# README.
"$limber" retarget data/clips/walk.bvh --to data/figures/fat_man.json \
  -o "$work/fat_walk.bvh" >/dev/null
"$limber" view "$work/fat_walk.bvh" --figure data/figures/fat_man.json \
  --strip "$pictures/fat_man_walk.png" --poses 6 --size 640x400
"$limber" view data/clips/walk.bvh --mode rag-doll --to 1.5 \
  --strip "$pictures/rag_doll.png" --poses 6 --size 640x400
"$limber" view data/clips/walk.bvh --mode dynamic \
  --show forces,effort,trails,mass-centre --from 0.5 --to 1.6 \
  --strip "$pictures/forces.png" --poses 6 --size 640x400

# The tutorial: the pictures that its commands wrote to out/.
tools/update_examples.sh docs/tutorial.md
for name in take markers fat_walk pushed; do
  cp "out/$name.png" "$pictures/tutorial_$name.png"
done
