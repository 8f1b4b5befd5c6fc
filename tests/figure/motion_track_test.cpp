// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/motion_track.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::figure {
namespace {

std::shared_ptr<const SmoothMotion> Clip(double seconds, double phase,
                                         double speed) {
  const auto skeleton = Skeleton::Make(
      {{"root", -1, Vector3::Zero()}, {"tip", 0, Vector3(0.0, 0.3, 0.0)}});
  Motion motion(skeleton, 60.0);
  const int frames = static_cast<int>(std::lround(60.0 * seconds)) + 1;
  for (int f = 0; f < frames; ++f) {
    const double t = f / 60.0;
    Pose pose = RestPose(*skeleton);
    pose.X_PJ[0] = {ExpRotation({0.1 * std::sin(4.0 * t + phase), phase, 0.0}),
                    Vector3(speed * t, 1.0 + 0.05 * std::sin(6.0 * t), phase)};
    pose.X_PJ[1].R = ExpRotation({0.8 * std::sin(3.0 * t + phase), 0.2, 0.0});
    motion.Append(pose);
  }
  return std::make_shared<SmoothMotion>(motion);
}

// Velocity and acceleration by differences on both sides of a time.
struct Sides {
  Vector3 before, after;
};
Sides TurnSpeed(const MotionTrack& track, double t, std::size_t joint) {
  const double d = 1e-4;
  Pose a, b, c;
  track.Sample(t - d, a);
  track.Sample(t, b);
  track.Sample(t + d, c);
  return {LogRotation(b.X_PJ[joint].R * a.X_PJ[joint].R.conjugate()) / d,
          LogRotation(c.X_PJ[joint].R * b.X_PJ[joint].R.conjugate()) / d};
}

// V-58: pose and velocity go on over the join, whatever the clips do there.
TEST(MotionTrack, V58JoinsHaveNoStepOfPoseOrVelocity) {
  for (const JoinOptions::Blend blend :
       {JoinOptions::Blend::kCarry, JoinOptions::Blend::kOverlap}) {
    MotionTrack track;
    track.Append(Clip(2.0, 0.0, 1.0));
    JoinOptions options;
    options.blend = blend;
    const double join = track.Append(Clip(2.0, 1.1, 0.5), options);
    for (const double t : {join, join + 0.3}) {
      for (const std::size_t joint : {0u, 1u}) {
        const Sides speed = TurnSpeed(track, t, joint);
        EXPECT_LT((speed.after - speed.before).norm(), 0.02) << t;
        Pose a, b;
        track.Sample(t - 1e-6, a);
        track.Sample(t + 1e-6, b);
        EXPECT_LT((a.X_PJ[joint].p - b.X_PJ[joint].p).norm(), 1e-5);
      }
    }
  }
}

TEST(MotionTrack, AlignedClipGoesOnWhereTheTrackIs) {
  MotionTrack track;
  track.Append(Clip(2.0, 0.0, 1.0));
  const double join = track.Append(Clip(2.0, 1.1, 1.0));
  EXPECT_NEAR(join, 2.0, 1e-12);
  EXPECT_NEAR(track.duration(), 4.0, 1e-12);
  Pose at, end;
  track.Sample(join, at);
  EXPECT_NEAR(at.X_PJ[0].p.x(), 2.0, 1e-9);
  // It walked along x of its own ground and goes on along x of the track's.
  track.Sample(4.0, end);
  const Vector3 way = end.X_PJ[0].p - at.X_PJ[0].p;
  EXPECT_NEAR(std::hypot(way.x(), way.z()), 2.0, 0.2);
  EXPECT_NEAR(end.X_PJ[0].p.y(), 1.0 + 0.05 * std::sin(12.0), 1e-9);
}

TEST(MotionTrack, LoopRepeatsUntilItIsLongEnoughAndSpeedScales) {
  MotionTrack track;
  JoinOptions twice;
  twice.speed = 2.0;
  track.Loop(Clip(2.0, 0.0, 1.0), 4.5, twice);
  EXPECT_NEAR(track.duration(), 5.0, 1e-12);
  Pose pose;
  track.Sample(5.0, pose);
  EXPECT_NEAR(pose.X_PJ[0].p.x(), 10.0, 0.05);
}

TEST(MotionTrack, BadOptionsAreRefused) {
  MotionTrack track;
  EXPECT_THROW(track.Append(nullptr), std::invalid_argument);
  JoinOptions options;
  options.speed = 0.0;
  EXPECT_THROW(track.Append(Clip(1.0, 0.0, 1.0), options),
               std::invalid_argument);
  options = {};
  options.from = 3.0;
  EXPECT_THROW(track.Append(Clip(1.0, 0.0, 1.0), options),
               std::invalid_argument);
  track.Append(Clip(1.0, 0.0, 1.0));
  options = {};
  options.blend = JoinOptions::Blend::kOverlap;
  options.duration = 0.8;
  EXPECT_THROW(track.Append(Clip(1.0, 0.0, 1.0), options),
               std::invalid_argument);
  EXPECT_THROW(track.Loop(Clip(0.0, 0.0, 1.0), 3.0), std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
