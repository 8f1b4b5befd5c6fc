# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of every kind come and go in random order; those that are left still say what they said.

Usage: lifetimes.py SEED COUNT. Run by test_lifetimes.py, and by the build with sanitizers under
AddressSanitizer.
"""

import gc
import os
import random
import sys

import numpy as np

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def make_take(chance):
    value = chance.random()
    take = limber.Take(np.full((3, 2, 3), value), ["a", "b"], rate=50)
    points, column = take.points, take["b"]
    points[0, 0, 0] = value + 1.0
    parts = [take, points, column]

    def holds(part):
        if part is take:
            return part.points[0, 0, 0] == value + 1.0 and part.labels == ["a", "b"]
        return part.flat[-1] == value

    return parts, holds


def make_file(chance):
    take = limber.read(os.path.join(ROOT, "data/takes/march.c3d"))
    first = take.points[0].copy()
    parts = [take, take.points, take.analog, take.metadata]
    return parts, lambda part: (part is not parts[1] or np.array_equal(part[0], first,
                                                                       equal_nan=True))


def make_clip(chance):
    frames = chance.randrange(1, 6)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 2, 1))
    height = chance.random()
    clip = limber.Clip(rotations, np.full((frames, 3), height), ["a", "b"], [-1, 0],
                       [[0, 0, 0], [0, 1, 0]], rate=30)
    positions = clip.positions()
    return [clip, positions], lambda part: (
        abs((part if part is positions else part.positions())[-1, 1, 1] - height - 1.0) < 1e-12)


def make_world(chance):
    world = limber.World(gravity=(0, 0, 0))
    x = chance.random()
    body = world.add_body(position=(x, 0, 0), shape=limber.Sphere(0.1), collides=True)
    other = world.add_body(position=(x, 1, 0))
    hinge = world.add_hinge(body, other, (x, 0.5, 0))
    rod = world.add_rod(None, (0, 0, 0), body, (x, 0, 0), length=x + 0.01)
    world.remove(rod)
    state = world.save()
    if chance.random() < 0.3:
        # A cycle: the world keeps the function, the function the body, the body the world.
        world.add_relation([other], lambda poses, time: other.position[1] - 1.0)
    world.step(0.001)

    def holds(part):
        if part is world:
            world.restore(state)
            return len(world.bodies) == 2
        if part is body:
            return abs(body.position[0] - x) < 1e-6
        if part is hinge:
            return abs(hinge.position()) < 1e-6
        if part is rod:
            try:
                rod.error
            except ValueError:
                return True
            return False
        return True

    return [world, body, hinge, rod, state], holds


def make_figure(chance):
    figure = limber.read(chance.choice(["child", "fat_man"]))
    mass = figure.mass
    offsets = figure.offsets
    return [figure, offsets], lambda part: part is offsets or part.mass == mass


def make_result(chance):
    clip = limber.read(os.path.join(ROOT, "data/clips/march.bvh"))
    made = limber.markers(clip, noise=0.001, seed=chance.randrange(100))
    first = made.take.points[0].copy()
    points = made.take.points
    return [clip, made, made.take, points], lambda part: (
        part is not points or np.array_equal(points[0], first, equal_nan=True))


def make_stage(chance):
    stage = limber.Stage(limber.read(os.path.join(ROOT, "data/clips/march.bvh")))
    stage.step()
    figure, clip, positions = stage.figure, stage.clip(), stage.positions()
    mass = figure.mass
    return [stage, figure, clip, positions], lambda part: part is not figure or part.mass == mass


#: The cheap ones more often.
MAKERS = [make_take] * 8 + [make_clip] * 8 + [make_world] * 8 + [make_figure] * 2 + [
    make_file, make_result, make_stage]


def play(seed, number):
    """Creates and deletes; returns how many objects were checked."""
    chance = random.Random(seed)
    held, checked = [], 0
    for i in range(number):
        parts, holds = chance.choice(MAKERS)(chance)
        for part in chance.sample(parts, chance.randrange(1, len(parts) + 1)):
            held.append((part, holds))
        del parts, part
        # `holds` keeps its parts: now and then they go, and only the object stays.
        if chance.random() < 0.5:
            held[-1] = (held[-1][0], None)
        del holds
        while len(held) > 40:
            part, holds = held.pop(chance.randrange(len(held)))
            if holds is None:
                repr(part)
                if isinstance(part, np.ndarray):
                    part.sum()
            elif not holds(part):
                raise SystemExit(f"{part!r} does not hold what it held")
            checked += 1
        if i % 100 == 99:
            gc.collect()
    return checked


if __name__ == "__main__":
    print(play(int(sys.argv[1]), int(sys.argv[2])))
