// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/batch/log.h"
#include "app/batch/run_batch.h"
#include "core/result.h"

namespace limber::app::batch {

/// What is known of all jobs of a results' folder together.
struct Summary {
  BatchCounts counts;
  double cpu_seconds = 0.0;
  /// The finite values of each metric, in the order of the jobs.
  std::map<std::string, std::vector<float>> metrics;
  /// The jobs that need a look, the worst first: those that failed, then those
  /// that look wrong, by how far the worst doubt is beyond its bound, then
  /// others by name. At most `kMostListed`.
  std::vector<LogEntry> worst;
  /// How many doubts there are of each kind.
  std::map<std::string, std::int64_t> doubts;

  static constexpr std::size_t kMostListed = 500;
};

Summary Summarise(const LogIndex& index);

/// Counts of the bins of equal width between the 1st and the 99th percentile,
/// so that one wild value does not hide the others; what lies outside is in the
/// first and the last bin.
struct Histogram {
  double lo = 0.0;
  double hi = 0.0;
  std::vector<std::int64_t> counts;
};
Histogram MakeHistogram(std::vector<float> values);

/// How far a job is beyond what it may be: the largest |value| / |bound| of its
/// doubts. Zero without a doubt.
double Excess(const LogEntry& entry);

nlohmann::ordered_json ToJson(const Summary& summary);
/// A page that needs no other file, with links to the outputs beside it.
std::string ToPage(const Summary& summary);

/// Writes summary.csv (a row a job), summary.json and index.html beside the
/// logs. With `merge`, also log.jsonl anew: one line a job, sorted by name, out
/// of all logs.
Result<Summary> WriteSummary(const std::filesystem::path& results, bool merge);

}  // namespace limber::app::batch
