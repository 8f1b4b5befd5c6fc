// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/clip_time.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace limber {

namespace {

/// Four digits, the shortest form.
std::string Text(double value) {
  std::array<char, 32> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value,
                    std::chars_format::general, 4);
  return error == std::errc() ? std::string(text.data(), end) : "?";
}

}  // namespace

std::int64_t FramesIn(double seconds, double rate_hz, Frames rounding) {
  constexpr double kForgiven = 1e-6;  // Of a frame: times are rounded numbers.
  const double exact = seconds * rate_hz;
  const double count = rounding == Frames::kDown ? std::floor(exact + kForgiven)
                       : rounding == Frames::kUp ? std::ceil(exact - kForgiven)
                                                 : std::round(exact);
  // NaN fails every comparison.
  if (!(seconds >= 0.0) || !(rate_hz > 0.0) || !std::isfinite(rate_hz) ||
      !(count <= static_cast<double>(kMostFrames))) {
    throw std::invalid_argument(Text(seconds) + " s at " + Text(rate_hz) +
                                " frames per second: expected from 0 to " +
                                std::to_string(kMostFrames) + " frames");
  }
  return static_cast<std::int64_t>(count);
}

bool IsUsualRate(double rate_hz) {
  return rate_hz >= kSlowestRate && rate_hz <= kFastestRate;
}

void DoubtRate(double rate_hz, const std::string& what, Place place,
               Diagnostics& diagnostics) {
  if (IsUsualRate(rate_hz)) return;
  diagnostics.Warning("rate-doubt", place,
                      what + " means " + Text(rate_hz) +
                          " frames per second; recordings have from " +
                          Text(kSlowestRate) + " to " +
                          std::to_string(std::llround(kFastestRate)));
}

std::string WhyNotWhole(double duration, double rate_hz) {
  if (rate_hz > kFastestRate) {
    return "the clip has " + Text(rate_hz) +
           " frames per second; this job takes up to " +
           std::to_string(std::llround(kFastestRate));
  }
  if (!(duration <= kLongestClip)) {
    return "the clip lasts " + TimeText(duration) +
           "; this job takes clips of up to " + TimeText(kLongestClip);
  }
  return "";
}

std::string TimeText(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  constexpr double kDay = 24.0 * kHour;
  constexpr double kYear = 365.25 * kDay;
  if (seconds < 2.0 * kMinute) return Text(seconds) + " s";
  if (seconds < 2.0 * kHour) return Text(seconds / kMinute) + " min";
  if (seconds < 2.0 * kDay) return Text(seconds / kHour) + " h";
  if (seconds < 2.0 * kYear) return Text(seconds / kDay) + " days";
  return Text(seconds / kYear) + " years";
}

}  // namespace limber
