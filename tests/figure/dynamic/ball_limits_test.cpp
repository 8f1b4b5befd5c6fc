// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/ball_limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "core/angle.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/world.h"

namespace limber::figure {
namespace {

using dynamics::BodyMotion;
using dynamics::RowBuffer;

Anchor Limited() {
  Anchor anchor;
  anchor.kind = AnchorKind::kBall;
  anchor.R_PF = ExpRotation({0.3, -0.2, 0.5});
  anchor.R_JM = ExpRotation({-0.1, 0.4, 0.2});
  anchor.axes[0] = {-0.5, 1.0, 10.0};
  anchor.axes[1] = {-1.3, 1.3, 10.0};
  anchor.axes[2] = {-0.7, 0.7, 10.0};
  return anchor;
}

std::vector<BodyMotion> Bodies(const Anchor& anchor,
                               const std::array<double, 3>& q) {
  std::vector<BodyMotion> bodies(3);
  bodies[1].q_WB = ExpRotation({0.2, 0.7, -0.4});
  bodies[2].q_WB = bodies[1].q_WB * RotationOfAnchor(anchor, q);
  for (BodyMotion& body : bodies) body.R_WB = body.q_WB.toRotationMatrix();
  bodies[1].w_WB = Vector3(0.3, -0.2, 0.9);
  bodies[2].w_WB = Vector3(-0.8, 0.5, 0.4);
  return bodies;
}

std::vector<BodyMotion> Turned(std::vector<BodyMotion> bodies, double t) {
  for (BodyMotion& body : bodies) {
    body.q_WB = ExpRotation(t * body.w_WB) * body.q_WB;
    body.R_WB = body.q_WB.toRotationMatrix();
  }
  return bodies;
}

// C, C' = J V and C'' = bias against differences, also near the gimbal lock of
// the x-y-z sequence.
TEST(BallLimits, RowsAreTheDerivativesOfTheirErrors) {
  const Anchor anchor = Limited();
  BallLimits limits({1}, {2}, anchor);
  limits.ActivateAll();
  for (const std::array<double, 3>& q : {std::array<double, 3>{0.2, 0.3, -0.4},
                                         {0.9, 1.25, 0.6},
                                         {-0.4, -1.55, 0.1},
                                         {0.1, 1.55, 0.3}}) {
    const std::vector<BodyMotion> bodies = Bodies(anchor, q);
    RowBuffer now, before, after;
    const double d = 1e-5;
    const std::vector<BodyMotion> minus = Turned(bodies, -d);
    const std::vector<BodyMotion> plus = Turned(bodies, d);
    limits.AddRows(bodies, 0.0, now);
    limits.AddRows(minus, 0.0, before);
    limits.AddRows(plus, 0.0, after);
    ASSERT_EQ(now.size(), 6);
    for (int i = 0; i < 6; ++i) {
      const double rate =
          (after.row(i).error - before.row(i).error) / (2.0 * d);
      EXPECT_NEAR(now.Speed(i, bodies), rate, 1e-6) << q[1] << " row " << i;
      const double bias =
          (after.Speed(i, plus) - before.Speed(i, minus)) / (2.0 * d);
      EXPECT_NEAR(now.row(i).acceleration_bias, bias,
                  1e-3 * (1.0 + std::abs(bias)))
          << q[1] << " row " << i;
    }
  }
}

// A limb pushed against its limits for a second stays within them.
TEST(BallLimits, HoldAPushedLimb) {
  const Anchor anchor = Limited();
  dynamics::WorldSettings settings;
  settings.gravity = Vector3::Zero();
  dynamics::World world(settings);
  dynamics::BodySpec spec;
  spec.kind = dynamics::BodyKind::kFixed;
  const dynamics::BodyId holder = world.AddBody(spec);
  spec.kind = dynamics::BodyKind::kDynamic;
  spec.mass.I_BC = 0.05 * Matrix3::Identity();
  spec.X_WB.R = RotationOfAnchor(anchor, {0.1, 0.2, 0.0});
  const dynamics::BodyId limb = world.AddBody(spec);
  world.Add(dynamics::BallJoint(holder, Transform{anchor.R_PF, Vector3::Zero()},
                                limb, Transform{anchor.R_JM, Vector3::Zero()}));
  world.Add(BallLimits(holder, limb, anchor));
  for (int i = 0; i < 480; ++i) {
    world.ApplyTorque(limb, Vector3(i < 240 ? 2.0 : -2.0, 1.0, -1.5));
    world.Step(1.0 / 240.0);
    const AnchorAngles angles = MeasureAnchor(anchor, world.motion(limb).q_WB);
    EXPECT_LT(angles.q[0], 1.0 + 0.02);
    EXPECT_GT(angles.q[0], -0.5 - 0.02);
    EXPECT_LT(std::abs(angles.q[1]), 1.3 + 0.02);
    EXPECT_LT(std::abs(angles.q[2]), 0.7 + 0.02);
  }
}

// Limits up to 2 degrees before the gimbal lock, as an elbow has them.
Anchor NearTheLock() {
  Anchor anchor = Limited();
  anchor.axes[0] = {-0.26, 2.88, 10.0};
  anchor.axes[1] = {-1.54, 1.54, 10.0};
  anchor.axes[2] = {-0.79, 0.79, 10.0};
  return anchor;
}

// A limb one degree beyond the lock has other angles than one before it, half a
// turn away. It is told to come back the way it went: every row that is passed
// is so by no more than those 3 degrees, and none jumps on the way.
TEST(BallLimits, V37LimbBeyondTheGimbalLockComesBackTheWayItWent) {
  const Anchor anchor = NearTheLock();
  BallLimits limits({1}, {2}, anchor);
  limits.ActivateAll();
  RowBuffer last;
  for (double q1 = 1.5; q1 < 1.6; q1 += 1e-3) {
    RowBuffer rows;
    const std::vector<BodyMotion> bodies = Bodies(anchor, {0.5, q1, -0.3});
    limits.AddRows(bodies, 0.0, rows);
    ASSERT_EQ(rows.size(), 6);
    // Rows: lower and upper of q0, of q1, of q2.
    EXPECT_NEAR(rows.row(3).error, 1.54 - q1, 1e-9);
    for (int i = 0; i < 6; ++i) {
      EXPECT_GT(rows.row(i).error, std::min(0.0, 1.54 - q1) - 1e-9) << i;
      if (last.size() == 0) continue;
      EXPECT_NEAR(rows.row(i).error, last.row(i).error, 2e-3) << i;
    }
    last = rows;
  }
}

// Angles beyond half a turn belong to the nearer limit.
TEST(BallLimits, AngleBeyondHalfATurnPassesTheNearerLimit) {
  const Anchor anchor = NearTheLock();
  BallLimits limits({1}, {2}, anchor);
  limits.ActivateAll();
  RowBuffer rows;
  limits.AddRows(Bodies(anchor, {kPi + 0.1, 0.0, 0.0}), 0.0, rows);
  EXPECT_GT(rows.row(0).error, 0.0);
  EXPECT_NEAR(rows.row(1).error, std::sin(2.88 - kPi - 0.1), 1e-9);
}

TEST(BallLimits, ForeseenLimitsHaveRows) {
  const Anchor anchor = Limited();
  BallLimits limits({1}, {2}, anchor);
  const std::vector<BodyMotion> inside = Bodies(anchor, {0.2, 0.3, 0.1});
  const std::vector<BodyMotion> outside = Bodies(anchor, {0.2, 0.3, 0.71});
  limits.AfterStep(inside, 0.0);
  EXPECT_EQ(limits.num_active(), 0);
  EXPECT_FALSE(limits.Foresee(inside, 0.0));
  EXPECT_FALSE(limits.Foresee(outside, 0.02));
  EXPECT_TRUE(limits.Foresee(outside, 0.004));
  EXPECT_EQ(limits.num_active(), 1);
  EXPECT_FALSE(limits.Foresee(outside, 0.004));
}

// V-37, the second look: a limb is whirled at up to 100 rad/s, 0.4 rad a step,
// from one limit to the next, 200 times, with limits as soft as those of
// figures. It stays within a degree of them, and they add no energy to speak of
// (up to 25 J are there). Where limits end beside the gimbal lock a blow into
// their corner may take it past them for some steps: with five seeds one or two
// of 4000, by up to 1.5 degrees, and single steps gain up to 17 J.
TEST(BallLimits, V37HoldAWhirledLimb) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto vector = [&] {
    return Vector3(any(random), any(random), any(random));
  };
  for (const Anchor& anchor : {Limited(), NearTheLock()}) {
    dynamics::WorldSettings settings;
    settings.gravity = Vector3::Zero();
    dynamics::World world(settings);
    dynamics::BodySpec spec;
    spec.mass.mass = 1e3;
    spec.mass.I_BC = 1e3 * Matrix3::Identity();
    const dynamics::BodyId holder = world.AddBody(spec);
    spec.mass.mass = 1.0;
    spec.mass.I_BC = Vector3(5e-3, 5e-3, 1e-3).asDiagonal();
    spec.X_WB.R = RotationOfAnchor(anchor, {0.1, 0.2, 0.0});
    const dynamics::BodyId limb = world.AddBody(spec);
    world.Add(dynamics::BallJoint(holder,
                                  Transform{anchor.R_PF, Vector3::Zero()}, limb,
                                  Transform{anchor.R_JM, Vector3::Zero()}));
    BallLimits limits(holder, limb, anchor);
    limits.set_softness(5e-4 / 3.7e-3);
    world.Add(std::move(limits));
    double worst = 0.0;
    double gained = 0.0;
    int num_beyond = 0;
    for (int i = 0; i < 4000; ++i) {
      const bool blow = i % 20 == 0;
      if (blow) world.SetVelocity(limb, Vector3::Zero(), 60.0 * vector());
      const double before = world.KineticEnergy();
      world.Step(1.0 / 240.0);
      if (!blow) gained = std::max(gained, world.KineticEnergy() - before);
      const AnchorAngles angles =
          MeasureAnchor(anchor, world.motion(holder).q_WB.conjugate() *
                                    world.motion(limb).q_WB);
      const double c = std::cos(angles.q[1]);
      double most = 0.0;
      for (int k = 0; k < 3; ++k) {
        const AnchorAxis& axis = anchor.axes[std::size_t(k)];
        const double q = angles.q[std::size_t(k)];
        const double beyond = std::max(axis.lower - q, q - axis.upper);
        most = std::max(most, k == 1 ? beyond : c * beyond);
      }
      worst = std::max(worst, most);
      num_beyond += most > kPi / 180.0;
    }
    std::printf(
        "whirled limb: limits passed by %.2f deg, in %d of 4000 steps by more "
        "than one, gains at most %.2e J in a step\n",
        Degrees(worst), num_beyond, gained);
    const bool near_the_lock = anchor.axes[1].upper > 1.5;
    EXPECT_LE(num_beyond, near_the_lock ? 3 : 0);
    EXPECT_LT(gained, near_the_lock ? 1.0 : 0.1);
  }
}

}  // namespace
}  // namespace limber::figure
