// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/judge_solution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/angle.h"
#include "mocap/solve/bend_spread.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;

SolutionMeasures GoodMeasures() {
  SolutionMeasures measures;
  measures.height = 1.75;
  measures.num_stance_frames = 1000;
  return measures;
}

struct Case {
  const char* kind;
  double SolutionMeasures::*field;
  double fine;     ///< A value that good takes have.
  double doubted;  ///< One that no good take has.
};

// Each pair lies around its bound, so near that a bound three times larger or
// smaller fails one of the two.
TEST(JudgeMeasures, EachBoundIsWhereItIs) {
  const std::vector<Case> cases = {
      {"too-small", &SolutionMeasures::height, 1.1, 0.9},
      {"too-tall", &SolutionMeasures::height, 2.2, 2.4},
      {"head-below-feet", &SolutionMeasures::head_down_share, 0.45, 0.55},
      {"not-upright", &SolutionMeasures::stance_up, 0.55, 0.45},
      {"under-floor", &SolutionMeasures::under_floor_share, 0.45, 0.55},
      {"feet-under-floor", &SolutionMeasures::sunk_share, 0.015, 0.03},
      {"flying", &SolutionMeasures::flying_share, 0.2, 0.3},
      {"sides-differ", &SolutionMeasures::side_ratio, 1.2, 1.3},
      {"odd-bone", &SolutionMeasures::bone_ratio, 1.4, 1.6},
      {"markers-off", &SolutionMeasures::rms, 0.01, 0.016},
      {"segment-off", &SolutionMeasures::segment_rms, 0.017, 0.025},
      {"misplaced-markers", &SolutionMeasures::misplaced_share, 0.2, 0.3},
      {"open-bend", &SolutionMeasures::most_open, 0.4, 0.7},
      {"legs-crossed", &SolutionMeasures::knees_apart, -0.4, -0.6},
      {"tracks-left-out", &SolutionMeasures::left_out_share, 0.2, 0.5},
      {"markers-rejected", &SolutionMeasures::used_share, 0.85, 0.75},
      {"mostly-gaps", &SolutionMeasures::seen_share, 0.4, 0.3},
      {"hidden-limbs", &SolutionMeasures::hidden_share, 0.08, 0.15},
      {"out-of-view", &SolutionMeasures::outside_share, 0.45, 0.55},
      {"joint-beyond-range", &SolutionMeasures::beyond_share, 0.08, 0.15},
      {"frozen", &SolutionMeasures::still_share, 0.55, 0.65},
      {"calibration-unfinished", &SolutionMeasures::unsettled_rms, 0.008,
       0.012},
      {"leaps", &SolutionMeasures::jump_share, 0.015, 0.03},
      {"too-fast", &SolutionMeasures::fastest, 13, 24},
  };
  EXPECT_TRUE(JudgeMeasures(GoodMeasures()).looks_right());
  for (const Case& test : cases) {
    SolutionMeasures measures = GoodMeasures();
    measures.*test.field = test.fine;
    EXPECT_TRUE(JudgeMeasures(measures).looks_right()) << test.kind;
    measures.*test.field = test.doubted;
    const Verdict verdict = JudgeMeasures(measures);
    EXPECT_EQ(verdict.doubts().size(), 1) << test.kind;
    EXPECT_TRUE(verdict.Has(test.kind)) << test.kind;
    // Numbers are in the message and in their own fields.
    EXPECT_FALSE(verdict.doubts().front().message.empty());
    EXPECT_NE(verdict.doubts().front().value, verdict.doubts().front().bound);
  }
  SolutionMeasures few = GoodMeasures();
  few.stance_up = -1;
  few.num_stance_frames = 15;
  EXPECT_TRUE(JudgeMeasures(few).looks_right());
  few.num_stance_frames = 30;
  EXPECT_TRUE(JudgeMeasures(few).Has("not-upright"));
}

/// The true motion of a synthetic take as if it had been solved.
struct Truth {
  PreparedTake take;
  Calibration calibration;
  TakeSolution solution;

  Truth() {
    const SyntheticTake made = MakeSyntheticTake();
    take = Prepare(made.take);
    std::vector<std::string> labels;
    for (const SetMarker& marker : take.markers) labels.push_back(marker.label);
    calibration.actor = WithMarkers(made.actor, labels);
    calibration.actor.height =
        EstimateHeight(made.actor.p_PJ, made.actor.scale);
    solution.poses = made.poses;
    solution.used = take.observed;
  }
  /// The body, its points and all turned about the world's origin.
  void Turn(const Quaternion& R) {
    for (BodyPose& pose : solution.poses) {
      pose.p_WR = R * pose.p_WR;
      pose.R_PJ[kPelvis] = R * pose.R_PJ[kPelvis];
    }
    for (Vector3& point : solution.used.points) point = R * point;
    for (Vector3& point : take.observed.points) point = R * point;
  }
  Verdict Judge() const { return JudgeSolution(take, calibration, solution); }
};

TEST(JudgeSolution, TruthLooksRight) {
  const Truth truth;
  EXPECT_EQ(truth.Judge().ToString(), "looks right");
  const SolutionMeasures measures =
      MeasureSolution(truth.take, truth.calibration, truth.solution);
  EXPECT_LT(measures.rms, 1e-9);
  EXPECT_EQ(measures.used_share, 1.0);
  EXPECT_EQ(measures.misplaced_share, 0.0);
}

TEST(JudgeSolution, UpsideDownIsSeen) {
  Truth truth;
  truth.Turn(ExpRotation({kPi, 0, 0}));
  EXPECT_TRUE(truth.Judge().Has("head-below-feet"));
  EXPECT_TRUE(truth.Judge().Has("under-floor"));
}

TEST(JudgeSolution, AHandstandIsNot) {
  Truth truth;
  truth.Turn(ExpRotation({kPi, 0, 0}));
  for (BodyPose& pose : truth.solution.poses) {
    pose.p_WR.y() += 2.2;
    for (const int arm : {kLeftUpperArm, kRightUpperArm}) {
      // Stretched above the head, which is down.
      const double side = arm == kLeftUpperArm ? 1.0 : -1.0;
      pose.R_PJ[arm] = ExpRotation({0, 0, side * 1.4});
    }
  }
  EXPECT_FALSE(truth.Judge().Has("head-below-feet"));
}

TEST(JudgeSolution, LeapsAreSeen) {
  Truth truth;
  for (std::size_t t = 0; t < truth.solution.poses.size(); t += 20) {
    truth.solution.poses[t].R_PJ[kLeftUpperArm] =
        truth.solution.poses[t].R_PJ[kLeftUpperArm] * ExpRotation({0, 1.2, 0});
  }
  EXPECT_TRUE(truth.Judge().Has("leaps"));
}

TEST(JudgeSolution, KneesThatBendForwardAreSeen) {
  Truth truth;
  for (BodyPose& pose : truth.solution.poses) {
    pose.R_PJ[kLeftLowerLeg] = ExpRotation({-0.6, 0, 0});
  }
  EXPECT_TRUE(truth.Judge().Has("joint-beyond-range"));
}

TEST(JudgeSolution, FrozenPointsAreSeen) {
  Truth truth;
  for (std::int64_t t = 1; t < truth.take.observed.num_frames(); ++t) {
    std::ranges::copy(truth.take.observed.frame(0),
                      truth.take.observed.frame(t).begin());
  }
  EXPECT_TRUE(truth.Judge().Has("frozen"));
}

TEST(JudgeSolution, BonesOfDifferentLengthAreSeen) {
  Truth truth;
  truth.calibration.actor.p_PJ[kLeftLowerLeg] *= 1.4;
  EXPECT_TRUE(truth.Judge().Has("sides-differ"));
}

/// A marker's index by its label.
std::size_t IndexOf(const Truth& truth, const std::string& label) {
  const auto found =
      std::ranges::find(truth.take.markers, label, &SetMarker::label);
  EXPECT_NE(found, truth.take.markers.end()) << label;
  return std::size_t(found - truth.take.markers.begin());
}

/// What the bends of the arms are open by where a made walk is calibrated
/// without the markers of these labels; a take of the set cmu-41 [rad].
double MostOpenArm(const std::vector<std::string>& without) {
  const SyntheticTake made = MakeSyntheticTake({.noise = 0.001});
  PreparedTake all = Prepare(made.take);
  PreparedTake take = all;
  take.markers.clear();
  take.columns.clear();
  std::vector<std::size_t> kept;
  for (std::size_t m = 0; m < all.markers.size(); ++m) {
    if (std::ranges::find(without, all.markers[m].label) != without.end()) {
      continue;
    }
    kept.push_back(m);
    take.markers.push_back(all.markers[m]);
    take.columns.push_back(all.columns[m]);
  }
  take.observed = {int(kept.size()), {}};
  for (std::int64_t t = 0; t < all.observed.num_frames(); ++t) {
    for (const std::size_t m : kept) {
      take.observed.points.push_back(all.observed.frame(t)[m]);
    }
  }
  const Calibration calibration = Calibrate(take, nullptr, "").value();
  const TakeSolution solution = SolveTake(take, nullptr, calibration.actor, {});
  double most = 0.0;
  for (const UnsureJoint& joint :
       MeasureBendSpread(take, calibration, solution)) {
    const bool is_arm =
        joint.segment == kLeftForearm || joint.segment == kRightForearm;
    if (is_arm) most = std::max(most, joint.sigma);
  }
  return most;
}

// All markers of the arms show the elbows; without those of the upper arms and
// the elbows they rest on what was expected.
TEST(BendSpread, IsWhereTheBodyRestsOnWhatWasExpected) {
  const double shown = MostOpenArm({});
  const double guessed =
      MostOpenArm({"LUPA", "RUPA", "LELB", "RELB", "LFRM", "RFRM"});
  EXPECT_LT(shown, Radians(3));
  EXPECT_GT(guessed, 3 * shown);
}

/// The runs that are bridged where a foot shows nothing for so many frames.
std::vector<HiddenRun> BridgedWithout(std::int64_t frames) {
  Truth truth;
  for (std::size_t m = 0; m < truth.take.markers.size(); ++m) {
    const int segment = truth.take.markers[m].segment;
    if (segment != kLeftFoot && segment != kLeftToes) continue;
    for (std::int64_t t = 60; t < 60 + frames; ++t) {
      truth.solution.used.frame(t)[m] = Unseen();
    }
  }
  EXPECT_TRUE(truth.Judge().looks_right());
  return MeasureSolution(truth.take, truth.calibration, truth.solution).bridged;
}

// At 120 Hz: a quarter of a second is named, a twentieth is not.
TEST(MeasureSolution, LimbsWithoutMarkersForATenthOfASecondAreNamed) {
  EXPECT_TRUE(BridgedWithout(0).empty());
  EXPECT_TRUE(BridgedWithout(6).empty());
  const std::vector<HiddenRun> runs = BridgedWithout(30);
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(runs.front().segment, kLeftFoot);
  EXPECT_EQ(runs.front().frames.begin, 60);
  EXPECT_EQ(runs.front().frames.end, 90);
}

/// The truth with these markers alone.
SolutionMeasures MeasuresWith(const std::vector<std::string>& labels) {
  Truth truth;
  const Observations all = truth.solution.used;
  std::vector<SetMarker> kept;
  truth.solution.used = {int(labels.size()), {}};
  for (const std::string& label : labels) {
    kept.push_back(truth.take.markers[IndexOf(truth, label)]);
  }
  for (std::int64_t t = 0; t < all.num_frames(); ++t) {
    for (const std::string& label : labels) {
      truth.solution.used.points.push_back(all.frame(t)[IndexOf(truth, label)]);
    }
  }
  truth.take.markers = kept;
  truth.take.observed = truth.solution.used;
  truth.calibration.actor = WithMarkers(truth.calibration.actor, labels);
  truth.calibration.actor.moves =
      MovingSegments(truth.calibration.actor.markers);
  return MeasureSolution(truth.take, truth.calibration, truth.solution);
}

bool IsUnsure(const SolutionMeasures& measures, int segment) {
  return std::ranges::find(measures.unsure, segment, &UnsureJoint::segment) !=
         measures.unsure.end();
}

// A wrist alone leaves the elbow open by 21 degrees, one marker each on
// shoulder, elbow and wrist by 6 to 8. With the whole set skin leaves it 4 to
// 5, which is not worth a word.
TEST(MeasureSolution, BendsThatMarkersLeaveOpenAreNamed) {
  const std::vector<std::string> trunk = {"LFWT", "RFWT", "LBWT", "RBWT",
                                          "C7",   "T10",  "CLAV", "STRN"};
  std::vector<std::string> wrist = trunk;
  wrist.insert(wrist.end(), {"LWRA", "LWRB"});
  std::vector<std::string> arm = trunk;
  arm.insert(arm.end(), {"LSHO", "LELB", "LWRA"});
  const SolutionMeasures open = MeasuresWith(wrist);
  ASSERT_TRUE(IsUnsure(open, kLeftForearm));
  EXPECT_LT(open.unsure.front().sigma, Radians(24));
  const SolutionMeasures less_open = MeasuresWith(arm);
  ASSERT_TRUE(IsUnsure(less_open, kLeftForearm));
  EXPECT_LT(less_open.unsure.front().sigma, Radians(8));
  const Truth truth;
  for (const UnsureJoint& joint :
       MeasureBends(truth.calibration.actor, truth.solution.poses,
                    truth.solution.used)) {
    EXPECT_LT(joint.sigma, Radians(5));
    if (joint.segment == kLeftForearm) {
      EXPECT_GT(joint.sigma, Radians(4));
      EXPECT_FALSE(IsUnsure(
          MeasureSolution(truth.take, truth.calibration, truth.solution),
          kLeftForearm));
    }
  }
}

}  // namespace
}  // namespace limber::test
