// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

// A level arm on the hinge of a heavy box that stands on the floor: an island
// with a brake beside contacts. M is the moment of the arm's weight.
struct BracedArm {
  static constexpr double kMass = 2.0;     // [kg]
  static constexpr double kLength = 0.25;  // Hinge to mass centre [m].
  static constexpr double kInertia = 0.05;
  static constexpr double kMoment = kMass * kGravity * kLength;

  World world;
  BodyId box, arm;
  HingeJoint* hinge;

  explicit BracedArm(double max_force) {
    AddFloor(world);
    box = AddSolid(world, Shape::Box(Vector3(0.5, 0.5, 0.5)), 1000.0,
                   At(0.0, 0.5, 0.0));
    BodySpec spec;
    spec.mass.mass = kMass;
    spec.mass.I_BC = kInertia * Matrix3::Identity();
    spec.X_WB = At(0.5 + kLength, 0.9, 0.0);
    arm = world.AddBody(spec);
    hinge = &world.Add(
        HingeJoint(box, At(0.5, 0.4, 0.0), arm, At(-kLength, 0.0, 0.0)));
    hinge->axis(0).drive = PoweredAxis::Drive::kSpeed;
    hinge->axis(0).max_force = max_force;
  }

  // Angle below the level, and speed.
  double angle() const {
    const Vector3 along = world.motion(arm).R_WB.col(0);
    return -std::atan2(along.y(), along.x());
  }
  double speed() const { return -world.motion(arm).w_WB.z(); }
};

TEST(BrakeBesideContacts, HoldsALoadBelowItsBoundAndSleeps) {
  BracedArm scene(1.05 * BracedArm::kMoment);
  Advance(scene.world, 0.4);
  // It gives way by less than it would in one step without the brake.
  EXPECT_NEAR(scene.angle(), 0.0, 1e-4);
  EXPECT_FALSE(scene.world.asleep(scene.arm));
  Advance(scene.world, 0.6);
  EXPECT_TRUE(scene.world.asleep(scene.arm));
  EXPECT_NEAR(scene.angle(), 0.0, 1e-4);
}

// Falling by the angle a it loses F a:
//
//     1/2 I w^2 = M sin(a) - F a ,   I about the hinge.
TEST(BrakeBesideContacts, SlidesAtItsBound) {
  const double inertia = BracedArm::kInertia + BracedArm::kMass *
                                                   BracedArm::kLength *
                                                   BracedArm::kLength;
  for (const double share : {0.0, 0.3, 0.8}) {
    BracedArm scene(share * BracedArm::kMoment);
    double last = 0.0;
    while (scene.angle() < 0.5 && scene.world.time() < 5.0) {
      last = scene.speed();
      scene.world.Step(kStep);
    }
    // The speed is that half a step before the angle.
    const double a = scene.angle() - 0.25 * kStep * (last + scene.speed());
    const double w = std::sqrt(2.0 * BracedArm::kMoment *
                               (std::sin(a) - share * a) / inertia);
    EXPECT_NEAR(scene.speed(), w, 2e-3 * w) << share;
  }
}

// A pendulum with dry friction loses 2 F / (m g l) of its angle in half a
// swing, and stops where the friction holds it.
TEST(BrakeBesideContacts, SwingDiesAwayByTheSameAngleAndEnds) {
  const double share = 0.05;
  BracedArm scene(share * BracedArm::kMoment);
  double sign = 1.0;
  std::vector<double> turns;
  double last = 0.0;
  for (int i = 0; i < 30 * 240 && !scene.world.asleep(scene.arm); ++i) {
    scene.world.Step(kStep);
    const double from_below = scene.angle() - 0.5 * kPi;
    if (sign * scene.speed() < 0.0 && std::abs(last) > 0.1) {
      turns.push_back(std::abs(last));
      sign = -sign;
    }
    last = from_below;
  }
  EXPECT_TRUE(scene.world.asleep(scene.arm));
  ASSERT_GT(turns.size(), 3u);
  for (std::size_t k = 1; k < turns.size(); ++k) {
    // m g l (cos b - cos a) = F (a + b) between two turns a and b.
    const double lost = std::cos(turns[k]) - std::cos(turns[k - 1]);
    EXPECT_NEAR(lost, share * (turns[k] + turns[k - 1]), 2e-3) << k;
  }
  EXPECT_LT(std::abs(std::sin(last)), 1.01 * share);
}

TEST(OnlyResists, BrakesAndDampersAimedAtRest) {
  PoweredAxis axis;
  EXPECT_TRUE(OnlyResists(axis));
  axis.drive = PoweredAxis::Drive::kSpeed;
  EXPECT_TRUE(OnlyResists(axis));
  axis.target_speed = 1e-3;
  EXPECT_FALSE(OnlyResists(axis));
  axis.max_force = 0.0;
  EXPECT_TRUE(OnlyResists(axis));
  axis = {};
  axis.drive = PoweredAxis::Drive::kSpring;
  axis.damping = 1.0;
  EXPECT_TRUE(OnlyResists(axis));
  axis.stiffness = 1.0;
  EXPECT_FALSE(OnlyResists(axis));
  axis.drive = PoweredAxis::Drive::kPosition;
  EXPECT_FALSE(OnlyResists(axis));
}

}  // namespace
}  // namespace limber::dynamics::test
