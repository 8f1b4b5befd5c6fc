# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Objects come and go in any order; the build with sanitizers runs this under AddressSanitizer."""

import os
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Lifetimes(unittest.TestCase):
    def test_a_thousand_creations_and_deletions(self):
        for seed in ("1", "2", "3"):
            done = subprocess.run(
                [sys.executable, os.path.join(FOLDER, "lifetimes.py"), seed, "1000"],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr[-6000:])
            self.assertGreater(int(done.stdout), 1000)


if __name__ == "__main__":
    unittest.main()
