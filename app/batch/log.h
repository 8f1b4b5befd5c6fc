// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"

namespace limber::app::batch {

/// How a job ended.
enum class Ending {
  kRight,   ///< Done, and it looks right.
  kWrong,   ///< Done and written, but the result doubts itself.
  kFailed,  ///< Nothing was written: bad input, bad call; the same again.
  kBroken,  ///< Crashed, out of time or memory: may go well the next time.
};
/// "looks right", "looks wrong", "failed", "broken".
std::string_view ToString(Ending ending);

/// What identifies the content of an input.
struct InputMark {
  std::string hash;  ///< SHA-256.
  std::int64_t bytes = 0;
  std::int64_t time_ns = 0;  ///< Of its last change, since 1970 [ns].
};
/// Without the hash, which takes reading the file; nothing if it is not there.
std::optional<InputMark> MarkOf(const std::filesystem::path& input);

/// A line of the log: one job that came to its end.
struct LogEntry {
  std::string job;       ///< Its name.
  std::string finished;  ///< UTC, "2026-01-31T12:00:00.000Z".
  std::string version;   ///< Of the program.
  std::string command;
  std::string input;
  InputMark mark;
  std::vector<std::string> options;
  /// Of the command, the options, and the content of files these name.
  std::string options_hash;
  Ending ending = Ending::kRight;
  nlohmann::ordered_json doubts = nlohmann::ordered_json::array();
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  /// Below the results' folder, with their size [bytes].
  std::map<std::string, std::int64_t> outputs;
  double seconds = 0.0;  ///< On the clock.
  double cpu_seconds = 0.0;
  double memory_mb = 0.0;  ///< Largest, in RAM.
  std::string error;       ///< Why it failed; else empty.
};

/// What decides whether a job is done: a part of its line.
struct KnownJob {
  std::string job;
  std::string version;
  std::string input;
  InputMark mark;
  std::string options_hash;
  Ending ending = Ending::kRight;
  std::map<std::string, std::int64_t> outputs;
};
/// Nothing for a line that is not whole or not of the form of `ToLine`.
std::optional<KnownJob> ParseKnown(std::string_view line);

/// "looks right" and the others; nothing for another word.
std::optional<Ending> ParseEnding(std::string_view word);

/// One line of JSON, without a newline. "job" and "finished" come first.
std::string ToLine(const LogEntry& entry);
/// Nothing for a line that is not whole or not of this form.
std::optional<LogEntry> ParseEntry(std::string_view line);

/// "2026-01-31T12:00:00.000Z".
std::string TimeNow();

/// The logs of a results' folder: log.jsonl, and those of shards.
std::vector<std::filesystem::path> LogsIn(const std::filesystem::path& results);

/// The last line of every job in the logs of a folder. It holds where the lines
/// are, not the lines: 40 bytes a job.
class LogIndex {
 public:
  /// Lines that are not whole (a machine that lost its power wrote half of one)
  /// are left out and counted in `num_damaged`.
  static LogIndex Read(const std::filesystem::path& results);

  std::size_t size() const { return lines_.size(); }
  /// Whether there is a line on a job whose name has this `StableHash`.
  bool Has(std::uint64_t name_hash) const;
  std::int64_t num_damaged() const { return num_damaged_; }
  /// What the last line on a job says, whole or as far as it decides whether
  /// the job is done.
  std::optional<LogEntry> FindEntry(std::string_view job) const;
  std::optional<KnownJob> Find(std::string_view job) const;
  /// Every line, by the jobs' names. Names are sorted byte by byte.
  void ForEach(const std::function<void(std::string_view line)>& visit) const;

 private:
  struct Line {
    std::uint64_t job = 0;   ///< Hash of the name.
    std::uint64_t when = 0;  ///< `finished` as a number that grows.
    std::int64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t file = 0;
  };
  std::string Text(const Line& line) const;
  /// Empty if there is none; perhaps of another job whose name has its hash.
  std::string LastLine(std::string_view job) const;

  std::vector<std::shared_ptr<std::FILE>> files_;
  std::vector<Line> lines_;  ///< Sorted by `job`.
  std::int64_t num_damaged_ = 0;
};

/// Appends lines to a log, each in one write, so that a stop at any moment
/// leaves whole lines. Two batches cannot write to the same log.
class LogWriter {
 public:
  LogWriter() = default;
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// An error if the file cannot be written or another batch has it open.
  Diagnostics Open(const std::filesystem::path& path);
  Diagnostics Append(const LogEntry& entry);
  /// Returns when all lines have reached the disk, and everything else that was
  /// written on that disk before: outputs.
  void Sync() const;
  /// The same without waiting, by a process of its own: returns its number, or
  /// -1 if there is none. A child of this process, which has to wait for it.
  pid_t SyncApart() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace limber::app::batch
