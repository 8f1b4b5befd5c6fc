# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Human motion: solve markers, carry clips over to other bodies, edit by physics.

Everything is in metres, kilograms, seconds and radians, right-handed, +Y up,
whatever a file has; rotations are quaternions w, x, y, z.

    import limber
    take = limber.read("walk.c3d")                       # take.points: a NumPy array
    solved = limber.solve(take)                          # solved.clip, .verdict, .metrics
    fat = limber.retarget(solved.clip, to="fat_man")
    pushed = limber.edit(fat.clip, [limber.Push("chest", at=1.2, impulse=(60, 0, 0))])
    limber.write(pushed.clip, "out.bvh")

Files    read, write; Take, Clip, Figure, Skeleton, Table
Jobs     solve, retarget, edit, combine, measure, markers, simulate, figure, batch
Events   Push, Throw, Carry, Reach, Look, Loosen, ... for edit
Worlds   World, Body, Joint, Sphere, Box, ...; Stage plays a figure step by step
Names    figure_names, marker_set_names, scene_names: what comes with Limber

help(limber.solve) says more of each.
"""

import sys

from . import _numpy
from . import _limber
from ._bodies import Body, Box, Capsule, Contact, Hull, Joint, Plane, Shape, Sphere
from ._checks import Finding, Guess, InputError
from ._content import Clip, Content, Event, Figure, ForcePlate, Skeleton, Table, Take
from ._events import (Carry, Change, Floor, Gravity, Look, Loosen, Obstacle, Pin, Push, RagDoll,
                      Reach, Recover, Slope, Stiffen, Throw, Umbrella, Upright, Wall)
from ._files import figure_names, marker_set_names, read, scene_names, write
from ._jobs import (batch, combine, edit, figure, markers, measure, retarget, simulate, solve,
                    subjects)
from ._results import (Combined, Criterion, Doubt, Edited, Join, Markers, Measured, Result,
                       Retargeted, Simulated, Solved, Verdict)
from ._stage import Stage
from ._world import World

__version__ = _limber.version
# What reports say they were made by.
_limber.set_command([word.encode("utf-8", "replace").decode("utf-8")
                     for word in getattr(sys, "orig_argv", sys.argv)])

__all__ = [
    "Body", "Box", "Capsule", "Carry", "Change", "Clip", "Combined", "Contact", "Content",
    "Criterion", "Doubt", "Edited", "Event", "Figure", "Finding", "Floor", "ForcePlate",
    "Gravity", "Guess", "Hull", "InputError", "Join", "Joint", "Look", "Loosen", "Markers",
    "Measured", "Obstacle", "Pin", "Plane", "Push", "RagDoll", "Reach", "Recover", "Result",
    "Retargeted", "Shape", "Simulated", "Skeleton", "Slope", "Solved", "Sphere", "Stage",
    "Stiffen", "Table", "Take", "Throw", "Umbrella", "Upright", "Verdict", "Wall", "World",
    "batch", "combine", "edit", "figure", "figure_names", "marker_set_names", "markers",
    "measure", "read", "retarget", "scene_names", "simulate", "solve", "subjects", "write",
]

for _name in __all__:
    # People know them by this name; where they are written is the package's own business.
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "limber"


def __dir__() -> "list[str]":
    """What tab completion offers."""
    return [*__all__, "__version__"]
