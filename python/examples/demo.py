# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""./run demo in six statements: a walk, a noisy take, its solve, a fat man, a push.

Usage: demo.py walk.bvh, which writes into the folder where it is called
"""
import limber, sys  # noqa: E401

limber.write(limber.markers(limber.read(sys.argv[1]), noise=0.001, gap_share=0.1,
                            gap_seconds=0.3, seed=7), "take.c3d")
limber.write(limber.solve(limber.read("take.c3d")), "solved.bvh")
limber.write(limber.retarget(limber.read("solved.bvh"), to="fat_man"), "fat_walk.bvh")
push = limber.Push("chest", at=1.2, impulse=(60, 0, 0))
limber.write(limber.edit(limber.read("fat_walk.bvh"), [push], figure="fat_man"), "pushed.bvh")
