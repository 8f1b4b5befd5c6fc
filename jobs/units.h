// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mocap/axis_convention.h"

namespace limber::jobs {

/// A length unit by the name people type.
struct Unit {
  std::string name;  ///< "mm", "cm", "m", "in", "ft", "cmu", or the number.
  double metres = 0.001;
};

/// Reads the value of --unit and --to-unit: a name of the list above (cmu is
/// inch/0.45, the unit of the CMU database), or the unit's length as a positive
/// number of metres. Anything else gives nothing.
std::optional<Unit> ParseUnit(std::string_view text);

/// The unit of that length, by name where it has one, to a relative 1e-6.
Unit UnitOf(double metres);

/// The names for a help text: "mm, cm, m, in, ft, cmu".
std::string UnitNames();

/// The axes of a file of which only the upward one is known: +X is right (for
/// X up: +Y).
mocap::AxisConvention AxesWithUp(mocap::SignedAxis up);

}  // namespace limber::jobs
