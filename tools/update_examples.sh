#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# update_examples.sh FILE...: runs every command of the fenced blocks that begin
# with "$ limber" in these pages, from the root of the repository, and puts what
# it prints in place of what stands there. Tests compare the pages with what the
# program prints; this brings them up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/build/release:$PATH
mkdir -p out
head -c 700 data/clips/march.bvh >out/cut.bvh

update() {
  local page=$1 line inside=no
  local errors
  errors=$(mktemp)
  while IFS= read -r line; do
    case $line in
      '$ limber '*)
        printf '%s\n' "$line"
        # Findings first, as the test compares them; some commands must fail.
        local output
        output=$(eval "${line#\$ }" 2>"$errors") || true
        cat "$errors"
        if [ -n "$output" ]; then printf '%s\n' "$output"; fi
        inside=yes
        ;;
      '```'*)
        inside=no
        printf '%s\n' "$line"
        ;;
      *)
        if [ "$inside" = no ]; then printf '%s\n' "$line"; fi
        ;;
    esac
  done <"$page" >"$page.new"
  rm -f "$errors"
  mv "$page.new" "$page"
}

for page in "$@"; do update "$page"; done
