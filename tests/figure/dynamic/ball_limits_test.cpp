// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/ball_limits.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace limber::figure
