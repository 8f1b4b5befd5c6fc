// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

// Small gaps wait: most steps of a chain that swings gently need one solve,
// none leaves a gap above 2e-6 m along an axis, and a world that is taken back
// in between gives the same bits.
TEST(BallJoint, SmallGapsWaitAndDoNotGrow) {
  World world;
  BodyId last = kGround;
  const Vector3 along(0.1 * std::sin(0.2), -0.1 * std::cos(0.2), 0.0);
  for (int i = 0; i < 12; ++i) {
    BodySpec link = Solid(1.0, Vector3::Constant(1e-3));
    link.X_WB.p = (2 * i + 1) * along;
    const BodyId body = world.AddBody(link);
    Join<BallJoint>(world, last,
                    Transform{Quaternion::Identity(), 2 * i * along}, body);
    last = body;
  }
  int without_closing = 0;
  constexpr int kSteps = 1200;
  std::shared_ptr<const World::State> half_way;
  for (int i = 0; i < kSteps; ++i) {
    if (i == kSteps / 2) half_way = world.Save();
    without_closing += world.Step(1.0 / 240.0).solves == 1;
    ASSERT_LT(world.MaxError(), 2e-6 * std::sqrt(3.0)) << i;
  }
  EXPECT_GT(without_closing, kSteps / 2);
  const Transform end = world.X_WB(last);
  world.Restore(*half_way);
  for (int i = kSteps / 2; i < kSteps; ++i) world.Step(1.0 / 240.0);
  EXPECT_EQ(world.X_WB(last).p, end.p);
  EXPECT_EQ(world.X_WB(last).R.coeffs(), end.R.coeffs());
}

}  // namespace
}  // namespace limber::dynamics::test
