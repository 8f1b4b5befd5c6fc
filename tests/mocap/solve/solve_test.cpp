// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "figure/figure_file.h"
#include "mocap/solve/actor_figure.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/solve_take.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;

int MarkerIndex(const Actor& actor, std::string_view label) {
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (actor.markers[m].label == label) return static_cast<int>(m);
  }
  return -1;
}

/// Exchanges two markers over [begin, end).
void Swap(MarkerTake& take, const std::string& a, const std::string& b,
          std::int64_t begin, std::int64_t end) {
  const int i = *take.FindMarker("Syn:" + a);
  const int j = *take.FindMarker("Syn:" + b);
  for (std::int64_t t = begin; t < end; ++t) {
    const Vector3 p = take.Position(t, i);
    take.SetPosition(t, i, take.Position(t, j));
    take.SetPosition(t, j, p);
  }
}

TEST(Calibrate, SyntheticWalkFindsBonesAndFitsWithinATenthOfAMillimetre) {
  const SyntheticTake made = MakeSyntheticTake();
  const PreparedTake take = Prepare(made.take);
  const Result<Calibration> found = Calibrate(take, nullptr, "f");
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  EXPECT_LT(found->rms, 0.5e-3);
  const auto length = [&](int j) { return found->actor.p_PJ[j].norm(); };
  for (const int j : {kLeftLowerLeg, kRightLowerLeg, kLeftFoot, kLeftForearm}) {
    EXPECT_NEAR(length(j), made.actor.p_PJ[j].norm(), 0.02) << j;
  }
  EXPECT_EQ(length(kLeftFoot), length(kRightFoot));
}

TEST(Calibrate, BadLabelsInSomeFramesDoNotSpoilIt) {
  SyntheticTake made = MakeSyntheticTake();
  Swap(made.take, "LKNE", "RKNE", 60, 84);
  const Result<Calibration> found = Calibrate(Prepare(made.take), nullptr, "f");
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found->actor.p_PJ[kLeftLowerLeg].norm(),
              made.actor.p_PJ[kLeftLowerLeg].norm(), 0.02);
}

TEST(Calibrate, WrongUnitIsRefusedWithTheSizeItWouldMean) {
  SyntheticTake made = MakeSyntheticTake({.num_frames = 10});
  for (double& value : made.take.positions()) value *= 10;
  const Result<Calibration> found =
      Calibrate(Prepare(made.take), nullptr, "take.c3d");
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.diagnostics().ToString(), testing::HasSubstr("--unit"));
}

TEST(PrepareTake, AssumedAxesAreTurnedUpright) {
  SyntheticTake made = MakeSyntheticTake({.num_frames = 30});
  for (std::int64_t t = 0; t < 30; ++t) {
    for (int m = 0; m < made.take.num_markers(); ++m) {
      const Vector3 p = made.take.Position(t, m);
      made.take.SetPosition(t, m, {p.x(), p.z(), -p.y()});
    }
  }
  made.take.origin.axes_decision = Decision::kDefault;
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), made.take, "f", std::nullopt);
  const Result<PreparedTake> take =
      PrepareTake(made.take, *set->set, set->match, "f");
  ASSERT_TRUE(take.ok());
  EXPECT_EQ(take.diagnostics().CountOf("up-axis"), 1);
  const int head = MarkerIndex(made.actor, "LFHD");
  EXPECT_GT(take->observed.frame(0)[head].y(), 1.5);
  // A file that says its axes is believed.
  made.take.origin.axes_decision = Decision::kFile;
  const Result<PreparedTake> believed =
      PrepareTake(made.take, *set->set, set->match, "f");
  EXPECT_EQ(believed.diagnostics().CountOf("up-axis"), 0);
}

/// Solves with the true actor, so that the poses can be compared.
class SolveKnownActor : public testing::Test {
 protected:
  TakeSolution Solve(const SolveOptions& options = {}) {
    const PreparedTake take = Prepare(made_.take);
    return SolveTake(take, &made_.take, made_.actor, options);
  }
  /// The largest RMS over the joints that move [deg].
  double WorstRms(const TakeSolution& solution) const {
    double worst = 0.0;
    for (int j = 0; j < kNumSegments; ++j) {
      if (!made_.actor.moves[j]) continue;
      worst = std::max(worst, PoseRmsDeg(solution.poses, made_.poses, j));
    }
    return worst;
  }
  SyntheticTake made_ = MakeSyntheticTake();
};

TEST_F(SolveKnownActor, CleanMarkersGivePosesWithinHalfADegreeOfLimbs) {
  const TakeSolution solution = Solve();
  EXPECT_TRUE(solution.repairs.empty());
  const FitQuality quality =
      MeasureFit(made_.actor, solution.poses, solution.used);
  EXPECT_LT(quality.all.rms, 0.5e-3);
  for (const int j : {kPelvis, kLeftUpperLeg, kRightUpperLeg, kLeftLowerLeg,
                      kRightLowerLeg, kLeftFoot, kRightFoot, kLeftForearm}) {
    EXPECT_LT(PoseRmsDeg(solution.poses, made_.poses, j), 0.5) << j;
  }
}

TEST_F(SolveKnownActor, SwapOfThirtyFramesIsFoundAndRepaired) {
  const TakeSolution clean = Solve();
  Swap(made_.take, "LFHD", "RFHD", 100, 130);
  const TakeSolution repaired = Solve();
  std::int64_t swapped = 0;
  for (const Repair& repair : repaired.repairs) {
    ASSERT_EQ(repair.what, MarkerFate::kSwapped);
    EXPECT_EQ(repair.first_frame, 100);
    EXPECT_EQ(repair.num_frames, 30);
    swapped += repair.num_frames;
  }
  EXPECT_EQ(swapped, 60);
  EXPECT_LT(PoseRmsDeg(repaired.poses, clean.poses, kHead), 0.01);
}

TEST_F(SolveKnownActor, StrayPointsAreRejectedAndListed) {
  const int toe = *made_.take.FindMarker("Syn:LTOE");
  for (std::int64_t t = 50; t < 58; ++t) {
    made_.take.SetPosition(t, toe,
                           made_.take.Position(t, toe) + Vector3(0, 0.4, 0));
  }
  const TakeSolution solution = Solve();
  ASSERT_EQ(solution.repairs.size(), 1u);
  EXPECT_EQ(solution.repairs[0].what, MarkerFate::kRejected);
  EXPECT_EQ(solution.repairs[0].first_frame, 50);
  EXPECT_EQ(solution.repairs[0].num_frames, 8);
  EXPECT_LT(PoseRmsDeg(solution.poses, made_.poses, kLeftFoot), 0.5);
}

TEST_F(SolveKnownActor, UnlabelledTrackIsTakenWhereTheBodyPredictsIt) {
  std::vector<std::string> labels = made_.take.labels();
  labels.push_back("*99");
  MarkerTake wider(labels, made_.take.num_frames(), made_.take.rate_hz());
  wider.origin = made_.take.origin;
  const int knee = *made_.take.FindMarker("Syn:RKNE");
  for (std::int64_t t = 0; t < wider.num_frames(); ++t) {
    for (int m = 0; m < made_.take.num_markers(); ++m) {
      // From frame 40 the knee goes unnamed.
      const bool unnamed = m == knee && t >= 40;
      wider.SetPosition(t, unnamed ? wider.num_markers() - 1 : m,
                        made_.take.Position(t, m));
    }
  }
  made_.take = wider;
  const TakeSolution solution = Solve();
  ASSERT_EQ(solution.repairs.size(), 1u);
  EXPECT_EQ(solution.repairs[0].what, MarkerFate::kAssigned);
  EXPECT_EQ(solution.repairs[0].first_frame, 40);
}

TEST_F(SolveKnownActor, NoiseAndGapsStayWithinTwoDegrees) {
  made_ = MakeSyntheticTake({.noise = 0.001});
  std::mt19937 random(11);
  // A fifth of all samples, in gaps of up to half a second.
  for (int m = 0; m < made_.take.num_markers(); ++m) {
    std::int64_t missing = 0;
    while (missing < made_.take.num_frames() / 5) {
      const std::int64_t length = 6 + random() % 54;
      const std::int64_t begin = random() % made_.take.num_frames();
      for (std::int64_t t = begin;
           t < std::min(begin + length, made_.take.num_frames()); ++t) {
        missing += made_.take.IsVisible(t, m);
        made_.take.SetMissing(t, m);
      }
    }
  }
  const TakeSolution solution = Solve();
  for (const int j : {kPelvis, kChest, kLeftUpperLeg, kRightUpperLeg,
                      kLeftLowerLeg, kRightLowerLeg, kLeftFoot, kRightFoot}) {
    EXPECT_LT(PoseRmsDeg(solution.poses, made_.poses, j), 2.0) << j;
  }
  for (const Repair& repair : solution.repairs) {
    EXPECT_EQ(repair.what, MarkerFate::kMissing);
  }
}

TEST_F(SolveKnownActor, EmptyStretchIsBridgedWithoutNonsense) {
  for (std::int64_t t = 100; t < 112; ++t) {
    for (int m = 0; m < made_.take.num_markers(); ++m) {
      made_.take.SetMissing(t, m);
    }
  }
  const TakeSolution solution = Solve();
  EXPECT_EQ(solution.num_empty, 12);
  for (const BodyPose& pose : solution.poses) {
    ASSERT_TRUE(pose.p_WR.allFinite());
    for (const Quaternion& R : pose.R_PJ) {
      ASSERT_TRUE(R.coeffs().allFinite());
    }
  }
  EXPECT_NEAR((solution.poses[106].p_WR - made_.poses[106].p_WR).norm(), 0,
              0.05);
}

TEST_F(SolveKnownActor, StartFrameDoesNotMatterAfterASecond) {
  made_ = MakeSyntheticTake({.num_frames = 360, .noise = 0.002});
  const TakeSolution whole = Solve();
  MarkerTake part(made_.take.labels(), 240, made_.take.rate_hz());
  part.origin = made_.take.origin;
  for (std::int64_t t = 0; t < 240; ++t) {
    for (int m = 0; m < part.num_markers(); ++m) {
      part.SetPosition(t, m, made_.take.Position(t + 120, m));
    }
  }
  made_.take = part;
  const TakeSolution later = Solve();
  for (std::size_t t = 120; t < 240; ++t) {
    for (int j = 0; j < kNumSegments; ++j) {
      // Unseen toes keep to the floor of the whole take (PoseUnseen).
      if (!made_.actor.moves[j]) continue;
      EXPECT_LT(
          AngleBetween(whole.poses[t + 120].R_PJ[j], later.poses[t].R_PJ[j]) *
              180 / kPi,
          0.1)
          << t << " " << j;
    }
  }
}

TEST(MarkerTracker, FramesPushedGiveTheSolvedPose) {
  const SyntheticTake made = MakeSyntheticTake();
  const PreparedTake take = Prepare(made.take);
  MarkerTracker tracker(made.actor, made.take.rate_hz());
  for (std::int64_t t = 0; t < 100; ++t) {
    const MarkerTracker::Frame& frame = tracker.Push(take.observed.frame(t));
    EXPECT_EQ(frame.restarted, t == 0);
    EXPECT_LT(AngleBetween(frame.pose.R_PJ[kLeftLowerLeg],
                           made.poses[t].R_PJ[kLeftLowerLeg]),
              0.01);
    EXPECT_LT(frame.rms, 1e-3);
  }
}

TEST(MarkerTracker, BadArgumentsThrow) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 2});
  EXPECT_THROW(MarkerTracker(made.actor, 0.0), std::invalid_argument);
  EXPECT_THROW(MarkerTracker(Actor{}, 100.0), std::invalid_argument);
  MarkerTracker tracker(made.actor, 100.0);
  const std::vector<Vector3> few(3, Vector3::Zero());
  EXPECT_THROW(tracker.Push(few), std::invalid_argument);
}

TEST(HoldOut, EveryMarkerIsLeftOutOnceAndPredicted) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  const HeldOut held_out = MeasureHeldOut(Prepare(made.take), made.actor, 0.1);
  EXPECT_EQ(held_out.num_rounds, 10);
  EXPECT_EQ(held_out.all.count, 60 * 41);
  EXPECT_LT(held_out.all.rms, 0.015);
  EXPECT_THROW(MeasureHeldOut(Prepare(made.take), made.actor, 0.0),
               std::invalid_argument);
}

TEST(ActorFigure, FileRoundTripKeepsBonesAndMarkers) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 30});
  Calibration found = *Calibrate(Prepare(made.take), nullptr, "f");
  const Result<figure::FigureModel> figure = FigureFromActor(found.actor);
  ASSERT_TRUE(figure.ok()) << figure.diagnostics().ToString();
  EXPECT_NEAR(figure->total_mass(), found.actor.mass, 1e-6);
  const Result<figure::FigureModel> read =
      figure::ReadFigure(figure::FormatFigure(*figure), "actor.json");
  ASSERT_TRUE(read.ok()) << read.diagnostics().ToString();
  const Result<Actor> actor = ActorFromFigure(*read, "actor.json");
  ASSERT_TRUE(actor.ok()) << actor.diagnostics().ToString();
  for (int j = 0; j < kNumSegments; ++j) {
    EXPECT_LE((actor->p_PJ[j] - found.actor.p_PJ[j]).norm(), 1e-9);
  }
  ASSERT_EQ(actor->markers.size(), found.actor.markers.size());
  for (std::size_t m = 0; m < actor->markers.size(); ++m) {
    EXPECT_EQ(actor->markers[m].label, found.actor.markers[m].label);
    EXPECT_EQ(actor->markers[m].segment, found.actor.markers[m].segment);
    EXPECT_LE((actor->markers[m].p_JM - found.actor.markers[m].p_JM).norm(),
              1e-9);
  }
}

}  // namespace
}  // namespace limber::test
