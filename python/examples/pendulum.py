# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""A pendulum: a body, a hinge, a loop."""
import limber

world = limber.World()
bob = world.add_body(mass=1.0, position=(1, 0, 0))
hinge = world.add_hinge(None, bob, point=(0, 0, 0), axis=(0, 0, 1))
for _ in range(240):
    world.step(1 / 240)
print(f"at {hinge.position():.3f} rad")
