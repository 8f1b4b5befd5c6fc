# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Knee angles of a take over the gait cycle. Usage: knee_angles.py TAKE OUT.png"""
import sys

import numpy as np

import limber

take_file, out_file = sys.argv[1:]
solved = limber.solve(limber.read(take_file, limber.Take))
knee = solved.angles["knee_angle_r"]

# A stride goes from one moment to the next in which the right foot passes its middle place.
forward = solved.clip.position("RightFoot") - solved.clip.root_positions
reach = forward[:, 2] - np.median(forward[:, 2])
starts = [i for i in range(1, len(reach)) if reach[i - 1] < 0.0 <= reach[i]]
print(f"{len(knee)} frames, right knee {knee.min():.0f} to {knee.max():.0f} deg, "
      f"{max(0, len(starts) - 1)} strides")
try:
    import matplotlib  # type: ignore[import]
except ImportError:
    print("no picture: matplotlib is not installed")
    sys.exit(0)
matplotlib.use("Agg")
from matplotlib import pyplot  # type: ignore[import]  # noqa: E402

for begin, end in zip(starts, starts[1:]):
    pyplot.plot(np.linspace(0.0, 100.0, end - begin), knee[begin:end])
pyplot.xlabel("gait cycle [%]")
pyplot.ylabel("right knee [deg]")
pyplot.savefig(out_file)
