// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/reports/report.h"
#include "core/diagnostics.h"
#include "core/verdict.h"
#include "jobs/solve.h"

namespace limber::app {

using jobs::SolvedTake;

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
