// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A line of the log by its members, without a tree of values: a log of a
// million lines is looked through at each start.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace limber::app::batch {

/// The members of a line, in the order in which they are written.
enum class LogMember : std::size_t {
  kJob,
  kFinished,
  kVersion,
  kCommand,
  kInput,
  kInputHash,
  kInputBytes,
  kInputTime,
  kOptions,
  kOptionsHash,
  kVerdict,
  kDoubts,
  kMetrics,
  kOutputs,
  kSeconds,
  kCpuSeconds,
  kMemory,
  kError,
};
inline constexpr std::array<std::string_view, 18> kLogMembers = {
    "job",         "finished",    "version",       "command", "input",
    "input_hash",  "input_bytes", "input_time_ns", "options", "options_hash",
    "verdict",     "doubts",      "metrics",       "outputs", "seconds",
    "cpu_seconds", "memory_mb",   "error"};

/// A line of exactly the form that `ToLine` writes, as pieces of JSON.
class LogLine {
 public:
  /// Nothing for any other form: another order, spaces, control characters,
  /// what is not whole. `line` must outlive what is returned.
  static std::optional<LogLine> Scan(std::string_view line);

  /// The JSON of a member.
  std::string_view json(LogMember member) const {
    return json_[static_cast<std::size_t>(member)];
  }
  /// A member that is a text; empty for any other.
  std::string text(LogMember member) const;
  /// A member that is a number; 0 for any other.
  std::int64_t whole_number(LogMember member) const;
  double number(LogMember member) const;
  /// Calls `visit` with every key and its JSON, of a member that is an object.
  void ForEach(LogMember member,
               const std::function<void(std::string key,
                                        std::string_view json)>& visit) const;

 private:
  std::array<std::string_view, kLogMembers.size()> json_;
};

/// The text of a JSON text in quotes; nothing if it is none.
std::optional<std::string> UnquoteJson(std::string_view quoted);

}  // namespace limber::app::batch
