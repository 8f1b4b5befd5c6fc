# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of the gaps of all takes in a folder. Usage: gaps_of_folder.py FOLDER"""
import pathlib
import sys
from typing import Any

import numpy as np

import limber

files = sorted(path for path in pathlib.Path(sys.argv[1]).iterdir()
               if path.suffix.lower() in (".c3d", ".trc"))
for path, take in zip(files, limber.batch(limber.read, files)):
    if isinstance(take, Exception):
        print(f"{path.name}: {take}")
        continue
    missing: Any = np.isnan(take.points[:, :, 0])
    worst = int(missing.sum(axis=0).argmax())
    print(f"{path.name}: {len(take)} frames, {100 * missing.mean():.1f} % missing, most of "
          f"{take.labels[worst]} ({100 * missing[:, worst].mean():.1f} %)")
