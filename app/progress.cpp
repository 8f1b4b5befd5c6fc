// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <utility>

namespace limber::app {

namespace {

constexpr std::chrono::seconds kSilence(2);
constexpr std::chrono::milliseconds kBetween(100);
constexpr std::string_view kEraseLine = "\r\x1b[K";

/// How many `Progress` there are now.
std::atomic<int> num_progress = 0;  // NOLINT

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
    : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) != 0) {
  ++num_progress;
}

Progress::~Progress() {
  --num_progress;
  if (shown_) std::cerr << kEraseLine << std::flush;
}

Working::Working(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { Run(); });
}

Working::~Working() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  end_.notify_one();
  thread_.join();
  if (shown_) std::cerr << kEraseLine << std::flush;
}

void Working::Run() {
  constexpr std::chrono::milliseconds kTick(500);
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, kTick, [this] { return done_; })) {
    const auto so_far = std::chrono::steady_clock::now() - begin;
    if (so_far < kSilence || num_progress > 0) continue;
    shown_ = true;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(so_far).count();
    // What the job prints next goes over it.
    std::cerr << kEraseLine << what_ << "  " << seconds << " s\r" << std::flush;
  }
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
