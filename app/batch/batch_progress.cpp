// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/batch_progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "app/batch/run_batch.h"

namespace limber::app::batch {

namespace {

/// Often enough to look alive on a terminal; a log that is read later gets
/// little [s].
constexpr double kOnTerminal = 0.2;
constexpr double kElsewhere = 60.0;
constexpr std::string_view kEraseLine = "\r\x1b[K";

/// "55 s", "12 min", "3.4 h".
std::string Duration(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  char text[32];
  if (seconds < 2.0 * kMinute) {
    std::snprintf(text, sizeof text, "%.0f s", std::ceil(seconds));
  } else if (seconds < 2.0 * kHour) {
    std::snprintf(text, sizeof text, "%.0f min", std::ceil(seconds / kMinute));
  } else {
    std::snprintf(text, sizeof text, "%.1f h", seconds / kHour);
  }
  return text;
}

}  // namespace

std::string BatchProgressLine(const BatchCounts& counts, std::int64_t num_jobs,
                              double seconds) {
  const std::int64_t done = counts.all();
  const double rate =
      static_cast<double>(done - counts.skipped) / std::max(seconds, 1e-9);
  char shown[64];
  std::snprintf(shown, sizeof shown, "%lld of %lld jobs, %.3g/s",
                static_cast<long long>(done), static_cast<long long>(num_jobs),
                rate);
  std::string line = shown;
  const auto add = [&line](std::int64_t count, const char* word) {
    if (count > 0) line += ", " + std::to_string(count) + " " + word;
  };
  add(counts.skipped, "known");
  add(counts.wrong, "wrong");
  add(counts.failed, "failed");
  const std::int64_t left = std::max<std::int64_t>(0, num_jobs - done);
  if (rate > 0.0) {
    line += ", " + Duration(static_cast<double>(left) / rate) + " left";
  }
  return line;
}

BatchProgress::BatchProgress(std::int64_t num_jobs)
    : num_jobs_(num_jobs), on_terminal_(isatty(STDERR_FILENO) != 0) {}

BatchProgress::~BatchProgress() { Hide(); }

double BatchProgress::Interval(bool on_terminal) {
  return on_terminal ? kOnTerminal : kElsewhere;
}

double BatchProgress::DueIn() const {
  const std::chrono::duration<double> since = Clock::now() - last_shown_;
  return std::max(0.0, Interval(on_terminal_) - since.count());
}

void BatchProgress::Show(const BatchCounts& counts) {
  if (DueIn() > 0.0) return;
  const Clock::time_point now = Clock::now();
  last_shown_ = now;
  const std::chrono::duration<double> so_far = now - begin_;
  const std::string line = BatchProgressLine(counts, num_jobs_, so_far.count());
  if (on_terminal_) {
    std::cerr << kEraseLine << line << std::flush;
    shown_ = true;
  } else {
    std::cerr << line << "\n" << std::flush;
  }
}

void BatchProgress::Hide() {
  if (shown_) std::cerr << kEraseLine << std::flush;
  shown_ = false;
}

}  // namespace limber::app::batch
