# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Carries all clips of a folder over to a figure. Usage: retarget_folder.py FOLDER FIGURE OUT"""
import pathlib
import sys

import limber

folder, figure, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
out.mkdir(parents=True, exist_ok=True)


def carry(path: pathlib.Path) -> str:
    result = limber.retarget(limber.read(path), to=figure)
    limber.write(result.clip, out / path.name)
    return str(result.verdict)


clips = sorted(pathlib.Path(folder).glob("*.bvh"))
for path, answer in zip(clips, limber.batch(carry, clips)):
    print(f"{path.name}: {answer}")
