// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "figure/pose_metrics.h"
#include "mocap/retarget/limited_limb.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using figure::Pose;
using test::BundledBody;
using test::kDegree;

const figure::Anchor& AnchorOf(const HumanBody& body, int joint) {
  for (const figure::FigureSegment& segment : body.figure->segments) {
    if (segment.joint == joint) return segment.anchor;
  }
  throw std::runtime_error("no such segment");
}

/// A clip in which one joint turns about one of its axes by `angle(i)`.
template <typename Angle>
std::vector<Pose> Turning(const HumanBody& body, int joint, int axis,
                          int frames, const Angle& angle) {
  std::vector<Pose> poses(static_cast<std::size_t>(frames),
                          figure::RestPose(*body.skeleton));
  for (int i = 0; i < frames; ++i) {
    std::array<double, 3> q = {};
    q[axis] = angle(i);
    poses[i].X_PJ[joint].R = figure::RotationOfAnchor(AnchorOf(body, joint), q);
  }
  return poses;
}

double LargestStep(const std::vector<Pose>& poses, int joint) {
  double largest = 0.0;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    largest = std::max(largest, AngleBetween(poses[i - 1].X_PJ[joint].R,
                                             poses[i].X_PJ[joint].R));
  }
  return largest;
}

TEST(NearestWithinLimits, IsNoFartherThanAnyRotationOfAGrid) {
  const HumanBody body = BundledBody("adult18");
  const figure::Anchor& anchor = AnchorOf(body, body.plan.arms[0].hand);
  for (const std::array<double, 3>& beyond :
       {std::array<double, 3>{2.0, 0.2, 0.1},
        {0.3, 1.2, -1.3},
        {-1.8, -1.0, 1.4}}) {
    const Quaternion R = figure::RotationOfAnchor(anchor, beyond);
    const std::array<double, 3> q = NearestWithinLimits(anchor, R, beyond);
    const Quaternion found = figure::RotationOfAnchor(anchor, q);
    EXPECT_LE(figure::LimitViolation(anchor, found), 1e-9);
    double nearest = 10.0;
    constexpr int kSteps = 24;
    for (int a = 0; a <= kSteps; ++a) {
      for (int b = 0; b <= kSteps; ++b) {
        for (int c = 0; c <= kSteps; ++c) {
          const auto at = [&](int axis, int n) {
            return anchor.axes[axis].lower +
                   n * (anchor.axes[axis].upper - anchor.axes[axis].lower) /
                       kSteps;
          };
          nearest = std::min(
              nearest,
              AngleBetween(R, figure::RotationOfAnchor(
                                  anchor, {at(0, a), at(1, b), at(2, c)})));
        }
      }
    }
    EXPECT_LE(AngleBetween(R, found), nearest + 1e-6);
  }
}

TEST(HoldLimits, BodyWithoutFigureIsLeftAlone) {
  const HumanBody figure = BundledBody("adult18");
  const HumanBody bare = *MakeBody(figure.skeleton);
  std::vector<Pose> poses(10, figure::RestPose(*bare.skeleton));
  poses[5].X_PJ[bare.plan.arms[0].hand].R = ExpRotation({3.0, 0.0, 0.0});
  const Quaternion before = poses[5].X_PJ[bare.plan.arms[0].hand].R;
  EXPECT_TRUE(HoldLimits(bare, 120.0, {{0, 10}}, poses).empty());
  EXPECT_EQ(poses[5].X_PJ[bare.plan.arms[0].hand].R.coeffs(), before.coeffs());
}

TEST(HoldLimits, WristThatGoesBeyondComesBackSmoothlyAndIsNamed) {
  const HumanBody body = BundledBody("adult18");
  const int hand = body.plan.arms[0].hand;
  constexpr int kFrames = 600;
  // Bends sidewards by up to 100 degrees, where 45 are allowed.
  std::vector<Pose> poses = Turning(body, hand, 1, kFrames, [](int i) {
    const double u = std::clamp((i - 200) / 200.0, 0.0, 1.0);
    return 80.0 * kDegree * std::pow(std::sin(kPi * u), 2.0);
  });
  const std::vector<Pose> before = poses;
  const auto mended = HoldLimits(body, 120.0, {{0, kFrames}}, poses);
  ASSERT_FALSE(mended.empty());
  EXPECT_EQ(mended[0].joint, hand);
  EXPECT_NEAR(mended[0].beyond, 35.0 * kDegree, 1.0 * kDegree);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    for (const figure::FigureSegment& segment : body.figure->segments) {
      EXPECT_LE(figure::LimitViolation(segment.anchor,
                                       poses[i].X_PJ[segment.joint].R),
                1e-6);
    }
  }
  // No faster than the source, and far away nothing has changed.
  EXPECT_LE(LargestStep(poses, hand), 1.2 * LargestStep(before, hand));
  for (const int i : {0, 150, 450, kFrames - 1}) {
    EXPECT_LE(AngleBetween(before[i].X_PJ[hand].R, poses[i].X_PJ[hand].R),
              1e-9);
  }
}

TEST(HoldLimits, WristThatTurnsRightRoundDoesNotJump) {
  const HumanBody body = BundledBody("adult18");
  const int hand = body.plan.arms[0].hand;
  constexpr int kFrames = 480;
  std::vector<Pose> poses = Turning(body, hand, 0, kFrames, [](int i) {
    return 2.0 * kPi * std::clamp((i - 120) / 240.0, 0.0, 1.0);
  });
  HoldLimits(body, 120.0, {{0, kFrames}}, poses);
  for (const Pose& pose : poses) {
    EXPECT_LE(figure::LimitViolation(AnchorOf(body, hand), pose.X_PJ[hand].R),
              1e-6);
  }
  // From one end of its range to the other within the averages, not in a frame.
  EXPECT_LE(LargestStep(poses, hand), 30.0 * kDegree);
}

TEST(LimitedLimb, LegReachesWithinItsLimits) {
  const HumanBody body = BundledBody("adult18");
  const figure::LegPlan& leg = body.plan.legs[0];
  const LimitedLimb limb(body, leg.thigh, leg.foot);
  // A straight leg does not know which way to bend.
  Pose pose = Turning(body, leg.shank, 0, 1, [](int) { return 0.7; })[0];
  std::vector<Transform> X_WJ;
  figure::WorldTransforms(*body.skeleton, pose, X_WJ);
  const int parent = body.skeleton->joint(leg.thigh).parent;
  LimbGoals goals;
  // Up by a third of the leg and forward: only a bent knee reaches there.
  const Vector3 goal = X_WJ[leg.foot].p + 0.3 * leg.length * Vector3::UnitY() +
                       0.2 * leg.length * body.plan.axes.forward;
  goals.points.push_back({leg.foot, Vector3::Zero(), goal, 1000.0, false});
  EXPECT_LT(limb.Reach(X_WJ[parent], goals, pose).off, 1e-4);
  EXPECT_LE(limb.Violation(pose), 1e-9);
  figure::WorldTransforms(*body.skeleton, pose, X_WJ);
  EXPECT_LT((X_WJ[leg.foot].p - goal).norm(), 1e-4);
}

// Points within `exact_within` end on their goals, whatever else counts; those
// farther off are left. One step instead of three leaves a micrometre.
TEST(LimitedLimb, PointsNearTheirGoalsGoThereExactly) {
  const HumanBody body = BundledBody("adult18");
  const figure::LegPlan& leg = body.plan.legs[0];
  const LimitedLimb limb(body, leg.thigh, leg.foot);
  const Pose bent = Turning(body, leg.shank, 0, 1, [](int) { return 0.7; })[0];
  std::vector<Transform> X_WJ;
  figure::WorldTransforms(*body.skeleton, bent, X_WJ);
  const Transform X_WP = X_WJ[body.skeleton->joint(leg.thigh).parent];
  LimbGoals goals;
  const Vector3 goal = X_WJ[leg.foot].p + 0.002 * Vector3::UnitY();
  goals.points.push_back({leg.foot, Vector3::Zero(), goal, 1.0, false});
  const auto off = [&](double exact_within) {
    goals.exact_within = exact_within;
    Pose pose = bent;
    const double off = limb.Reach(X_WP, goals, pose).off;
    EXPECT_LE(limb.Violation(pose), 1e-9);
    return off;
  };
  const double left = off(0.0);
  EXPECT_GT(left, 3e-4);
  EXPECT_LT(off(3.0 * left), 1e-10);
  EXPECT_EQ(off(left / 3.0), left);
}

TEST(LimitedLimb, GoalOutOfReachIsReportedAndLimitsHold) {
  const HumanBody body = BundledBody("adult18");
  const figure::LegPlan& leg = body.plan.legs[0];
  const LimitedLimb limb(body, leg.thigh, leg.foot);
  Pose pose = figure::RestPose(*body.skeleton);
  std::vector<Transform> X_WJ;
  figure::WorldTransforms(*body.skeleton, pose, X_WJ);
  LimbGoals goals;
  goals.points.push_back({leg.foot, Vector3::Zero(),
                          X_WJ[leg.foot].p - 0.1 * Vector3::UnitY(), 1000.0,
                          false});
  const double off =
      limb.Reach(X_WJ[body.skeleton->joint(leg.thigh).parent], goals, pose).off;
  EXPECT_GT(off, 0.05);
  EXPECT_LE(limb.Violation(pose), 1e-9);
}

}  // namespace
}  // namespace limber::mocap
