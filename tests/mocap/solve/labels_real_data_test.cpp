// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Labels on real recordings: in conventions nobody listed, half of them
// nonsense, with left and right exchanged, and none at all. Truth is the solve
// with the recording's own labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "mocap/take_evidence.h"
#include "tests/mocap/solve/relabel.h"
#include "tests/mocap/turned_take.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

constexpr const char* kTakes[] = {
    "cmu/02/02_01.c3d",
    "cmu/07/07_01.c3d",
    "cmu/85/85_02.c3d",
    "c3d-zoo/kinematics_tennis_serve.c3d",
    "c3d-zoo/rehazenter_2014001_C1_01.c3d",
    "opensim/arnold-synthetic/subject01/markers.trc",
    "opensim/gait2354/subject01_walk1.trc",
};

/// The share of the markers of `truth` that `found` has on the same segment.
/// `columns` says which column of the truth each column of `found` is; empty
/// for the same.
double ShareRight(const MarkerTake& take, const SolvedLabels& truth,
                  const SolvedLabels& found, const std::vector<int>& columns) {
  const std::vector<int> expected = SegmentOfColumns(take, truth.found);
  std::vector<int> got(expected.size(), -1);
  for (std::size_t i = 0; i < found.found.set.markers.size(); ++i) {
    int column = found.found.match.columns[i];
    if (column < 0) continue;
    if (!columns.empty()) column = columns[std::size_t(column)];
    got[std::size_t(column)] = found.found.set.markers[i].segment;
  }
  int count = 0;
  int right = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] < 0) continue;
    ++count;
    right += expected[i] == got[i];
  }
  return double(right) / std::max(1, count);
}

double WorstJoint(const SolvedLabels& a, const SolvedLabels& b,
                  bool with_ankles) {
  double worst = 0.0;
  for (const int j :
       ComparedJoints(a.calibration.actor, b.calibration.actor, with_ankles)) {
    worst = std::max(worst, FlexionDifference(a.solution, b.solution, j));
  }
  return worst;
}

class Labels : public testing::TestWithParam<const char*> {};

TEST_P(Labels, InOtherConventionsGiveTheSameMotion) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadRealTake(GetParam());
  const SolvedLabels truth = SolveByLabels(take, GetParam());
  ASSERT_TRUE(truth.ok);
  for (const Names names :
       {Names::kEnglish, Names::kAnatomical, Names::kQualisys}) {
    const MarkerTake renamed = Renamed(take, names);
    EXPECT_NE(renamed.labels(), take.labels());
    const SolvedLabels found = SolveByLabels(renamed, GetParam());
    ASSERT_TRUE(found.ok) << found.diagnostics;
    const double right = ShareRight(take, truth, found, {});
    const double worst = WorstJoint(truth, found, true);
    std::printf("%s renamed: %.1f %% right, worst joint %.2f deg\n", GetParam(),
                100 * right, worst);
    EXPECT_EQ(right, 1.0);
    EXPECT_LE(worst, 1.0);
  }
}

TEST_P(Labels, OfWhichAThirdIsNonsenseAreFoundByMotion) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadRealTake(GetParam());
  const SolvedLabels truth = SolveByLabels(take, GetParam());
  ASSERT_TRUE(truth.ok);
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    const SolvedLabels found =
        SolveByLabels(WithNonsense(take, 0.3, seed), GetParam());
    ASSERT_TRUE(found.ok) << found.diagnostics;
    const double right = ShareRight(take, truth, found, {});
    const double worst = WorstJoint(truth, found, true);
    std::printf("%s with nonsense: %.1f %% right, worst joint %.2f deg\n",
                GetParam(), 100 * right, worst);
    EXPECT_GE(right, 0.95) << "seed " << seed;
    EXPECT_LE(worst, 2.0) << "seed " << seed;
  }
}

TEST_P(Labels, WithExchangedSidesArePutRight) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadRealTake(GetParam());
  const SolvedLabels truth = SolveByLabels(take, GetParam());
  ASSERT_TRUE(truth.ok);
  EXPECT_FALSE(truth.found.sides_exchanged);
  const SolvedLabels found =
      SolveByLabels(WithExchangedSides(take), GetParam());
  ASSERT_TRUE(found.ok) << found.diagnostics;
  EXPECT_TRUE(found.found.sides_exchanged);
  EXPECT_GE(ShareRight(take, truth, found, {}), 0.95);
  EXPECT_LE(WorstJoint(truth, found, true), 1.0);
}

// Each axis up in turn; what the file says of it is right, wrong or nothing,
// and so is the unit.
TEST_P(Labels, OfATurnedTakeGiveTheSameMotion) {
  LIMBER_NEEDS_REAL_DATA();
  MarkerTake take = ReadRealTake(GetParam());
  Diagnostics ignored;
  SettleAxesAndUnit(take, ignored);
  const SolvedLabels truth = SolveByLabels(take, GetParam());
  ASSERT_TRUE(truth.ok);
  for (std::size_t k = 0; k < kAxes.size(); ++k) {
    const SignedAxis is = kAxes[k];
    const bool is_right = k % 3 == 0;
    const bool is_silent = k % 3 == 1;
    const SignedAxis said = is_right    ? is
                            : is_silent ? SignedAxis::kPlusY
                                        : kAxes[(k + 3) % kAxes.size()];
    const double said_unit = is_right ? 0.001 : 1.0;
    MarkerTake turned =
        AsRead(take, is, 0.001, said, said_unit,
               is_silent ? Decision::kDefault : Decision::kFile);
    Diagnostics told(GetParam());
    SettleAxesAndUnit(turned, told);
    EXPECT_EQ(told.CountOf("up-axis"), is == said ? 0 : 1);
    EXPECT_EQ(told.CountOf("unit"), is_right ? 0 : 1);
    const SolvedLabels found = SolveByLabels(turned, GetParam());
    ASSERT_TRUE(found.ok) << found.diagnostics;
    EXPECT_EQ(ShareRight(take, truth, found, {}), 1.0);
    EXPECT_LE(WorstJoint(truth, found, true), 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Takes, Labels, testing::ValuesIn(kTakes));

/// A take solved without its labels: nothing if it is refused.
struct Nameless {
  double right = 0.0;  ///< Share of the markers on the right segment.
  double worst_deg = 0.0;
};
std::optional<Nameless> SolveWithoutLabels(const char* name) {
  const MarkerTake take = ReadRealTake(name);
  const SolvedLabels truth = SolveByLabels(take, name);
  EXPECT_TRUE(truth.ok) << name;
  std::vector<int> columns;
  const MarkerTake nameless = WithoutLabels(take, truth.found, columns);
  const SolvedLabels found = SolveByLabels(nameless, name);
  if (!found.ok) {
    std::printf("%s without labels: refused, %.2f s\n", name, found.identify_s);
    return std::nullopt;
  }
  const Nameless result{ShareRight(take, truth, found, columns),
                        WorstJoint(truth, found, false)};
  std::printf(
      "%s without labels: %.1f %% right, worst joint %.2f deg, %.2f s\n", name,
      100 * result.right, result.worst_deg, found.identify_s);
  return result;
}

// Sets that nobody described, parts of bodies, few markers: refused or right.
TEST(NoLabels, OfAnyOtherTakeAreNeverWrong) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* name :
       {"cmu/16/16_07.c3d", "c3d-zoo/Eb015pi.c3d", "c3d-zoo/MACsample.c3d",
        "c3d-zoo/PiG_Calibration-FlatFoot-Hole.c3d",
        "c3d-zoo/Walking_Hybrid_1_5.c3d", "c3d-zoo/bts_dynamic.C3D",
        "c3d-zoo/mocap36.c3d", "c3d-zoo/pig_Movement_trial.c3d",
        "c3d-zoo/pig_Static_trial.c3d", "c3d-zoo/walking5.c3d",
        "takes-2/Dec_real.c3d", "takes-2/JA1Gait35.c3d",
        "takes-2/Walking_Hybrid_2.c3d", "takes-2/sample21.c3d", "trc-zoo/T.trc",
        "trc-zoo/ballet_reduced.trc", "trc-zoo/std_walking5_markers.trc"}) {
    const std::optional<Nameless> found = SolveWithoutLabels(name);
    if (!found) continue;
    EXPECT_GE(found->right, 0.9) << name;
    EXPECT_LE(found->worst_deg, 3.0) << name;
  }
}

TEST(NoLabels, AreFoundInFiveOfSevenTakesAndNeverWrong) {
  LIMBER_NEEDS_REAL_DATA();
  int num_right = 0;
  for (const char* name : kTakes) {
    const std::optional<Nameless> found = SolveWithoutLabels(name);
    if (!found) continue;
    EXPECT_GE(found->right, 0.9) << name;
    EXPECT_LE(found->worst_deg, 3.0) << name;
    ++num_right;
  }
  EXPECT_GE(num_right, 5);
}

struct Other {
  const char* file;
  double rms_mm;
};
class OtherLabels : public testing::TestWithParam<Other> {};

TEST_P(OtherLabels, AreSolvedWithDefaultSettings) {
  LIMBER_NEEDS_REAL_DATA();
  const SolvedLabels solved =
      SolveByLabels(ReadRealTake(GetParam().file), GetParam().file);
  ASSERT_TRUE(solved.ok) << solved.diagnostics;
  std::printf("%s: %zu markers, %.2f mm RMS, %.2f m tall\n", GetParam().file,
              solved.found.set.markers.size(), 1000 * solved.quality.all.rms,
              solved.calibration.actor.height);
  EXPECT_LE(1000 * solved.quality.all.rms, GetParam().rms_mm);
  EXPECT_TRUE(solved.calibration.converged);
}
INSTANTIATE_TEST_SUITE_P(
    Takes, OtherLabels,
    testing::Values(
        Other{"takes-2/JA1Gait35.c3d", 8}, Other{"takes-2/JA1Gait35.trc", 8},
        Other{"takes-2/Dec_real.c3d", 8}, Other{"takes-2/pc_real.c3d", 8},
        Other{"takes-2/sample21.c3d", 8},
        Other{"takes-2/Walking_Hybrid_2.c3d", 8},
        Other{"c3d-zoo/Eb015pi.c3d", 8}, Other{"c3d-zoo/MACsample.c3d", 8},
        Other{"c3d-zoo/Walking_Hybrid_1_5.c3d", 8},
        Other{"c3d-zoo/bts_dynamic.C3D", 8}));

}  // namespace
}  // namespace limber::test
