# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The types that the package states: mypy accepts the examples and finds wrong uses."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import limber
from limber import _limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

#: Each line is wrong; the comment is a part of what mypy says of it.
WRONG = '''\
import limber
take = limber.read("a.c3d", limber.Take)
clip = limber.read("a.bvh", limber.Clip)
world = limber.World()
body = world.add_body()
limber.solve(clip)  # "solve" has incompatible type "Clip"; expected "Take"
limber.solve(take, gravity="yes")  # "gravity" to "solve" has incompatible type "str"
limber.solve(take, colour="red")  # Unexpected keyword argument "colour" for "solve"
limber.solve(take).clop  # "Solved" has no attribute "clop"
limber.retarget(clip, to=3)  # "to" to "retarget" has incompatible type "int"
limber.edit(clip, [take])  # List item 0 has incompatible type "Take"; expected "Change"
limber.Push("chest", impulse=3.0)  # "impulse" to "Push" has incompatible type "float"
take.rate = 3.0  # Property "rate" defined in "Take" is read-only
take.points.append(1)  # has no attribute "append"
len(clip.positions)  # incompatible type "Callable
x: str = clip.joint_names  # Incompatible types in assignment
world.add_hinge(None, 3, (0, 0, 0))  # "add_hinge" of "World" has incompatible type "int"
world.add_hinge(None, body)  # Missing positional argument "point"
world.step()  # Missing positional argument "h"
world.contacts[0].normal_impulse.x  # "float" has no attribute "x"
world.add_relation([body], 3)  # "add_relation" of "World" has incompatible type "int"
y: int = limber.batch(len, ["a"])  # Incompatible types in assignment
limber.read("a", strict=1.5)  # No overload variant of "read" matches
limber.Stage(take)  # Argument 1 to "Stage" has incompatible type "Take"
'''


def mypy(*words, cwd):
    with tempfile.TemporaryDirectory() as cache:
        return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache, *words],
                              capture_output=True, text=True, check=False, cwd=cwd)


def members(kind):
    return {name for name in vars(kind) if not name.startswith("__")
            and not name.startswith("_pybind11")}


class Types(unittest.TestCase):
    def test_mypy_accepts_package_and_examples(self):
        self.assertIsNotNone(importlib.util.find_spec("mypy"), "install Debian's mypy")
        done = mypy("limber", "examples", cwd=os.path.join(ROOT, "python"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_mypy_accepts_the_package_strictly(self):
        done = mypy("--strict", "limber", cwd=os.path.join(ROOT, "python"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_mypy_finds_wrong_uses(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "wrong.py"), "w", encoding="utf-8") as file:
                file.write(WRONG)
            # As a user has it: the installed package, which carries py.typed.
            package = os.path.dirname(os.path.abspath(limber.__file__))
            self.assertTrue(os.path.exists(os.path.join(package, "py.typed")))
            os.symlink(package, os.path.join(folder, "limber"))
            done = mypy("wrong.py", cwd=folder)
        found = {int(line.split(":")[1]): line for line in done.stdout.splitlines()
                 if line.startswith("wrong.py:") and ": error:" in line}
        for number, line in enumerate(WRONG.splitlines(), start=1):
            with self.subTest(line):
                if "  # " not in line:
                    self.assertNotIn(number, found)
                    continue
                self.assertIn(line.split("  # ", 1)[1], found.get(number, "nothing"))

    def test_the_stub_says_what_the_compiled_part_has(self):
        """Every handle has the members that the stub names, and no others."""
        with open(os.path.join(ROOT, "python/limber/_limber.pyi"), encoding="utf-8") as file:
            import ast
            tree = ast.parse(file.read())
        stated = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        there = {name: value for name, value in vars(_limber).items() if not name.startswith("__")}
        self.assertEqual({name for name, value in there.items() if isinstance(value, type)},
                         set(stated))
        self.assertEqual({name for name, value in there.items()
                          if callable(value) and not isinstance(value, type)}, functions)
        for name, node in stated.items():
            names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            names |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            with self.subTest(name):
                self.assertEqual(members(there[name]), names - {"__init__"})


if __name__ == "__main__":
    unittest.main()
