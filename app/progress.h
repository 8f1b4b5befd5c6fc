// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

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

/// Says on the terminal how long a job has been at work, once it has run for
/// two seconds and while no `Progress` says more; it disappears at the end.
class Working {
 public:
  explicit Working(std::string what);
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  void Run();
  const std::string what_;
  bool done_ = false;
  bool shown_ = false;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread thread_;
};

/// "solving   42 %  [########            ]  3 s left"; for `Progress`.
std::string ProgressLine(const std::string& what, double share,
                         double seconds_so_far);

}  // namespace limber::app
