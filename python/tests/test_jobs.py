# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs: the program's words and bytes, progress, Ctrl-C, threads."""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import numpy as np

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("LIMBER_PROGRAM", "limber")


def data(name):
    return os.path.join(ROOT, "data", name)


def run_program(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr


class SameAsTheProgram(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def assert_same(self, one, other):
        with open(self.path(one), "rb") as a, open(self.path(other), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_the_demo_in_six_lines_gives_the_programs_bytes(self):
        take = limber.read(data("takes/march.c3d"))
        solved = limber.solve(take)
        limber.write(solved.clip, self.path("solved.bvh"))
        fat = limber.retarget(limber.read(self.path("solved.bvh")), to="fat_man")
        limber.write(fat.clip, self.path("fat.bvh"))
        pushed = limber.edit(limber.read(self.path("fat.bvh")),
                             [limber.Push("chest", at=0.5, impulse=(40, 0, 0))], figure="fat_man")
        limber.write(pushed.clip, self.path("pushed.bvh"))
        run_program("solve", data("takes/march.c3d"), "-o", self.path("s.bvh"), "--report",
                    self.path("s.json"))
        run_program("retarget", self.path("s.bvh"), "--to", "fat_man", "-o", self.path("f.bvh"),
                    "--report", self.path("f.json"))
        run_program("edit", self.path("f.bvh"), "--push", "chest@0.5s:40Ns:+x", "--figure",
                    "fat_man", "-o", self.path("p.bvh"))
        self.assert_same("solved.bvh", "s.bvh")
        self.assert_same("fat.bvh", "f.bvh")
        self.assert_same("pushed.bvh", "p.bvh")
        with open(self.path("s.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["marker_rms_mm"], solved.metrics["marker_rms_mm"])
        with open(self.path("f.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["planted_off_mm"], fat.metrics["planted_off_mm"])
        self.assertTrue(solved.verdict)
        self.assertIn("looks right", repr(solved))
        # Angles and OpenSim's coordinates come from the solve itself.
        limber.write(solved, self.path("angles.csv"))
        limber.write(solved, self.path("angles.mot"))
        self.assertIn("knee_angle_r", limber.read(self.path("angles.mot")).labels)
        solved.report(self.path("r.html"))
        fat.report(self.path("r2.html"))
        pushed.report(self.path("r3.json"))
        self.assertGreater(os.path.getsize(self.path("r.html")), 10000)

    def test_markers_measure_combine_simulate_figure(self):
        clip = limber.read(data("clips/walk.bvh"))
        made = limber.markers(clip, noise=0.001, gap_share=0.1, gap_seconds=0.3, seed=4)
        limber.write(made.take, self.path("v.c3d"))
        run_program("markers", data("clips/walk.bvh"), "-o", self.path("w.c3d"), "--noise", "1mm",
                    "--gaps", "10%:0.3s", "--seed", "4")
        self.assert_same("v.c3d", "w.c3d")
        both = limber.combine([clip, limber.read(data("clips/run.bvh"))])
        limber.write(both.clip, self.path("c.bvh"))
        run_program("combine", data("clips/walk.bvh"), data("clips/run.bvh"), "-o",
                    self.path("d.bvh"))
        self.assert_same("c.bvh", "d.bvh")
        self.assertEqual(len(both.joins), 1)
        measured = limber.measure(clip, against=clip)
        self.assertLess(measured.metrics["joint_rms_deg"], 1e-12)
        fall = limber.simulate("limited_forces", duration=0.2)
        run_program("simulate", data("scenes/limited_forces.json"), "--duration", "0.2", "-o",
                    self.path("s.bvh"))
        (name, played), = fall.clips.items()
        limber.write(played, self.path("t.bvh"))
        self.assert_same("s.bvh", "t.bvh")
        body = limber.figure(clip, mass=70.0)
        self.assertAlmostEqual(body.mass, 70.0)


class Stopping(unittest.TestCase):
    def test_progress_rises_and_false_stops(self):
        clip = limber.read(data("clips/walk.bvh"))
        push = [limber.Push("chest", at=0.3, impulse=(5, 0, 0))]
        shares = []
        limber.edit(clip, push, progress=shares.append)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual(shares[-1], 1.0)
        with self.assertRaisesRegex(limber.InputError, "stopped"):
            limber.edit(clip, push, progress=lambda share: False)

    def test_a_notebook_shows_the_page(self):
        clip = limber.read(data("clips/march.bvh"))
        page = limber.edit(clip, [], progress=True)._repr_html_()
        self.assertIn("<iframe", page)
        self.assertIn("Edit of", page)

    def test_what_progress_raises_comes_out(self):
        def fail(share):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            limber.solve(limber.read(data("takes/march.c3d")), progress=fail)

    def test_control_c_stops_a_job(self):
        clip = limber.read(data("clips/walk.bvh"))
        begun = threading.Event()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(100):
                limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(5, 0, 0))],
                            progress=lambda share: begun.set())
                time.sleep(0)
        thread.join()

    def test_the_lock_is_free_while_a_job_runs(self):
        clip = limber.read(data("clips/walk.bvh"))
        count = [0]
        done = threading.Event()

        def tick():
            while not done.is_set():
                count[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(5, 0, 0))])
        done.set()
        thread.join()
        self.assertGreater(count[0], 3)

    def test_batch_keeps_the_order_and_the_errors(self):
        names = ["clips/walk.bvh", "clips/none.bvh", "clips/run.bvh"]
        results = limber.batch(lambda name: limber.measure(limber.read(data(name))), names)
        self.assertIsInstance(results[0], limber.Measured)
        self.assertIsInstance(results[1], limber.InputError)
        self.assertIsInstance(results[2], limber.Measured)


class Errors(unittest.TestCase):
    def test_wrong_arguments_are_named(self):
        clip = limber.read(data("clips/walk.bvh"))
        take = limber.read(data("takes/march.c3d"))
        with self.assertRaisesRegex(TypeError, "^take: expected a Take"):
            limber.solve(clip)
        with self.assertRaisesRegex(ValueError, "^method: expected"):
            limber.solve(take, method="magic")
        with self.assertRaisesRegex(ValueError, "gravity and floor_contact act on bodies"):
            limber.solve(take, gravity=True)
        with self.assertRaisesRegex(ValueError, "no segment \"tail\".*the figure has"):
            limber.edit(clip, [limber.Push("tail", at=0.1, impulse=(1, 0, 0))])
        with self.assertRaisesRegex(ValueError, "lies outside the clip"):
            limber.edit(clip, [limber.Push("chest", at=100, impulse=(1, 0, 0))])
        with self.assertRaisesRegex(TypeError, "impulse: expected three numbers"):
            limber.Push("chest", at=0.1, impulse=(1, 0))
        with self.assertRaisesRegex(ValueError, "either to="):
            limber.retarget(clip)
        with self.assertRaisesRegex(limber.InputError, "nobody"):
            limber.retarget(clip, to="nobody")

    def test_a_doubt_says_why(self):
        turned = limber.read(data("clips/walk.bvh"), up="x")
        verdict = limber.measure(turned).verdict
        # The caller has said which way is up, so that is not doubted again.
        self.assertIsInstance(str(verdict), str)
        clip = limber.read(data("clips/walk.bvh"))
        half = np.sqrt(0.5)
        rotations = clip.rotations
        root = np.array([half, half, 0.0, 0.0])
        w, x, y, z = np.moveaxis(rotations[:, 0], 1, 0)
        rotations[:, 0] = np.stack([root[0] * w - root[1] * x, root[0] * x + root[1] * w,
                                    root[0] * y - root[1] * z, root[0] * z + root[1] * y], 1)
        lying = limber.Clip(rotations, clip.root_positions[:, [0, 2, 1]], clip.joint_names,
                            clip.parents, clip.offsets, clip.rate)
        verdict = limber.measure(lying).verdict
        self.assertFalse(verdict)
        self.assertIn("lies", [doubt.kind for doubt in verdict.doubts])


if __name__ == "__main__":
    unittest.main()
