// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/time_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace limber::viewer {

namespace {

std::string Decimals(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

/// As many decimals as a step of 0.01, 0.1, 1 and so on needs.
int DecimalsOf(double step) {
  int decimals = 0;
  for (double rest = step; decimals < 3 && rest < 0.999; rest *= 10.0) {
    ++decimals;
  }
  return decimals;
}

}  // namespace

TimeLine::TimeLine(double duration, double rate_hz)
    : duration_(std::max(duration, 0.0)), rate_hz_(rate_hz) {}

double TimeLine::PixelsPerSecond() const {
  return duration_ > 0.0 ? width_ / duration_ : 0.0;
}

double TimeLine::XOf(double time) const {
  return std::clamp(time, 0.0, duration_) * PixelsPerSecond();
}

double TimeLine::TimeAt(double x) const {
  if (duration_ <= 0.0) return 0.0;
  const double time = x / PixelsPerSecond();
  return std::clamp(std::round(time * rate_hz_) / rate_hz_, 0.0, duration_);
}

double TimeLine::LabelStep() const {
  // 0.001, 0.002, 0.005, 0.01 ... seconds.
  double decade = 0.001;
  while (true) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double step = factor * decade;
      if (step * PixelsPerSecond() >= kLabelsApart) return step;
    }
    decade *= 10.0;
  }
}

std::vector<TimeLine::Tick> TimeLine::Ticks() const {
  std::vector<Tick> ticks;
  if (duration_ <= 0.0) return ticks;
  const double labelled = LabelStep();
  const auto can_be_told = [this](double step) {
    return step * PixelsPerSecond() >= kTicksApart;
  };
  double between = labelled;
  for (const double parts : {2.0, 5.0, 10.0}) {
    if (can_be_told(labelled / parts)) between = labelled / parts;
  }
  // Where every frame can be seen, frames are what is between.
  const double frame = rate_hz_ > 0.0 ? 1.0 / rate_hz_ : 0.0;
  if (can_be_told(frame) && frame <= labelled) between = frame;
  const auto count = [this](double step) {
    return static_cast<int>(std::floor(duration_ / step + 1e-9));
  };
  for (int i = 0; i <= count(labelled); ++i) {
    ticks.push_back(
        {XOf(i * labelled), Decimals(i * labelled, DecimalsOf(labelled))});
  }
  for (int i = 0; i <= count(between); ++i) {
    const double time = i * between;
    const double beside = std::round(time / labelled) * labelled;
    if (can_be_told(std::abs(time - beside))) ticks.push_back({XOf(time), {}});
  }
  return ticks;
}

std::string TimeLine::Reading(double time) const {
  std::string text =
      Decimals(time, 2) + " s of " + Decimals(duration_, 2) + " s";
  if (rate_hz_ > 0.0) {
    text += ", frame " + Decimals(std::round(time * rate_hz_), 0) + " of " +
            Decimals(std::round(duration_ * rate_hz_), 0);
  }
  return text;
}

}  // namespace limber::viewer
