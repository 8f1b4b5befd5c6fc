// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/body.h"

#include <gtest/gtest.h>

#include "figure/pose.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;

TEST(Body, ParentsComeFirstAndSidesMirror) {
  for (int j = 0; j < kNumSegments; ++j) {
    const SegmentModel& segment = Body()[j];
    EXPECT_LT(segment.parent, j);
    const SegmentModel& mirror = Body()[segment.mirror];
    EXPECT_EQ(mirror.mirror, j);
    EXPECT_EQ(mirror.offset, Vector3(-segment.offset.x(), segment.offset.y(),
                                     segment.offset.z()))
        << segment.name;
    EXPECT_EQ(FindSegment(segment.name), j);
  }
  EXPECT_EQ(FindSegment("tail"), -1);
}

TEST(Body, KinematicsEqualThoseOfTheSkeletonWritten) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 5});
  const auto skeleton = MakeSkeleton(made.actor.p_PJ, made.actor.scale);
  figure::Pose pose = figure::RestPose(*skeleton);
  ToFigurePose(made.actor.p_PJ, made.poses[3], pose);
  const std::vector<Transform> X_WJ = figure::WorldTransforms(*skeleton, pose);
  BodyKinematics kinematics;
  kinematics.Update(made.actor.p_PJ, made.poses[3]);
  for (int j = 0; j < kNumSegments; ++j) {
    EXPECT_LE((X_WJ[j].p - kinematics.p_WJ[j]).norm(), 1e-12);
    EXPECT_LE((X_WJ[j].R.toRotationMatrix() - kinematics.R_WJ[j]).norm(),
              1e-12);
  }
}

TEST(MeasureJoint, BendingForwardIsPositive) {
  // Knee: the shank goes back.
  const Quaternion knee = ExpRotation({0.7, 0, 0});
  EXPECT_LT((knee * -Vector3::UnitY()).z(), 0);
  EXPECT_NEAR(MeasureJoint(kLeftLowerLeg, knee).flexion, 0.7, 1e-12);
  // Hip: the thigh goes forward.
  const Quaternion hip = ExpRotation({-0.5, 0, 0});
  EXPECT_GT((hip * -Vector3::UnitY()).z(), 0);
  EXPECT_NEAR(MeasureJoint(kRightUpperLeg, hip).flexion, 0.5, 1e-12);
  // Ankle: the toes go up.
  const Quaternion ankle = ExpRotation({-0.3, 0, 0});
  EXPECT_GT((ankle * Vector3::UnitZ()).y(), 0);
  EXPECT_NEAR(MeasureJoint(kLeftFoot, ankle).flexion, 0.3, 1e-12);
  // Elbows: the forearm goes forward from the T-pose, on both sides.
  for (const int j : {kLeftForearm, kRightForearm}) {
    const double side = j == kLeftForearm ? 1 : -1;
    const Quaternion bend = ExpRotation({0, -side * 1.1, 0});
    const Quaternion turn = ExpRotation({side * 0.4, 0, 0});
    EXPECT_GT((bend * Vector3(side, 0, 0)).z(), 0);
    const ClinicalAngles angles = MeasureJoint(j, bend * turn);
    EXPECT_NEAR(angles.flexion, 1.1, 1e-12);
    EXPECT_NEAR(std::abs(angles.twist), 0.4, 1e-12);
    EXPECT_NEAR(angles.side, 0.0, 1e-12);
  }
}

TEST(MeasureJoint, AnglesOfTheSequenceComeBack) {
  const double f = -0.8;
  const double s = 0.3;
  const double t = 0.5;
  const Quaternion R =
      ExpRotation({f, 0, 0}) * ExpRotation({0, 0, s}) * ExpRotation({0, t, 0});
  const ClinicalAngles angles = MeasureJoint(kSpine, R);
  EXPECT_NEAR(angles.flexion, f, 1e-12);
  EXPECT_NEAR(angles.side, s, 1e-12);
  EXPECT_NEAR(angles.twist, t, 1e-12);
}

}  // namespace
}  // namespace limber::test
