// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace limber::app {

/// The files of one call, all that its options name; empty paths are none.
struct JobFiles {
  std::vector<std::filesystem::path> inputs;
  std::vector<std::filesystem::path> outputs;
  /// Outputs may be inputs or each other.
  bool force = false;
};

/// Asked by each command that writes, before any work: whether all outputs
/// can be written; the reasons why not go to the error stream. From here to the
/// end of the program no file that was read is written and none is written
/// twice, also if only the work finds it (core/job_files.h), unless
/// `files.force`. Asked again where reading an input showed more outputs.
/// @throws BadCall if an output is an input or another output.
bool CheckJobFiles(const JobFiles& files);

/// Ends the watch that `CheckJobFiles` began. For a process that goes on with
/// the results of the call it ran, as a batch does with reports.
void ReleaseJobFiles();

}  // namespace limber::app
