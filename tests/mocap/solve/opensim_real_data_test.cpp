// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Solved takes in OpenSim's coordinates against its own: every number printed
// is measured here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "mocap/io/osim.h"
#include "mocap/io/sto.h"
#include "mocap/io/trc.h"
#include "mocap/solve/model_markers.h"
#include "mocap/solve/opensim_angles.h"
#include "mocap/solve/solve_take.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

struct Case {
  const char* take;
  const char* standing;  ///< Or empty.
  const char* model;     ///< Its markers are the set; empty: built in.
  const char* truth;
  OpenSimFamily family;
  double flexion_deg;  ///< Bound of the flexions, RMS without the mean.
};

struct Solved {
  MarkerTake take;
  Actor actor;
  std::vector<BodyPose> poses;
};

Solved SolveCase(const Case& test) {
  Solved solved;
  solved.take = ReadTrc(RealData(test.take)).value();
  std::vector<MarkerSet> sets = BuiltInMarkerSets();
  if (*test.model != '\0') {
    const OsimModel model = ReadOsimFile(RealData(test.model)).value();
    EXPECT_EQ(FamilyOf(model), test.family);
    sets = {MarkerSetFromModel(model, test.model).value()};
  }
  const auto prepare = [&sets](const MarkerTake& take) {
    const RecognisedSet set =
        RecogniseMarkerSet(sets, take, "take", std::nullopt).value();
    sets = {*set.set};
    return PrepareTake(take, sets.front(), set.match, "take").value();
  };
  const PreparedTake prepared = prepare(solved.take);
  std::optional<PreparedTake> standing;
  if (*test.standing != '\0') {
    standing = prepare(ReadTrc(RealData(test.standing)).value());
  }
  solved.actor =
      Calibrate(prepared, standing ? &*standing : nullptr, "take")->actor;
  solved.poses = SolveTake(prepared, &solved.take, solved.actor).poses;
  return solved;
}

struct Agreement {
  double rms_deg = 0.0;  ///< Without the mean.
  double offset_deg = 0.0;
  double spread_deg = 0.0;  ///< Of the truth, RMS without the mean.
  double correlation = 0.0;
};

Agreement Compare(const std::vector<double>& ours,
                  const std::vector<double>& theirs) {
  const auto n = double(ours.size());
  double a = 0.0;
  double b = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    a += ours[i] / n;
    b += theirs[i] / n;
  }
  double aa = 0.0;
  double bb = 0.0;
  double ab = 0.0;
  double dd = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double x = ours[i] - a;
    const double y = theirs[i] - b;
    aa += x * x / n;
    bb += y * y / n;
    ab += x * y / n;
    dd += (x - y) * (x - y) / n;
  }
  return {std::sqrt(dd), a - b, std::sqrt(bb), ab / std::sqrt(aa * bb + 1e-12)};
}

class OpenSimTruth : public testing::TestWithParam<Case> {};

TEST_P(OpenSimTruth, SignsAgreeAndFlexionsAreWithinTheBound) {
  LIMBER_NEEDS_REAL_DATA();
  const Case& test = GetParam();
  const Solved solved = SolveCase(test);
  const OpenSimCoordinates ours =
      ToOpenSim(solved.actor, solved.poses, test.family);
  const StoTable truth = ReadStoFile(RealData(test.truth)).value();
  const double to_deg = truth.in_degrees ? 1.0 : 180 / kPi;
  std::printf("%s\n", test.take);
  for (std::size_t c = 0; c < ours.names.size(); ++c) {
    const std::optional<int> column = truth.Find(ours.names[c]);
    if (!column || !ours.is_angle[c]) continue;
    std::vector<double> a;
    std::vector<double> b;
    for (std::int64_t row = 0; row < truth.num_rows(); ++row) {
      const double frame =
          (truth.times[std::size_t(row)] - solved.take.start_time_s) *
          solved.take.rate_hz();
      const auto t = std::int64_t(std::llround(frame));
      if (t < 0 || t >= std::int64_t(solved.poses.size())) continue;
      a.push_back(ours.values[std::size_t(t) * ours.names.size() + c] * 180 /
                  kPi);
      b.push_back(truth.At(row, *column) * to_deg);
    }
    ASSERT_GT(a.size(), 50);
    const Agreement agreement = Compare(a, b);
    std::printf("  %-18s %6.2f deg RMS of %5.1f, offset %6.1f, r %5.2f\n",
                ours.names[c].c_str(), agreement.rms_deg, agreement.spread_deg,
                agreement.offset_deg, agreement.correlation);
    const std::string& name = ours.names[c];
    // A sign shows where the truth moves by more than its noise; one that is
    // reversed gives a correlation near -1.
    constexpr double kMoves = 1.5;  // [deg]
    constexpr double kReversed = -0.3;
    if (agreement.spread_deg > kMoves) {
      EXPECT_GT(agreement.correlation, kReversed) << name;
    }
    const bool is_flexion = name.starts_with("hip_flexion") ||
                            name.starts_with("knee") ||
                            name.starts_with("ankle");
    if (is_flexion) {
      EXPECT_LT(agreement.rms_deg, test.flexion_deg) << name;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    Takes, OpenSimTruth,
    testing::Values(
        Case{"opensim/arnold-synthetic/subject01/markers.trc", "", "",
             "opensim/arnold-synthetic/subject01/coordinates.sto",
             OpenSimFamily::kRajagopal, 1.0},
        Case{"opensim/gait2354/subject01_walk1.trc",
             "opensim/gait2354/subject01_static.trc", "",
             // Published, and 22 mm RMS off its markers: no measure of a
             // degree.
             "opensim/gait2354/subject01_walk1_ik.mot",
             OpenSimFamily::kGait2354, 3.0},
        Case{"takes-2/JA1Gait35.trc", "", "takes-2/JA1Gait35_scaled.osim",
             "takes-2/JA1Gait35_ik.mot", OpenSimFamily::kRajagopal, 3.0}));

}  // namespace
}  // namespace limber::test
