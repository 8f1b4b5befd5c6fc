# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""help() is worth reading: everything has words and units, and every example in them runs."""

import ast
import dataclasses
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import tempfile
import unittest

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: Arguments that are numbers without a unit: shares, counts, coefficients, indices, and words.
UNIT = re.compile(r"\[[^\]]+\]")
QUANTITIES = {
    "rate", "gravity", "mass", "height", "floor", "noise", "gap_seconds", "duration",
    "physics_rate", "let_go", "blend", "search", "inertia", "position", "velocity",
    "angular_velocity", "linear_damping", "angular_damping", "point", "point_a", "point_b",
    "length", "stiffness", "damping", "rest_length", "h", "seconds", "radius", "size", "points",
    "force", "torque", "impulse", "lower", "upper", "speed", "max_force", "offsets",
    "root_positions"}
#: The same words for what is no number.
OTHERWISE = {("read", "offsets"), ("edit", "floor"), ("Stage", "floor"), ("solve", "gravity")}


def public():
    """(name, object) of all that people call: functions, classes, methods, properties."""
    for name in limber.__all__:
        thing = getattr(limber, name)
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for part, value in vars(thing).items():
            if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                yield f"{name}.{part}", value


def functions():
    """(name, function, docstring) of all that takes arguments."""
    for name, thing in public():
        if inspect.isclass(thing):
            # What people do not make themselves has its words beside the fields.
            made = issubclass(thing, (Exception, limber.Result)) or name in (
                "Finding", "Guess", "Event", "ForcePlate", "Doubt", "Verdict", "Join",
                "Criterion", "Contact")
            if "__init__" in vars(thing) and not made:
                words = thing if dataclasses.is_dataclass(thing) else thing.__init__
                yield name, thing.__init__, words.__doc__ or ""
        elif callable(thing):
            yield name, thing, thing.__doc__ or ""


class Docstrings(unittest.TestCase):
    def test_everything_public_has_words(self):
        for name, thing in public():
            with self.subTest(name):
                self.assertTrue(thing.__doc__ and len(thing.__doc__.strip()) > 2)

    def test_arguments_are_explained_and_quantities_have_units(self):
        checked = 0
        for name, function, words in functions():
            for argument in list(inspect.signature(function).parameters):
                if argument in ("self", "handle", "doubts") or name in ("Figure", "Skeleton",
                                                                        "Table", "Shape"):
                    continue
                with self.subTest(f"{name}({argument})"):
                    found = re.search(rf"^\s*{argument} -- ((?:.|\n)*?)(?=^\s*\w+ -- |\n\s*\n|\Z)",
                                      words, re.MULTILINE)
                    self.assertIsNotNone(found)
                    if argument in QUANTITIES and (name, argument) not in OTHERWISE:
                        self.assertRegex(found.group(1), UNIT)
                    checked += 1
        self.assertGreater(checked, 150)

    def test_numbers_that_are_read_have_units(self):
        """Properties of numbers and arrays say their unit, or that they have none."""
        bare = {"w, x, y, z", "in [0, 1]", "number of the first frame", "How many", "in the world",
                "units"}
        for name, thing in public():
            if not isinstance(thing, property):
                continue
            returned = str(inspect.signature(thing.fget).return_annotation)
            if returned not in ("float", "Array"):
                continue
            with self.subTest(name):
                words = thing.__doc__
                self.assertTrue(UNIT.search(words) or any(word in words for word in bare), words)

    def test_fields_of_results_are_explained(self):
        """Every annotated field of a class of the package has a comment #: beside it."""
        for module in pkgutil.iter_modules(limber.__path__):
            if module.name in ("_limber", "_events"):  # Events say it in their docstrings.
                continue
            path = os.path.join(ROOT, "python/limber", module.name + ".py")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            lines = text.splitlines()
            for kind in ast.walk(ast.parse(text)):
                for field in kind.body if isinstance(kind, ast.ClassDef) else []:
                    if not isinstance(field, ast.AnnAssign) or field.target.id.startswith("_"):
                        continue
                    with self.subTest(f"{kind.name}.{field.target.id}"):
                        self.assertIn("#: ", lines[field.lineno - 1])

    def test_help_of_the_package_names_what_there_is(self):
        for name in ("read", "write", "solve", "retarget", "edit", "combine", "measure", "markers",
                     "simulate", "figure", "batch", "World", "Stage", "Push"):
            self.assertRegex(limber.__doc__, rf"\b{name}\b")
        self.assertIn("solve", dir(limber))
        self.assertNotIn("_limber", dir(limber))
        self.assertNotIn("sys", dir(limber))


class Examples(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())

    def test_examples_in_docstrings_hold(self):
        os.chdir(ROOT)
        tried = 0
        # Classes say that they are of `limber`, functions are looked for where they are written.
        modules = [limber] + [importlib.import_module("limber." + module.name)
                              for module in pkgutil.iter_modules(limber.__path__)
                              if module.name != "_limber"]
        for module in modules:
            result = doctest.testmod(module)
            with self.subTest(module.__name__):
                self.assertEqual(result.failed, 0)
            tried += result.attempted
        self.assertGreater(tried, 60)

    def test_every_job_has_an_example(self):
        for name in ("read", "write", "solve", "subjects", "retarget", "edit", "combine", "measure",
                     "markers", "simulate", "figure", "batch", "World", "Stage", "Take", "Clip",
                     "Push", "Joint", "Body"):
            with self.subTest(name):
                self.assertIn(">>>", getattr(limber, name).__doc__)

    def test_code_of_the_page_runs(self):
        """The blocks of docs/python.md, one after another in one room."""
        with open(os.path.join(ROOT, "docs/python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 3)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(ROOT, "data/takes/march.c3d"),
                        os.path.join(folder, "walk.c3d"))
            shutil.copy(os.path.join(ROOT, "data/clips/march.bvh"),
                        os.path.join(folder, "march.bvh"))
            os.chdir(folder)
            room = {}
            for block in blocks:
                exec(compile(block, "docs/python.md", "exec"), room)  # pylint: disable=exec-used
            os.chdir(ROOT)


if __name__ == "__main__":
    unittest.main()
