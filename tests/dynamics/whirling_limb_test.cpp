// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// A foot with toes, held by bounded motors, that is hit so hard on the floor
// that it whirls by a radian and more a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

struct Leg {
  World world;
  BodyId shank, foot, toes;
  BallJoint* ankle;
  HingeJoint* knuckle;

  explicit Leg(SolverKind solver) {
    WorldSettings settings;
    settings.solver = solver;
    world.set_settings(settings);
    AddFloor(world);
    shank = AddSolid(world, Shape::Box(Vector3(0.05, 0.2, 0.05)), 1000.0,
                     At(0.0, 0.28, 0.0));
    foot = AddSolid(world, Shape::Box(Vector3(0.04, 0.03, 0.09)), 1000.0,
                    At(0.0, 0.03, 0.05));
    toes = AddSolid(world, Shape::Box(Vector3(0.04, 0.01, 0.035)), 1250.0,
                    At(0.0, 0.01, 0.175));
    world.SetContact(shank, foot, false);
    world.SetContact(foot, toes, false);
    ankle = &world.Add(
        BallJoint(shank, At(0.0, -0.2, 0.0), foot, At(0.0, 0.05, -0.05)));
    for (int k = 0; k < 3; ++k) Hold(ankle->axis(k));
    const Quaternion across = ExpRotation(Vector3(0.0, 0.5 * kPi, 0.0));
    knuckle = &world.Add(HingeJoint(foot, {across, Vector3(0.0, -0.02, 0.09)},
                                    toes, {across, Vector3(0.0, 0.0, -0.035)}));
    Hold(knuckle->axis(0));
    knuckle->axis(0).lower = -1.0;
    knuckle->axis(0).upper = 1.0;
  }

  static constexpr double kTorque = 1.0;  // [N m]
  static void Hold(PoweredAxis& axis) {
    axis.drive = PoweredAxis::Drive::kPosition;
    axis.max_force = kTorque;
  }

  // Of the points that the joints hold together.
  double Gap() const {
    const auto apart = [this](BodyId a, const Vector3& p_A, BodyId b,
                              const Vector3& p_B) {
      return (world.motion(a).Point(p_A) - world.motion(b).Point(p_B)).norm();
    };
    return std::max(apart(shank, {0.0, -0.2, 0.0}, foot, {0.0, 0.05, -0.05}),
                    apart(foot, {0.0, -0.02, 0.09}, toes, {0.0, 0.0, -0.035}));
  }
  double Energy() const {
    return world.KineticEnergy() + world.PotentialEnergy();
  }
};

struct Worst {
  double blow = 0.0;  // Energy after it [J].
  double rise = 0.0;  // Of the energy in a step [J].
  double gap = 0.0;   // [m]
};

Worst Hit(SolverKind solver, int count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Worst worst;
  for (int i = 0; i < count; ++i) {
    Leg leg(solver);
    Advance(leg.world, 0.05);
    const double x = unit(random), y = unit(random), z = unit(random);
    const double size = 15.0 + 10.0 * unit(random);
    const Vector3 impulse = size * Vector3(x, y, z).normalized();
    leg.world.ApplyForce(leg.toes, Vector3::Zero(), impulse / kStep);
    leg.world.Step(kStep);
    leg.world.Step(kStep);
    double last = leg.Energy();
    worst.blow = std::max(worst.blow, last);
    for (int k = 0; k < 48; ++k) {
      leg.world.Step(kStep);
      const double now = leg.Energy();
      worst.rise = std::max(worst.rise, now - last);
      worst.gap = std::max(worst.gap, leg.Gap());
      last = now;
    }
  }
  return worst;
}

TEST(WhirlingLimb, BesideContactsGainsNoEnergy) {
  for (const SolverKind solver : {SolverKind::kAutomatic, SolverKind::kDense}) {
    const Worst worst = Hit(solver, 40);
    std::printf(
        "solver %d: blows of up to %.0f J, the energy rises by up to %.1f J in "
        "a step, "
        "gaps %.2f mm\n",
        static_cast<int>(solver), worst.blow, worst.rise, 1e3 * worst.gap);
    // Four motors do no more while a limb turns by two radians.
    EXPECT_GT(worst.blow, 100.0);
    EXPECT_LT(worst.rise, 4 * Leg::kTorque * 2.0) << static_cast<int>(solver);
    EXPECT_LT(worst.gap, 1e-3) << static_cast<int>(solver);
  }
}

}  // namespace
}  // namespace limber::dynamics::test
