// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/dynamic/edit.h"

namespace limber::jobs {

/// One number of an edit that takes several values: "push.x=-30..30:5" is the x
/// of the first push, "push2.time=0.5..1:0.1" the time of the second one,
/// "strength=0.5..2:0.5" the strength of all joints. Fields of events are x, y,
/// z (impulse, velocity or gravity), size (of that vector), time, duration,
/// mass, and target.x, target.y, target.z.
struct Sweep {
  std::string name;  ///< "push.x".
  std::string kind;  ///< "push"; empty for the strength.
  int index = 1;     ///< Of the events of that kind.
  std::string field;
  std::vector<double> values;
};

/// @throws BadCall with what was expected and found.
Sweep ParseSweep(const std::string& text);

/// Every combination of the sweeps' values; the last sweep changes fastest.
std::vector<std::vector<double>> Combinations(const std::vector<Sweep>& sweeps);

/// Puts a value where the sweep says.
/// @throws BadCall if there is no such event or it has no such number.
void ApplySweep(const Sweep& sweep, double value,
                std::vector<figure::EditEvent>& events,
                figure::EditSettings& settings);

}  // namespace limber::jobs
