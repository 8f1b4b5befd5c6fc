// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace limber::figure {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::shared_ptr<const Skeleton> Arm() {
  return Skeleton::Make(
      {{"shoulder", -1, Vector3(0, 1, 0)}, {"elbow", 0, Vector3(2, 0, 0)}});
}

// Elbow with one angle, shoulder fixed.
MotionSource OneAngle() {
  MotionSource source;
  source.channels = std::make_shared<const ChannelLayout>(
      2, std::vector<Channel>{{1, ChannelKind::kRotation, 2}});
  return source;
}

TEST(Motion, KeepsTheRowsItWasGiven) {
  const Motion motion(Arm(), 10.0, OneAngle(), {0.0, 7.0, 0.5});
  EXPECT_EQ(motion.num_frames(), 3);
  EXPECT_DOUBLE_EQ(motion.duration(), 0.2);
  EXPECT_EQ(motion.row(1)[0], 7.0);
  EXPECT_EQ(motion.layout(), motion.source().channels);
  EXPECT_LT(
      AngleBetween(motion.pose(2).X_PJ[1].R, ExpRotation(Vector3(0, 0, 0.5))),
      1e-14);
}

TEST(Motion, AppendedPosesComeBack) {
  Motion motion(Arm(), 10.0);
  Pose pose = RestPose(motion.skeleton());
  pose.X_PJ[0] = {ExpRotation(Vector3(1, 2, 0.5)), Vector3(3, 4, 5)};
  motion.Append(pose);
  // The second pose moves a joint that could not move so far.
  pose.X_PJ[1] = {ExpRotation(Vector3(0, -1, 0)), Vector3(2, 0.1, 0)};
  motion.Append(pose);
  ASSERT_EQ(motion.num_frames(), 2);
  EXPECT_TRUE(motion.pose(0).X_PJ[0].p.isApprox(Vector3(3, 4, 5)));
  EXPECT_TRUE(motion.pose(0).X_PJ[1].p.isApprox(Vector3(2, 0, 0)));
  EXPECT_TRUE(motion.pose(1).X_PJ[1].p.isApprox(Vector3(2, 0.1, 0)));
  EXPECT_LT(AngleBetween(motion.pose(1).X_PJ[1].R, pose.X_PJ[1].R), 1e-14);
}

TEST(Motion, ChangeOfOnePoseKeepsTheOthers) {
  Motion motion(Arm(), 10.0, OneAngle(), {0.0, 7.0, 0.5});
  const Pose first = motion.pose(1);
  Pose pose = motion.pose(2);
  pose.X_PJ[0].R = ExpRotation(Vector3(0.3, 0, 0));
  motion.SetPose(2, pose);
  EXPECT_NE(motion.layout(), motion.source().channels);
  EXPECT_LT(AngleBetween(motion.pose(1).X_PJ[1].R, first.X_PJ[1].R), 1e-14);
  EXPECT_LT(AngleBetween(motion.pose(2).X_PJ[0].R, pose.X_PJ[0].R), 1e-14);
}

TEST(Motion, SampleInterpolatesAndHoldsTheEnds) {
  const Motion motion(Arm(), 10.0, OneAngle(), {0.0, 1.0});
  const auto angle = [&](double time) {
    return LogRotation(motion.Sample(time).X_PJ[1].R).z();
  };
  EXPECT_NEAR(angle(0.025), 0.25, 1e-12);
  EXPECT_NEAR(angle(-1.0), 0.0, 1e-12);
  EXPECT_NEAR(angle(9.0), 1.0, 1e-12);
  EXPECT_THROW(motion.Sample(std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
  EXPECT_THROW(Motion(Arm(), 10.0).Sample(0.0), std::invalid_argument);
}

TEST(Motion, BadArgumentsAreRefusedByName) {
  const auto refuses = [](auto make, const char* words) {
    EXPECT_THAT(make, ThrowsMessage<std::invalid_argument>(HasSubstr(words)));
  };
  refuses([] { Motion(nullptr, 1.0); }, "skeleton must not be null");
  refuses([] { Motion(Arm(), 0.0); }, "rate_hz must be positive");
  refuses([] { Motion(Arm(), 1.0, MotionSource{}, {}); },
          "source.channels must be set");
  refuses(
      [] {
        Motion(Skeleton::Make({{"a", -1, Vector3::Zero()}}), 1.0, OneAngle());
      },
      "source.channels is for 2 joints, the skeleton has 1");
  refuses([] { Motion(Arm(), 1.0, OneAngle(), {HUGE_VAL}); },
          "values must be finite");
  refuses([] { Motion(Arm(), 1.0).Append(Pose{}); },
          "pose has 0 joints, the skeleton has 2");
  refuses([] { Motion(Arm(), 1.0).pose(0); }, "frame is 0, the motion has 0");
  refuses(
      [] {
        Pose pose = RestPose(*Arm());
        pose.X_PJ[1].R = Quaternion(2, 0, 0, 0);
        Motion(Arm(), 1.0).Append(pose);
      },
      "pose.X_PJ[1].R must have length 1, found 2");
}

TEST(FileToWorld, BringsTheUpAxisToY) {
  const auto map = [](UpAxis up) { return FileToWorld(up) * Vector3(1, 2, 3); };
  EXPECT_LT((map(UpAxis::kX) - Vector3(2, 1, -3)).norm(), 1e-14);
  EXPECT_LT((map(UpAxis::kY) - Vector3(1, 2, 3)).norm(), 1e-14);
  EXPECT_LT((map(UpAxis::kZ) - Vector3(1, 3, -2)).norm(), 1e-14);
}

}  // namespace
}  // namespace limber::figure
