# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Objects come and go in any order; LIMBER_ASAN names the library of AddressSanitizer, where the
package was built with it."""

import os
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Lifetimes(unittest.TestCase):
    def test_a_thousand_creations_and_deletions(self):
        settings = dict(os.environ)
        sanitizer = os.environ.get("LIMBER_ASAN")
        if sanitizer:
            # Python itself keeps memory to its end. Its own allocator would hide ours.
            settings.update(LD_PRELOAD=sanitizer, PYTHONMALLOC="malloc",
                            ASAN_OPTIONS="detect_leaks=0:" + settings.get("ASAN_OPTIONS", ""))
        for seed in ("1", "2", "3"):
            done = subprocess.run(
                [sys.executable, os.path.join(FOLDER, "lifetimes.py"), seed, "1000"],
                capture_output=True, text=True, env=settings, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr[-6000:])
            self.assertGreater(int(done.stdout), 1000)


if __name__ == "__main__":
    unittest.main()
