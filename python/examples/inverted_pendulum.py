# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""A pole on a cart, held up by a PID controller."""
import limber

world = limber.World()
cart = world.add_body(mass=1.0, shape=limber.Box((0.4, 0.2, 0.2)))
pole = world.add_body(mass=0.2, shape=limber.Capsule(0.02, 1.0), position=(0.0, 0.5, 0.0))
rail = world.add_slider(None, cart, point=(0, 0, 0), axis=(1, 0, 0))
pivot = world.add_hinge(cart, pole, point=(0, 0, 0), axis=(0, 0, 1))
pole.apply_impulse((0.02, 0.0, 0.0))
h, total, largest = 0.002, 0.0, 0.0
for _ in range(2000):
    angle = -pivot.position()  # Positive: the pole leans towards +x.
    total += angle * h
    push = 80.0 * angle + 60.0 * total - 14.0 * pivot.speed() + 3.0 * rail.speed()
    cart.apply_force((push, 0.0, 0.0))
    world.step(h)
    largest = max(largest, abs(angle))
print(f"after {world.time:.1f} s the pole leans by {pivot.position():.4f} rad, at most {largest:.3f}")
