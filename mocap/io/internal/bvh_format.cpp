// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/bvh_format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

using figure::ChannelKind;

// Position channels, then rotation channels.
constexpr std::array<std::string_view, 6> kChannelNames = {
    "Xposition", "Yposition", "Zposition",
    "Xrotation", "Yrotation", "Zrotation"};

// How many decimals a number is printed with: 6 for "0.008333", 9 for
// "8.333333e-003", 0 for "1".
int PrintedDecimals(std::string_view text) {
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  int decimals = point == std::string_view::npos
                     ? 0
                     : static_cast<int>(mantissa.size() - point - 1);
  if (exponent_at != std::string_view::npos) {
    decimals -= ParseInteger(text.substr(exponent_at + 1)).value_or(0);
  }
  return decimals;
}

}  // namespace

std::string_view BvhChannelName(const figure::Channel& channel) {
  const int first = channel.kind == ChannelKind::kTranslation ? 0 : 3;
  return kChannelNames[static_cast<std::size_t>(first + channel.axis)];
}

bool ParseBvhChannelName(std::string_view name, figure::Channel& channel) {
  for (std::size_t i = 0; i < kChannelNames.size(); ++i) {
    if (!EqualIgnoringCase(name, kChannelNames[i])) continue;
    channel.kind = i < 3 ? ChannelKind::kTranslation : ChannelKind::kRotation;
    channel.axis = static_cast<std::uint8_t>(i % 3);
    return true;
  }
  return false;
}

double RateFromPeriod(std::string_view text, double period) {
  const double rate = 1.0 / period;
  const double nearest = std::round(rate);
  if (std::abs(rate - nearest) <= 1e-9 * nearest) return nearest;
  // All periods from period - half to period + half print as `text`.
  const double half = 0.5 * std::pow(10.0, -PrintedDecimals(text));
  if (!(half < period)) return rate;
  const double lowest = std::ceil(1.0 / (period + half));
  const double highest = std::floor(1.0 / (period - half));
  return lowest == highest ? lowest : rate;
}

bool IsInMilliseconds(double period) {
  constexpr double kLeast = 4.0;   // 250 frames per second.
  constexpr double kMost = 100.0;  // 10 frames per second.
  return period >= kLeast && period <= kMost;
}

bool ReadsAsRate(std::string_view period_text) {
  const std::optional<double> period = ParseNumber(period_text);
  return period && *period > 0.0 && std::isfinite(1.0 / *period) &&
         !IsInMilliseconds(*period);
}

std::string PeriodText(double rate_hz) {
  const double period = 1.0 / rate_hz;
  char buffer[32];
  for (int digits = 1; digits <= 17; ++digits) {
    const std::to_chars_result end =
        std::to_chars(buffer, buffer + sizeof(buffer), period,
                      std::chars_format::general, digits);
    const std::string_view text(buffer, end.ptr);
    const double printed = ParseNumber(text).value_or(0.0);
    if (std::abs(printed * rate_hz - 1.0) < 1e-9 &&
        RateFromPeriod(text, printed) == rate_hz) {
      return std::string(text);
    }
  }
  std::string text;
  AppendNumber(text, period);
  return text;
}

}  // namespace limber::mocap::internal
