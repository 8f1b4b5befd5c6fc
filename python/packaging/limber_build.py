# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of limber with CMake: the backend that pyproject.toml names.

It needs no package of Python, so that pip has nothing to download; what it builds with is
Debian's (docs/python.md). The environment variable LIMBER_PYTHON_BUILD names a build folder that
exists already, of which the package is taken; CMAKE_ARGS has further arguments for CMake.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPTIONS = ["-D", "CMAKE_BUILD_TYPE=Release", "-D", "LIMBER_BUILD_TESTS=OFF",
           "-D", "LIMBER_BUILD_BENCH=OFF", "-D", "LIMBER_BUILD_VIEWER=OFF",
           "-D", "LIMBER_BUILD_PYTHON=ON", "-D", f"Python3_EXECUTABLE={sys.executable}"]
PACKAGES = ("g++ cmake ninja-build libeigen3-dev nlohmann-json3-dev libpugixml-dev "
            "libassimp-dev libzip-dev zlib1g-dev libcli11-dev python3-dev pybind11-dev "
            "python3-numpy")
#: Where Debian has its packages; limber/_numpy.py looks there too.
DEBIAN = "/usr/lib/python3/dist-packages"


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
        return re.search(r"project\(Limber VERSION ([0-9.]+)", text.read()).group(1)


def _refuse(reason):
    sys.exit(f"limber: {reason}. On Debian it is built with\n  apt-get install {PACKAGES}")


def _built_package():
    """The folder of the package, built where it is not."""
    build = os.environ.get("LIMBER_PYTHON_BUILD")
    if not build:
        build = os.path.join(ROOT, "build", "pip")
        for program in ("cmake", "c++"):
            if not shutil.which(program):
                _refuse(f"there is no {program}")
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        done = subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, *OPTIONS,
                               *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=False,
                              capture_output=True, text=True)
        print(done.stdout, done.stderr, flush=True)
        left_out = re.search(r"The Python package is left out: install ([^\n]*)", done.stdout)
        if done.returncode != 0 or left_out:
            _refuse(f"{left_out.group(1)} is missing" if left_out
                    else "CMake could not configure it; its words are above")
        done = subprocess.run(["cmake", "--build", build, "--target", "limber_python",
                               "--parallel", str(os.cpu_count() or 1)], check=False)
        if done.returncode != 0:
            sys.exit("limber: the build failed; the compiler's words are above")
    package = os.path.join(build, "python", "limber")
    if not os.path.isdir(package):
        sys.exit(f"limber: there is no package in {package}")
    return package


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _metadata():
    """NumPy is not asked for where Debian's is there: the package finds it by itself, and pip
    without a network would refuse what it cannot find."""
    debians = sys.base_prefix == "/usr" and os.path.isdir(os.path.join(DEBIAN, "numpy"))
    return (f"Metadata-Version: 2.1\nName: limber\nVersion: {_version()}\n"
            "Summary: Human motion: solve, retarget, edit\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\n" + ("" if debians else "Requires-Dist: numpy\n"))


def _files(package):
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith((".pyc", ".pyo")):
                continue
            path = os.path.join(folder, name)
            yield "limber/" + os.path.relpath(path, package).replace(os.sep, "/"), path


def get_requires_for_build_wheel(config_settings=None):
    """Nothing of Python."""
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel, and returns its name."""
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
    """There is none."""
    raise NotImplementedError("limber is installed from its source tree: pip install .")
