// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace limber::app {

/// A line on the terminal that says how far a job is and how long it will take,
/// once it has run for two seconds; it disappears at the end. Says nothing
/// where standard error is no terminal. May be called from several threads.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// @param share  done so far, in [0, 1].
  void Show(double share);

 private:
  using Clock = std::chrono::steady_clock;
  const std::string what_;
  const bool on_terminal_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_shown_ = begin_;
  bool shown_ = false;
  std::mutex mutex_;
};

/// "solving   42 %  [########            ]  3 s left"; for `Progress`.
std::string ProgressLine(const std::string& what, double share,
                         double seconds_so_far);

}  // namespace limber::app
