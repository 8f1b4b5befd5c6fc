// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/report.h"
#include "core/diagnostics.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/solve_take.h"

namespace limber::app {

/// The floor that soles could not pass, and how far they did nevertheless.
struct FloorContact {
  double height = 0.0;        ///< In the take [m].
  double deepest = 0.0;       ///< Lowest point of a sole below it [m].
  double deepest_free = 0.0;  ///< The same without contact [m].
};

/// What `limber solve` has in hand when it is done.
struct SolvedTake {
  std::string file;
  std::string marker_set;
  std::string subject;
  std::string method;
  mocap::PreparedTake take;
  mocap::Calibration calibration;
  mocap::TakeSolution solution;
  std::vector<std::string> unlabelled;  ///< Labels of the unnamed tracks.
  double calibration_s = 0.0;           ///< 0 when the actor was given.
  double solve_s = 0.0;
  /// The physical solution beside `solution`, if both were asked for.
  std::optional<mocap::TakeSolution> physical;
  double physical_s = 0.0;
  std::optional<FloorContact> contact;  ///< Of the physical method.
  double floor = 0.0;  ///< Height of the floor in the output [m].
  std::optional<mocap::HeldOut> held_out;
  double hold_out_share = 0.0;
};

/// Metrics, tables of markers, segments, bone lengths and repairs, and curves.
Report MakeSolveReport(const SolvedTake& solved, const Diagnostics& findings);

/// Some lines for the terminal.
std::string Summary(const SolvedTake& solved);

}  // namespace limber::app
