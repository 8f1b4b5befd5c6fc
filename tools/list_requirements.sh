#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints docs/requirements.md: every row of docs/requirements.tsv with the test
# files, samples and scenes that carry its id. From the root of the tree:
#
#     tools/list_requirements.sh > docs/requirements.md
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

cat <<'TEXT'
# Requirements and their tests

Limber grew out of five sources; each feature of theirs has an id, and a test that proves it carries
that id in a comment. This page is made by `tools/list_requirements.sh`, and a test compares the two.

| ids | source |
|---|---|
| Dynamo-1 ... | Barenbrug: *Designing a class library for interactive simulation of rigid body dynamics*, Eindhoven 2000 |
| V-1 ... | Vondrak: *Dynamics of living organisms*, Charles University 2005 |
| B-1 ... | Barzel and Barr: *A modeling system based on dynamic constraints*, 1988 |
| D-1 ... | Dumont, Arnaldi, Hegron: INRIA report 1170, 1990 |
| H-1 ... | Hong, Welch, Choi: *Intuitive control of dynamic simulation using improved implicit constraint enforcement* |

TEXT

# "id<TAB>file" for every id of every test, sample and bundled scene.
mentions() {
  grep -rnoE '\b(Dynamo|V|B|D|H)-[0-9]{1,3}\b' tests python/tests samples data/scenes \
    --include='*.cpp' --include='*.h' --include='*.sh' --include='*.json' \
    --include='*.py' |
    awk -F: '{ print $3 "\t" $1 }' | sort -u
}

mentions | awk -F'\t' '
  NR == FNR { files[$1] = files[$1] (files[$1] == "" ? "" : ", ") "`" $2 "`"; next }
  {
    split($1, part, "-")
    if (part[1] != source) {
      if (source != "") print ""
      source = part[1]
      print "## " source
      print ""
      print "| id | what | tests |"
      print "|---|---|---|"
    }
    ++rows
    if ($1 in files) ++tested
    print "| " $1 " | " $2 " | " ($1 in files ? files[$1] : "none") " |"
  }
  END { print ""; print tested " of " rows " rows carry a test." }
' - docs/requirements.tsv
