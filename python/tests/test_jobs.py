# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The jobs: the program's words, bytes and reports."""

import json
import os
import subprocess
import tempfile
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

    def test_solve_retarget_edit_give_the_programs_bytes(self):
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
        table = limber.read(self.path("angles.mot"), limber.Table)
        np.testing.assert_allclose(table["knee_angle_r"], solved.angles["knee_angle_r"], atol=1e-5)
        # The body that was calibrated solves the same take without calibration.
        again = limber.solve(take, actor=solved.figure)
        np.testing.assert_allclose(again.clip.positions(), solved.clip.positions(), atol=2e-3)
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


class Pages(unittest.TestCase):
    """Every result has a report, with the moving picture that the program's page has."""

    def results(self):
        clip = limber.read(data("clips/march.bvh"))
        other = limber.read(data("clips/squat.bvh"))
        take = limber.read(data("takes/march.c3d"))
        return {
            "solve": limber.solve(take), "retarget": limber.retarget(clip, to="child"),
            "edit": limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(5, 0, 0))]),
            "combine": limber.combine([clip, clip]), "measure": limber.measure(clip, against=clip),
            "measure on a figure": limber.measure(
                limber.retarget(other, to="child").clip, figure="child"),
            "markers": limber.markers(clip, noise=0.001),
            "simulate": limber.simulate("coupled_pendula", duration=0.5),
            "simulate a figure": limber.simulate("limited_forces", duration=0.2)}

    def test_every_result_has_a_page_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, result in self.results().items():
                with self.subTest(name):
                    path = os.path.join(folder, "r.html")
                    for _ in range(2):  # The second page is the first one's.
                        result.report(path)
                        with open(path, encoding="utf-8") as file:
                            page = file.read()
                        self.assertTrue('class="limber-player"' in page)
                        self.assertTrue("Made by" in page)
                    shown = result._repr_html_()
                    self.assertTrue(shown.startswith("<iframe"))
                    self.assertTrue("class=&quot;limber-player&quot;" in shown)
                    path = os.path.join(folder, "r.json")
                    result.report(path)
                    with open(path, encoding="utf-8") as file:
                        values = json.load(file)
                    self.assertTrue(result.metrics)
                    for key, value in result.metrics.items():
                        self.assertEqual(values[key], value)
                    with self.assertRaisesRegex(ValueError, "html"):
                        result.report(os.path.join(folder, "r.txt"))

    def test_takes_and_clips_show_themselves(self):
        for content in (limber.read(data("takes/march.c3d")), limber.read(data("clips/march.bvh"))):
            self.assertTrue("class=&quot;limber-player&quot;" in content._repr_html_())
        still = limber.Take(np.zeros((1, 1, 3)), ["a"], rate=100)
        self.assertIn("1 points, 1 frames", still._repr_html_())

    def test_the_reports_are_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            clip = data("clips/walk.bvh")
            run_program("measure", clip, "--report", path)
            with open(path, encoding="utf-8") as file:
                program = json.load(file)
            limber.measure(limber.read(clip)).report(path)
            with open(path, encoding="utf-8") as file:
                ours = json.load(file)
            run_program("combine", clip, data("clips/run.bvh"), "-o",
                        os.path.join(folder, "c.bvh"), "--report", path, "--force")
            with open(path, encoding="utf-8") as file:
                program2 = json.load(file)
            limber.combine([limber.read(clip), limber.read(data("clips/run.bvh"))]).report(path)
            with open(path, encoding="utf-8") as file:
                ours2 = json.load(file)
        for one, other in ((program, ours), (program2, ours2)):
            for values in (one, other):
                values.pop("command")
            self.assertEqual(one, other)


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
        with self.assertRaisesRegex(ValueError, "^to: say whom"):
            limber.retarget(clip)
        with self.assertRaisesRegex(ValueError, "^to: there is no 'nobody'; there are .*fat_man"):
            limber.retarget(clip, to="nobody")
        with self.assertRaisesRegex(ValueError, "^marker_set: there is no 'mine'; .*cmu-41"):
            limber.solve(take, marker_set="mine")
        with self.assertRaisesRegex(ValueError, "^scene: there is no 'mine'; .*coupled_pendula"):
            limber.simulate("mine")
        with self.assertRaisesRegex(limber.InputError, "mine.json"):
            limber.simulate("mine.json")
        with self.assertRaisesRegex(TypeError, r"^clip: .*; its \.clip is one"):
            limber.measure(limber.combine([clip, clip]))

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


class Words(unittest.TestCase):
    """What a newcomer does wrong is answered with what was expected, and what would do."""

    def refuses(self, kind, words, function, *arguments, **named):
        with self.assertRaisesRegex(kind, words):
            function(*arguments, **named)

    def test_a_file_instead_of_its_content(self):
        self.refuses(TypeError, "^take: expected a Take, found 'walk.c3d'; limber.read reads a "
                     "file$", limber.solve, "walk.c3d")

    def test_an_event_instead_of_a_list(self):
        clip = limber.read(data("clips/march.bvh"))
        push = limber.Push("chest", at=0.3, impulse=(5, 0, 0))
        self.refuses(TypeError, r"belongs into a list: \[...\]$", limber.edit, clip, push)

    def test_words_that_are_not_known_name_those_that_are(self):
        clip = limber.read(data("clips/march.bvh"))
        self.refuses(ValueError, '"cmu41", "pig39"', limber.markers, clip, marker_set="abc")
        self.refuses(ValueError, r"^gap_share: expected a share in \[0, 1\], found 2$",
                     limber.markers, clip, gap_share=2)
        self.refuses(ValueError, r"^lock_feet: expected a share in \[0, 1\], found 1.5$",
                     limber.retarget, clip, to="child", lock_feet=1.5)

    def test_parents_that_come_after_their_children(self):
        self.refuses(ValueError, "^parents: expected the index of an earlier joint, or -1, for "
                     "joint 1, found 5$", limber.Clip, np.ones((1, 2, 4)), np.zeros((1, 3)),
                     ["a", "b"], [-1, 5], np.zeros((2, 3)), 30)

    def test_findings_speak_of_arguments(self):
        finding = limber._checks.findings_of(
            [("warning", "up", "a.c3d", 0, 0, -1, "turned (--up +Z keeps it)", 1)])[0]
        self.assertEqual(str(finding), "a.c3d: warning: turned (up +Z keeps it)")

    def test_a_figure_without_a_name_is_shown_without_one(self):
        made = limber.figure(limber.read(data("clips/walk.bvh")))
        self.assertRegex(repr(made), "^<Figure: 18 segments, ")


if __name__ == "__main__":
    unittest.main()
