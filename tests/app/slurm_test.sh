#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# slurm_test.sh LIMBER SOURCE: a batch of 200 jobs in 8 tasks on a real Slurm of
# one machine, on loopback. One task is killed half-way and requeued; what comes
# out must be what a local run writes, byte for byte. Ends with 77 (skipped)
# where Slurm is not installed or cannot be started.
set -euo pipefail
limber=$(readlink -f "$1") source=$2
export LC_ALL=C

skip() {
  echo "SKIPPED: $*"
  exit 77
}
for program in munged slurmctld slurmd sbatch scontrol squeue; do
  command -v "$program" >/dev/null ||
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null ||
    skip "no $program (apt-get install slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip "only root can start slurmd"
PATH=$PATH:/usr/sbin

folder=$(mktemp -d)
pids=()
# Ends what was started here, and nothing else.
clean_up() {
  local pid file
  for file in "$folder"/run/*.pid; do
    [ -s "$file" ] && pids+=("$(cat "$file")")
  done
  for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2>/dev/null || true; done
  for pid in ${pids[@]+"${pids[@]}"}; do
    for _ in $(seq 50); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap clean_up EXIT

# --- The cluster: munge with a key and a socket of its own, one node.
mkdir -p "$folder"/{spool,state,log,run,munge}
host=$(hostname -s)
chmod 755 "$folder"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
chmod 755 "$folder/munge"
munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/run/munged.pid" --log-file="$folder/munge/log" \
  --seed-file="$folder/munge/seed" --force 2>"$folder/log/munged" ||
  skip "munged does not start: $(cat "$folder/log/munged")"
# Ports that nobody has: the test may run beside another Slurm.
port=$((20000 + $$ % 20000))
cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=3600
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmdSpoolDir=$folder/spool
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
ReturnToService=2
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$folder/slurm.conf
slurmctld -c >"$folder/log/start" 2>&1 && slurmd -c >>"$folder/log/start" 2>&1 ||
  skip "Slurm does not start: $(cat "$folder/log/start")"
for _ in $(seq 100); do
  sinfo -h -o %t 2>/dev/null | grep -qx 'idle' && break
  sleep 0.2
done
sinfo -h -o %t | grep -qx idle ||
  skip "the node does not come up: $(tail -n 5 "$folder/log/slurmd")"

# --- 200 clips under names of their own, and one that cannot be read.
work=$folder/work
mkdir -p "$work/clips"
cd "$work"
clips=(march bow wave squat)
for i in $(seq 199); do
  cp "$source/data/clips/${clips[$((i % 4))]}.bvh" "clips/$i.bvh"
done
echo HIERARCHY >clips/bad.bvh
batch=(batch --from 'clips/*.bvh' --command 'retarget --to fat_man')
"$limber" "${batch[@]}" --out local >/dev/null 2>&1 || [ $? -eq 1 ] || {
  echo "the local run failed"
  exit 1
}

# --- The same on the cluster; task 3 is killed when it has done some jobs.
submitted=$("$limber" "${batch[@]}" --out cluster --slurm --nodes 2 --tasks 8 \
  --cpus 1)
echo "$submitted"
array=$(sed -n 's/submitted: array \([0-9]*\), merging.*/\1/p' <<<"$submitted")
merge=$(sed -n 's/.*merging \([0-9]*\).*/\1/p' <<<"$submitted")
lines() { cat "cluster/log.$1-of-8.jsonl" 2>/dev/null | wc -l; }
killed=0
for _ in $(seq 1200); do
  if [ "$killed" -eq 0 ] && [ "$(lines 3)" -ge 5 ]; then
    before=$(lines 3)
    # As if the machine had failed: no time to end in good order.
    scancel --signal=KILL --full "${array}_3" 2>/dev/null || true
    sleep 1
    scontrol requeue "${array}_3" || true
    killed=1
    echo "task 3 was killed after $before jobs"
  fi
  state=$(squeue -h -j "$merge" -o %T 2>/dev/null || true)
  if [ -z "$state" ] || [ "$state" = COMPLETED ] || [ "$state" = FAILED ]; then
    break
  fi
  sleep 0.5
done
[ "$killed" -eq 1 ] || { echo "no task could be killed half-way"; exit 1; }
for _ in $(seq 100); do
  [ -f cluster/index.html ] && break
  sleep 0.2
done

# --- What came out.
fail() {
  echo "FAILED: $*"
  tail -n 20 cluster/slurm/*.log || true
  squeue || true
  exit 1
}
[ -f cluster/index.html ] || fail "the merging did not run"
[ "$(wc -l <cluster/log.jsonl)" -eq 200 ] ||
  fail "$(wc -l <cluster/log.jsonl) jobs in the merged log instead of 200"
shards=$(cat cluster/log.*-of-8.jsonl | wc -l)
[ "$shards" -eq 200 ] || fail "$shards jobs were done instead of 200"
(cd local && find . -name '*.bvh' | sort | xargs sha256sum) >local.sums
(cd cluster && find . -name '*.bvh' | sort | xargs sha256sum) >cluster.sums
cmp local.sums cluster.sums || fail "outputs differ"
[ "$(wc -l <local.sums)" -eq 199 ] || fail "clips are missing"
# The logs without times, speeds and sizes of reports (which hold a speed).
said() {
  sed -E 's/"(finished|seconds|cpu_seconds|memory_mb|frames_per_second)":[^,}]*//g;
    s/"outputs":\{[^}]*\}//' "$1" | sort
}
cmp <(said local/log.jsonl) <(said cluster/log.jsonl) || fail "logs differ"
echo "200 jobs in 8 tasks, one killed and requeued: as the local run"
