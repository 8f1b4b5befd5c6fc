// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/retarget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;
using test::BundledClip;
using test::Compare;
using test::Difference;
using test::kDegree;

Retargeted Carry(const figure::Motion& motion, const HumanBody& source,
                 const HumanBody& target, const RetargetOptions& options = {}) {
  return Retarget(motion, source, target, MakeJointMap(source, target),
                  options);
}

class OwnSkeleton : public testing::TestWithParam<const char*> {};

TEST_P(OwnSkeleton, GivesTheClipBack) {
  const figure::Motion motion = BundledClip(GetParam());
  const HumanBody body = *MakeBody(motion.shared_skeleton());
  const Difference difference =
      Compare(motion, Carry(motion, body, body).motion);
  EXPECT_LT(difference.angle, 0.01 * kDegree);
  EXPECT_LT(difference.place, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Clips, OwnSkeleton,
                         testing::Values("walk.bvh", "march.bvh", "jump.bvh",
                                         "run.bvh", "squat.bvh", "turn.bvh",
                                         "sit.bvh", "wave.bvh", "bow.bvh"));

TEST(Retarget, UniformScalingScalesPlacesAndNothingElse) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  for (const double k : {0.4, 2.0}) {
    const HumanBody target = test::Scaled(source, "all=" + std::to_string(k));
    const Retargeted result = Carry(motion, source, target);
    const Difference difference = Compare(motion, result.motion, 0, k);
    EXPECT_LT(difference.angle, 1e-6);
    EXPECT_LT(difference.place, 1e-6);
    const auto measure = [](const figure::Motion& clip, const HumanBody& body) {
      const figure::ClipTracks tracks = figure::TrackClip(clip, body.plan);
      return figure::MeasureSlide(
          tracks, figure::FootPoint::kToe,
          figure::FindStances(tracks, figure::FootPoint::kToe));
    };
    const figure::StanceSlide a = measure(motion, source);
    const figure::StanceSlide b = measure(result.motion, target);
    EXPECT_EQ(a.num_stances, b.num_stances);
    EXPECT_NEAR(a.speed_per_leg, b.speed_per_leg, 1e-6);
    EXPECT_NEAR(a.drift_per_leg, b.drift_per_leg, 1e-6);
  }
}

TEST(Retarget, StancesAreAsSteadyAsTheSource) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const auto stances = figure::FindStances(tracks, figure::FootPoint::kToe);
  ASSERT_GT(stances.size(), 2u);
  const figure::StanceSlide before =
      figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances);
  for (const char* text :
       {"legs=1.25", "thighs=1.15,shanks=0.85", "hips=1.5", "arms=0.7"}) {
    SCOPED_TRACE(text);
    const HumanBody target = test::Scaled(source, text);
    const Retargeted result = Carry(motion, source, target);
    const figure::StanceSlide after =
        figure::MeasureSlide(figure::TrackClip(result.motion, target.plan),
                             figure::FootPoint::kToe, stances);
    EXPECT_LE(after.speed_per_leg, before.speed_per_leg + 1e-9);
    EXPECT_LE(after.drift_per_leg, before.drift_per_leg + 1e-9);
    EXPECT_EQ(result.report.plant.missed_frames, 0);
    EXPECT_THAT(result.report.relaxed, testing::IsEmpty());
  }
}

// A copy of angles must slide, or the test above proves nothing.
TEST(Retarget, PlainCopySlides) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = test::Scaled(source, "thighs=1.15,shanks=0.85");
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const auto stances = figure::FindStances(tracks, figure::FootPoint::kToe);
  RetargetOptions copy;
  copy.plant_feet = false;
  copy.keep_touching = false;
  copy.hold_limits = false;
  const Retargeted result = Carry(motion, source, target, copy);
  EXPECT_GT(figure::MeasureSlide(figure::TrackClip(result.motion, target.plan),
                                 figure::FootPoint::kToe, stances)
                .speed_per_leg,
            1.2 * figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances)
                      .speed_per_leg);
}

// Legs that are pulled straight and let go again would jump: longer legs with
// the same feet are all but straight where the heel goes up.
TEST(Retarget, KneesOfLongerLegsDoNotJump) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const auto jerk = [](const figure::Motion& clip, const HumanBody& body) {
    return figure::MeasureJerk(figure::TrackClip(clip, body.plan)).of_places;
  };
  for (const char* text : {"legs=1.25", "legs=0.8", "feet=0.8"}) {
    const HumanBody target = test::Scaled(source, text);
    EXPECT_LT(jerk(Carry(motion, source, target).motion, target),
              2.0 * jerk(motion, source))
        << text;
  }
}

// A pose is a clip that stands still: its feet are on the floor, too.
TEST(Retarget, APoseStandsOnTheFloor) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("giant");
  for (const std::int64_t frames : {1, 2, 3}) {
    const figure::Motion pose = test::Cut(motion, 60, 60 + frames);
    const Retargeted result = Carry(pose, source, target);
    ASSERT_EQ(result.motion.num_frames(), frames);
    EXPECT_GT(result.report.num_phases, 0);
    const auto X_WJ =
        figure::WorldTransforms(*target.skeleton, result.motion.pose(0));
    double lowest = 1.0;
    for (const figure::LegPlan& leg : target.plan.legs) {
      for (const figure::BodyPoint& point : leg.sole) {
        lowest = std::min(lowest, point.At(X_WJ).y());
      }
    }
    EXPECT_NEAR(lowest, 0.0, 0.003) << frames;
  }
}

TEST(Retarget, LockedFeetDoNotMoveAtAll) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = test::Scaled(source, "legs=1.25");
  RetargetOptions options;
  options.lock_feet = 1.0;
  const Retargeted result = Carry(motion, source, target, options);
  const auto stances = figure::FindStances(
      figure::TrackClip(motion, source.plan), figure::FootPoint::kToe);
  EXPECT_LT(figure::MeasureSlide(figure::TrackClip(result.motion, target.plan),
                                 figure::FootPoint::kToe, stances)
                .drift,
            1e-6);
}

TEST(Retarget, StartOfTheClipDoesNotMatter) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = test::Scaled(source, "legs=1.25,hips=1.5");
  const std::int64_t begin = motion.num_frames() / 4;
  const Retargeted whole = Carry(motion, source, target);
  const Retargeted part =
      Carry(test::Cut(motion, begin, motion.num_frames()), source, target);
  const auto settled = static_cast<std::int64_t>(0.5 * motion.rate_hz());
  const Difference difference =
      Compare(part.motion, test::Cut(whole.motion, begin, motion.num_frames()),
              settled);
  EXPECT_LT(difference.angle, 0.5 * kDegree);
}

TEST(Retarget, HeadLooksTheSameWay) {
  const figure::Motion motion = BundledClip("turn.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("giant");
  const Retargeted result = Carry(motion, source, target);
  for (std::int64_t i = 0; i < motion.num_frames(); i += 7) {
    const Vector3 before =
        figure::WorldTransforms(motion.skeleton(),
                                motion.pose(i))[source.plan.neck.back()]
            .R *
        source.plan.axes.forward;
    const Vector3 after =
        figure::WorldTransforms(result.motion.skeleton(),
                                result.motion.pose(i))[target.plan.neck.back()]
            .R *
        target.plan.axes.forward;
    EXPECT_LT((before - after).norm(), 1e-9);
  }
}

// V-57, its kinematic part: the clip on a figure of other proportions, data
// unchanged, stands on the floor, is not dislocated and stays within limits.
TEST(V57, FatManStandsOnTheFloorWithinLimits) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("fat_man");
  const Retargeted result = Carry(motion, source, target);
  const figure::ClipTracks tracks =
      figure::TrackClip(result.motion, target.plan);
  // Feet are on the floor: not below by a millimetre more than the source's,
  // and in every stance at most 5 mm above.
  const figure::ClipTracks of_source = figure::TrackClip(motion, source.plan);
  EXPECT_LT(figure::FloorPenetration(tracks, 0.0),
            figure::FloorPenetration(of_source, of_source.floor) + 1e-3);
  for (int side = 0; side < 2; ++side) {
    for (const FootPhase& phase : FindFootPhases(of_source, side)) {
      double lowest = 1.0;
      for (std::int64_t i = phase.begin; i < phase.end; ++i) {
        lowest = std::min(lowest, tracks.feet[side].lowest[i]);
      }
      EXPECT_LT(lowest, 5e-3);
    }
  }
  // No joint but the root leaves its place in its parent.
  for (std::int64_t i = 0; i < result.motion.num_frames(); ++i) {
    const figure::Pose pose = result.motion.pose(i);
    for (int joint = 1; joint < pose.num_joints(); ++joint) {
      EXPECT_EQ(pose.X_PJ[joint].p, target.skeleton->joint(joint).offset);
    }
  }
  RetargetOptions copy;
  copy.plant_feet = false;
  copy.keep_touching = false;
  copy.hold_limits = false;
  const Retargeted naive = Carry(motion, source, target, copy);
  EXPECT_LE(figure::MeasureLimits(*target.figure, result.motion).worst,
            figure::MeasureLimits(*target.figure, naive.motion).worst + 1e-3);
}

TEST(Retarget, BonesThatMoveTakeTheTargetsAlong) {
  const auto skeleton = BundledClip("walk.bvh").shared_skeleton();
  const HumanBody source = *MakeBody(skeleton);
  figure::Motion motion(skeleton, 60.0);
  const int head = source.plan.neck.back();
  for (int i = 0; i < 30; ++i) {
    figure::Pose pose = figure::RestPose(*skeleton);
    pose.X_PJ[head].p *= 1.0 + 0.01 * i;
    motion.Append(pose);
  }
  const HumanBody target = test::Scaled(source, "all=2");
  const Retargeted result = Carry(motion, source, target);
  EXPECT_LT(
      (result.motion.pose(29).X_PJ[head].p - 2.0 * motion.pose(29).X_PJ[head].p)
          .norm(),
      1e-9);
}

TEST(Retarget, RestPosesOfOtherKindsGiveTheSameMotion) {
  // The same person drawn with arms down: only the frames of the arms differ.
  const figure::Motion motion = BundledClip("wave.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  std::vector<figure::Joint> joints = source.skeleton->joints();
  std::vector<figure::Site> sites = source.skeleton->sites();
  for (int side = 0; side < 2; ++side) {
    const figure::ArmPlan& arm = source.plan.arms[side];
    const Quaternion down = Quaternion::FromTwoVectors(
        side == 0 ? Vector3::UnitX() : Vector3(-Vector3::UnitX()),
        -Vector3::UnitY());
    for (int j = 0; j < source.skeleton->num_joints(); ++j) {
      if (j != arm.upper_arm &&
          figure::IsAbove(*source.skeleton, arm.upper_arm, j)) {
        joints[j].offset = down * joints[j].offset;
      }
    }
    for (figure::Site& site : sites) {
      if (figure::IsAbove(*source.skeleton, arm.upper_arm, site.joint)) {
        site.offset = down * site.offset;
      }
    }
  }
  const HumanBody target =
      *MakeBody(figure::Skeleton::Make(std::move(joints), std::move(sites)));
  const Retargeted result = Carry(motion, source, target);
  for (std::int64_t i = 0; i < motion.num_frames(); i += 5) {
    const auto X_s = figure::WorldTransforms(motion.skeleton(), motion.pose(i));
    const auto X_t = figure::WorldTransforms(result.motion.skeleton(),
                                             result.motion.pose(i));
    for (std::size_t j = 0; j < X_s.size(); ++j) {
      EXPECT_LT((X_s[j].p - X_t[j].p).norm(), 1e-6)
          << source.skeleton->joint(static_cast<int>(j)).name << " frame " << i;
    }
  }
}

TEST(Retarget, WrongArgumentsAreNamed) {
  const figure::Motion motion = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  RetargetOptions options;
  options.lock_feet = 2.0;
  EXPECT_THROW(Carry(motion, source, source, options), std::invalid_argument);
  EXPECT_THROW(Retarget(motion, source, source, JointMap{}),
               std::invalid_argument);
}

TEST(ParseProportions, ReadsListsAndExplainsMistakes) {
  std::string error;
  const auto good = ParseProportions("legs=1.25,forearm=0.5", error);
  ASSERT_TRUE(good);
  EXPECT_EQ((*good)[1].length, BodyLength::kForearms);
  EXPECT_FALSE(ParseProportions("tail=2", error));
  EXPECT_THAT(error, testing::HasSubstr("shanks"));
  EXPECT_FALSE(ParseProportions("legs", error));
  EXPECT_FALSE(ParseProportions("legs=-1", error));
  EXPECT_FALSE(ParseProportions("legs=1e999", error));
  EXPECT_FALSE(ParseProportions("", error));
}

TEST(WithProportions, HipsGoApartAndLegsKeepTheirLength) {
  const HumanBody body = *MakeBody(BundledClip("walk.bvh").shared_skeleton());
  const HumanBody wide = test::Scaled(body, "hips=1.5");
  const auto width = [](const HumanBody& b) {
    const auto X_WJ =
        figure::WorldTransforms(*b.skeleton, figure::RestPose(*b.skeleton));
    return (X_WJ[b.plan.legs[0].thigh].p - X_WJ[b.plan.legs[1].thigh].p).norm();
  };
  EXPECT_NEAR(width(wide), 1.5 * width(body), 1e-9);
  EXPECT_NEAR(wide.plan.leg_length, body.plan.leg_length, 1e-12);
}

// A recording whose floor is somewhere else comes out as one on the floor.
TEST(Ground, LaysAClipOnTheFloorWhereverItWas) {
  const figure::Motion walk = BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(walk.shared_skeleton());
  const auto raised = [&](double by) {
    figure::Motion motion(walk.shared_skeleton(), walk.rate_hz(),
                          walk.source());
    for (std::int64_t i = 0; i < walk.num_frames(); ++i) {
      figure::Pose pose = walk.pose(i);
      pose.X_PJ[0].p.y() += by;
      motion.Append(pose);
    }
    return motion;
  };
  RetargetOptions options;
  options.ground = true;
  const HumanBody figure = BundledBody("child");
  const HumanBody bare = test::Scaled(source, "legs=0.8");
  for (const HumanBody* target : {&figure, &bare}) {
    const JointMap map = MakeJointMap(source, *target);
    const auto carried = [&](double by, const RetargetOptions& how) {
      return Retarget(raised(by), source, *target, map, how);
    };
    const Retargeted level = carried(0.0, options);
    for (const double by : {-0.7, 0.4, 2.0}) {
      SCOPED_TRACE(by);
      const Retargeted result = carried(by, options);
      const test::Difference difference =
          test::Compare(level.motion, result.motion);
      EXPECT_LT(difference.place, 1e-6);
      EXPECT_LT(difference.angle, 1e-4 * test::kDegree);
      EXPECT_EQ(result.report.floor_target, 0.0);
      // Without it the clip stays where it was.
      const figure::ClipTracks tracks = figure::TrackClip(
          carried(by, RetargetOptions{}).motion, target->plan);
      EXPECT_NEAR(tracks.floor, by, 0.02);
    }
  }
}

}  // namespace
}  // namespace limber::mocap
