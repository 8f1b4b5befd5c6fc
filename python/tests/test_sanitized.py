# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""The tests of the build with sanitizers can fail: the module is watched, and a fault ends Python.

Run by that build alone.
"""

import subprocess
import sys
import unittest

#: An array on memory that nobody keeps, as a binding without an owner would make it.
LOST = """
import ctypes
import limber, numpy
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
block = c.malloc(64)
numbers = numpy.ctypeslib.as_array((ctypes.c_double * 8).from_address(block))
numbers[:] = 1.0
c.free(ctypes.c_void_p(block))
limber.Take(numbers[:6].reshape(2, 1, 3), ["a"], rate=50)
"""


class Sanitized(unittest.TestCase):
    def test_the_module_is_built_with_the_sanitizers(self):
        import limber._limber

        with open(limber._limber.__file__, "rb") as file:
            code = file.read()
        self.assertIn(b"__asan_report_load8", code)
        self.assertIn(b"__ubsan_handle_", code)

    def test_reading_what_is_freed_ends_python(self):
        done = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("AddressSanitizer: heap-use-after-free", done.stderr)
        self.assertIn("_limber", done.stderr)


if __name__ == "__main__":
    unittest.main()
