// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/report.h"
#include "core/diagnostics.h"
#include "core/verdict.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/judge_solution.h"
#include "mocap/solve/opensim_angles.h"
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
  double start_time_s = 0.0;  ///< Of the first frame, as the file has it.
  mocap::OpenSimFamily family = mocap::OpenSimFamily::kRajagopal;
  /// The standing pose that angles are counted from; empty: the rest pose.
  std::string neutral_file;
  std::vector<mocap::BodyPose> neutral;
  mocap::SolutionMeasures measures;
  Verdict verdict;
};

/// Metrics, tables of markers, segments, bone lengths and repairs, and curves.
Report MakeSolveReport(const SolvedTake& solved, const Diagnostics& findings);

/// The doubts of one person among several, whose messages begin with the name;
/// unchanged without a name.
Verdict WithSubject(const Verdict& verdict, const std::string& subject);

/// The reports of everybody in a take as one: the only one itself, or
/// `subjects` with one report each, below the verdict on all of them.
class SolveReports {
 public:
  /// @param reports  at least one.
  SolveReports(std::string file, std::vector<Report> reports, Verdict verdict);

  nlohmann::ordered_json ToJson() const;
  /// As `Report::Write`.
  Diagnostics Write(const std::filesystem::path& path) const;

 private:
  std::string file_;
  std::vector<Report> reports_;
  Report summary_;
};

/// Some lines for the terminal.
std::string Summary(const SolvedTake& solved);

}  // namespace limber::app
