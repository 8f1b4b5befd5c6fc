# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""A constraint of one's own: a bead on a helix."""
import numpy as np

import limber

world = limber.World()
bead = world.add_body(mass=0.1, kind="particle", position=(1.0, 0.0, 0.0))


def off_the_helix(poses, time):
    x, y, z = poses[0][0]
    turn = np.arctan2(z, x)
    climb = (y - 0.2 * turn + 0.2 * np.pi) % (0.4 * np.pi) - 0.2 * np.pi
    return [np.hypot(x, z) - 1.0, climb]


helix = world.add_relation([bead], off_the_helix, num_rows=2)
world.run(1.0, h=0.005)
print(f"at {np.round(bead.position, 3)}, off by {helix.error:.1e}, "
      f"speed {np.linalg.norm(bead.velocity):.3f} m/s")
