// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/batch/job.h"
#include "app/batch/log.h"

namespace limber::app::batch {

/// The program that jobs run in.
struct Program {
  /// The whole program with these words; prints, and returns an exit code.
  std::function<int(const std::vector<std::string>& words)> run;
  /// Parses the words and does nothing; says on the error stream what is wrong
  /// with them, and returns an exit code.
  std::function<int(const std::vector<std::string>& words)> check;
};

struct WorkLimits {
  double timeout_s = 0.0;  ///< On the clock [s]; 0: none.
  /// Largest memory of a job's own data [bytes]; 0: none.
  std::uint64_t memory_bytes = 0;
};

/// Starts a job in a process of its own: a copy of this one, which must have
/// no other thread. (A copy, not a new start: to load the libraries of the
/// program takes 14 ms, which is much beside a short clip.) It works in the
/// folder `work`, which must be there and empty, and dies with this one.
/// @param known_hash  if the input has this hash, nothing is done.
/// @return its number, or -1 if the system has no more processes.
pid_t StartJob(const BatchJob& job, const std::filesystem::path& work,
               const std::filesystem::path& results,
               const std::string& known_hash, const WorkLimits& limits,
               const Program& program);

/// What a process that came to its end left in its folder.
struct WorkResult {
  bool is_same = false;  ///< The input had the known hash.
  InputMark mark;
  Ending ending = Ending::kRight;
  nlohmann::ordered_json doubts = nlohmann::ordered_json::array();
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  std::string error;
  std::string out;  ///< What it printed.
};
/// @param status  as `waitpid` gave it.
WorkResult ReadResult(const std::filesystem::path& work, int status,
                      bool timed_out, const WorkLimits& limits);

/// Moves the outputs of a job from its folder to their place; returns them as
/// the log lists them. An error leaves some of them moved.
std::map<std::string, std::int64_t> MoveOutputs(
    const BatchJob& job, const std::filesystem::path& work,
    const std::filesystem::path& results, Diagnostics& findings);

/// Hashes command and options of jobs, with the content of every file that an
/// option names. Each file is read once.
class OptionHasher {
 public:
  std::string HashOf(const BatchJob& job);

 private:
  std::string FileHash(const std::filesystem::path& path);
  std::string TextOf(const BatchJob& job, bool& depends_on_folder);

  std::map<std::string, std::string> known_;
  /// The job before, which mostly differs by its input alone, and its hash;
  /// empty if that depends on the input.
  BatchJob last_;
  std::string last_hash_;
};

}  // namespace limber::app::batch
