// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs.h"
#include "app/reports/report.h"
#include "jobs/retarget.h"

namespace limber::app {

/// What was done to a clip and what it measures, with its verdict.
/// @param smoothed  whether tremor was to be taken out.
Report MakeRetargetReport(const std::string& input,
                          const jobs::RetargetTarget& target,
                          const jobs::RetargetedClip& carried, bool smoothed);

/// Shows the result beside the source.
/// @param character  the file it was written to if that is a GLB, or empty.
void AddRetargetPlayer(const std::filesystem::path& character,
                       const std::string& target,
                       const jobs::RetargetedClip& carried, Report& report);

/// How one clip is carried over, from file to file.
struct RetargetJob {
  std::filesystem::path input;
  std::filesystem::path output;  ///< .bvh, .glb, .npz or .usda.
  std::filesystem::path report;  ///< .json or .html; may be empty.
  LoadOptions load;
  mocap::RetargetOptions options;
  /// Played by the physical figure with this share of its strength, and baked.
  std::optional<double> dynamic_strength;
};

/// What became of it.
struct RetargetOutcome {
  std::string input;
  bool done = false;
  Diagnostics findings;
  std::optional<Report> report;
  std::string map_text;            ///< The joint map, see mocap::ToText.
  std::vector<std::string> lines;  ///< What was done, for people.
  Verdict verdict;
};

/// Reads, retargets, measures and writes one clip. Throws nothing but BadCall.
RetargetOutcome RunRetargetJob(const RetargetJob& job,
                               const jobs::RetargetTarget& target,
                               const mocap::MapFile& map);

}  // namespace limber::app
