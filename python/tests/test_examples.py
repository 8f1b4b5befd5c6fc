# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Every example runs, and so does every example in a docstring."""

import doctest
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import limber
import limber._content
import limber._events
import limber._jobs
import limber._world

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "python", "examples")
ARGUMENTS = {
    "demo.py": ["data/takes/march.c3d", "OUT/demo.bvh"],
    "gaps_of_folder.py": ["data/takes"],
    "inverted_pendulum.py": [],
    "knee_angles.py": ["data/takes/march.c3d", "OUT/knee.png"],
    "own_constraint.py": [],
    "pendulum.py": [],
    "push_in_a_loop.py": ["data/clips/march.bvh"],
    "push_sweep.py": ["data/clips/march.bvh", "OUT/sweep.npz"],
    "roller_coaster.py": [],
    "retarget_folder.py": ["OUT/clips", "child", "OUT/child"],
    "virtual_markers.py": ["data/clips/march.bvh"],
}


class Examples(unittest.TestCase):
    def test_each_has_its_arguments_here(self):
        names = {name for name in os.listdir(EXAMPLES) if name.endswith(".py")}
        self.assertEqual(names, set(ARGUMENTS))

    def test_each_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "clips"))
            for name in ("march.bvh", "squat.bvh"):
                os.symlink(os.path.join(ROOT, "data/clips", name),
                           os.path.join(folder, "clips", name))
            for name, arguments in sorted(ARGUMENTS.items()):
                with self.subTest(name):
                    words = [word.replace("OUT", folder) for word in arguments]
                    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *words],
                                          capture_output=True, text=True, cwd=ROOT, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(done.stdout)

    def test_the_pole_stays_up(self):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, "inverted_pendulum.py")],
                              capture_output=True, text=True, check=True)
        self.assertLess(abs(float(done.stdout.split("leans by ")[1].split()[0])), 0.05)

    # Dynamo-114: the loop of a roller coaster, driven by a script.
    def test_the_car_goes_around_and_stays_on_its_track(self):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, "roller_coaster.py")],
                              capture_output=True, text=True, check=True)
        self.assertIn("let go", done.stdout)
        self.assertLess(float(done.stdout.split("track by ")[1].split()[0]), 1e-4)
        self.assertGreater(abs(float(done.stdout.split("turned ")[1].split()[0])), 6.28)

    # B-33: a scene is built by a few lines of a script.
    def test_a_pendulum_takes_eight_lines_at_most(self):
        with open(os.path.join(EXAMPLES, "pendulum.py"), encoding="utf-8") as text:
            lines = [line for line in text.read().splitlines()
                     if line.strip() and not line.startswith(("#", '"""'))]
        self.assertLessEqual(len(lines), 8)


class Types(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_mypy_accepts_package_and_examples(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache, "limber",
                                   "examples"], capture_output=True, text=True,
                                  cwd=os.path.join(ROOT, "python"), check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class Docstrings(unittest.TestCase):
    def test_examples_in_docstrings_hold(self):
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            for module in (limber._content, limber._events, limber._jobs, limber._world):
                failed, tried = doctest.testmod(module)
                self.assertEqual(failed, 0)
            self.assertGreater(tried, 0)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()
