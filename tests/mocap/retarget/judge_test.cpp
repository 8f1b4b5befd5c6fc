// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "figure/flight_rate.h"
#include "figure/recast.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/rigged_clip.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;
using test::BundledClip;
using test::kDegree;

/// A walk on a figure, and what is thought of it when it is spoiled.
class Spoiled : public testing::Test {
 protected:
  Spoiled()
      : clip_(*MakeRiggedClip(BundledClip("walk.bvh"))),
        target_(BundledBody("adult18")),
        map_(MakeJointMap(clip_.body, target_)),
        result_(Retarget(clip_.motion, clip_.body, target_, map_)) {}

  Verdict Judge() const {
    return JudgeRetarget(clip_.motion, clip_.body, target_, map_, result_);
  }

  /// Changes every pose of the result.
  void Change(const std::function<void(figure::Pose&)>& change) {
    for (std::int64_t i = 0; i < result_.motion.num_frames(); ++i) {
      figure::Pose pose = result_.motion.pose(i);
      change(pose);
      result_.motion.SetPose(i, pose);
    }
  }

  RiggedClip clip_;
  HumanBody target_;
  JointMap map_;
  Retargeted result_;
};

TEST_F(Spoiled, NotAtAllLooksRight) {
  EXPECT_TRUE(Judge().looks_right()) << Judge().ToString();
}

// Doubt begins between a third and three times of each bound.
TEST_F(Spoiled, SunkenSolesAreDoubted) {
  const auto sink = [this](double depth) {
    Change([&](figure::Pose& pose) { pose.X_PJ[0].p.y() -= depth; });
  };
  sink(0.003);
  EXPECT_FALSE(Judge().Has("floor"));
  sink(0.012);
  EXPECT_TRUE(Judge().Has("floor"));
}

TEST_F(Spoiled, TurnedHandsAndHeadsAreDoubted) {
  const int hand = target_.plan.arms[0].hand;
  const int head = target_.plan.neck.back();
  const auto turn = [this](int joint, double degrees, const Vector3& axis) {
    Change([&](figure::Pose& pose) {
      pose.X_PJ[joint].R =
          pose.X_PJ[joint].R * ExpRotation(degrees * kDegree * axis);
    });
  };
  turn(hand, 1.7, Vector3::UnitY());
  turn(head, 6.0, Vector3::UnitY());
  EXPECT_FALSE(Judge().Has("hands"));
  EXPECT_FALSE(Judge().Has("head"));
  turn(hand, 13.3, Vector3::UnitY());
  turn(head, 30.0, Vector3::UnitY());
  EXPECT_TRUE(Judge().Has("hands"));
  EXPECT_TRUE(Judge().Has("head"));
  EXPECT_FALSE(Judge().Has("wrists"));
  turn(hand, 90.0, Vector3::UnitY());
  EXPECT_TRUE(Judge().Has("wrists"));
}

/// The clip with an elbow that jumps to and fro, so far that places have the
/// jerk `wanted` [1/s^3].
figure::Motion Shaken(const figure::Motion& motion, const HumanBody& body,
                      double wanted) {
  const int elbow = body.plan.arms[0].forearm;
  double low = 0.0;
  double high = 0.05;  // [rad]; more would be a cut.
  figure::Motion shaken = motion;
  for (int round = 0; round < 20; ++round) {
    const double angle = 0.5 * (low + high);
    for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
      figure::Pose pose = motion.pose(i);
      Quaternion& R = pose.X_PJ[elbow].R;
      R = R * ExpRotation({0.0, i % 2 == 0 ? angle : -angle, 0.0});
      shaken.SetPose(i, pose);
    }
    const double jerk =
        figure::MeasureJerk(figure::TrackClip(shaken, body.plan)).of_places;
    (jerk > wanted ? high : low) = angle;
  }
  return shaken;
}

// Against a source with as much jerk as noisy recordings have, and against one
// that stands still: both bounds lie between a third and three times of what
// they are.
TEST_F(Spoiled, JumpingLimbsAreDoubted) {
  const auto is_doubted = [&](const figure::Motion& right, double jerk) {
    result_.motion = Shaken(right, target_, jerk);
    return Judge().Has("jerky");
  };
  const figure::Motion walk = clip_.motion;
  const figure::Motion walk_on_target = result_.motion;
  const auto still = [](const figure::Motion& motion) {
    figure::Motion result = motion;
    for (std::int64_t i = 0; i < result.num_frames(); ++i) {
      result.SetPose(i, motion.pose(0));
    }
    return result;
  };
  clip_.motion = still(walk);
  EXPECT_FALSE(is_doubted(still(walk_on_target), 800.0));
  EXPECT_TRUE(is_doubted(still(walk_on_target), 2400.0));
  clip_.motion = Shaken(walk, clip_.body, 3000.0);
  EXPECT_FALSE(is_doubted(walk_on_target, 6000.0));
  EXPECT_TRUE(is_doubted(walk_on_target, 18000.0));
}

// Legs of a crawl that are broken in the source: hips and knees 144 degrees
// beyond what a figure can do.
TEST(JudgeRetarget, ACrawlWhoseKneesJumpIsDoubted) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion motion =
      test::ReadClip(test::RealData("cmu-20/111_03.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("child");
  const JointMap map = MakeJointMap(source, target);
  const Retargeted result = Retarget(motion, source, target, map);
  const Verdict verdict = JudgeRetarget(motion, source, target, map, result);
  EXPECT_TRUE(verdict.Has("jerky")) << verdict.ToString();
  // Steps from frame to frame that began anew made ten times the jerk.
  EXPECT_LT(verdict.doubts().front().value, 7.0) << verdict.ToString();
}

TEST_F(Spoiled, ABodyThatLiesIsDoubtedUnlessTheUserSaidSo) {
  const Quaternion R(Eigen::AngleAxisd(kPi / 2.0, Vector3::UnitX()));
  Change([&](figure::Pose& pose) {
    pose.X_PJ[0].R = R * pose.X_PJ[0].R;
    pose.X_PJ[0].p = R * pose.X_PJ[0].p;
  });
  EXPECT_TRUE(Judge().Has("lies"));
  JudgeOptions said;
  said.up_is_said = true;
  EXPECT_FALSE(
      JudgeRetarget(clip_.motion, clip_.body, target_, map_, result_, said)
          .Has("lies"));
}

TEST_F(Spoiled, ShiftedRootsAndMissedPlacesAreDoubted) {
  result_.report.plant.worst_miss = 0.0004;
  result_.report.plant.largest_root_shift = 0.04;
  EXPECT_TRUE(Judge().looks_right());
  result_.report.plant.worst_miss = 0.003;
  result_.report.plant.largest_root_shift = 0.2;
  EXPECT_TRUE(Judge().Has("foot-off"));
  EXPECT_TRUE(Judge().Has("root-shift"));
}

TEST_F(Spoiled, FeetThatSlideMoreThanTheSourceAreDoubted) {
  // The whole body glides over the floor, faster and faster: doubt begins at a
  // millionth of the source's speed or drift, between a third and three times
  // of it.
  const figure::ClipTracks tracks =
      figure::TrackClip(clip_.motion, clip_.body.plan);
  const std::vector<figure::Stance> stances =
      figure::FindStances(tracks, figure::FootPoint::kToe);
  const auto slide = [&stances](const figure::ClipTracks& of) {
    return figure::MeasureSlide(of, figure::FootPoint::kToe, stances);
  };
  const figure::StanceSlide s = slide(tracks);
  const figure::Motion right = result_.motion;
  int below = 0;
  int above = 0;
  for (double speed = 1e-9; speed < 1e-2; speed *= 1.3) {
    result_.motion = right;
    double time = 0.0;
    Change([&](figure::Pose& pose) {
      pose.X_PJ[0].p.x() += speed * time;
      time += 1.0 / result_.motion.rate_hz();
    });
    const figure::StanceSlide t =
        slide(figure::TrackClip(result_.motion, target_.plan));
    const double more = std::max(t.speed_per_leg / s.speed_per_leg,
                                 t.drift_per_leg / s.drift_per_leg) -
                        1.0;
    if (more < 0.5e-6) {
      ++below;
      EXPECT_FALSE(Judge().Has("slides")) << more;
    }
    if (more > 2e-6) {
      ++above;
      EXPECT_TRUE(Judge().Has("slides")) << more;
    }
  }
  EXPECT_GT(below, 0);
  EXPECT_GT(above, 0);
}

// Soles of bare skeletons are guessed: they may be as deep as the source's.
TEST_F(Spoiled, SolesOfSkeletonsThatAreDeeperThanTheSourcesAreDoubted) {
  target_.figure = nullptr;
  result_.report.foot_ratio = 2.0;
  result_.report.deepest_sole_of_source = 0.02;
  result_.report.deepest_sole = 0.0405;
  EXPECT_FALSE(Judge().Has("floor"));
  result_.report.deepest_sole = 0.0425;
  EXPECT_TRUE(Judge().Has("floor"));
}

TEST_F(Spoiled, PalmsInTheFloorAreDoubted) {
  result_.report.hands.deepest_palm = 0.0017;
  EXPECT_TRUE(Judge().looks_right());
  result_.report.hands.deepest_palm = 0.015;
  EXPECT_TRUE(Judge().Has("floor"));
}

TEST_F(Spoiled, PassedLimitsAreDoubted) {
  const int shank = target_.plan.legs[0].shank;
  Change([&](figure::Pose& pose) {
    pose.X_PJ[shank].R = ExpRotation(-0.6 * Vector3::UnitX());
  });
  EXPECT_TRUE(Judge().Has("limits"));
}

TEST_F(Spoiled, PartsThatFollowNothingAreDoubted) {
  map_.pairs[target_.plan.arms[0].upper_arm] = {};
  EXPECT_TRUE(Judge().Has("not-followed"));
}

TEST(JudgeRetarget, WrongUnitShowsInTheSizeOfTheLegs) {
  const figure::Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  const HumanBody large = test::Scaled(body, "all=10");
  const JointMap map = MakeJointMap(body, large);
  EXPECT_TRUE(
      JudgeRetarget(walk, body, large, map, Retarget(walk, body, large, map))
          .Has("size"));
}

// The bundled jump is ballistic: played twice as fast it falls four times as
// fast.
TEST(FindFlightRate, FallShowsTheRate) {
  const figure::Motion jump = BundledClip("jump.bvh");
  const HumanBody body = *MakeBody(jump.shared_skeleton());
  const auto found = [&body](const figure::Motion& motion) {
    return figure::FindFlightRate(motion, body.plan,
                                  figure::TrackClip(motion, body.plan));
  };
  const figure::FlightRate right = found(jump);
  EXPECT_GE(right.num_flights, 1);
  EXPECT_NEAR(right.gravity, kGravity, 0.25 * kGravity);
  EXPECT_EQ(right.rate_hz, jump.rate_hz());
  const figure::Motion fast = figure::WithRate(jump, 2.0 * jump.rate_hz());
  EXPECT_EQ(found(fast).rate_hz, jump.rate_hz());
  EXPECT_TRUE(JudgeClip(fast, body.plan, figure::TrackClip(fast, body.plan))
                  .Has("rate"));
}

TEST(FindFlightRate, WalksSayNothing) {
  const figure::Motion walk = BundledClip("walk.bvh");
  const HumanBody body = *MakeBody(walk.shared_skeleton());
  EXPECT_EQ(figure::FindFlightRate(walk, body.plan,
                                   figure::TrackClip(walk, body.plan))
                .num_flights,
            0);
}

}  // namespace
}  // namespace limber::mocap
