// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Axes, orientations and gears; the six-axis motor joint.
#include "dynamics/constraints/align.h"

#include <gtest/gtest.h>

#include "dynamics/constraints/gear.h"
#include "dynamics/forces/load.h"
#include "dynamics/joints/free_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::Advance;
using test::PreciseWorld;
using test::WeightlessWorld;

constexpr double kDegree = kPi / 180.0;

double AngleToY(const World& world, BodyId body) {
  const Vector3 b = world.motion(body).R_WB.col(1);
  return std::atan2(std::hypot(b.x(), b.z()), b.y());
}

MassProperties Top() {
  MassProperties top;
  top.mass = 1.0;
  top.I_BC = Vector3(2.0, 0.7, 2.0).asDiagonal();
  return top;
}

// B-16, B-26: from 90 degrees at rest, cos = 1 - (1 + t/tau) e^(-t/tau). A body
// with a spin about b keeps it: the torque is at right angles to b.
TEST(AlignAxisScalar, AngleFollowsTheClosedForm) {
  World world = PreciseWorld(Vector3::Zero());
  const double tau = 0.1;
  const BodyId body = AddBody(
      world, Top(), {ExpRotation(Vector3(0, 0, -kPi / 2)), Vector3::Zero()});
  AlignAxisScalar& align = world.Add(
      AlignAxisScalar(body, Vector3::UnitY(), kGround, Vector3::UnitY()));
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(tau);
  align.set_settings(settings);
  Advance(world, 1e-3, 5 * tau);
  EXPECT_NEAR(AngleToY(world, body) / kDegree, 16.35, 0.01);
  const double x = std::exp(-5.0);
  EXPECT_NEAR(std::cos(AngleToY(world, body)), 1.0 - 6.0 * x, 1e-6);
  Advance(world, 1e-3, 5 * tau);
  EXPECT_NEAR(AngleToY(world, body) / kDegree, 1.81, 0.01);
}

TEST(AlignAxisScalar, SpinAboutTheAxisIsUntouched) {
  World world = PreciseWorld(Vector3::Zero());
  const Quaternion R = ExpRotation(Vector3(0.0, 0.0, -1.0));
  const Vector3 spin = R * Vector3(0.0, 3.0, 0.0);
  const BodyId body =
      AddBody(world, Top(), {R, Vector3::Zero()}, Vector3::Zero(), spin);
  AlignAxisScalar& align = world.Add(
      AlignAxisScalar(body, Vector3::UnitY(), kGround, Vector3::UnitY()));
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(0.2);
  align.set_settings(settings);
  Advance(world, 1e-3, 1.0);
  const BodyMotion& motion = world.motion(body);
  EXPECT_LT(AngleToY(world, body), 0.9);
  EXPECT_NEAR(motion.w_WB.dot(motion.R_WB.col(1)), 3.0, 1e-6);
}

// What B-16 warns of: at the goal the scalar form has no gradient and lets a
// torque move the axis before it acts; the two rows hold.
TEST(AlignAxis, HoldsAgainstATorqueWhereTheScalarFormGivesWay) {
  for (const bool scalar : {false, true}) {
    World world = WeightlessWorld();
    const BodyId body = AddBody(world, Top(), {});
    if (scalar) {
      AlignAxisScalar& align = world.Add(
          AlignAxisScalar(body, Vector3::UnitY(), kGround, Vector3::UnitY()));
      RowSettings settings;
      settings.stabilisation = Stabilisation::CriticallyDamped(0.1);
      align.set_settings(settings);
    } else {
      world.Add(AlignAxis(body, Vector3::UnitY(), kGround, Vector3::UnitY()));
    }
    world.Add(Load({body}, Vector3::Zero(), Vector3(1.0, 0.5, 0.0)));
    double largest = 0.0;
    for (int i = 0; i < 200; ++i) {
      world.Step(0.01);
      largest = std::max(largest, AngleToY(world, body));
    }
    if (scalar) {
      EXPECT_GT(largest, 1e-5);
    } else {
      EXPECT_LT(largest, 1e-9);
      // The turn about the axis is free: 0.5 / 0.7 rad/s^2.
      EXPECT_NEAR(world.motion(body).w_WB.y(), 0.5 / 0.7 * 1.995, 1e-9);
    }
  }
}

TEST(AlignAxis, ComesBackFromTheOtherSide) {
  World world = PreciseWorld(Vector3::Zero());
  const BodyId body = AddBody(
      world, Top(), {ExpRotation(Vector3(3.0, 0.0, 0.0)), Vector3::Zero()});
  AlignAxis& align =
      world.Add(AlignAxis(body, Vector3::UnitY(), kGround, Vector3::UnitY()));
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(0.1);
  align.set_settings(settings);
  Advance(world, 1e-3, 2.0);
  EXPECT_LT(AngleToY(world, body), 1e-3);
}

// Dynamo-090: a torque of 3 on a body of inertia 1, locked in orientation to
// one of inertia 2 at a distance: both turn at 1 rad/s^2.
TEST(AlignOrientation, LockedPairSharesTheTorque) {
  World world = WeightlessWorld();
  MassProperties one;
  one.I_BC = Matrix3::Identity();
  MassProperties two;
  two.I_BC = 2.0 * Matrix3::Identity();
  const BodyId a = AddBody(world, one, {});
  const BodyId b =
      AddBody(world, two, {Quaternion::Identity(), Vector3(5.0, 0.0, 0.0)});
  AlignOrientation& lock =
      world.Add(AlignOrientation(a, b, Quaternion::Identity()));
  world.Add(Load({a}, Vector3::Zero(), Vector3(0.0, 0.0, 3.0)));
  Advance(world, 0.01, 2.0);
  // Leapfrog velocities belong to t - h/2.
  EXPECT_NEAR(world.motion(a).w_WB.z(), 1.995, 1e-6);
  EXPECT_NEAR(world.motion(b).w_WB.z(), 1.995, 1e-6);
  EXPECT_LT(world.Error(lock), 1e-9);
  EXPECT_LT((world.motion(b).p_WC - Vector3(5.0, 0.0, 0.0)).norm(), 1e-12);
}

// Two wheels that mesh from outside, ratio of radii 3: a torque T on the first
// turns it at T / (I1 + I2 / 9), over many turns.
TEST(Gear, MeshedWheelsTurnAtTheirRatioOverManyTurns) {
  World world = WeightlessWorld();
  MassProperties small;
  small.I_BC = 0.1 * Matrix3::Identity();
  MassProperties large;
  large.I_BC = 1.8 * Matrix3::Identity();
  const BodyId a = AddBody(world, small, {});
  const Transform X_WB{Quaternion::Identity(), Vector3(4.0, 0.0, 0.0)};
  const BodyId b = AddBody(world, large, X_WB);
  world.Add(HingeJoint(kGround, {}, a, {}));
  world.Add(HingeJoint(kGround, X_WB, b, {}));
  Gear& gear = world.Add(Gear(
      TurnAngle::FromNow(world.motions(), kGround, Vector3::UnitZ(), a),
      TurnAngle::FromNow(world.motions(), kGround, Vector3::UnitZ(), b), -3.0));
  world.Add(Load({a}, Vector3::Zero(), Vector3(0.0, 0.0, 0.6)));
  Advance(world, 0.01, 10.0);
  // 0.6 / (0.1 + 1.8 / 9) = 2 rad/s^2: 100 rad, 15.9 turns.
  EXPECT_NEAR(world.motion(a).w_WB.z(), 2.0 * 9.995, 1e-6);
  EXPECT_NEAR(world.motion(b).w_WB.z(), -2.0 * 9.995 / 3.0, 1e-6);
  EXPECT_LT(world.Error(gear), 1e-9);
}

// V-24: the motor joint is FreeJoint with powered axes. Unbounded, a body
// follows a circle; with a bound it gives way to a larger force.
TEST(MotorJoint, BodyFollowsACircleWhenUnbounded) {
  World world;
  const BodyId body =
      AddBody(world, MassOfBox(Vector3(0.2, 0.3, 0.4), Material::WithMass(2.0)),
              {Quaternion::Identity(), Vector3(1.0, 0.0, 0.0)},
              Vector3(0.0, 0.2, 1.0), Vector3(0.0, -1.0, 0.3));
  FreeJoint& motor = world.Add(FreeJoint(kGround, {}, body, {}));
  for (int k = 0; k < 6; ++k) {
    motor.axis(k).drive = PoweredAxis::Drive::kPosition;
  }
  const double h = 0.01;
  for (int i = 1; i <= 300; ++i) {
    const double t = i * h;
    const Vector3 place(std::cos(t), 0.2 * std::sin(t), std::sin(t));
    const Quaternion turn = ExpRotation(Vector3(0.0, -t, 0.3 * std::sin(t)));
    for (int k = 0; k < 3; ++k) motor.axis(3 + k).target_position = place[k];
    motor.set_target(turn);
    world.Step(h);
    ASSERT_LT((world.motion(body).p_WB - place).norm(), 1e-6) << "step " << i;
    ASSERT_LT(AngleBetween(world.motion(body).q_WB, turn), 1e-6)
        << "step " << i;
  }
}

TEST(MotorJoint, GivesWayWhenBounded) {
  for (const double bound : {9.0, 10.5}) {
    World world;
    const BodyId body =
        AddBody(world, MassOfSphere(0.1, Material::WithMass(1.0)), Transform{});
    FreeJoint& motor = world.Add(FreeJoint(kGround, {}, body, {}));
    for (int k = 0; k < 6; ++k) {
      motor.axis(k).drive = PoweredAxis::Drive::kPosition;
      motor.axis(k).max_force = bound;
    }
    Advance(world, 0.01, 1.0);
    if (bound < kGravity) {
      EXPECT_NEAR(world.motion(body).p_WC.y(), -0.5 * (kGravity - 9.0), 1e-6);
    } else {
      EXPECT_NEAR(world.motion(body).p_WC.y(), 0.0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
