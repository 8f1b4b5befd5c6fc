# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Finds NumPy.

A virtual environment without packages of its own does not see Debian's, and where there is no
network it cannot get NumPy elsewhere. Debian's NumPy fits every environment of Debian's own
interpreter, so that it is taken then, and nothing else of Debian's packages.
"""

import importlib.machinery
import importlib.util
import sys

_DEBIAN = "/usr/lib/python3/dist-packages"


def find_numpy() -> None:
    """Makes `import numpy` work where only Debian has it. Raises ImportError where nobody has."""
    if "numpy" in sys.modules or importlib.util.find_spec("numpy") is not None:
        return
    spec = None
    if sys.base_prefix == "/usr":
        spec = importlib.machinery.PathFinder.find_spec("numpy", [_DEBIAN])
    if spec is None or spec.loader is None:
        raise ImportError("limber needs NumPy: install Debian's python3-numpy, or pip install "
                          "numpy")
    module = importlib.util.module_from_spec(spec)
    sys.modules["numpy"] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules["numpy"]
        raise


find_numpy()
