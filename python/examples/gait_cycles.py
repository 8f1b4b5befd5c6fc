# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Knee flexion over the gait cycle, of several takes. Usage: gait_cycles.py TAKE...

A stride goes from one foot strike of a side to its next. Where a take has no events, a foot
strikes when it is farthest before the pelvis [Zeni 2008].
"""
import sys

import numpy as np

import limber


def strikes(take: limber.Take, clip: limber.Clip, side: str) -> "list[int]":
    """The frames in which a foot strikes the floor."""
    told = [round(event.time * clip.rate) for event in take.events
            if event.context == side and event.label.startswith("Foot Strike")]
    if len(told) > 1:
        return sorted(told)
    root = clip.root_positions
    way = root[-1] - root[0]
    way[1] = 0.0
    if np.linalg.norm(way) < 0.5:
        return []
    ahead = (clip.position(f"{side}Foot") - root) @ (way / np.linalg.norm(way))
    near = max(1, round(0.3 * clip.rate))
    return [i for i in range(near, len(ahead) - near)
            if ahead[i] == ahead[i - near:i + near + 1].max()]


for path in sys.argv[1:]:
    take = limber.read(path, limber.Take)
    solved = limber.solve(take)
    print(f"{path}: {solved.verdict}")
    for side, column in (("Left", "knee_angle_l"), ("Right", "knee_angle_r")):
        frames = strikes(take, solved.clip, side)
        cycles = [np.interp(np.linspace(begin, end, 101), np.arange(len(solved.angles)),
                            solved.angles[column])
                  for begin, end in zip(frames, frames[1:])]
        if not cycles:
            print(f"  {side.lower()}: no whole stride")
            continue
        mean = np.mean(cycles, axis=0)
        seconds = np.diff(frames).mean() / solved.clip.rate
        print(f"  {side.lower()}: {len(cycles)} strides of {seconds:.2f} s, knee {mean.min():.0f} "
              f"to {mean.max():.0f} deg, most at {mean.argmax()} % of the cycle")
