# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Random wrong calls: each raises an exception that names something, none ends the interpreter.

LIMBER_MISUSE sets the number of calls; the test runs in a process of its own, so that a crash
is a failed test and not a lost run.
"""

import os
import random
import subprocess
import sys
import tempfile
import unittest

CALLS = int(os.environ.get("LIMBER_MISUSE", "2000"))


def play(seed, calls):
    """Makes wrong calls; returns how many raised, and those that raised what they must not."""
    import numpy as np

    import limber

    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    chance = random.Random(seed)
    clip = limber.read(os.path.join(root, "data/clips/march.bvh"))
    take = limber.Take(np.zeros((4, 2, 3)), ["a", "b"], rate=100)
    world = limber.World()
    body = world.add_body()
    joint = world.add_hinge(None, world.add_body(position=(1, 0, 0)), (0, 0, 0))
    gone = limber.World().add_body()
    figure = limber.read("child")
    wrong = [None, True, -1, 0, 1, 2**70, 0.5, float("nan"), float("inf"), -1e300, "", "x", "chest",
             b"bytes", [], {}, (), (1, 2), (1, 2, 3), (1, 2, "x"), [[1]], {"a": 1}, object(),
             lambda *a: 1, np.zeros((2, 3)), np.full((3, 2, 3), np.nan), np.array(["a"]),
             np.zeros((0, 0, 3)), np.zeros((1, 1, 4)), np.zeros(3, dtype=complex), clip, take,
             world, body, gone, joint, figure, limber.Push, "\0", "é\udcff", range(3), clip.rotations,
             limber.Sphere(1.0), world.save(), np.float32(1), np.int64(3)]
    functions = [
        limber.read, limber.write, limber.solve, limber.retarget, limber.measure, limber.markers,
        limber.combine, limber.edit, limber.figure, limber.simulate, limber.subjects, limber.Take,
        limber.Clip, limber.World, limber.Box, limber.Sphere, limber.Capsule, limber.Hull,
        limber.Push, limber.Throw, limber.Reach, limber.Loosen, limber.Slope, limber.Stage,
        world.add_body, world.add_collider, world.add_hinge, world.add_slider, world.add_ball,
        world.add_weld, world.add_rod, world.add_rope, world.add_spring, world.add_relation,
        world.step, world.restore, body.apply_force, body.apply_impulse, body.apply_torque,
        joint.limit, joint.motor, joint.position, joint.speed, joint.motor_off,
    ]
    words = ["rate", "unit", "up", "to", "figure", "mass", "position", "rotation", "axis", "method",
             "marker_set", "noise", "gap_share", "seed", "strength", "progress", "floor", "events",
             "speed", "max_force", "lower", "velocity", "impulse", "segment", "at", "kind", "shape"]
    raised, odd = 0, []
    for _ in range(calls):
        function = chance.choice(functions)
        arguments = [chance.choice(wrong) for _ in range(chance.randrange(5))]
        named = {chance.choice(words): chance.choice(wrong) for _ in range(chance.randrange(3))}
        try:
            function(*arguments, **named)
        except (TypeError, ValueError, OverflowError) as error:
            raised += 1
            if not str(error):
                odd.append((function.__name__, arguments, named, "no words"))
        except (RuntimeError, ZeroDivisionError, MemoryError, IndexError, KeyError) as error:
            odd.append((function.__name__, arguments, named, repr(error)))
        for attribute in ("position", "velocity", "rotation"):
            if chance.random() < 0.02:
                try:
                    setattr(body, attribute, chance.choice(wrong))
                except (TypeError, ValueError):
                    raised += 1
    return raised, odd


class Misuse(unittest.TestCase):
    def test_wrong_calls_raise_and_never_crash(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, os.path.abspath(__file__), "7", str(CALLS)],
                                  capture_output=True, text=True, cwd=folder, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-4000:])
        raised = int(done.stdout.split()[-1])
        self.assertGreater(raised, CALLS // 2)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        import faulthandler

        faulthandler.enable()
        number, strange = play(int(sys.argv[1]), int(sys.argv[2]))
        for call in strange[:20]:
            print(call)
        print(number)
        sys.exit(1 if strange else 0)
    unittest.main()
