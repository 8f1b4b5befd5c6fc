# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# What the tests of characters share: sourced with LIMBER and SOURCE as
# arguments. Sets limber, source, data (the shared recordings) and folder, which
# is removed at the end.
set -euo pipefail
limber=$(readlink -f "$1") source=$(readlink -f "$2")
data=${LIMBER_TEST_DATA:-$source/../shared/data}
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Ends the test as skipped, and says why.
skip() {
  echo "SKIPPED: $*"
  exit 77
}

fail() {
  echo "FAILED: $*"
  exit 1
}

need_blender() {
  command -v blender >/dev/null || skip "no blender (apt-get install blender)"
}

# The packages of package.json in $folder/npm.
need_npm() {
  command -v npm >/dev/null || skip "no npm (apt-get install npm)"
  mkdir -p "$folder/npm"
  cp "$source"/tests/characters/package*.json "$folder/npm/"
  (cd "$folder/npm" && npm ci --ignore-scripts >"$folder/npm.log" 2>&1) ||
    skip "npm cannot fetch its packages: $(tail -n 1 "$folder/npm.log")"
}

# A call of limber that must succeed; 3 is "done, but looks wrong".
run() {
  local code=0
  "$limber" "$@" >"$folder/run.log" 2>&1 || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat "$folder/run.log"; fail "limber $*: $code"; }
}

# in_blender SCRIPT ARGUMENT...: prints what the script says, returns its code.
in_blender() {
  local script=$1 code=0
  shift
  timeout 900 blender -b --factory-startup --python-exit-code 3 -P "$script" \
    -- "$@" >"$folder/blender.log" 2>&1 || code=$?
  grep -E '^(COMPARED|  )' "$folder/blender.log" || true
  [ "$code" -eq 0 ] || tail -n 15 "$folder/blender.log"
  return "$code"
}
