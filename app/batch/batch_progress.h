// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace limber::app::batch {

struct BatchCounts;

/// A line on the terminal that says how far a batch is: jobs, rate, time left.
/// Where standard error is no terminal (a scheduler's log), a line of its own
/// once a minute.
class BatchProgress {
 public:
  explicit BatchProgress(std::int64_t num_jobs);
  ~BatchProgress();
  BatchProgress(const BatchProgress&) = delete;
  BatchProgress& operator=(const BatchProgress&) = delete;

  /// How long a line stands before the next one [s].
  static double Interval(bool on_terminal);

  /// Does nothing until `Interval` has passed since the last line.
  void Show(const BatchCounts& counts);
  /// When it will have passed, from now on; zero or positive [s].
  double DueIn() const;
  /// Takes the line away, so that others can print.
  void Hide();

 private:
  using Clock = std::chrono::steady_clock;
  const std::int64_t num_jobs_;
  const bool on_terminal_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_shown_ = begin_;
  bool shown_ = false;
};

/// "123 of 2000 jobs, 34.2/s, 1 wrong, 2 failed, 55 s left".
/// Skipped jobs count as done but not for the rate.
std::string BatchProgressLine(const BatchCounts& counts, std::int64_t num_jobs,
                              double seconds);

}  // namespace limber::app::batch
