# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""`pip install .` into a bare environment, and the demo with what was installed.

The package of the build is packed; with LIMBER_CLEAN_CHECKOUT, which the slow test sets, a clean
checkout builds itself.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("LIMBER_PROGRAM", "limber")
CLEAN = bool(os.environ.get("LIMBER_CLEAN_CHECKOUT"))
FILES = ("take.c3d", "solved.bvh", "fat_walk.bvh", "pushed.bvh")
#: No file of the package is found but those that were installed.
BARE = {key: value for key, value in os.environ.items()
        if key not in ("PYTHONPATH", "LIMBER_DATA", "PYTHONDONTWRITEBYTECODE")}


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{words}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


def demo_of_the_program(folder):
    """What ./run demo does, with its own flags."""
    def at(name):
        return os.path.join(folder, name)

    fat = os.path.join(ROOT, "data/figures/fat_man.json")
    walk = os.path.join(ROOT, "data/clips/walk.bvh")
    run(PROGRAM, "markers", walk, "-o", at(FILES[0]), "--noise", "1mm", "--gaps", "10%:0.3s",
        "--seed", "7")
    run(PROGRAM, "solve", at(FILES[0]), "-o", at(FILES[1]))
    run(PROGRAM, "retarget", at(FILES[1]), "--to", fat, "-o", at(FILES[2]))
    run(PROGRAM, "edit", at(FILES[2]), "--figure", fat, "--push", "chest@1.2s:60Ns:+x", "-o",
        at(FILES[3]))


def clean_checkout(folder):
    """The files that git knows, as they are."""
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                cwd=ROOT).split("\0")
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), os.path.join(folder, name)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)
    return folder


class BareEnvironment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        environment = os.path.join(cls.folder.name, "env")
        run(sys.executable, "-m", "venv", environment, env=BARE)
        cls.python = os.path.join(environment, "bin", "python")
        settings = dict(BARE, PIP_DISABLE_PIP_VERSION_CHECK="1")
        tree = ROOT
        if CLEAN:
            tree = clean_checkout(os.path.join(cls.folder.name, "tree"))
        else:
            settings["LIMBER_PYTHON_BUILD"] = os.path.dirname(
                os.environ["PYTHONPATH"].split(os.pathsep)[0])
        run(cls.python, "-m", "pip", "install", ".", cwd=tree, env=settings)

    def test_the_package_is_the_installed_one(self):
        where = run(self.python, "-c", "import limber; print(limber.__file__)", env=BARE,
                    cwd=self.folder.name)
        self.assertIn(os.path.join(self.folder.name, "env"), where)

    def test_debians_numpy_is_taken_and_nothing_else_of_debian(self):
        script = ("import importlib.util, limber, numpy; print(numpy.__file__);"
                  "print(importlib.util.find_spec('pip').origin);"
                  "print(importlib.util.find_spec('mypy'), importlib.util.find_spec('apt'))")
        first, pip, others = run(self.python, "-c", script, env=BARE,
                                 cwd=self.folder.name).splitlines()
        self.assertTrue(first.startswith("/usr/lib/python3/dist-packages/"), first)
        self.assertIn("env", pip)
        self.assertEqual(others, "None None")

    def test_the_demo_in_six_lines_gives_the_programs_bytes(self):
        example = os.path.join(ROOT, "python/examples/demo.py")
        with open(example, encoding="utf-8") as file:
            statements = ast.parse(file.read()).body[1:]  # After the docstring.
        self.assertEqual(len(statements), 6)
        ours, theirs = (os.path.join(self.folder.name, name) for name in ("ours", "theirs"))
        os.mkdir(ours)
        os.mkdir(theirs)
        run(self.python, example, os.path.join(ROOT, "data/clips/walk.bvh"), env=BARE, cwd=ours)
        demo_of_the_program(theirs)
        for name in FILES:
            with open(os.path.join(ours, name), "rb") as one, \
                    open(os.path.join(theirs, name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)


if __name__ == "__main__":
    unittest.main()
