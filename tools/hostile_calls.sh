#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# tools/hostile_calls.sh [CALLS] [BUILD]: makes so many hostile calls (10 000)
# of the built program (build/release), on all cores, each part with its own
# seed: damaged files, extreme numbers, outputs that are inputs. Ends with 0
# if none crashed, hung, took more than 10 s or 512 MB, lost an input, or wrote
# what cannot be read.
set -u
cd "$(dirname "$0")/.."
calls=${1:-10000}
build=${2:-build/release}
cores=$(nproc)
per_core=$(( (calls + cores - 1) / cores ))
failed=0
parts=()
for part in $(seq 1 "$cores"); do
  LIMBER_HOSTILE_CALLS=$per_core LIMBER_HOSTILE_SEED=$(( 1000 + part )) \
    "$build/tests/app/app_hostile_test" --gtest_brief=1 \
    --gtest_filter='HostileCallsTest.EndInOrder' &
  parts+=($!)
done
for part in "${parts[@]}"; do wait "$part" || failed=1; done
exit "$failed"
