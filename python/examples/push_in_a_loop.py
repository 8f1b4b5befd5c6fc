# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Pushes a figure whenever it leans too little: a loop of one's own. Usage: push_in_a_loop.py CLIP"""
import sys

import limber

stage = limber.Stage(limber.read(sys.argv[1]))
start = stage.positions()[0, 0]
pushes = 0
while stage.time < 0.6:
    stage.step()
    if stage.time > 0.1 * (pushes + 1):
        stage.push("chest", impulse=(4.0, 0.0, 0.0))
        pushes += 1
print(f"{pushes} pushes moved the root by {stage.positions()[0, 0] - start:.3f} m")
