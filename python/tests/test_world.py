# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds against closed forms."""

import os
import unittest

import numpy as np

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Worlds(unittest.TestCase):
    def test_a_free_body_falls(self):
        world = limber.World()
        ball = world.add_body(mass=2.0, position=(0, 10, 0), velocity=(1, 0, 0))
        world.run(1.0, h=0.01)
        self.assertAlmostEqual(world.time, 1.0)
        np.testing.assert_allclose(ball.position, (1.0, 10 - 9.81 / 2, 0.0), atol=1e-9)

    def test_a_small_pendulum_has_its_period(self):
        world = limber.World()
        bob = world.add_body(mass=1.0, kind="particle",
                             position=(np.sin(0.01), -np.cos(0.01), 0.0))
        world.add_rod(None, (0, 0, 0), bob, bob.position)
        crossings = []
        last = bob.position[0]
        for _ in range(4000):
            world.step(0.001)
            here = bob.position[0]
            if last > 0 >= here:
                crossings.append(world.time)
            last = here
        self.assertAlmostEqual(crossings[1] - crossings[0], 2 * np.pi * np.sqrt(1 / 9.81), places=2)

    def test_save_and_restore_are_bit_for_bit(self):
        world = limber.World()
        world.add_floor()
        box = world.add_body(shape=limber.Box((1, 1, 1)), position=(0, 0.8, 0), collides=True,
                             angular_velocity=(1, 0, 2))
        world.run(0.2)
        state = world.save()
        world.run(0.5)
        once = box.position.copy()
        world.restore(state)
        world.run(0.5)
        np.testing.assert_array_equal(box.position, once)

    def test_a_box_rests_on_the_floor_and_its_contacts_carry_it(self):
        world = limber.World()
        world.add_floor()
        box = world.add_body(mass=3.0, shape=limber.Box((1, 1, 1)), position=(0, 0.5, 0),
                             collides=True)
        for _ in range(100):
            world.step(0.005)
        carried = sum(contact.normal_impulse for contact in world.contacts) / 0.005
        self.assertAlmostEqual(carried, 3.0 * 9.81, delta=0.3)
        self.assertAlmostEqual(box.position[1], 0.5, places=3)
        self.assertEqual({contact.body_a for contact in world.contacts}
                         | {contact.body_b for contact in world.contacts}, {0, box.id})

    def test_motors_and_limits(self):
        world = limber.World(gravity=(0, 0, 0))
        wheel = world.add_body(shape=limber.Sphere(0.5))
        hinge = world.add_hinge(None, wheel, point=(0, 0, 0), axis=(0, 0, 1))
        hinge.limit(-1.0, 0.5)
        hinge.motor(speed=2.0, max_force=100.0)
        world.run(0.2, h=0.01)
        self.assertAlmostEqual(hinge.position(), 0.4, places=2)
        world.run(1.0, h=0.01)
        self.assertAlmostEqual(hinge.position(), 0.5, places=3)
        hinge.motor(position=-0.3, max_force=100.0)
        world.run(1.0, h=0.01)
        self.assertAlmostEqual(hinge.position(), -0.3, places=3)

    def test_a_relation_of_ones_own_is_kept(self):
        world = limber.World()
        bead = world.add_body(mass=1.0, kind="particle", position=(1, 0, 0))
        # On a sphere of radius 1.
        relation = world.add_relation(
            [bead], lambda poses, time: float(np.linalg.norm(poses[0][0]) - 1.0))
        world.run(0.5, h=0.002)
        self.assertLess(abs(np.linalg.norm(bead.position) - 1.0), 1e-6)
        self.assertLess(relation.error, 1e-6)
        self.assertLess(bead.position[1], -0.3)

    def test_what_a_relation_raises_comes_out(self):
        world = limber.World()
        bead = world.add_body(position=(1, 0, 0))
        world.add_relation([bead], lambda poses, time: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            world.step(0.01)

    def test_energy_of_a_spring(self):
        world = limber.World(gravity=(0, 0, 0))
        mass = world.add_body(mass=1.0, kind="particle", position=(1.1, 0, 0))
        world.add_spring(None, (0, 0, 0), mass, (1.1, 0, 0), stiffness=100.0, rest_length=1.0)
        world.run(np.pi / 10, h=0.0001)
        self.assertAlmostEqual(mass.position[0], 0.9, places=4)

    def test_handles_keep_their_world(self):
        body = limber.World().add_body(position=(1, 2, 3))
        np.testing.assert_array_equal(body.position, (1, 2, 3))

    def test_bodies_of_another_world_are_refused(self):
        body = limber.World().add_body()
        with self.assertRaisesRegex(ValueError, "another world"):
            limber.World().add_ball(None, body, (0, 0, 0))
        with self.assertRaisesRegex(ValueError, "another world"):
            limber.World().restore(limber.World().save())


class Stages(unittest.TestCase):
    def test_a_push_moves_the_figure(self):
        clip = limber.read(os.path.join(ROOT, "data/clips/march.bvh"))
        calm, pushed = limber.Stage(clip), limber.Stage(clip)
        for stage in (calm, pushed):
            stage.run(0.2)
        pushed.push("chest", impulse=(30, 0, 0))
        for stage in (calm, pushed):
            stage.run(0.2)
        apart = np.abs(calm.positions() - pushed.positions()).max()
        self.assertGreater(apart, 0.005)
        self.assertLess(apart, 1.0)
        self.assertEqual(pushed.clip().joint_names, clip.joint_names)


if __name__ == "__main__":
    unittest.main()
