// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/diagnostics.h"

namespace limber::app::batch {

/// How a batch is spread over the machines of a Slurm cluster: an array of
/// tasks, each of which does one shard of the jobs.
struct SlurmSettings {
  int num_nodes = 1;                 ///< Tasks at the same time, at most.
  int num_tasks = 0;                 ///< Shards; 0: as many as nodes.
  int num_cpus = 0;                  ///< Cores of a task; 0: the whole machine.
  std::string partition;             ///< Empty: the cluster's default.
  std::vector<std::string> options;  ///< Further ones of sbatch.
};

/// The two scripts of a batch.
struct SlurmScripts {
  std::string array;
  std::string merge;
};

/// @param program  the program's own file.
/// @param words    of `limber batch` without shard, workers and Slurm.
/// @param folder   where relative paths in `words` begin.
SlurmScripts MakeScripts(const SlurmSettings& settings,
                         const std::filesystem::path& program,
                         const std::vector<std::string>& words,
                         const std::filesystem::path& results,
                         const std::filesystem::path& folder);

/// Writes the scripts to results/slurm and hands them to sbatch: the array, and
/// the merging that begins when every task has ended. Prints their numbers.
Diagnostics Submit(const SlurmScripts& scripts,
                   const std::filesystem::path& results);

}  // namespace limber::app::batch
