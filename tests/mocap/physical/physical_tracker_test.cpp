// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/physical/physical_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mocap/io/c3d.h"
#include "mocap/solve/sole.h"
#include "tests/mocap/solve/synthetic_take.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

TEST(PhysicalTracker, FollowsASyntheticWalk) {
  const SyntheticTake made = MakeSyntheticTake();
  const PreparedTake take = Prepare(made.take);
  const TakeSolution solution =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  const FitQuality quality =
      MeasureFit(made.actor, solution.poses, solution.used);
  EXPECT_LT(quality.all.rms, 1e-3);
  EXPECT_TRUE(solution.repairs.empty());
  for (const int j : {kPelvis, kLeftUpperLeg, kRightLowerLeg, kLeftFoot}) {
    EXPECT_LT(PoseRmsDeg(solution.poses, made.poses, j), 1.0) << j;
  }
}

TEST(PhysicalTracker, CarriesALimbThroughAGapAndRejectsAStray) {
  SyntheticTake made = MakeSyntheticTake();
  PreparedTake take = Prepare(made.take);
  for (std::int64_t t = 100; t < 106; ++t) {
    for (int m = 0; m < take.observed.num_markers; ++m) {
      if (made.actor.markers[m].segment == kLeftHand) {
        take.observed.frame(t)[m] = Unseen();
      }
      if (made.actor.markers[m].label == "RKNE") {
        take.observed.frame(t)[m] += Vector3(0.5, 0, 0);
      }
    }
  }
  const TakeSolution solution =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  int missing = 0;
  int rejected = 0;
  for (const Repair& repair : solution.repairs) {
    EXPECT_EQ(repair.first_frame, 100);
    EXPECT_EQ(repair.num_frames, 6);
    missing += repair.what == MarkerFate::kMissing;
    rejected += repair.what == MarkerFate::kRejected;
  }
  EXPECT_EQ(missing, 1);
  EXPECT_EQ(rejected, 1);
  // Where the hidden marker would have been.
  const FitQuality quality =
      MeasureFit(made.actor, solution.poses, Prepare(made.take).observed);
  EXPECT_LT(quality.all.max, 0.05);
}

TEST(PhysicalTracker, EarlierFramesDoNotDependOnLaterOnes) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  const PreparedTake take = Prepare(made.take);
  PreparedTake changed = take;
  for (std::int64_t t = 40; t < 60; ++t) {
    for (Vector3& point : changed.observed.frame(t)) {
      point += Vector3(0.02, 0, 0);
    }
  }
  const TakeSolution a =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  const TakeSolution b =
      SolvePhysically(changed.observed, made.actor, take.rate_hz);
  for (std::size_t t = 0; t < 40; ++t) {
    EXPECT_EQ(a.poses[t].p_WR, b.poses[t].p_WR);
  }
  EXPECT_NE(a.poses[45].p_WR, b.poses[45].p_WR);
}

// Without markers on the arm for 0.2 s it falls under gravity only.
TEST(PhysicalTracker, GravityPullsDownWhatNoMarkerHolds) {
  const SyntheticTake made = MakeSyntheticTake();
  PreparedTake take = Prepare(made.take);
  for (std::int64_t t = 100; t < 124; ++t) {
    for (int m = 0; m < take.observed.num_markers; ++m) {
      const int segment = made.actor.markers[m].segment;
      if (segment >= kLeftUpperArm && segment <= kLeftHand) {
        take.observed.frame(t)[m] = Unseen();
      }
    }
  }
  const auto hand_at = [&](const TakeSolution& solution, std::size_t t) {
    BodyKinematics kinematics;
    kinematics.Update(made.actor.p_PJ, solution.poses[t]);
    return kinematics.p_WJ[kLeftHand];
  };
  const TakeSolution free =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  const TakeSolution heavy = SolvePhysically(take.observed, made.actor,
                                             take.rate_hz, {.gravity = true});
  // While markers hold it, weight moves nothing by more than 0.1 mm.
  EXPECT_LT((hand_at(heavy, 99) - hand_at(free, 99)).norm(), 1e-4);
  EXPECT_LT(hand_at(heavy, 123).y(), hand_at(free, 123).y() - 0.02);
  // And back again.
  EXPECT_LT((hand_at(heavy, 150) - hand_at(free, 150)).norm(), 1e-3);
}

// The floor 2 cm above where the feet go: contact holds them up, and the
// markers of the rest of the body are still met.
TEST(PhysicalTracker, FloorContactHoldsSolesUp) {
  const SyntheticTake made = MakeSyntheticTake();
  const PreparedTake take = Prepare(made.take);
  const auto lowest = [&](const TakeSolution& solution) {
    double low = 1e9;
    // Markers alone place the first frame.
    for (std::size_t t = 1; t < solution.poses.size(); ++t) {
      low = std::min(low, LowestSole(made.actor, solution.poses[t]));
    }
    return low;
  };
  const TakeSolution free =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  const double floor = lowest(free) + 0.02;
  PhysicalOptions options;
  options.floor_contact = true;
  options.floor_height = floor;
  for (const bool gravity : {false, true}) {
    options.gravity = gravity;
    const TakeSolution held =
        SolvePhysically(take.observed, made.actor, take.rate_hz, options);
    std::printf("soles %.2f mm below the floor\n",
                1000 * (floor - lowest(held)));
    EXPECT_LT(floor - lowest(held), 0.001);
    const FitQuality quality = MeasureFit(made.actor, held.poses, held.used);
    EXPECT_LT(quality.per_segment[kHead].rms, 0.002);
    EXPECT_LT(quality.all.max, 0.03);
  }
}

// Where the floor is out of reach it changes nothing.
TEST(PhysicalTracker, FloorFarBelowChangesNothing) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  const PreparedTake take = Prepare(made.take);
  PhysicalOptions options;
  options.floor_contact = true;
  options.floor_height = -5;
  const TakeSolution a =
      SolvePhysically(take.observed, made.actor, take.rate_hz);
  const TakeSolution b =
      SolvePhysically(take.observed, made.actor, take.rate_hz, options);
  for (std::size_t t = 0; t < a.poses.size(); ++t) {
    EXPECT_LT((a.poses[t].p_WR - b.poses[t].p_WR).norm(), 1e-12);
  }
}

TEST(PhysicalTracker, BadArgumentsThrow) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 2});
  EXPECT_THROW(PhysicalTracker(made.actor, -1.0), std::invalid_argument);
  EXPECT_THROW(PhysicalTracker(made.actor, 100.0, {.marker_softness = 0}),
               std::invalid_argument);
  EXPECT_THROW(
      PhysicalTracker(made.actor, 100.0, {.floor_height = std::nan("")}),
      std::invalid_argument);
  PhysicalTracker tracker(made.actor, 100.0);
  const std::vector<Vector3> few(2, Vector3::Zero());
  EXPECT_THROW(tracker.Push(few), std::invalid_argument);
}

TEST(PhysicalTracker, Cmu0201IsWithinEightMillimetres) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadC3d(RealData("cmu/02/02_01.c3d")).value();
  const PreparedTake prepared = Prepare(take);
  const Actor actor = Calibrate(prepared, nullptr, "02_01").value().actor;
  const TakeSolution solution =
      SolvePhysically(prepared.observed, actor, prepared.rate_hz);
  const FitQuality quality = MeasureFit(actor, solution.poses, solution.used);
  std::printf("physical: %.2f mm RMS\n", 1000 * quality.all.rms);
  EXPECT_LE(1000 * quality.all.rms, 8);
  EXPECT_TRUE(solution.repairs.empty());
}

}  // namespace
}  // namespace limber::test
