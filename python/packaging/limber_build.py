# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of limber with CMake: the backend that pyproject.toml names.

It needs no package of Python, so that pip has nothing to download. The environment variable
LIMBER_PYTHON_BUILD names a build folder that exists already, of which the package is taken.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPTIONS = ["-D", "CMAKE_BUILD_TYPE=Release", "-D", "LIMBER_BUILD_TESTS=OFF",
           "-D", "LIMBER_BUILD_BENCH=OFF", "-D", "LIMBER_BUILD_VIEWER=OFF",
           "-D", "LIMBER_BUILD_PYTHON=ON", "-D", f"Python3_EXECUTABLE={sys.executable}"]


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
        return re.search(r"project\(Limber VERSION ([0-9.]+)", text.read()).group(1)


def _built_package():
    """The folder of the package, built where it is not."""
    build = os.environ.get("LIMBER_PYTHON_BUILD")
    if not build:
        build = os.path.join(ROOT, "build", "pip")
        generator = ["-G", "Ninja"] if _has("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, *OPTIONS], check=True)
        done = subprocess.run(["cmake", "--build", build, "--target", "limber_python",
                               "--parallel", str(os.cpu_count() or 1)])
        if done.returncode != 0:
            sys.exit("limber: the build failed; docs/python.md lists the packages it needs")
    package = os.path.join(build, "python", "limber")
    if not os.path.isdir(package):
        sys.exit(f"limber: there is no package in {package}")
    return package


def _has(program):
    return any(os.access(os.path.join(folder, program), os.X_OK)
               for folder in os.environ.get("PATH", "").split(os.pathsep))


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _metadata():
    return (f"Metadata-Version: 2.1\nName: limber\nVersion: {_version()}\n"
            "Summary: Human motion: solve, retarget, edit\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def _files(package):
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith((".pyc", ".pyo")):
                continue
            path = os.path.join(folder, name)
            yield "limber/" + os.path.relpath(path, package).replace(os.sep, "/"), path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _built_package()
    info = f"limber-{_version()}.dist-info"
    name = f"limber-{_version()}-{_tag()}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(where, content):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            record.append(f"{where},sha256={digest.decode()},{len(content)}")
            wheel.writestr(where, content)

        for where, path in _files(package):
            with open(path, "rb") as file:
                add(where, file.read())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", ("Wheel-Version: 1.0\nGenerator: limber\n"
                              f"Root-Is-Purelib: false\nTag: {_tag()}\n").encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("limber is installed from its source tree: pip install .")
