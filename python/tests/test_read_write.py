# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Files and arrays."""

import gc
import os
import random
import tempfile
import unittest

import numpy as np

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "data")


def data(name):
    return os.path.join(DATA, name)


class Takes(unittest.TestCase):
    def test_points_are_the_takes_own_memory(self):
        take = limber.read(data("takes/march.c3d"))
        first, second = take.points, take.points
        self.assertEqual(first.__array_interface__["data"][0],
                         second.__array_interface__["data"][0])
        first[0, 0, 0] = 12.5
        self.assertEqual(take.points[0, 0, 0], 12.5)
        self.assertEqual(first.shape, (len(take), len(take.labels), 3))
        self.assertTrue(first.flags.writeable)

    def test_a_change_of_the_array_is_written(self):
        take = limber.read(data("takes/march.c3d"))
        take.points[5, 2] = np.nan
        take.points[6, 2] = (1.0, 2.0, 3.0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.c3d")
            limber.write(take, path)
            again = limber.read(path)
        self.assertTrue(np.isnan(again.points[5, 2]).all())
        np.testing.assert_allclose(again.points[6, 2], (1.0, 2.0, 3.0), atol=1e-5)

    def test_arrays_outlive_their_take(self):
        take = limber.read(data("takes/march.c3d"))
        points = take.points
        expected = points.copy()
        del take
        gc.collect()
        np.testing.assert_array_equal(points, expected)

    def test_takes_come_and_go_in_any_order(self):
        chance = random.Random(1)
        held = []
        for i in range(1000):
            take = limber.Take(np.full((3, 2, 3), float(i)), ["a", "b"], rate=50)
            held.append((i, take if chance.random() < 0.5 else None, take.points))
            if len(held) > 20:
                number, _, points = held.pop(chance.randrange(len(held)))
                self.assertEqual(points[2, 1, 2], float(number))

    def test_a_take_from_arrays_is_read_back(self):
        points = np.random.default_rng(1).normal(size=(7, 3, 3))
        points[3, 1] = np.nan
        take = limber.Take(points, ["LASI", "RASI", "SACR"], rate=120)
        self.assertAlmostEqual(take.gap_fraction, 1 / 21)
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("c3d", "trc"):
                path = os.path.join(folder, "a." + ending)
                limber.write(take, path)
                again = limber.read(path)
                self.assertEqual(again.labels, take.labels)
                self.assertEqual(again.rate, 120.0)

    def test_what_a_file_says_is_there(self):
        take = limber.read(data("takes/march.c3d"))
        self.assertIn("POINT", take.metadata)
        self.assertEqual(take.analog.ndim, 2)
        self.assertEqual(take.events[1].context, "Right")
        self.assertEqual(take.events[1].time, 0.5)
        self.assertIn("march.c3d", repr(take))


class Clips(unittest.TestCase):
    def test_arrays_and_back_again_are_the_same_motion(self):
        clip = limber.read(data("clips/walk.bvh"))
        joints = len(clip.joint_names)
        self.assertEqual(clip.rotations.shape, (len(clip), joints, 4))
        np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=2), 1.0, atol=1e-12)
        made = limber.Clip(clip.rotations, clip.root_positions, clip.joint_names, clip.parents,
                           clip.offsets, clip.rate)
        np.testing.assert_allclose(made.positions(), clip.positions(), atol=1e-9)

    def test_positions_follow_from_rotations_and_offsets(self):
        half = np.sqrt(0.5)
        clip = limber.Clip([[[half, 0, 0, half], [1, 0, 0, 0]]], [[0, 1, 0]], ["a", "b"], [-1, 0],
                           [[0, 0, 0], [2, 0, 0]], rate=30)
        np.testing.assert_allclose(clip.positions()[0], [[0, 1, 0], [0, 3, 0]], atol=1e-12)

    def test_every_format_is_written_and_read(self):
        clip = limber.read(data("clips/walk.bvh"))
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("bvh", "glb", "npz", "usda", "amc"):
                path = os.path.join(folder, "walk." + ending)
                limber.write(clip, path)
                if ending == "usda":
                    continue
                again = limber.read(path, rate=clip.rate) if ending == "amc" else limber.read(path)
                self.assertEqual(len(again), len(clip), ending)

    def test_bvh_is_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "walk.bvh")
            limber.write(limber.read(data("clips/walk.bvh")), path)
            with open(path, "rb") as one, open(data("clips/walk.bvh"), "rb") as other:
                self.assertEqual(one.read(), other.read())


class Errors(unittest.TestCase):
    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(limber.InputError, "none.bvh"):
            limber.read("none.bvh")

    def test_a_bad_file_has_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.bvh")
            with open(path, "w", encoding="utf-8") as file:
                file.write("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n")
            with self.assertRaises(limber.InputError) as caught:
                limber.read(path)
        self.assertIn("bad.bvh:", str(caught.exception))
        self.assertGreater(caught.exception.findings[0].line, 0)
        self.assertEqual(caught.exception.findings[0].severity, "error")

    def test_wrong_words_name_the_valid_ones(self):
        with self.assertRaisesRegex(ValueError, "unit: expected one of mm, cm"):
            limber.read(data("clips/walk.bvh"), unit="parsec")
        with self.assertRaisesRegex(ValueError, r"^asf does not apply"):
            limber.read(data("clips/walk.bvh"), asf="x.asf")
        with self.assertRaisesRegex(ValueError, r"\.c3d or \.trc"):
            limber.write(limber.read(data("takes/march.c3d")), "x.bvh")

    def test_wrong_shapes_say_what_was_expected(self):
        with self.assertRaisesRegex(ValueError, r"points: expected an array \(frames, 1 markers"):
            limber.Take(np.zeros((2, 3)), ["a"], rate=100)
        with self.assertRaisesRegex(ValueError, "rotations: expected an array"):
            limber.Clip(np.zeros((1, 2, 4)), [[0, 0, 0]], ["a"], [-1], [[0, 0, 0]], 30)
        with self.assertRaisesRegex(TypeError, "labels: expected a list of strings"):
            limber.Take(np.zeros((1, 1, 3)), [1], rate=100)
        with self.assertRaisesRegex(ValueError, "rate: expected a positive"):
            limber.Take(np.zeros((1, 1, 3)), ["a"], rate=0)


if __name__ == "__main__":
    unittest.main()
