#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# check_window.sh LIMBER SOURCE: the window on screens of three sizes, with real
# keys and a real pointer (xdotool). It lies on the screen with its time line, a
# click on the time line goes there, pictures never overwrite. Fails without
# Xvfb and xdotool.
set -euo pipefail
limber=$(readlink -f "$1") source=$(readlink -f "$2")
for tool in Xvfb xdotool python3; do
  command -v "$tool" >/dev/null || { echo "$tool is missing"; exit 1; }
done
folder=$(mktemp -d)
server= window=
cleanup() {
  [ -z "$window" ] || kill "$window" 2>/dev/null || true
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT
fail() { echo "FAILED: $*"; exit 1; }

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
  local tries=$(($1 * 5))
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "waited for: $*"
    sleep 0.2
  done
}

check_screen() {
  local size=$1 width=${1%x*} height=${1#*x} id
  local work=$folder/$size
  mkdir -p "$work"
  # A number that the server chooses itself.
  mkfifo "$work/number"
  Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset \
    3>"$work/number" >/dev/null 2>&1 &
  server=$!
  DISPLAY=:$(head -n 1 "$work/number")
  export DISPLAY
  echo mine >"$work/limber-1.png"
  (cd "$work" && exec "$limber" view "$source/data/clips/walk.bvh") \
    >"$work/log" 2>&1 &
  window=$!
  wait_for 60 xdotool search --name '^limber: '
  id=$(xdotool search --name '^limber: ' | head -n 1)
  eval "$(xdotool getwindowgeometry --shell "$id")"
  echo "$size: window ${WIDTH}x$HEIGHT at $X,$Y"
  [ "$X" -ge 0 ] && [ "$Y" -ge 0 ] && [ $((X + WIDTH)) -le "$width" ] &&
    [ $((Y + HEIGHT)) -le "$height" ] || fail "the window leaves the screen"
  xdotool mousemove $((X + WIDTH / 2)) $((Y + HEIGHT / 2))
  xdotool key --window "$id" --delay 200 space
  # A quarter of the way, in the lowest row of pixels but a few.
  xdotool mousemove $((X + WIDTH / 4)) $((Y + HEIGHT - 4))
  sleep 0.5
  xdotool click 1
  sleep 0.5
  xdotool key --window "$id" x
  wait_for 60 test -s "$work/limber-2.png"
  xdotool key --window "$id" x
  wait_for 60 test -s "$work/limber-3.png"
  [ "$(cat "$work/limber-1.png")" = mine ] || fail "a picture was overwritten"
  sleep 0.5
  # The third picture shows where the second one went.
  /usr/bin/python3 "$source/tests/app/check_time_line.py" \
    "$work/limber-3.png" "$WIDTH" "$HEIGHT" 0.25 || fail "$size: the time line"
  if [ -n "${LIMBER_KEEP_PICTURES:-}" ]; then
    cp "$work/limber-3.png" "$LIMBER_KEEP_PICTURES/window_$size.png"
  fi
  xdotool key --window "$id" q
  wait "$window" || fail "the window ended with $?: $(cat "$work/log")"
  window=
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
}

for size in 1024x600 1366x768 1920x1080; do check_screen "$size"; done
echo "three screens: on them whole, scrubbed, nothing overwritten"
