# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Human motion: solve markers, carry clips over to other bodies, edit by physics.

Everything is in metres, kilograms, seconds and radians, right-handed, +Y up,
whatever a file has; rotations are quaternions w, x, y, z.

    import limber
    take = limber.read("walk.c3d")
    solved = limber.solve(take)
    fat = limber.retarget(solved.clip, to="fat_man")
    pushed = limber.edit(fat.clip, [limber.Push("chest", at=1.2, impulse=(60, 0, 0))])
    limber.write(pushed.clip, "out.bvh")
"""

from ._content import (Clip, Event, Figure, Finding, ForcePlate, Guess, InputError, Skeleton,
                       Table, Take, figure_names, marker_set_names, read, scene_names, write)
from ._events import (Carry, Floor, Gravity, Look, Loosen, Obstacle, Pin, Push, RagDoll, Reach,
                      Recover, Slope, Stiffen, Throw, Umbrella, Upright, Wall)
from ._jobs import (Combined, Doubt, Edited, Markers, Measured, Retargeted, Result, Simulated,
                    Solved, Verdict, batch, combine, edit, figure, markers, measure, retarget,
                    simulate, solve, subjects)
from ._world import (Body, Box, Capsule, Contact, Hull, Joint, Plane, Sphere, Stage, World)
from ._limber import version as __version__

__all__ = [
    "Body", "Box", "Capsule", "Carry", "Clip", "Combined", "Contact", "Doubt", "Edited", "Event",
    "Figure", "Finding", "Floor", "ForcePlate", "Gravity", "Guess", "Hull", "InputError", "Joint",
    "Look", "Loosen", "Markers", "Measured", "Obstacle", "Pin", "Plane", "Push", "RagDoll",
    "Reach", "Recover", "Result", "Retargeted", "Simulated", "Skeleton", "Slope", "Solved",
    "Sphere", "Stage", "Stiffen", "Table", "Take", "Throw", "Umbrella", "Upright", "Verdict",
    "Wall", "World", "batch", "combine", "edit", "figure", "figure_names", "marker_set_names",
    "markers", "measure", "read", "retarget", "scene_names", "simulate", "solve", "subjects",
    "write",
]
