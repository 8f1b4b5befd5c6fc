// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/combine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "figure/stance_metrics.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using figure::Motion;
using test::BundledClip;

/// Largest change of a joint's velocity from one step to the next [m/s], over
/// frames [begin, end).
double LargestVelocityStep(const Motion& motion, const HumanBody& body,
                           std::int64_t begin, std::int64_t end) {
  const figure::ClipTracks tracks = figure::TrackClip(motion, body.plan);
  const auto n = static_cast<std::size_t>(tracks.num_joints);
  double largest = 0.0;
  for (std::int64_t i = std::max<std::int64_t>(begin, 1); i + 1 < end; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * n;
    for (std::size_t j = at; j < at + n; ++j) {
      largest = std::max(
          largest,
          (tracks.places[j + n] - 2.0 * tracks.places[j] + tracks.places[j - n])
              .norm());
    }
  }
  return largest * motion.rate_hz();
}

// V-58 and the joining of V-38: two clips joined have no velocity step above
// the clips' own.
TEST(V58, JoinedClipsHaveNoVelocityStepAboveTheirOwn) {
  const Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  for (const char* name : {"walk.bvh", "run.bvh", "turn.bvh", "wave.bvh"}) {
    SCOPED_TRACE(name);
    const Motion next = BundledClip(name);
    const Combined joined = Combine(walk, next, body);
    const double own =
        std::max(LargestVelocityStep(walk, body, 0, walk.num_frames()),
                 LargestVelocityStep(next, body, 0, next.num_frames()));
    EXPECT_LE(
        LargestVelocityStep(joined.motion, body, 0, joined.motion.num_frames()),
        1.05 * own);
    if (next.rate_hz() != walk.rate_hz()) continue;
    EXPECT_EQ(
        joined.motion.num_frames(),
        joined.report.frame_a + next.num_frames() - joined.report.frame_b);
  }
}

TEST(Combine, FeetStayPlantedThroughTheBlend) {
  const Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  const Combined joined = Combine(walk, walk, body);
  const auto slide = [&body](const Motion& motion) {
    const figure::ClipTracks tracks = figure::TrackClip(motion, body.plan);
    return figure::MeasureSlide(
        tracks, figure::FootPoint::kToe,
        figure::FindStances(tracks, figure::FootPoint::kToe));
  };
  EXPECT_LE(slide(joined.motion).speed_per_leg,
            1.05 * slide(walk).speed_per_leg + 1e-3);
}

TEST(Combine, SecondClipTurnedAndElsewhereIsBroughtThere) {
  const Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  Motion turned(walk.shared_skeleton(), walk.rate_hz());
  const Transform X{ExpRotation(Vector3(0, 2.0, 0)), Vector3(5, 0, -3)};
  for (std::int64_t i = 0; i < walk.num_frames(); ++i) {
    figure::Pose pose = walk.pose(i);
    pose.X_PJ[0] = X * pose.X_PJ[0];
    turned.Append(pose);
  }
  const Combined plain = Combine(walk, walk, body);
  const Combined moved = Combine(walk, turned, body);
  const auto difference = test::Compare(plain.motion, moved.motion);
  EXPECT_LT(difference.place, 1e-6);
  EXPECT_LT(difference.angle, 1e-6);
}

TEST(Combine, BeginningAndEndAreThoseOfTheClips) {
  const Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  const Combined joined = Combine(walk, walk, body);
  const std::int64_t last = joined.motion.num_frames() - 1;
  for (int joint = 1; joint < walk.skeleton().num_joints(); ++joint) {
    EXPECT_LT(AngleBetween(joined.motion.pose(0).X_PJ[joint].R,
                           walk.pose(0).X_PJ[joint].R),
              1e-3);
    EXPECT_LT(AngleBetween(joined.motion.pose(last).X_PJ[joint].R,
                           walk.pose(walk.num_frames() - 1).X_PJ[joint].R),
              1e-3);
  }
}

TEST(Combine, OtherSkeletonsAreRefused) {
  const Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  const Motion march = BundledClip("march.bvh");
  EXPECT_THROW(Combine(walk, march, body), std::invalid_argument);
  CombineOptions options;
  options.blend = -1.0;
  EXPECT_THROW(Combine(walk, walk, body, options), std::invalid_argument);
  options.blend = 100.0;
  EXPECT_THROW(Combine(walk, walk, body, options), std::invalid_argument);
}

}  // namespace
}  // namespace limber::mocap
