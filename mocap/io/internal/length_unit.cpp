// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/length_unit.h"

#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

std::optional<double> MetresPerUnit(std::string_view word) {
  struct Unit {
    std::string_view word;
    double metres;
  };
  constexpr Unit kUnits[] = {
      {"mm", 1e-3},          {"millimeters", 1e-3}, {"millimetres", 1e-3},
      {"millimeter", 1e-3},  {"millimetre", 1e-3},  {"cm", 1e-2},
      {"centimeters", 1e-2}, {"centimetres", 1e-2}, {"centimeter", 1e-2},
      {"centimetre", 1e-2},  {"dm", 1e-1},          {"m", 1.0},
      {"meters", 1.0},       {"metres", 1.0},       {"meter", 1.0},
      {"metre", 1.0},        {"in", 0.0254},        {"inch", 0.0254},
      {"inches", 0.0254},    {"ft", 0.3048},        {"feet", 0.3048},
  };
  for (const Unit& unit : kUnits) {
    if (EqualIgnoringCase(unit.word, word)) return unit.metres;
  }
  return std::nullopt;
}

WrittenUnit UnitForWriting(const TakeOrigin& origin) {
  // A word nobody knows was read as millimetres and may stay.
  if (MetresPerUnit(origin.unit).value_or(1e-3) == origin.metres_per_unit) {
    return {origin.unit, origin.metres_per_unit};
  }
  for (const char* word : {"mm", "cm", "m", "dm", "in", "ft"}) {
    if (MetresPerUnit(word) == origin.metres_per_unit) {
      return {word, origin.metres_per_unit};
    }
  }
  return {"mm", 1e-3};
}

}  // namespace limber::mocap::internal
