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
        for contact in world.contacts:
            self.assertEqual({contact.body_a, contact.body_b}, {None, box})
            self.assertAlmostEqual(abs(contact.normal[1]), 1.0)
            self.assertAlmostEqual(contact.point[1], 0.0, places=3)

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

    def test_motors_give_what_holds_an_arm(self):
        world = limber.World()
        arm = world.add_body(mass=2.0, position=(0.7, 0, 0))
        hinge = world.add_hinge(None, arm, point=(0, 0, 0), axis=(0, 0, 1))
        hinge.motor(position=0.0)
        h = 0.001
        world.run(0.5, h=h)
        # m g L about the hinge, and m g at it; five rows are locked, the sixth is the motor.
        rows = hinge.impulses / h
        self.assertAlmostEqual(rows[5], 2.0 * 9.81 * 0.7, places=3)
        self.assertAlmostEqual(np.linalg.norm(rows[:3]), 2.0 * 9.81, places=3)
        hinge.motor_off()
        world.run(0.1)
        self.assertLess(hinge.position(), -0.03)

    def test_a_weak_motor_does_not_hold_it(self):
        world = limber.World()
        arm = world.add_body(mass=2.0, position=(0.7, 0, 0), kind="dynamic",
                             inertia=(1e-6, 1e-6, 1e-6))
        hinge = world.add_hinge(None, arm, point=(0, 0, 0), axis=(0, 0, 1))
        hinge.motor(speed=0.0, max_force=5.0)
        h = 0.0005
        world.step(h)
        world.step(h)
        # I q'' = T - m g L with the motor at its bound.
        inertia = 2.0 * 0.7**2
        self.assertAlmostEqual(hinge.speed() / (1.5 * h), (5.0 - 2.0 * 9.81 * 0.7) / inertia,
                               delta=0.5)
        self.assertAlmostEqual(hinge.impulses[5] / h, 5.0, places=6)

    def test_a_spring_motor_rests_where_torques_balance(self):
        world = limber.World()
        arm = world.add_body(mass=1.0, position=(1, 0, 0))
        hinge = world.add_hinge(None, arm, point=(0, 0, 0), axis=(0, 0, 1))
        hinge.motor(position=0.0, stiffness=100.0, damping=20.0)
        world.run(5.0, h=0.002)
        q = hinge.position()
        self.assertAlmostEqual(100.0 * q, -9.81 * np.cos(q), places=3)

    def test_ropes_only_pull_and_tension_is_read_back(self):
        world = limber.World()
        ball = world.add_body(mass=3.0, kind="particle", position=(0, -0.5, 0))
        rope = world.add_rope(None, (0, 0, 0), ball, ball.position, length=1.0)
        h = 0.001
        world.run(0.2, h=h)
        self.assertAlmostEqual(ball.position[1], -0.5 - 0.5 * 9.81 * 0.2**2, places=6)
        world.run(3.0, h=h)
        self.assertAlmostEqual(ball.position[1], -1.0, places=3)
        self.assertAlmostEqual(abs(rope.impulses[0]) / h, 3.0 * 9.81, places=2)

    def test_a_rod_breaks_at_its_force_and_can_be_removed(self):
        world = limber.World()
        ball = world.add_body(mass=3.0, kind="particle", position=(0, -1, 0))
        rod = world.add_rod(None, (0, 0, 0), ball, ball.position)
        rod.break_at(force=3.0 * 9.81 * 1.01)
        world.run(0.2)
        self.assertTrue(rod.enabled)
        ball.apply_force((0, -5.0, 0))
        world.step(1 / 240)
        world.step(1 / 240)
        self.assertFalse(rod.enabled)
        world.remove(rod)
        self.assertEqual(world.joints, [])
        with self.assertRaisesRegex(ValueError, "was removed"):
            rod.error

    def test_cylindrical_and_planar_joints_leave_what_they_say(self):
        world = limber.World(gravity=(0, 0, 0))
        rod = world.add_body(velocity=(1, 1, 1), angular_velocity=(0, 0, 2))
        sleeve = world.add_cylindrical(None, rod, (0, 0, 0), axis=(0, 0, 1))
        disc = world.add_body(position=(5, 0, 0), velocity=(1, 1, 1), angular_velocity=(0, 0, 2))
        plane = world.add_planar(None, disc, (5, 0, 0), normal=(0, 0, 1))
        world.run(0.5, h=0.001)
        np.testing.assert_allclose(rod.position, (0, 0, 0.5), atol=1e-3)
        np.testing.assert_allclose(disc.position, (5.5, 0.5, 0), atol=1e-3)
        self.assertEqual((sleeve.num_free, plane.num_free), (2, 3))
        self.assertIn(1.0, [round(sleeve.position(k), 2) for k in range(2)])

    def test_friction_stops_a_sliding_box_where_coulomb_says(self):
        world = limber.World()
        world.add_floor(friction=0.5)
        box = world.add_body(shape=limber.Box((1, 0.2, 1)), position=(0, 0.1, 0), friction=0.5,
                             velocity=(2, 0, 0), collides=True)
        world.run(1.0, h=0.001)
        # v^2 / (2 mu g)
        self.assertAlmostEqual(box.position[0], 4.0 / (2 * 0.5 * 9.81), delta=0.005)
        self.assertLess(np.linalg.norm(box.velocity), 1e-6)

    def test_a_ball_bounces_with_its_restitution(self):
        world = limber.World()
        world.add_floor(restitution=0.5)
        ball = world.add_body(shape=limber.Sphere(0.1), position=(0, 1.1, 0), restitution=0.5,
                              collides=True)
        fastest = 0.0
        while world.time < 0.6:
            world.step(0.0005)
            fastest = max(fastest, ball.velocity[1])
        self.assertAlmostEqual(fastest, 0.5 * np.sqrt(2 * 9.81), delta=0.02)

    def test_energies_momenta_and_gravity(self):
        world = limber.World(gravity=(0, 0, 0))
        a = world.add_body(mass=2.0, velocity=(3, 0, 0), position=(0, 1, 0))
        world.add_body(mass=1.0, velocity=(0, 0, -6), position=(0, 0, 1),
                       shape=limber.Box((1, 1, 1)), angular_velocity=(0, 2, 0))
        self.assertAlmostEqual(world.kinetic_energy, 9.0 + 18.0 + 0.5 * 4.0 / 6.0)
        np.testing.assert_allclose(world.momentum, (6, 0, -6), atol=1e-12)
        np.testing.assert_allclose(world.angular_momentum, (0, 2 / 6, -6), atol=1e-12)
        world.gravity = (0, -10, 0)
        self.assertAlmostEqual(world.potential_energy, 20.0)
        np.testing.assert_array_equal(world.gravity, (0, -10, 0))
        a.enabled = False
        world.run(0.1)
        np.testing.assert_array_equal(a.position, (0, 1, 0))

    def test_damping_and_forces(self):
        world = limber.World(gravity=(0, 0, 0))
        slow = world.add_body(velocity=(1, 0, 0), linear_damping=0.7)
        pushed = world.add_body(mass=2.0, position=(0, 5, 0))
        turned = world.add_body(position=(0, -5, 0), inertia=(1, 2, 3))
        for _ in range(1000):
            pushed.apply_force((4, 0, 0))
            turned.apply_torque((0, 2, 0))
            world.step(0.001)
        self.assertAlmostEqual(slow.velocity[0], np.exp(-0.7), places=3)
        self.assertAlmostEqual(pushed.position[0], 1.0, places=2)
        self.assertAlmostEqual(turned.angular_velocity[1], 1.0, places=2)
        pushed.apply_impulse((0, 6, 0))
        self.assertAlmostEqual(pushed.velocity[1], 3.0)
        np.testing.assert_allclose(turned.place((0, 1, 0)), turned.position + (0, 1, 0), atol=1e-9)

    def test_kinematic_bodies_go_their_way(self):
        world = limber.World()
        lift = world.add_body(kind="kinematic", velocity=(0, 2, 0))
        rock = world.add_body(kind="fixed", position=(3, 0, 0))
        world.run(1.0)
        np.testing.assert_allclose(lift.position, (0, 2, 0), atol=1e-9)
        np.testing.assert_array_equal(rock.position, (3, 0, 0))

    def test_joints_that_contradict_are_told(self):
        world = limber.World()
        ball = world.add_body(kind="particle", position=(0, 1, 0))
        world.add_rod(None, (0, 0, 0), ball, ball.position, length=1.0)
        self.assertTrue(world.solved)
        world.add_rod(None, (0, 0, 0), ball, ball.position, length=2.0)
        world.run(0.1)
        self.assertTrue(not world.solved or world.max_error > 0.3)

    def test_what_a_relation_returns_is_checked(self):
        for answer, words in (([1.0, 2.0], "has 1 rows"), ("text", "has 1 rows"),
                              (float("nan"), "not finite"), (None, "not iterable")):
            world = limber.World()
            bead = world.add_body(position=(1, 0, 0))
            world.add_relation([bead], lambda poses, time, answer=answer: answer)
            with self.assertRaisesRegex((ValueError, TypeError), words):
                world.step(0.01)

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
        self.assertEqual(pushed.positions().shape, (len(pushed.segments), 3))
        with self.assertRaisesRegex(ValueError, "no segment \"tail\""):
            pushed.push("tail", impulse=(1, 0, 0))

    def test_a_stage_left_alone_follows_its_clip(self):
        clip = limber.read(os.path.join(ROOT, "data/clips/march.bvh"))
        stage = limber.Stage(clip, strength=2.0)
        stage.run(0.5)
        played = stage.clip()
        apart = np.abs(played.positions() - clip.positions()[:len(played)]).max()
        self.assertLess(apart, 0.1)


if __name__ == "__main__":
    unittest.main()
