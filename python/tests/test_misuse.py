# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Random wrong calls: each raises an exception that names the argument, none ends the interpreter.

LIMBER_MISUSE sets the number of calls; the test runs in a process of its own, so that a crash
is a failed test and not a lost run. Several threads call at the same time, on the same objects,
some of which have lost their world, were removed, or are handles that nobody has filled.
"""

import inspect
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import unittest

CALLS = int(os.environ.get("LIMBER_MISUSE", "4000"))
THREADS = 4
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

#: What Python itself says of a call that does not fit; it names the argument or the function.
PYTHONS_OWN = re.compile(
    r"(missing \d+ required|unexpected keyword|positional argument|multiple values|"
    r"unhashable|object is not callable|has no attribute|does not support)")
WORDS = ["rate", "unit", "up", "to", "figure", "mass", "position", "rotation", "axis", "method",
         "marker_set", "noise", "gap_share", "seed", "strength", "progress", "floor", "events",
         "speed", "max_force", "lower", "velocity", "impulse", "segment", "at", "kind", "shape"]


def freed(limber):
    """Objects that have lost what they are about: their world, or their place in it."""
    lonely = limber.World().add_body()
    world = limber.World()
    body = world.add_body(position=(1, 0, 0))
    removed = world.add_hinge(None, body, (0, 0, 0))
    world.remove(removed)
    state = limber.World().save()
    empty = [kind.__new__(kind) for kind in (limber.Take, limber.Clip, limber.Figure, limber.World,
                                             limber.Body, limber.Joint, limber.Stage, limber.Box)]
    return [lonely, body, removed, state, *empty]


class Player:
    """The objects, and the calls on them."""

    def __init__(self):
        import numpy as np

        import limber

        self.limber = limber
        clip = limber.read(os.path.join(ROOT, "data/clips/march.bvh"))
        take = limber.Take(np.zeros((4, 2, 3)), ["a", "b"], rate=100)
        world = limber.World()
        body = world.add_body()
        joint = world.add_hinge(None, world.add_body(position=(1, 0, 0)), (0, 0, 0))
        weld = world.add_weld(None, world.add_body(position=(2, 0, 0)))
        gone = freed(limber)
        stage = limber.Stage(clip)
        figure = limber.read("child")
        self.world, self.body, self.joint = world, body, joint
        self.wrong = [
            None, True, -1, 0, 1, 2**70, 0.5, float("nan"), float("inf"), -1e300, "", "x", "chest",
            b"bytes", [], {}, (), (1, 2), (1, 2, 3), (1, 2, "x"), [[1]], {"a": 1}, object(),
            lambda *a: 1, np.zeros((2, 3)), np.full((3, 2, 3), np.nan), np.array(["a"]),
            np.zeros((0, 0, 3)), np.zeros((1, 1, 4)), np.zeros(3, dtype=complex), clip, take, world,
            body, joint, weld, stage, figure, limber.Push, limber.Take, "\0", "é\udcff", range(3),
            clip.rotations, limber.Sphere(1.0), world.save(), np.float32(1), np.int64(3), *gone]
        lonely, _, removed = gone[:3]
        self.functions = [
            limber.read, limber.write, limber.solve, limber.retarget, limber.measure,
            limber.markers, limber.combine, limber.edit, limber.figure, limber.simulate,
            limber.subjects, limber.batch, limber.Take, limber.Clip, limber.World, limber.Box,
            limber.Sphere, limber.Capsule, limber.Hull, limber.Push, limber.Throw, limber.Reach,
            limber.Loosen, limber.Slope, limber.Stage, limber.Figure, limber.Body, limber.Joint,
            world.add_body, world.add_collider, world.add_floor, world.add_hinge, world.add_slider,
            world.add_cylindrical, world.add_planar, world.add_ball, world.add_weld, world.add_rod,
            world.add_rope, world.add_spring, world.add_relation, world.remove, world.step,
            world.run, world.restore, body.apply_force, body.apply_impulse, body.apply_torque,
            body.place, lonely.apply_force, joint.limit, joint.motor, joint.position, joint.speed,
            joint.motor_off, joint.break_at, weld.position, removed.position, removed.limit,
            removed.motor, stage.push, stage.run, clip.position, take.__getitem__]
        self.raised, self.odd = 0, []

    def call(self, chance):
        function = chance.choice(self.functions)
        arguments = [chance.choice(self.wrong) for _ in range(chance.randrange(5))]
        named = {chance.choice(WORDS): chance.choice(self.wrong)
                 for _ in range(chance.randrange(3))}
        if function.__name__ in ("run", "batch") and chance.random() < 0.9:
            return  # They may take long where the call happens to be right.
        try:
            function(*arguments, **named)
        except Exception as error:
            self.judge(function, arguments, named, error)

    def judge(self, function, arguments, named, error):
        text = str(error)
        try:
            parameters = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            parameters = []
        known = isinstance(error, (TypeError, ValueError)) or (
            isinstance(error, RuntimeError) and text.startswith("world:")) or (
            isinstance(error, AttributeError) and "_handle" in text)
        names_it = (any(re.search(rf"\b{re.escape(name)}\b", text) for name in parameters)
                    or bool(PYTHONS_OWN.search(text)) or "_handle" in text
                    or text.startswith(("world:", "joint:", function.__name__ + ":"))
                    # A file that is wrong is named itself.
                    or any(isinstance(value, str) and value and re.search(
                        rf"(^|[\s\"']){re.escape(value)}([\"':]|$)", text)
                           for value in [*arguments, *named.values()]))
        self.raised += 1
        if not known or not names_it:
            self.odd.append((getattr(function, "__qualname__", function), arguments, named,
                             repr(error)))

    def play(self, seed, calls):
        chance = random.Random(seed)
        for _ in range(calls):
            self.call(chance)
            for attribute in ("position", "velocity", "rotation", "enabled"):
                if chance.random() < 0.02:
                    try:
                        setattr(self.body, attribute, chance.choice(self.wrong))
                    except (TypeError, ValueError) as error:
                        self.raised += 1
                        if attribute not in str(error):
                            self.odd.append((attribute, repr(error)))


def main(seed, calls):
    player = Player()
    threads = [threading.Thread(target=player.play, args=(seed * 100 + i, calls // THREADS))
               for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for call in player.odd[:20]:
        print(call)
    print(player.raised)
    return 1 if player.odd else 0


class Misuse(unittest.TestCase):
    def play(self, seed, calls):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, os.path.abspath(__file__), str(seed),
                                   str(calls)], capture_output=True, text=True, cwd=folder,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        self.assertGreater(int(done.stdout.split()[-1]), calls // 2)

    def test_wrong_calls_raise_and_never_crash(self):
        self.play(7, CALLS)

    def test_a_relation_cannot_change_its_world(self):
        import limber

        world = limber.World()
        bead = world.add_body(position=(1, 0, 0))
        state = world.save()
        for change in (lambda: world.step(0.01), world.add_body, world.save,
                       lambda: world.restore(state), lambda: world.max_error,
                       lambda: setattr(bead, "position", (0, 0, 0)),
                       lambda: world.add_ball(None, bead, (0, 0, 0)),
                       lambda: bead.apply_force((1, 0, 0)), lambda: world.remove(relation)):

            def error(poses, time, change=change):
                change()
                return 0.0

            relation = world.add_relation([bead], error)
            with self.assertRaisesRegex(RuntimeError, "^world: it is in the middle of a step"):
                world.step(0.01)
            world.remove(relation)
        world.step(0.01)

    def test_threads_step_a_world_whose_relation_takes_its_time(self):
        import limber

        world = limber.World()
        bead = world.add_body(kind="particle", position=(1, 0, 0))
        world.add_relation([bead], lambda poses, time: sum(poses[0][0] ** 2 for _ in range(50))[0]
                           / 50.0 + poses[0][0][1] ** 2 - 1.0)
        refused = []

        def step():
            for _ in range(50):
                try:
                    world.step(0.001)
                    world.add_body()
                except RuntimeError as error:
                    refused.append(str(error))

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            threads = [threading.Thread(target=step) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(before)
        self.assertTrue(all("in the middle of a step" in text for text in refused), refused[:3])
        self.assertTrue(refused, "no two threads met; the test shows nothing")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        import faulthandler

        faulthandler.enable()
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
    unittest.main()
