// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/player.h"

#include <algorithm>
#include <cmath>

namespace limber::viewer {

Player::Player(double duration, double frame)
    : duration_(std::max(0.0, duration)), frame_(frame) {}

void Player::SetSpeed(double speed) {
  constexpr double kFastest = 64.0;
  const double size = std::clamp(std::abs(speed), 1.0 / kFastest, kFastest);
  speed_ = speed < 0.0 ? -size : size;
}

void Player::StepFrames(int frames) {
  playing_ = false;
  // From the nearest frame, so that steps land on frames.
  Seek((std::round(time_ / frame_) + frames) * frame_);
}

void Player::Seek(double time) {
  time_ = std::isfinite(time) ? std::clamp(time, 0.0, duration_) : 0.0;
}

void Player::HoldAt(double time) {
  if (time >= time_) return;
  dropped_ += (time_ - time) / std::abs(speed_);
  time_ = time;
}

void Player::Advance(double seconds) {
  constexpr double kLongest = 0.25;
  if (!(seconds > 0.0)) return;
  if (seconds > kLongest) {
    dropped_ += seconds - kLongest;
    seconds = kLongest;
  }
  if (!playing_ || duration_ == 0.0) return;
  double time = time_ + speed_ * seconds;
  if (time >= 0.0 && time <= duration_) {
    time_ = time;
    return;
  }
  if (looping_) {
    time = std::fmod(time, duration_);
    time_ = time < 0.0 ? time + duration_ : time;
    return;
  }
  time_ = std::clamp(time, 0.0, duration_);
  playing_ = false;
}

}  // namespace limber::viewer
