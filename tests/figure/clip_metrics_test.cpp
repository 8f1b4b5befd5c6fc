// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "figure/clip_tracks.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"

namespace limber::figure {
namespace {

/// A pelvis on two straight legs of `size` times 0.9 m with feet of 15 cm.
std::shared_ptr<const Skeleton> Legs(double size = 1.0) {
  std::vector<Joint> joints = {{"Hips", -1, {0, 1.0, 0}}};
  std::vector<Site> sites;
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int thigh = static_cast<int>(joints.size());
    joints.push_back({name + "UpLeg", 0, {0.1 * side, 0, 0}});
    joints.push_back({name + "Leg", thigh, {0, -0.45, 0}});
    joints.push_back({name + "Foot", thigh + 1, {0, -0.45, 0}});
    joints.push_back({name + "ToeBase", thigh + 2, {0, -0.1, 0.15}});
    sites.push_back({"", thigh + 3, {0, 0, 0.05}});
  }
  for (Joint& joint : joints) joint.offset *= size;
  for (Site& site : sites) site.offset *= size;
  return Skeleton::Make(std::move(joints), std::move(sites));
}

/// The body moves as a whole: its place at each time [m].
Motion Slide(const std::shared_ptr<const Skeleton>& skeleton, double rate_hz,
             int num_frames, const std::function<Vector3(double)>& place) {
  Motion motion(skeleton, rate_hz);
  for (int i = 0; i < num_frames; ++i) {
    Pose pose = RestPose(*skeleton);
    pose.X_PJ[0].p += place(i / rate_hz);
    motion.Append(pose);
  }
  return motion;
}

ClipTracks Tracks(const Motion& motion) {
  return TrackClip(motion, *MakeBodyPlan(motion.skeleton(),
                                         RecogniseRoles(motion.skeleton())));
}

TEST(MakeBodyPlan, FindsToeHeelAndLengths) {
  const auto skeleton = Legs();
  const BodyPlan plan = *MakeBodyPlan(*skeleton, RecogniseRoles(*skeleton));
  EXPECT_NEAR(plan.leg_length, 0.9, 1e-12);
  EXPECT_NEAR(plan.legs[0].foot_length, 0.15, 1e-12);
  EXPECT_NEAR(plan.legs[0].ankle_height, 0.1, 1e-12);
  EXPECT_EQ(plan.legs[0].toe.joint, 4);
  EXPECT_LT((plan.legs[1].heel.p_JQ - Vector3(0, -0.1, 0)).norm(), 1e-12);
}

TEST(MakeBodyPlan, NoLegsNoPlan) {
  const auto chain =
      Skeleton::Make({{"base", -1, {0, 0, 0}}, {"child", 0, {0, 1, 0}}});
  EXPECT_FALSE(MakeBodyPlan(*chain, RecogniseRoles(*chain)));
}

TEST(MeasureSlide, ConstantSlidingGivesItsSpeedAndDrift) {
  const Motion motion = Slide(Legs(), 120.0, 241,
                              [](double t) { return Vector3(0.1 * t, 0, 0); });
  const ClipTracks tracks = Tracks(motion);
  const auto stances = FindStances(tracks, FootPoint::kToe);
  ASSERT_EQ(stances.size(), 2u);
  const StanceSlide slide = MeasureSlide(tracks, FootPoint::kToe, stances);
  EXPECT_NEAR(slide.speed, 0.1, 1e-9);
  EXPECT_NEAR(slide.drift, 0.2, 1e-9);
  EXPECT_NEAR(slide.speed_per_leg, 0.1 / 0.9, 1e-9);
}

TEST(FindStances, FastOrHighFeetDoNotStand) {
  const Motion fast =
      Slide(Legs(), 60.0, 61, [](double t) { return Vector3(t, 0, 0); });
  EXPECT_TRUE(FindStances(Tracks(fast), FootPoint::kToe).empty());
  // Half a second on the floor, then 20 cm up at once (a cut) and still.
  const Motion high = Slide(Legs(), 60.0, 60, [](double t) {
    return Vector3(0, t < 0.5 ? 0.0 : 0.2, 0);
  });
  const auto stances = FindStances(Tracks(high), FootPoint::kToe);
  ASSERT_EQ(stances.size(), 2u);
  EXPECT_LE(stances[0].begin + stances[0].num_steps / 30.0, 0.5);
}

TEST(MeasureSlide, UniformScalingChangesNothingPerLeg) {
  const auto path = [](double size) {
    return [size](double t) {
      return Vector3(size * (0.03 * std::sin(3 * t) + 0.05 * t * t), 0,
                     size * 0.02 * std::cos(5 * t));
    };
  };
  for (const double size : {0.3, 2.5}) {
    const ClipTracks a = Tracks(Slide(Legs(), 100.0, 150, path(1.0)));
    const ClipTracks b = Tracks(Slide(Legs(size), 100.0, 150, path(size)));
    const auto own_a = FindStances(a, FootPoint::kToe);
    const auto own_b = FindStances(b, FootPoint::kToe);
    ASSERT_GT(own_a.size(), 0u);
    EXPECT_EQ(own_a.size(), own_b.size());
    const StanceSlide slide_a = MeasureSlide(a, FootPoint::kToe, own_a);
    const StanceSlide slide_b = MeasureSlide(b, FootPoint::kToe, own_b);
    EXPECT_NEAR(slide_a.speed_per_leg, slide_b.speed_per_leg, 1e-6);
    EXPECT_NEAR(slide_a.drift_per_leg, slide_b.drift_per_leg, 1e-6);
    EXPECT_NEAR(MeasureJerk(b).of_pose / MeasureJerk(a).of_pose, 1.0, 1e-6);
    EXPECT_NEAR(MeasureJerk(b).of_places / MeasureJerk(a).of_places, 1.0, 1e-6);
  }
}

TEST(MeasureJerk, SineHasItsThirdDerivative) {
  const double omega = 4.0;
  const Motion motion = Slide(Legs(), 400.0, 1600, [omega](double t) {
    return Vector3(0.1 * std::sin(omega * t), 0, 0);
  });
  // Root mean square of 0.1 ω³ cos over whole periods, in legs of 0.9 m.
  const double expected = 0.1 * std::pow(omega, 3) / std::sqrt(2.0) / 0.9;
  EXPECT_NEAR(MeasureJerk(Tracks(motion)).of_places, expected, 0.02 * expected);
}

TEST(TrackClip, AddedPoseIsAShotOfItsOwnAndNoFloor) {
  const Motion motion = Slide(Legs(), 120.0, 100, [](double t) {
    return t == 0.0 ? Vector3(0, -0.3, 0) : Vector3(0.01 * t, 0, 0);
  });
  const ClipTracks tracks = Tracks(motion);
  ASSERT_EQ(tracks.shots.size(), 2u);
  EXPECT_EQ(tracks.shots[1].begin, 1);
  EXPECT_NEAR(tracks.floor, 0.0, 1e-9);
  EXPECT_NEAR(FloorPenetration(tracks, tracks.floor), 0.0, 1e-9);
}

TEST(FloorPenetration, IsTheDeepestPoint) {
  const Motion motion = Slide(Legs(), 60.0, 60, [](double t) {
    return Vector3(0, -0.02 * std::sin(kPi * t), 0);
  });
  EXPECT_NEAR(FloorPenetration(Tracks(motion), 0.0), 0.02, 1e-4);
}

TEST(CompareJoints, FindsTheJointThatDiffers) {
  const auto skeleton = Legs();
  Motion a(skeleton, 60.0);
  Motion b(skeleton, 60.0);
  Pose pose = RestPose(*skeleton);
  a.Append(pose);
  pose.X_PJ[2].R = ExpRotation(Vector3(0.3, 0, 0));
  b.Append(pose);
  const JointError error = CompareJoints(b, a);
  EXPECT_EQ(error.joint, "LeftLeg");
  EXPECT_NEAR(error.worst, 0.3, 1e-12);
  EXPECT_NEAR(error.rms, 0.3 / std::sqrt(9.0), 1e-12);
}

TEST(LimitViolation, HingeBeyondItsStop) {
  Anchor anchor;
  anchor.kind = AnchorKind::kHinge;
  anchor.axes[0].lower = -0.1;
  anchor.axes[0].upper = 2.0;
  EXPECT_NEAR(LimitViolation(anchor, ExpRotation(Vector3(0, 0, -0.3))), 0.2,
              1e-9);
  EXPECT_EQ(LimitViolation(anchor, ExpRotation(Vector3(0, 0, 1.0))), 0.0);
  EXPECT_NEAR(
      LimitViolation(
          anchor, WithinLimits(anchor, ExpRotation(Vector3(0, 0, -0.3)), 0.05)),
      0.05, 1e-9);
}

}  // namespace
}  // namespace limber::figure
