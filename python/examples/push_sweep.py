# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Pushes of many strengths as a data set. Usage: push_sweep.py CLIP OUT.npz"""
import sys

import numpy as np

import limber

clip = limber.read(sys.argv[1])
strengths = np.linspace(-20.0, 20.0, 5)


def pushed(newton_seconds: float) -> limber.Edited:
    push = limber.Push("chest", at=0.3, impulse=(newton_seconds, 0.0, 0.0))
    return limber.edit(clip, [push])


results = [pushed(strength) for strength in strengths]
np.savez(sys.argv[2], impulse=strengths,
         rotations=np.stack([result.clip.rotations for result in results]),
         largest_difference_deg=[r.metrics["largest_difference_deg"] for r in results])
print(f"{len(results)} clips of {len(clip)} frames")
