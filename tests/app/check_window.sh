#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# check_window.sh LIMBER SOURCE: the window on screens of three sizes, with real
# keys and a real pointer (xdotool). It lies on the screen with its time line, a
# click on the time line goes there, pictures never overwrite. Then a clip is
# worked on: pushed, changed, undone, saved, killed, taken up again. Fails
# without Xvfb and xdotool.
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

# open_window SIZE FOLDER: a server of that size and the walk on it. Sets id and
# the window's place: X, Y, WIDTH, HEIGHT.
open_window() {
  local size=$1 work=$2
  mkdir -p "$work"
  # A number that the server chooses itself.
  rm -f "$work/number"
  mkfifo "$work/number"
  Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset \
    3>"$work/number" >/dev/null 2>&1 &
  server=$!
  DISPLAY=:$(head -n 1 "$work/number")
  export DISPLAY
  export XDG_STATE_HOME=$work/state
  (cd "$work" && exec "$limber" view "$source/data/clips/walk.bvh") \
    >"$work/log" 2>&1 &
  window=$!
  wait_for 60 xdotool search --name '^limber: '
  id=$(xdotool search --name '^limber: ' | head -n 1)
  eval "$(xdotool getwindowgeometry --shell "$id")"
  xdotool mousemove $((X + WIDTH / 2)) $((Y + HEIGHT / 2))
  # It listens when it takes a picture.
  wait_for 60 takes_picture "$work"
  sleep 1
}

takes_picture() {
  xdotool key x
  sleep 0.3
  [ "$(count_pictures "$1")" -gt 0 ]
}

# Pictures of the window in a folder; a file of a few bytes is none.
count_pictures() {
  find "$1" -maxdepth 1 -name 'limber-*.png' -size +1k | wc -l
}
has_pictures() { [ "$(count_pictures "$1")" -ge "$2" ]; }

# take_picture FOLDER: one more; sets picture.
take_picture() {
  local more=$(($(count_pictures "$1") + 1))
  keys x
  wait_for 60 has_pictures "$1" "$more"
  sleep 0.5
  picture=$(find "$1" -maxdepth 1 -name 'limber-*.png' -size +1k \
    -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
}

keep_picture() {
  if [ -n "${LIMBER_KEEP_PICTURES:-}" ]; then
    cp "$picture" "$LIMBER_KEEP_PICTURES/$1.png"
  fi
}

close_server() {
  window=
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
}

# click_at X Y: moves there first, as a hand does.
click_at() {
  xdotool mousemove "$1" "$2"
  sleep 0.5
  xdotool click 1
  sleep 0.5
}

# Keys go where the pointer is, as there is no window manager.
keys() { xdotool key --delay 150 "$@"; }

check_screen() {
  local size=$1 width=${1%x*} height=${1#*x}
  local work=$folder/$size
  mkdir -p "$work"
  echo mine >"$work/limber-1.png"
  open_window "$size" "$work"
  echo "$size: window ${WIDTH}x$HEIGHT at $X,$Y"
  [ "$X" -ge 0 ] && [ "$Y" -ge 0 ] && [ $((X + WIDTH)) -le "$width" ] &&
    [ $((Y + HEIGHT)) -le "$height" ] || fail "the window leaves the screen"
  keys space
  # A quarter of the way, in the lowest row of pixels but a few.
  click_at $((X + WIDTH / 4)) $((Y + HEIGHT - 4))
  take_picture "$work"
  take_picture "$work"
  [ "$(cat "$work/limber-1.png")" = mine ] || fail "a picture was overwritten"
  # The last picture shows where the one before went.
  /usr/bin/python3 "$source/tests/app/check_time_line.py" \
    "$picture" "$WIDTH" "$HEIGHT" 0.25 || fail "$size: the time line"
  keep_picture "window_$size"
  keys q
  wait "$window" || fail "the window ended with $?: $(cat "$work/log")"
  close_server
}

# A push at 1.2 s becomes one of 40 N s, is undone and done again, and saved;
# a second one is not saved when the program is killed, and is there again.
check_work() {
  local work=$folder/work
  open_window 1366x768 "$work"
  keys space
  # The clip lasts 4.4 s; above the bar, where no mark can be taken.
  click_at $((X + WIDTH * 12 / 44)) $((Y + HEIGHT - 30))
  click_at $((X + WIDTH / 2)) $((Y + HEIGHT / 2))
  keys p equal 4 0 Return z y
  take_picture "$work"
  keep_picture work_pushed
  keys W
  wait_for 120 test -s "$work/walk-edit-1.bvh"
  grep -q '"at": *1\.[12]' "$work/walk-edit-1.json" ||
    fail "no push at 1.2 s: $(cat "$work/walk-edit-1.json")"
  "$limber" edit "$source/data/clips/walk.bvh" --events \
    "$work/walk-edit-1.json" -o "$work/made.bvh" >/dev/null
  cmp "$work/made.bvh" "$work/walk-edit-1.bvh" ||
    fail "edit makes another file of the saved events"
  keys p
  sleep 1
  kill -9 "$window"
  wait "$window" 2>/dev/null || true
  close_server
  rm "$work"/limber-*.png
  open_window 1366x768 "$work"
  # It offers what was not saved; the picture is of that.
  take_picture "$work"
  keep_picture work_offered
  keys j
  keys w
  wait_for 60 test -s "$work/walk-edit-2.json"
  [ "$(grep -c '"kind"' "$work/walk-edit-2.json")" = 2 ] ||
    fail "not both pushes after the kill: $(cat "$work/walk-edit-2.json")"
  keys q
  wait "$window" || fail "the window ended with $?: $(cat "$work/log")"
  close_server
}

check_work
for size in 1024x600 1366x768 1920x1080; do check_screen "$size"; done
echo "worked on and killed: all there; three screens: on them whole, scrubbed, nothing overwritten"
