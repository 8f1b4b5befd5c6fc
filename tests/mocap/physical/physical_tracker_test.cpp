// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/physical/physical_tracker.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "mocap/io/c3d.h"
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

TEST(PhysicalTracker, BadArgumentsThrow) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 2});
  EXPECT_THROW(PhysicalTracker(made.actor, -1.0), std::invalid_argument);
  EXPECT_THROW(PhysicalTracker(made.actor, 100.0, {.marker_softness = 0}),
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
