// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "app/batch/log.h"
#include "app/batch/run_batch.h"

namespace limber::app::batch {

/// A job that takes longer hangs: the longest honest ones, minutes of markers
/// by the physical method, take minutes [s].
inline constexpr double kUsualTimeout = 3600.0;

/// 1 if some failed, else 3 if some look wrong, else 0.
int ExitCodeOf(const BatchCounts& counts);

/// "20 jobs: 17 look right, 1 looks wrong, 2 failed (5 known from the log)".
std::string CountsLine(const BatchCounts& counts);

/// A line on a job that failed or looks wrong; empty for others.
std::string DoubtLine(const LogEntry& entry);

/// Prints the call of every job (of the shard) as a shell takes it.
void PrintJobs(JobSource& source, const JobPlan& plan,
               const BatchSettings& settings);

/// Writes table, summary and page of a results' folder, says so, and returns
/// the exit code. @param counts  what this call did; without it, what the logs
/// have is counted.
int FinishBatch(const std::filesystem::path& results, bool merge, bool json,
                const BatchCounts* counts = nullptr);

}  // namespace limber::app::batch
