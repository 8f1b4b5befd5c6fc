#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the pictures of docs/editing.md, each with the command beside it there:
#
#     docs/pictures/make_edit_pictures.sh build/release/limber [NAME...]
#
# The edited clip, and the clip itself as a ghost, at one moment or as a strip.
set -eu
limber=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
clips=$here/../../data/clips
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=" $* "

# picture NAME CLIP AT TURN EDIT...
picture() {
  name=$1 clip=$2 at=$3 turn=$4
  shift 4
  case $wanted in "  " | *" $name "*) ;; *) return 0 ;; esac
  "$limber" edit "$clips/$clip.bvh" "$@" -o "$work/$name.bvh"
  "$limber" view "$work/$name.bvh" "$clips/$clip.bvh" --at "$at" \
    --turn "$turn" --height 12 --distance 3.4 --size 240x240 \
    --snapshot "$here/edit_$name.png"
}

picture push walk 1.26 60 --push left-forearm@1.2s:10Ns:+x
picture push_over_time walk 1.3 60 --push chest@1s:200N/0.3s:body+x
picture let_go walk 1.9 60 --push chest@1s:60Ns:+x --let-go
picture throw walk 1.3 60 --throw head@1s:3kg:-9,0,0
picture wall walk 3.2 60 --wall 2.2m
picture obstacle walk 2.35 60 --obstacle 0s:0,0.25,2.6:1.2,0.5,0.3:20kg
picture carry walk 2.0 60 --carry right-hand@0s:8kg
picture umbrella bow 1.6 60 --umbrella right-hand@0s:0.5kg
picture point walk 2.0 60 --point right-hand@0.5s..4s:-0.3,1.3,0.9:0,0,1.2
picture out_of_reach walk 2.0 60 --point right-hand@0.5s..4s:-1.5,1.5,9
picture reach wave 1.5 20 --reach left-hand@0.5s..3s:0.35,1.3,0.35
picture look walk 2.0 20 --look head@0.5s..4s:3,1.6,5
picture pin wave 2.0 20 --pin right-hand@1s..3s
picture upright bow 1.6 60 --upright head@0s
picture loosen walk 1.6 60 --loosen arms@0.5s..3s --push left-forearm@1.4s:6Ns:+z
picture stiffen walk 1.26 60 --stiffen arms@0.5s..3s --push left-forearm@1.2s:10Ns:+x
picture rag_doll walk 1.2 60 --rag-doll 0.6s..1.4s
picture recover walk 2.1 60 --rag-doll 0.6s --recover 1.4s
picture gravity walk 3.0 60 --gravity 1s:2.5,-9,0
picture floor walk 2.0 60 --floor 1s:+0.1m
picture slope walk 3.5 60 --slope 1s:8deg:+z
picture keep walk 1.4 60 --push pelvis@1s:300N/0.3s:+x --keep feet,head
picture return_none walk 4.0 60 --push pelvis@1s:300N/0.3s:+x --return none
picture loose_arm walk 2.0 60 --preset loose-arm
picture weak walk 2.0 60 --strength weak --carry right-hand@0s:5kg
