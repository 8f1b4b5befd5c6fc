// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/hand_supports.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "figure/stance_metrics.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;

constexpr std::int64_t kNumFrames = 60;
constexpr std::int64_t kMiddle = 30;

/// A person in the rest pose who glides over the floor at a given speed [m/s],
/// and what is found of the left hand when the floor is `above` below its palm
/// [m].
HandSupport SupportAt(const HumanBody& target, double above, double speed) {
  const HumanBody source =
      *MakeBody(test::BundledClip("walk.bvh").shared_skeleton());
  figure::Motion motion(source.skeleton, 60.0);
  figure::Pose pose = figure::RestPose(*source.skeleton);
  const double palm =
      source.plan.arms[0]
          .palm.At(figure::WorldTransforms(*source.skeleton, pose))
          .y();
  const double scale = source.plan.leg_length / figure::kReferenceLeg;
  for (std::int64_t i = 0; i < kNumFrames; ++i) {
    motion.Append(pose);
    pose.X_PJ[0].p.x() += scale * speed / 60.0;
  }
  LocalFloor floor;
  floor.source.assign(kNumFrames, palm - scale * above);
  floor.target.assign(kNumFrames, 0.0);
  floor.shift.assign(kNumFrames, 0.0);
  return FindHandSupports(motion, source, target, {{0, kNumFrames}}, floor)[0];
}

// Each bound of the height and the speed lies between a third and three times
// of what it is.
TEST(FindHandSupports, HandsNearTheFloorThatHardlyMoveRest) {
  const HumanBody target = BundledBody("adult18");
  EXPECT_EQ(SupportAt(target, 0.02, 0.0).rests[kMiddle], 1.0);
  EXPECT_LT(SupportAt(target, 0.10, 0.0).rests[kMiddle], 0.9);
  EXPECT_GT(SupportAt(target, 0.10, 0.0).rests[kMiddle], 0.1);
  EXPECT_EQ(SupportAt(target, 0.18, 0.0).rests[kMiddle], 0.0);
  EXPECT_NEAR(SupportAt(target, 0.02, 0.033).rests[kMiddle], 1.0, 1e-12);
  EXPECT_LT(SupportAt(target, 0.02, 0.2).rests[kMiddle], 0.9);
  EXPECT_GT(SupportAt(target, 0.02, 0.2).rests[kMiddle], 0.1);
  EXPECT_EQ(SupportAt(target, 0.02, 0.9).rests[kMiddle], 0.0);
  // However it moves, it is near.
  EXPECT_EQ(SupportAt(target, 0.02, 0.9).near_floor[kMiddle], 1.0);
}

TEST(FindHandSupports, FreeHandsMayComeDownToTheThicknessOfAHand) {
  const HumanBody target = BundledBody("adult18");
  const HandSupport free = SupportAt(target, 0.5, 0.0);
  EXPECT_GT(free.lowest[kMiddle], 0.007);
  EXPECT_LT(free.lowest[kMiddle], 0.06);
  EXPECT_EQ(free.rests[kMiddle], 0.0);
}

// A recording may have hands in the floor. Figures stand on a real one.
TEST(FindHandSupports, OnlyBareSkeletonsMaySinkAsTheSourceDoes) {
  const HumanBody figure = BundledBody("adult18");
  EXPECT_EQ(SupportAt(figure, -0.05, 0.0).lowest[kMiddle], 0.0);
  EXPECT_EQ(SupportAt(figure, -0.05, 0.0).height[kMiddle], 0.0);
  const HumanBody bare =
      *MakeBody(test::BundledClip("walk.bvh").shared_skeleton());
  EXPECT_LT(SupportAt(bare, -0.05, 0.0).lowest[kMiddle], -0.04);
}

// Cartwheels on long arms: the copy has palms deep in the floor.
TEST(HandsOnTheFloor, DoNotSinkInACartwheel) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion motion =
      test::ReadClip(test::RealData("cmu/49/49_06.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("giant");
  const JointMap map = MakeJointMap(source, target);
  RetargetOptions copy;
  copy.keep_touching = false;
  const auto lowest_palm = [&](const figure::Motion& result) {
    double lowest = 1.0;
    for (std::int64_t i = 0; i < result.num_frames(); ++i) {
      const auto X = figure::WorldTransforms(result.skeleton(), result.pose(i));
      for (const figure::ArmPlan& arm : target.plan.arms) {
        lowest = std::min(lowest, arm.palm.At(X).y());
      }
    }
    return lowest;
  };
  EXPECT_LT(lowest_palm(Retarget(motion, source, target, map, copy).motion),
            -0.2);
  const Retargeted result = Retarget(motion, source, target, map);
  EXPECT_GT(lowest_palm(result.motion), -0.001);
  EXPECT_LT(result.report.hands.deepest_palm, 0.001);
  EXPECT_LT(result.report.plant.largest_root_shift,
            0.1 * target.plan.leg_length);
}

// Knees give way before the root does, but not for nothing: held three times as
// near its path the root shakes the legs, three times as far it is doubted.
TEST(FarRoot, LiesBetweenAThirdAndThreeTimesOfWhatItIs) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion motion =
      test::ReadClip(test::RealData("cmu-20/69_70.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("giant");
  const JointMap map = MakeJointMap(source, target);
  const auto run = [&](double times) {
    RetargetOptions options;
    options.plant.far_root *= times;
    return Retarget(motion, source, target, map, options);
  };
  // Of the knees, behind the T-pose that the file begins with.
  const auto jerk = [&](const Retargeted& result) {
    std::vector<std::array<Vector3, 2>> knees;
    for (std::int64_t i = 1; i < result.motion.num_frames(); ++i) {
      const auto X_WJ = figure::WorldTransforms(result.motion.skeleton(),
                                                result.motion.pose(i));
      knees.push_back({X_WJ[target.plan.legs[0].shank].p,
                       X_WJ[target.plan.legs[1].shank].p});
    }
    double sum = 0.0;
    for (std::size_t i = 3; i < knees.size(); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        sum += (knees[i][side] - 3.0 * knees[i - 1][side] +
                3.0 * knees[i - 2][side] - knees[i - 3][side])
                   .squaredNorm();
      }
    }
    return std::sqrt(sum);
  };
  const double doubted = 0.1 * target.plan.leg_length;
  const Retargeted right = run(1.0);
  EXPECT_LT(right.report.plant.largest_root_shift, doubted);
  EXPECT_GT(run(3.0).report.plant.largest_root_shift, doubted);
  EXPECT_GT(jerk(run(1.0 / 3.0)), 1.2 * jerk(right));
}

// A hip at its limit while a person gets up: steps that overshoot leave the
// foot 9 cm below the floor in single frames, and the root goes astray for
// that.
TEST(LimbsAtTheirLimits, FindTheirFeet) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion motion =
      test::ReadClip(test::RealData("cmu-20/140_01.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  for (const char* name : {"fat_man", "adult18"}) {
    const HumanBody target = BundledBody(name);
    const PlantReport report =
        Retarget(motion, source, target, MakeJointMap(source, target))
            .report.plant;
    EXPECT_LT(report.worst_miss, 1e-3) << name;
    EXPECT_LT(report.largest_root_shift, 0.1 * target.plan.leg_length) << name;
  }
}

// At 24 Hz the steps by which stances are measured begin between frames.
TEST(FootPhases, HoldFeetAtRatesThatStancesAreNotMeasuredAt) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion fast =
      test::ReadClip(test::RealData("cmu-20/108_13.bvh"));
  constexpr int kEvery = 5;
  figure::Motion motion(fast.shared_skeleton(), fast.rate_hz() / kEvery);
  for (std::int64_t i = 0; i < fast.num_frames(); i += kEvery) {
    motion.Append(fast.pose(i));
  }
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("fat_man");
  const Retargeted result =
      Retarget(motion, source, target, MakeJointMap(source, target));
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const std::vector<figure::Stance> stances =
      figure::FindStances(tracks, figure::FootPoint::kToe);
  const auto slide = [&stances](const figure::ClipTracks& of) {
    return figure::MeasureSlide(of, figure::FootPoint::kToe, stances);
  };
  const figure::StanceSlide s = slide(tracks);
  const figure::StanceSlide t =
      slide(figure::TrackClip(result.motion, target.plan));
  EXPECT_LE(t.speed_per_leg, s.speed_per_leg * (1.0 + 1e-6));
  EXPECT_LE(t.drift_per_leg, s.drift_per_leg * (1.0 + 1e-6));
}

}  // namespace
}  // namespace limber::mocap
