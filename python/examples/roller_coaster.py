# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""A car on a loop of track, driven by a script until it is fast enough, then let go."""
import numpy as np

import limber

RADIUS, GRAVITY = 2.0, 9.81
world = limber.World()
car = world.add_body(mass=100.0, kind="particle", position=(0.0, -RADIUS, 0.0))
# The track is a circle in the x-y plane about the origin.
track = world.add_relation(
    [car], lambda poses, time: [np.hypot(poses[0][0][0], poses[0][0][1]) - RADIUS, poses[0][0][2]],
    num_rows=2)


def along() -> np.ndarray:
    x, y, _ = car.position / RADIUS
    return np.array([-y, x, 0.0])


# It rocks higher and higher, pushed forwards while it goes forwards, until it can pass the top.
needed = 4.0 * GRAVITY * RADIUS
turned, last = 0.0, np.arctan2(car.position[1], car.position[0])
driven = True
energies = []
while world.time < 30.0 and abs(turned) < 2.0 * np.pi:
    energy = car.velocity @ car.velocity + 2.0 * GRAVITY * (car.position[1] + RADIUS)
    driven = driven and energy < 1.1 * needed
    if driven:
        forwards = car.velocity @ along() >= 0.0
        car.apply_force(300.0 * along() if forwards else -300.0 * along())
    else:
        energies.append(world.kinetic_energy + world.potential_energy)
    world.step(0.005)
    angle = np.arctan2(car.position[1], car.position[0])
    turned += (angle - last + np.pi) % (2.0 * np.pi) - np.pi
    last = angle
print(f"once around after {world.time:.2f} s, {'driven' if driven else 'let go'}; "
      f"off the track by {track.error:.1e} m, turned {turned:.2f} rad; then its energy changed by "
      f"{100.0 * (energies[-1] / energies[0] - 1.0):.3f} %")
