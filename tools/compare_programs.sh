#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs two builds of the program over the bundled data, every command, and
# compares what they print, write and return. Seconds and speeds are left out.
#
#     tools/compare_programs.sh OLD NEW [FOLDER]
#
# FOLDER keeps both sets of outputs; exit code 1 if anything differs.
set -u
[ $# -ge 2 ] || { sed -n '5,11p' "$0" | cut -c3-; exit 2; }
old=$(realpath "$1")
new=$(realpath "$2")
root=$(realpath "$(dirname "$0")/..")
work=${3:-$(mktemp -d)}
work=$(realpath -m "$work")

cases() {
  cat <<'CASES'
info data/clips/walk.bvh
info data/clips/chain.amc --json
info data/takes/march.c3d --json
info data/figures/fat_man.json
info data/scenes/umbrella.json
info none.bvh
info data/takes/march.trc --unit in --up z --json
convert data/takes/march.c3d out.trc
convert data/takes/march.trc out.c3d --json
convert data/takes/march.c3d out2.trc --to-unit m --to-up y
convert data/clips/walk.bvh out.glb
convert data/clips/walk.bvh out.npz --json
convert data/clips/walk.bvh out.usda
convert data/clips/chain.amc chain.bvh --rate 60
convert data/clips/walk.bvh inch.bvh --to-unit in --to-up z
convert data/clips/walk.bvh wrong.c3d
convert data/clips/walk.bvh out.asf
convert data/clips/walk.bvh b.bvh --asf data/clips/chain.asf
solve data/takes/march.c3d -o solved.bvh --report solved.json
solve data/takes/march.c3d -o solved.amc -o solved.csv -o solved.mot -o solved.glb --json
solve data/takes/march.c3d -o floor.bvh --floor found --hold-out 10% --report floor.json
solve data/takes/march.trc -o low.bvh --floor 0.1 --asymmetric --no-clean-up
solve data/takes/march.c3d -o phys.bvh --method physical --gravity --floor-contact --report phys.json
solve data/takes/march.c3d -o both.npz --method both --json
solve data/takes/march.c3d --figure-out actor.json --csv angles.csv
solve data/takes/march.c3d --actor actor.json -o by_actor.bvh --report by_actor.json
solve data/takes/march.c3d --static data/takes/march.trc --neutral data/takes/march.trc -o still.bvh -o still.csv -o still.sto
solve data/takes/march.c3d --marker-set cmu-41 -o set.bvh
solve data/takes/march.c3d --marker-set data/marker_sets/plug-in-gait-39.json -o set2.bvh --report set2.json
solve data/takes/march.c3d --marker-set none.json -o set3.bvh
solve data/takes/march.c3d --subject nobody -o nobody.bvh --json
solve data/takes/march.c3d -o x.bvh --gravity
solve data/takes/march.c3d -o x.xyz
solve data/takes/march.c3d -o x.bvh --hold-out 80%
solve data/takes/march.c3d -o x.bvh --floor up
solve data/takes/march.c3d
solve data/clips/walk.bvh -o x.bvh
solve data/takes/march.c3d -o up.bvh --up x
marker-set
marker-set --show cmu-41
marker-set --from data/takes/march.c3d -o proposed.json --name mine
retarget data/clips/walk.bvh --to fat_man -o fat.bvh --report fat.json
retarget data/clips/walk.bvh --to data/figures/child.json -o child.glb --show-map
retarget data/clips/march.bvh --scale legs=1.25,arms=0.8 -o long.bvh --json
retarget data/clips/run.bvh --to data/clips/march.bvh -o on.bvh --smooth --ground --lock-feet 0.5 --report on.json
retarget data/clips/squat.bvh --to giant -o giant.bvh --copy-only
retarget data/clips/jump.bvh --to adult12 -o play.bvh --dynamic --strength 1.5 --report play.json
retarget data/clips/walk.bvh --to data/clips/chain.asf -o chained.bvh
retarget data/clips/chain.bvh --to fat_man -o x.bvh
retarget data/takes/march.c3d --to fat_man -o x.bvh
retarget data/clips/walk.bvh --to nobody -o x.bvh
retarget data/clips/walk.bvh -o x.bvh
retarget data/clips/walk.bvh --to fat_man -o x.bvh --dynamic --copy-only
retarget data/clips/walk.bvh data/clips/run.bvh --to child -o many/ --jobs 1
edit data/clips/walk.bvh --push left-forearm@0.6s:10Ns:+x -o pushed.bvh --report pushed.json
edit data/clips/walk.bvh --push chest@0.5s:200N/0.2s:body+z --loosen arms@0.3s..0.8s --throw head@0.4s:1kg:0,0,-6 -o more.bvh
edit data/clips/wave.bvh --carry right-hand@0s..1s:3kg:0.2Nm --look head@0.2s..1s:2,1.6,3 --upright chest@0s..1s -o carry.npz --report carry.json
edit data/clips/march.bvh --rag-doll 0.5s..0.9s -o doll.bvh --let-go 20
edit data/clips/march.bvh --preset loose-arm --return pose --keep feet,head --strength weak -o preset.bvh --report preset.json
edit data/clips/march.bvh --slope 0.2s:4deg:+z --gravity 0.3s..0.6s:0,-5,0 -o slope.bvh
edit data/clips/march.bvh --reach left-hand@0.2s..0.8s:0.4,1.2,0.5 --pin right-hand@0.3s..0.6s:+z --stiffen legs@0.1s..0.4s -o goals.bvh --report goals.json
edit data/clips/walk.bvh --wall 0.5m --obstacle 0s:0,0.2,3:0.4,0.4,0.4:5kg --umbrella right-hand@0s..1s -o wall.bvh --report wall.json
edit data/clips/march.bvh --push chest@0.3s:10Ns:+x --sweep push.x=0..20:10 -o sweep.bvh --threads 1 --report sweep.json
edit data/clips/march.bvh --push chest@0.3s:10Ns:+x --no-floor -o air.bvh --physics-rate 300
edit data/clips/march.bvh --push tail@0.3s:10Ns:+x -o x.bvh
edit data/clips/march.bvh --push chest@99s:10Ns:+x -o x.bvh
edit data/clips/march.bvh --push chest -o x.bvh
edit data/clips/march.bvh --floor 0.2s:+0.05m --no-floor -o x.bvh
edit data/takes/march.c3d --push chest@0.3s:10Ns:+x -o x.bvh
edit data/clips/march.bvh --figure fat_man -o x.bvh
combine data/clips/walk.bvh data/clips/run.bvh -o combined.bvh --report combined.json
combine data/clips/walk.bvh data/clips/squat.bvh data/clips/turn.bvh -o three.bvh --json --blend 0.3
combine data/clips/walk.bvh data/clips/chain.bvh -o x.bvh
combine data/clips/walk.bvh -o x.bvh
measure data/clips/walk.bvh --report walk.json
measure data/clips/run.bvh --json
measure fat.bvh --against data/clips/walk.bvh --figure fat_man --json
measure fat.bvh --against data/clips/walk.bvh
measure data/clips/walk.bvh --figure fat_man
measure data/clips/chain.bvh
measure data/takes/march.c3d
markers data/clips/walk.bvh -o virtual.c3d --noise 1mm --gaps 20%:0.3s --swaps 2 --ghosts 3 --seed 4 --json
markers data/clips/walk.bvh -o virtual.trc --marker-set pig39
markers data/clips/walk.bvh -o x.bvh
markers data/clips/chain.bvh -o x.c3d
markers data/clips/walk.bvh -o x.c3d --noise 1
markers fat.bvh -o fat.c3d --figure data/figures/fat_man.json
figure data/clips/march.bvh -o figure.json --weight 70 --fit-clip
figure data/clips/march.bvh -o woman.json --female --height 1.6 --name anna --json
figure data/takes/march.c3d -o x.json
simulate data/scenes/pool.json --report pool.json
simulate data/scenes/limited_forces.json -o fall.bvh --duration 0.5 --report fall.json
simulate data/scenes/umbrella.json -o rain.bvh --duration 0.5 --physics-rate 200
simulate data/scenes/coupled_pendula.json --duration 0.5
simulate data/clips/walk.bvh
simulate data/scenes/none.json
simulate data/scenes/pool.json --figure nobody -o x.bvh
CASES
}

# Numbers of seconds and speeds, which no two runs share.
steady() {
  sed -E -e 's/"[a-z_]*(per_second|calibration_s|real_time_factor)": [-0-9.e+]+/"seconds": 0/' \
    -e 's/[0-9.]+ frames per second/N frames per second/' \
    -e 's/after [0-9.]+ s of calibration/after N s of calibration/' \
    -e 's/speed: [0-9.]+ x/speed: N x/' \
    -e 's/"command": ".*"/"command": ""/'
}

# run PROGRAM FOLDER
run() {
  mkdir -p "$2"
  cd "$2" || exit 1
  ln -sfn "$root/data" data
  local number=0 words
  while read -r words; do
    number=$((number + 1))
    local name
    name=$(printf '%03d' $number)
    # shellcheck disable=SC2086
    "$1" $words >"$name.stdout" 2>"$name.stderr"
    echo $? >"$name.code"
    # A number that only this run has.
    for part in stdout stderr; do
      steady <"$name.$part" >"$name.tmp" && mv "$name.tmp" "$name.$part"
    done
    echo "$words" >"$name.call"
  done < <(cases)
  local file
  while read -r file; do
    steady <"$file" >tmp && mv tmp "$file"
  done < <(find . -type f -name '*.json')
  # The log of a batch and its page are about seconds.
  find . -type f \( -name '*.jsonl' -o -name index.html -o -name 'summary.*' \) -delete
}

(run "$old" "$work/old") &
first=$!
(run "$new" "$work/new") &
wait $first
wait
if diff -rq --exclude=data "$work/old" "$work/new"; then
  echo "$(cases | wc -l) calls: the same"
else
  echo "they differ: diff -r $work/old $work/new"
  exit 1
fi
