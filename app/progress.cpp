// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <utility>

namespace limber::app {

namespace {

constexpr std::chrono::seconds kSilence(2);
constexpr std::chrono::milliseconds kBetween(100);
constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace

std::string ProgressLine(const std::string& what, double share,
                         double seconds_so_far) {
  constexpr double kBarWidth = 20.0;
  share = std::clamp(share, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  std::string percent = std::to_string(static_cast<int>(share * 100.0));
  percent.insert(0, 4 - std::min<std::size_t>(4, percent.size()), ' ');
  std::string line =
      what + percent + " %  [" + std::string(filled, '#') +
      std::string(static_cast<std::size_t>(kBarWidth) - filled, ' ') + "]";
  if (share > 0.0) {
    const double left = seconds_so_far * (1.0 - share) / share;
    line += "  " + std::to_string(std::llround(std::ceil(left))) + " s left";
  }
  return line;
}

Progress::Progress(std::string what)
    : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) std::cerr << kEraseLine << std::flush;
}

void Progress::Show(double share) {
  if (!on_terminal_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - begin_ < kSilence || now - last_shown_ < kBetween) return;
  last_shown_ = now;
  shown_ = true;
  const std::chrono::duration<double> so_far = now - begin_;
  std::cerr << kEraseLine << ProgressLine(what_, share, so_far.count())
            << std::flush;
}

}  // namespace limber::app
