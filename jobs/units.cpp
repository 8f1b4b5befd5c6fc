// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/units.h"

#include <array>
#include <charconv>
#include <cmath>

namespace limber::jobs {

namespace {

struct NamedUnit {
  std::string_view name;
  double metres;
};

constexpr std::array kUnits = {
    NamedUnit{"mm", 0.001},  NamedUnit{"cm", 0.01},
    NamedUnit{"m", 1.0},     NamedUnit{"in", 0.0254},
    NamedUnit{"ft", 0.3048}, NamedUnit{"cmu", 0.0254 / 0.45},
};

}  // namespace

std::optional<Unit> ParseUnit(std::string_view text) {
  for (const NamedUnit& unit : kUnits) {
    if (text == unit.name) return Unit{std::string(text), unit.metres};
  }
  double metres = 0.0;
  const char* end = text.data() + text.size();
  const std::from_chars_result parsed =
      std::from_chars(text.data(), end, metres);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(metres > 0.0) ||
      !std::isfinite(metres)) {
    return std::nullopt;
  }
  return UnitOf(metres);
}

Unit UnitOf(double metres) {
  constexpr double kSame = 1e-6;
  for (const NamedUnit& unit : kUnits) {
    if (std::abs(metres - unit.metres) <= kSame * unit.metres) {
      return {std::string(unit.name), unit.metres};
    }
  }
  std::array<char, 32> buffer{};
  const std::to_chars_result end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), metres);
  return {std::string(buffer.data(), end.ptr) + " m", metres};
}

std::string UnitNames() {
  std::string names;
  for (const NamedUnit& unit : kUnits) {
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

mocap::AxisConvention AxesWithUp(mocap::SignedAxis up) {
  const bool x_is_up =
      up == mocap::SignedAxis::kPlusX || up == mocap::SignedAxis::kMinusX;
  return {x_is_up ? mocap::SignedAxis::kPlusY : mocap::SignedAxis::kPlusX, up};
}

}  // namespace limber::jobs
