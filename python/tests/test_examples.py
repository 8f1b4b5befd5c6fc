# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Every example runs, and those with a closed form agree with it."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "python", "examples")
ARGUMENTS = {
    "demo.py": ["data/clips/walk.bvh"],
    "gait_cycles.py": ["data/takes/march.c3d", "data/takes/march.c3d"],
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


def run(name, *words, cwd=None):
    return subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *words],
                          capture_output=True, text=True, cwd=cwd, check=False)


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
                    words = [os.path.join(ROOT, word) if word.startswith("data/") else word
                             for word in words]
                    done = run(name, *words, cwd=folder)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(done.stdout or name == "demo.py")

    def test_the_pole_stays_up(self):
        done = run("inverted_pendulum.py")
        self.assertLess(abs(float(done.stdout.split("leans by ")[1].split()[0])), 0.05)

    # Dynamo-114: the loop of a roller coaster, driven by a script.
    def test_the_car_goes_around_and_stays_on_its_track(self):
        done = run("roller_coaster.py")
        self.assertIn("let go", done.stdout)
        self.assertLess(float(done.stdout.split("track by ")[1].split()[0]), 1e-4)
        self.assertGreater(abs(float(done.stdout.split("turned ")[1].split()[0])), 6.28)
        # Let go, it keeps the energy that the script gave it.
        self.assertLess(abs(float(done.stdout.split("energy changed by ")[1].split()[0])), 0.2)

    # B-33: a scene is built by a few lines of a script.
    def test_a_pendulum_takes_eight_lines_at_most(self):
        with open(os.path.join(EXAMPLES, "pendulum.py"), encoding="utf-8") as text:
            lines = [line for line in text.read().splitlines()
                     if line.strip() and not line.startswith(("#", '"""'))]
        self.assertLessEqual(len(lines), 8)

    # B-33: the same pendulum in both languages, and as its equation has it.
    def test_the_pendulum_swings_as_its_equation_says(self):
        # q'' = -m g L cos(q) / (I + m L^2), a ball of 10 cm at L = 1 m.
        angle, speed, h = 0.0, 0.0, 1e-4
        for _ in range(10000):
            speed -= h * 9.81 * np.cos(angle + 0.5 * h * speed) / (0.4 * 0.01 + 1.0)
            angle += h * speed
        program = os.environ["LIMBER_PENDULUM"]  # samples/pendulum
        answers = [run("pendulum.py").stdout,
                   subprocess.run([program], capture_output=True, text=True, check=True).stdout]
        for answer in answers:
            self.assertAlmostEqual(float(answer.split()[1]), angle, delta=0.01)
        self.assertEqual(len(set(answers)), 1, answers)


if __name__ == "__main__":
    unittest.main()
