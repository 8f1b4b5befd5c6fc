// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "mocap/marker_take.h"
#include "mocap/solve/identify.h"
#include "mocap/solve/solve_take.h"

namespace limber::test {

/// C3D or TRC of the real recordings.
mocap::MarkerTake ReadRealTake(const std::string& name);

/// A take solved with default settings, as the program does it.
struct SolvedLabels {
  bool ok = false;
  std::string diagnostics;
  mocap::Identification found;
  mocap::PreparedTake take;
  mocap::Calibration calibration;
  mocap::TakeSolution solution;
  mocap::FitQuality quality;
  double identify_s = 0.0;  ///< Thread time of finding the labels [s].
};
SolvedLabels SolveByLabels(const mocap::MarkerTake& take,
                           const std::string& name);

/// The segment of each column of a take; -1 where it was not used.
std::vector<int> SegmentOfColumns(const mocap::MarkerTake& take,
                                  const mocap::Identification& found);

enum class Names { kEnglish, kAnatomical, kQualisys };
/// The take with every label that a built-in set explains put into another
/// convention.
mocap::MarkerTake Renamed(const mocap::MarkerTake& take, Names names);

/// The share `share` of the labels replaced by nonsense, by lot.
mocap::MarkerTake WithNonsense(const mocap::MarkerTake& take, double share,
                               unsigned seed);

/// The labels of left and right markers exchanged.
mocap::MarkerTake WithExchangedSides(const mocap::MarkerTake& take);

/// Only the columns that a solve used, called *1, *2 ..., in another order.
mocap::MarkerTake WithoutLabels(const mocap::MarkerTake& take,
                                const mocap::Identification& found,
                                std::vector<int>& columns);

/// Root mean square difference of a joint's flexion without the mean [deg].
double FlexionDifference(const mocap::TakeSolution& a,
                         const mocap::TakeSolution& b, int segment);

/// The joints compared: hips, knees, ankles, elbows that both solutions move.
std::vector<int> ComparedJoints(const mocap::Actor& a, const mocap::Actor& b,
                                bool with_ankles);

}  // namespace limber::test
