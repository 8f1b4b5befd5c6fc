// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/batch/job_source.h"
#include "app/batch/worker.h"

namespace limber::app::batch {

struct BatchSettings {
  std::filesystem::path results;
  int num_workers = 0;  ///< 0: one a core.
  std::optional<Shard> shard;
  WorkLimits limits;
  /// How often log and outputs are made to reach the disk: what a loss of power
  /// may cost [s].
  double sync_every_s = 2.0;
  /// Runs again also what failed for good.
  bool retry_failed = false;
  /// Called with each job that was done, not with those skipped.
  std::function<void(const LogEntry& entry, const std::string& out)> on_end;
};

struct BatchCounts {
  std::int64_t right = 0;
  std::int64_t wrong = 0;
  std::int64_t failed = 0;   ///< And broken.
  std::int64_t skipped = 0;  ///< Of all these: known from the log.
  std::int64_t all() const { return right + wrong + failed; }
};

/// The cores this process may use.
int NumCores();

/// The default of `WorkLimits::memory_bytes`: the machine's memory, shared out.
std::uint64_t MemoryPerWorker(int num_workers);

/// The log of a batch or of one of its shards: "log.jsonl",
/// "log.3-of-40.jsonl".
std::filesystem::path LogPath(const std::filesystem::path& results,
                              const std::optional<Shard>& shard);

/// Runs every job of the source (or of the shard), each in a process of its
/// own, as many at a time as there are workers, and appends a line to the log
/// for each as it ends. What the log has with the same input, options and
/// version is skipped if its outputs are still there. Signals to stop (Ctrl-C,
/// a scheduler's) end the jobs, and then the program by the same signal.
/// Nothing is returned, and the reason printed, if the log cannot be written.
std::optional<BatchCounts> RunBatch(JobSource& source, const JobPlan& plan,
                                    const Program& program,
                                    const BatchSettings& settings);

}  // namespace limber::app::batch
