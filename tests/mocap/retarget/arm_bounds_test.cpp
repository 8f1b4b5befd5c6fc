// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Where hands begin to carry the body and limits to excuse them: each bound
// from both sides, near enough that a third or three times of it would be
// noticed.
#include <gtest/gtest.h>

#include "mocap/retarget/hand_supports.h"
#include "mocap/retarget/palm_turns.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;

/// How much the bend of the left elbow counts in one frame: of a hand that
/// rests by `rests`, and whose palm is `sinks` legs too low.
double ElbowWeight(double rests, double sinks) {
  const HumanBody body = BundledBody("adult18");
  figure::Pose pose = figure::RestPose(*body.skeleton);
  const figure::ArmPlan& arm = body.plan.arms[0];
  // A little bent, since straight arms have no say.
  pose.X_PJ[arm.forearm].R = ExpRotation({0.0, -0.8, 0.0});
  const double palm =
      arm.palm.At(figure::WorldTransforms(*body.skeleton, pose)).y();
  HandSupport hand;
  hand.rests = {rests};
  hand.near_floor = {1.0};
  hand.height = {palm};
  hand.lowest = {palm + sinks * body.plan.leg_length};
  hand.shift = {0.0};
  return TrackArms(body, {hand, hand}, {pose})[0].weight[0];
}

// A hand that only would sink carries less than one that rests, but some.
TEST(SinkingHands, HaveAThirdOfTheSayOfHandsThatRest) {
  const double resting = ElbowWeight(1.0, 0.0);
  ASSERT_GT(resting, 0.0);
  const double deep = ElbowWeight(0.0, 0.3) / resting;
  EXPECT_GT(deep, 0.15);
  EXPECT_LT(deep, 0.6);
}

// Their say comes with the depth: half of it at a seventieth of a leg.
TEST(SinkingHands, HaveTheirWholeSayAtThreeHundredthsOfALeg) {
  const double deep = ElbowWeight(0.0, 0.3);
  EXPECT_GT(ElbowWeight(0.0, 0.015), 0.3 * deep);
  EXPECT_LT(ElbowWeight(0.0, 0.015), 0.7 * deep);
  EXPECT_EQ(ElbowWeight(0.0, 0.0), 0.0);
}

/// The body with all joints of its arms in the middle of their ranges.
figure::Pose MiddlePose(const HumanBody& body) {
  figure::Pose pose = figure::RestPose(*body.skeleton);
  for (const figure::FigureSegment& segment : body.figure->segments) {
    const figure::Anchor& anchor = segment.anchor;
    if (!anchor.has_limits()) continue;
    std::array<double, 3> q = {};
    for (int i = 0; i < anchor.num_axes(); ++i) {
      q[i] = 0.5 * (anchor.axes[i].lower + anchor.axes[i].upper);
    }
    pose.X_PJ[segment.joint].R = figure::RotationOfAnchor(anchor, q);
  }
  return pose;
}

/// How many frames of 120 at 100 Hz a limit has a say in, when the left hand is
/// `inside` its upper limit [rad] in the frames [begin, end).
std::int64_t BoundFrames(double inside, std::int64_t begin, std::int64_t end) {
  const HumanBody body = BundledBody("adult18");
  const int hand = body.plan.arms[0].hand;
  const figure::Pose middle = MiddlePose(body);
  figure::Pose near = middle;
  for (const figure::FigureSegment& segment : body.figure->segments) {
    if (segment.joint != hand) continue;
    std::array<double, 3> q =
        figure::MeasureAnchor(segment.anchor, middle.X_PJ[hand].R).q;
    q[0] = segment.anchor.axes[0].upper - inside;
    near.X_PJ[hand].R = figure::RotationOfAnchor(segment.anchor, q);
  }
  figure::Motion motion(body.skeleton, 100.0);
  for (std::int64_t i = 0; i < 120; ++i) {
    motion.Append(i >= begin && i < end ? near : middle);
  }
  return MeasurePalms(motion, body, motion, body, {}).bound_frames;
}

TEST(PalmTurns, AJointIsAtItsLimitWithinAHundredthOfARadian) {
  EXPECT_EQ(BoundFrames(0.5, 0, 120), 0);
  EXPECT_EQ(BoundFrames(0.005, 0, 120), 120);
  EXPECT_EQ(BoundFrames(0.02, 0, 120), 0);
}

// What a limit turns comes and goes over 0.15 s to each side.
TEST(PalmTurns, ALimitHasASayAroundTheFramesInWhichItHolds) {
  const std::int64_t bound = BoundFrames(0.0, 60, 61);
  EXPECT_GT(bound, 20);
  EXPECT_LT(bound, 60);
}

}  // namespace
}  // namespace limber::mocap
