// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of planted feet: a body that stands with bent knees, and toes
// that are to move a little.
#include "mocap/retarget/foot_planter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using figure::Pose;

constexpr double kRate = 120.0;  // [Hz]
constexpr int kFrames = 480;

/// A bare skeleton that stands with both knees bent by `bend` [rad].
struct Standing {
  explicit Standing(double bend)
      : body(*MakeBody(test::BundledBody("adult18").skeleton)),
        pose(figure::RestPose(*body.skeleton)) {
    const Vector3 left = Vector3::UnitY().cross(body.plan.axes.forward);
    for (const figure::LegPlan& leg : body.plan.legs) {
      pose.X_PJ[leg.thigh].R = ExpRotation(-0.5 * bend * left);
      pose.X_PJ[leg.shank].R = ExpRotation(bend * left);
      pose.X_PJ[leg.foot].R = ExpRotation(-0.5 * bend * left);
    }
  }

  /// The left toe is wanted where it is and `path(seconds)` besides, the right
  /// one where it is, or likewise.
  std::array<FootGoal, 2> Goals(const std::function<Vector3(double)>& path,
                                bool both = false) const {
    std::array<FootGoal, 2> goals;
    const auto X_WJ = figure::WorldTransforms(*body.skeleton, pose);
    for (int side = 0; side < 2; ++side) {
      const figure::LegPlan& leg = body.plan.legs[side];
      FootGoal& goal = goals[side];
      FootPhase phase{0, kFrames, std::vector<double>(kFrames, 1.0)};
      goal.phases.push_back(phase);
      const double height =
          SoleHeight(leg.toe.At(X_WJ).y(), leg.heel.At(X_WJ).y(), 0.01);
      for (int i = 0; i < kFrames; ++i) {
        const Vector3 step = path((i + 1) / kRate) - path(i / kRate);
        goal.toe_step.push_back(side == 0 || both ? step : Vector3::Zero());
        goal.height.push_back(height);
        goal.near_floor.push_back(1.0);
        goal.lowest.push_back(height - 1.0);
        goal.ground.push_back(height);
        goal.depth_of_source.push_back(0.0);
      }
    }
    return goals;
  }

  std::vector<Pose> Plant(const std::array<FootGoal, 2>& goals,
                          PlantReport* report = nullptr) const {
    std::vector<Pose> poses(kFrames, pose);
    const PlantReport found =
        PlantFeet(body, kRate, {{0, kFrames}}, goals, 0.01, {}, poses);
    if (report != nullptr) *report = found;
    return poses;
  }

  HumanBody body;
  Pose pose;
};

/// How far something goes to and fro in the middle half of the clip.
double Swing(const std::function<double(int)>& value) {
  double low = value(kFrames / 4);
  double high = low;
  for (int i = kFrames / 4; i < 3 * kFrames / 4; ++i) {
    low = std::min(low, value(i));
    high = std::max(high, value(i));
  }
  return high - low;
}

/// By what share the left ankle follows its toe sidewards, which swings by
/// `amplitude` [m] at `frequency` [Hz].
double AnkleShare(double amplitude, double frequency) {
  const Standing standing(0.6);
  const Vector3 left = Vector3::UnitY().cross(standing.body.plan.axes.forward);
  const auto poses = standing.Plant(standing.Goals([&](double t) -> Vector3 {
    return amplitude * std::sin(2.0 * kPi * frequency * t) * left;
  }));
  const auto sidewards = [&](bool is_toe) {
    return Swing([&](int i) {
      const auto X = figure::WorldTransforms(*standing.body.skeleton, poses[i]);
      const figure::LegPlan& leg = standing.body.plan.legs[0];
      return left.dot(is_toe ? leg.toe.At(X) : X[leg.foot].p);
    });
  };
  EXPECT_NEAR(sidewards(true), 2.0 * amplitude, 0.02 * amplitude);
  return sidewards(false) / sidewards(true);
}

// The mean over ±0.05 s (13 frames) leaves sin(13 πf/r) / (13 sin(πf/r)) of
// what goes with f = 4 Hz: 0.717. With three times the time it would be -0.2,
// with a third of it 0.96.
TEST(SteadyAnkles, TakeTheMeanOverATenthOfASecond) {
  const double x = kPi * 4.0 / kRate;
  EXPECT_NEAR(AnkleShare(1e-5, 4.0), std::sin(13.0 * x) / (13.0 * std::sin(x)),
              0.02);
}

// Of a tremor as large as the bound, 0.0002 of the leg, half is taken; of one
// three times as large a tenth. At 30 Hz the mean is next to nothing.
TEST(SteadyAnkles, LeaveWhatIsLargerThanTremor) {
  const double bound = 2e-4 * Standing(0.6).body.plan.leg_length;
  EXPECT_NEAR(AnkleShare(bound, 30.0), 0.5, 0.1);
  EXPECT_NEAR(AnkleShare(0.1 * bound, 30.0), 0.0, 0.1);
  EXPECT_GT(AnkleShare(5.0 * bound, 30.0), 0.9);
}

// Over the floor the root is held by μ = 1 and pulled by both feet with ε =
// 0.02: r = 2 ε g / (2 ε + μ), as long as legs hardly lean.
TEST(RootHold, IsFiftyTimesThePullOfAFoot) {
  const Standing standing(0.6);
  const Vector3 left = Vector3::UnitY().cross(standing.body.plan.axes.forward);
  constexpr double kFar = 0.002;  // [m]
  const auto goals = standing.Goals(
      [&](double t) -> Vector3 {
        return kFar * std::sin(2.0 * kPi * t / 4.0) * left;
      },
      true);
  const auto poses = standing.Plant(goals);
  const int pelvis = standing.body.plan.pelvis;
  const auto swing = [&](const std::function<Vector3(int)>& place) {
    return Swing([&](int i) { return left.dot(place(i)); });
  };
  const double of_root =
      swing([&](int i) -> Vector3 { return poses[i].X_PJ[pelvis].p; });
  const double of_toe = swing([&](int i) -> Vector3 {
    return standing.body.plan.legs[0].toe.At(
        figure::WorldTransforms(*standing.body.skeleton, poses[i]));
  });
  EXPECT_NEAR(of_root / of_toe, 0.04 / 1.04, 0.01);
}

}  // namespace
}  // namespace limber::mocap
