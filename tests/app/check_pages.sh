#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# check_pages.sh LIMBER SOURCE: writes a page with every command that has
# --report and opens each in a real browser, light, dark and as narrow as a
# phone. Fails when the browser's console has a message or nothing is drawn.
# check_pages.sh --only PAGE opens one page. Fails without Chromium.
set -euo pipefail

if ! command -v chromium >/dev/null; then
  echo "no browser: install the Debian package chromium"
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# open_page URL PICTURE [OPTION...]: draws a page; its console in PICTURE.log.
open_page() {
  local url=$1 picture=$2
  shift 2
  timeout 120 chromium --headless --no-sandbox --disable-gpu \
    --enable-unsafe-swiftshader \
    --hide-scrollbars --user-data-dir="$folder/profile" \
    --enable-logging=stderr --screenshot="$picture" "$@" "$url" \
    >"$picture.log" 2>&1 || { cat "$picture.log"; return 1; }
}

# has_message PICTURE: whether the page had something to say on the console.
# Taking a picture reads pixels back, which the driver finds slow: not the
# page's fault.
messages() { grep 'CONSOLE' "$1.log" | grep -v 'GPU stall due to ReadPixels'; }
has_message() { messages "$1" >/dev/null; }

check() {
  local page=$1 name
  name=$folder/$(basename "$1")
  # A window is never narrower than 500 pixels; a frame may be.
  echo "<iframe width=390 height=1400 src=\"file://$page\"></iframe>" \
    >"$name.phone.html"
  open_page "file://$page" "$name.light.png" --window-size=1100,1400
  open_page "file://$page" "$name.dark.png" --window-size=1100,1400 \
    --blink-settings=preferredColorScheme=0
  open_page "file://$name.phone.html" "$name.phone.png" --window-size=500,1400
  local look
  for look in light dark phone; do
    if has_message "$name.$look.png"; then
      messages "$name.$look.png"
      echo "$page ($look): the console has messages"
      exit 1
    fi
    # A page without anything on it compresses to less.
    if [ "$(stat -c %s "$name.$look.png")" -lt 20000 ]; then
      echo "$page ($look): nothing is seen"
      exit 1
    fi
  done
  if cmp -s "$name.light.png" "$name.dark.png"; then
    echo "$page: dark looks like light"
    exit 1
  fi
  if [ -n "${LIMBER_KEEP_PICTURES:-}" ]; then
    cp "$name".*.png "$LIMBER_KEEP_PICTURES"
  fi
  echo "$(basename "$page"): light, dark, phone, no message"
}

# The check notices what it looks for.
echo '<script>console.error("on purpose")</script>' >"$folder/bad.html"
open_page "file://$folder/bad.html" "$folder/bad.png"
has_message "$folder/bad.png" || { echo "a message was missed"; exit 1; }

if [ "$1" = --only ]; then
  check "$(realpath "$2")"
  exit
fi
limber=$1 data=$2/data out=$folder
"$limber" markers "$data/clips/walk.bvh" -o "$out/walk.c3d" --noise 1mm \
  --gaps 10%:0.3s --seed 7 >/dev/null
"$limber" solve "$out/walk.c3d" -o "$out/solved.bvh" \
  --report "$out/solve.html" >/dev/null
"$limber" retarget "$data/clips/walk.bvh" --to "$data/figures/fat_man.json" \
  -o "$out/fat.bvh" --report "$out/retarget.html" >/dev/null
"$limber" edit "$data/clips/walk.bvh" --push left-forearm@1.2s:10Ns:+x \
  -o "$out/pushed.bvh" --report "$out/edit.html" >/dev/null
"$limber" measure "$data/clips/walk.bvh" --report "$out/measure.html" >/dev/null
"$limber" combine "$data/clips/walk.bvh" "$data/clips/jump.bvh" \
  -o "$out/combined.bvh" --report "$out/combine.html" >/dev/null
"$limber" simulate "$data/scenes/umbrella.json" --duration 2 \
  -o "$out/played.bvh" --report "$out/simulate.html" >/dev/null
"$limber" page "$data/clips/walk.bvh" "$data/scenes/pool.json" \
  -o "$out/page.html" >/dev/null
"$limber" batch --from "$data/clips/[jmw]*.bvh" --command "retarget --to fat_man" \
  --out "$out/batch" >/dev/null 2>&1 || [ $? -eq 3 ]
cp "$out/batch/index.html" "$out/batch.html"
for name in solve retarget edit measure combine simulate page batch; do
  check "$out/$name.html"
done
