// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// What pulls at figures beside their clip. V-50 to V-62 are scene files:
// demo_scenes_test.cpp.
#include "figure/dynamic/goals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/angle.h"
#include "core/index.h"
#include "figure/dynamic/aim_servo.h"
#include "tests/scenes/figure_scenes.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

using dynamics::BodyId;
using dynamics::World;
using scenes::BodyFor;
using scenes::LoadClip;
using scenes::Play;
using scenes::PlayedClip;

Motion Bundled(const char* name) {
  return LoadClip(test::SourceDir() / "data/clips" / name);
}

// Largest change of a segment's angular velocity in its parent from one step to
// the next, between two times [rad/s].
double LargestKick(const Recorder& recorder, const std::vector<int>& segments,
                   double from, double to) {
  double largest = 0.0;
  const std::vector<SegmentPose>& poses = recorder.poses();
  const std::vector<double>& times = recorder.times();
  for (std::size_t i = 2; i < poses.size(); ++i) {
    if (times[i] < from || times[i] > to) continue;
    const double h = times[i] - times[i - 1];
    for (const int s : segments) {
      const Quaternion& a = poses[i - 2][Index(s)].R;
      const Quaternion& b = poses[i - 1][Index(s)].R;
      const Quaternion& c = poses[i][Index(s)].R;
      const Vector3 change =
          LogRotation(c * b.conjugate()) - LogRotation(b * a.conjugate());
      largest = std::max(largest, change.norm() / h);
    }
  }
  return largest;
}

// Out of reach: the arm is stretched at the point, and does not shake.
TEST(PointAt, V54HandStretchesTowardsAPointOutOfReachWithoutShaking) {
  const Motion clip = Bundled("wave.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const FigureModel& model = *played.model;
  const std::vector<int> arm = {model.SegmentOf(Role::kLeftUpperArm),
                                model.SegmentOf(Role::kLeftForearm),
                                model.SegmentOf(Role::kLeftHand)};
  played.task->schedule().Change(arm, 0.0, 0.2, Strength::Loose());
  World& world = played.stage->world();
  const Vector3 far =
      world.motion(played.performer->figure().body(arm[0])).p_WB +
      Vector3(0.4, 0.2, 1.5);
  PointAt& point = played.stage->AddGoal(std::make_unique<PointAt>(
      *played.stage, played.performer->figure().body(arm[2]), Vector3::Zero(),
      [far](double) { return far; }));
  point.set_max_force(40.0);
  played.stage->Run(3.0);
  EXPECT_GT(point.Distance(*played.stage), 0.3);
  EXPECT_LT(LargestKick(played.recorder(), arm, 2.0, 3.0), 0.2);
}

TEST(AimServo, LookAtAndHoldUprightTurnTheHead) {
  const Motion clip = Bundled("bow.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const int head = played.model->SegmentOf(Role::kHead);
  const BodyId body = played.performer->figure().body(head);
  World& world = played.stage->world();
  const auto look = std::make_shared<LookAt>();
  look->p_WT = world.motion(body).p_WB + Vector3(0.8, 0.0, 2.0);
  played.performer->set_raw(head, look);
  played.stage->Run(0.6);
  const Vector3 gaze = world.motion(body).R_WB.col(2);
  const Vector3 wanted = (look->p_WT - world.motion(body).p_WB).normalized();
  EXPECT_LT(std::acos(gaze.dot(wanted)), 2.0 * kRadiansPerDegree);

  // Upright while the trunk bows, as far as the neck can.
  played.performer->set_raw(head, std::make_shared<HoldUpright>());
  double tilt = 0.0;
  for (int i = 0; i < 240; ++i) {
    played.stage->Step();
    tilt =
        std::max(tilt, std::acos(std::min(1.0, world.motion(body).R_WB(1, 1))));
  }
  EXPECT_LT(tilt, 25.0 * kRadiansPerDegree);
}

}  // namespace
}  // namespace limber::figure
