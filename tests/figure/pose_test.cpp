// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/pose.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace limber::figure {
namespace {

// An arm of two bones of 2 m and 1 m along x, with a tip.
std::shared_ptr<const Skeleton> Arm() {
  return Skeleton::Make(
      {{"shoulder", -1, Vector3(0, 1, 0)}, {"elbow", 0, Vector3(2, 0, 0)}},
      {{"tip", 1, Vector3(1, 0, 0)}});
}

TEST(WorldTransforms, RestPoseAddsTheOffsets) {
  const auto arm = Arm();
  const auto X_WJ = WorldTransforms(*arm, RestPose(*arm));
  EXPECT_TRUE(X_WJ[1].p.isApprox(Vector3(2, 1, 0)));
  EXPECT_TRUE(SitePositions(*arm, X_WJ)[0].isApprox(Vector3(3, 1, 0)));
}

TEST(WorldTransforms, RotationsActOnWhatHangsBelow) {
  const auto arm = Arm();
  Pose pose = RestPose(*arm);
  // Shoulder a quarter turn about z: the arm points up. Elbow a quarter turn
  // back: the forearm points along x again.
  pose.X_PJ[0].R = ExpRotation(Vector3(0, 0, kPi / 2));
  pose.X_PJ[1].R = ExpRotation(Vector3(0, 0, -kPi / 2));
  const auto X_WJ = WorldTransforms(*arm, pose);
  EXPECT_LT((X_WJ[1].p - Vector3(0, 3, 0)).norm(), 1e-12);
  EXPECT_LT((SitePositions(*arm, X_WJ)[0] - Vector3(1, 3, 0)).norm(), 1e-12);
}

TEST(WorldTransforms, OtherNumberOfJointsIsRefused) {
  const auto arm = Arm();
  EXPECT_THROW(WorldTransforms(*arm, Pose{}), std::invalid_argument);
}

TEST(Interpolate, GoesTheShorterWayAtConstantSpeed) {
  const auto arm = Arm();
  Pose a = RestPose(*arm);
  Pose b = a;
  b.X_PJ[0].p = Vector3(4, 1, 0);
  // The quaternion of the opposite sign is the same rotation.
  const Quaternion q = ExpRotation(Vector3(0, 0, 1.0));
  b.X_PJ[0].R = Quaternion(-q.w(), -q.x(), -q.y(), -q.z());
  const Pose c = Interpolate(a, b, 0.25);
  EXPECT_LT(AngleBetween(c.X_PJ[0].R, ExpRotation(Vector3(0, 0, 0.25))), 1e-12);
  EXPECT_TRUE(c.X_PJ[0].p.isApprox(Vector3(1, 1, 0)));
  EXPECT_THROW(Interpolate(a, Pose{}, 0.5), std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
