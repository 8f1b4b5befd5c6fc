# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""How noise of markers becomes noise of a solve. Usage: virtual_markers.py CLIP"""
import sys

import limber

clip = limber.read(sys.argv[1])
for millimetres in (0.0, 1.0, 2.0):
    made = limber.markers(clip, noise=millimetres / 1000.0, seed=1)
    solved = limber.solve(made.take)
    print(f"{millimetres:g} mm of noise: marker RMS {solved.metrics['marker_rms_mm']:.2f} mm, "
          f"{solved.verdict}")
