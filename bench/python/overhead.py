# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: reading against C++, jobs against the program, a step of a world.

Usage: PYTHONPATH=build/release/python overhead.py PROGRAM READ_SECONDS [PART...]

Parts: read, jobs, step; and instructions, which is only run by name, takes minutes and needs
valgrind. Processor times; Python and C++ take turns, and the median of the ratios counts. Times of
reading differ by some per cent from process to process, because the system gives each its memory
in other pages: they cannot tell whether the binding adds one per cent. The number of instructions
of one reading more can, because it is the same in every run.
"""

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPEATS = 9


def own_seconds(function):
    """Processor seconds of a call. What it returns is given back after the clock was read, as in
    read_seconds.cpp."""
    begin = time.process_time()
    result = function()
    seconds = time.process_time() - begin
    del result
    return seconds


def page_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def child_seconds(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def large_take(path):
    """A take of 100 MB: 60 markers with gaps, 16 bytes a sample."""
    frames = 100_000_000 // (60 * 16)
    points = np.cumsum(np.random.default_rng(1).normal(scale=1e-3, size=(frames, 60, 3)), axis=0)
    points[1000:2000, 7] = np.nan
    limber.write(limber.Take(points, [f"M{i}" for i in range(60)], rate=200), path)
    return os.path.getsize(path)


def read_times(program, folder):
    path = os.path.join(folder, "large.c3d")
    size = large_take(path)
    # In pairs, one beside the other: what the machine does meanwhile meets both. The first reading
    # of a process gets its memory and does not count; of the others each side has two.
    limber.read(path)
    pairs, native_faults, python_faults = [], [], []
    for _ in range(REPEATS):
        lines = subprocess.run([program, path, "3"], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        native_faults.append(int(lines[-1].split()[1]))
        native_seconds = [float(line.split()[0]) for line in lines[1:]]
        before = page_faults()
        seconds = own_seconds(lambda: limber.read(path))
        python_faults.append(page_faults() - before)
        pairs.append((min(native_seconds), min(seconds, own_seconds(lambda: limber.read(path)))))
    native = [pair[0] for pair in pairs]
    # What the binding does does not grow with the file: points are moved, not copied. So the whole
    # of reading a file of one frame is more than its share.
    small = os.path.join(folder, "small.c3d")
    limber.write(limber.Take(np.zeros((1, 60, 3)), [f"M{i}" for i in range(60)], rate=200), small)
    least = min(own_seconds(lambda: [limber.read(small) for _ in range(100)]) / 100
                for _ in range(REPEATS))
    print(f"read one frame: {1e6 * least:.0f} us in all, {100 * least / min(native):.3f} % of the "
          "large file's time")
    ratio = statistics.median(python / alone for alone, python in pairs)
    print(f"read {size / 1e6:.0f} MB of C3D: C++ {min(native):.4f} s, Python "
          f"{min(pair[1] for pair in pairs):.4f} s, {100 * (ratio - 1):+.2f} % (median of "
          f"{REPEATS} pairs)")
    print(f"page faults of one reading: C++ {statistics.median(native_faults):.0f}, Python "
          f"{statistics.median(python_faults):.0f}")


def instructions(*words):
    """Instructions of a whole process, outside the system."""
    if shutil.which("valgrind") is None:
        sys.exit("overhead.py: instructions are counted by valgrind, which is not installed")
    log = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *words],
                         check=True, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", log).group(1))


def read_instructions(program, folder):
    """What one reading more costs each side: starting the process is in both numbers."""
    path = os.path.join(folder, "large.c3d")
    large_take(path)
    script = "import sys, limber\nfor _ in range(int(sys.argv[2])): limber.read(sys.argv[1])"
    native = [instructions(program, path, str(count)) for count in (1, 2)]
    python = [instructions(sys.executable, "-c", script, path, str(count)) for count in (1, 2)]
    alone, bound = native[1] - native[0], python[1] - python[0]
    print(f"instructions of one reading: C++ {alone}, Python {bound}, "
          f"{100 * (bound / alone - 1):+.4f} %")


def job_times(program, folder):
    def at(name):
        return os.path.join(folder, name)

    walk = os.path.join(ROOT, "data/clips/walk.bvh")
    clip = limber.combine([limber.read(walk)] * 4).clip
    limber.write(clip, at("walk.bvh"))
    limber.write(limber.markers(clip, noise=0.001, gap_share=0.1, seed=7), at("take.c3d"))
    limber.write(limber.retarget(clip, to="fat_man"), at("fat.bvh"))
    push = [limber.Push("chest", at=1.2, impulse=(60, 0, 0))]
    jobs = {
        "solve": (
            lambda: limber.write(limber.solve(limber.read(at("take.c3d"))), at("o.bvh")),
            ["solve", at("take.c3d"), "-o", at("p.bvh"), "--force"]),
        "retarget": (
            lambda: limber.write(limber.retarget(limber.read(at("walk.bvh")), to="fat_man"),
                                 at("o.bvh")),
            ["retarget", at("walk.bvh"), "--to", "fat_man", "-o", at("p.bvh"), "--force"]),
        "edit": (
            lambda: limber.write(limber.edit(limber.read(at("fat.bvh")), push, figure="fat_man"),
                                 at("o.bvh")),
            ["edit", at("fat.bvh"), "--figure", "fat_man", "--push", "chest@1.2s:60Ns:+x", "-o",
             at("p.bvh"), "--force"])}
    for name, (function, words) in jobs.items():
        pairs = [(child_seconds(program, *words), own_seconds(function)) for _ in range(4)]
        with open(at("o.bvh"), "rb") as one, open(at("p.bvh"), "rb") as other:
            same = "the same bytes" if one.read() == other.read() else "OTHER BYTES"
        ratio = statistics.median(python / alone for alone, python in pairs)
        print(f"{name}: program {min(pair[0] for pair in pairs):.3f} s, Python "
              f"{min(pair[1] for pair in pairs):.3f} s, {100 * (ratio - 1):+.1f} %, {same}")


def step_time():
    """An empty world: what is left of a step is the call."""
    world = limber.World()
    number = 200_000
    handle = world._handle

    def many(step):
        for _ in range(number):
            step(0.001)

    whole = min(own_seconds(lambda: many(world.step)) for _ in range(5))
    compiled = min(own_seconds(lambda: handle.run(number * 0.001, 0.001)) for _ in range(5))
    print(f"step of an empty world: {1e6 * whole / number:.2f} us from Python, "
          f"{1e6 * compiled / number:.2f} us in a loop in C++, "
          f"{1e6 * (whole - compiled) / number:.2f} us of binding")


def main():
    program, reader, *parts = sys.argv[1:]
    parts = parts or ["read", "jobs", "step"]
    with tempfile.TemporaryDirectory() as folder:
        if "read" in parts:
            read_times(reader, folder)
        if "instructions" in parts:
            read_instructions(reader, folder)
        if "jobs" in parts:
            job_times(program, folder)
        if "step" in parts:
            step_time()


main()
