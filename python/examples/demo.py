# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The whole way: markers to a pushed fat man. Usage: demo.py TAKE OUT.bvh"""
import sys

import limber

take_file, out_file = sys.argv[1:]
solved = limber.solve(limber.read(take_file))
print(solved)
fat = limber.retarget(solved.clip, to="fat_man")
print(fat)
push = limber.Push("chest", at=0.5, impulse=(40, 0, 0))
pushed = limber.edit(fat.clip, [push], figure=fat.figure)
print(pushed)
limber.write(pushed.clip, out_file)
