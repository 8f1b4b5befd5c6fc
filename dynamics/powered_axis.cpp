// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/powered_axis.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace limber::dynamics {
namespace {

void Require(bool holds, const char* field, const char* demand, double value) {
  if (holds) return;
  throw std::invalid_argument(std::string("PoweredAxis: ") + field +
                              " must be " + demand + ", is " +
                              std::to_string(value));
}

}  // namespace

void Validate(const PoweredAxis& axis) {
  const auto require_finite = [](const char* field, double value) {
    Require(std::isfinite(value), field, "finite", value);
  };
  const auto require_not_negative = [](const char* field, double value) {
    Require(std::isfinite(value) && value >= 0.0, field,
            "finite and zero or positive", value);
  };
  require_finite("target_position", axis.target_position);
  require_finite("target_speed", axis.target_speed);
  Require(axis.max_force >= 0.0, "max_force", "zero or positive",
          axis.max_force);
  require_not_negative("softness", axis.softness);
  require_not_negative("stiffness", axis.stiffness);
  require_not_negative("damping", axis.damping);
  require_not_negative("limit_softness", axis.limit_softness);
  require_not_negative("friction", axis.friction);
  Require(axis.lower < kInfinity, "lower", "a number below +inf", axis.lower);
  Require(axis.upper > -kInfinity, "upper", "a number above -inf", axis.upper);
  Require(axis.lower <= axis.upper, "lower", "at most upper", axis.lower);
}

bool OnlyResists(const PoweredAxis& axis) {
  using Drive = PoweredAxis::Drive;
  if (axis.drive == Drive::kNone || axis.max_force == 0.0) return true;
  if (axis.target_speed != 0.0) return false;
  return axis.drive == Drive::kSpeed ||
         (axis.drive == Drive::kSpring && axis.stiffness == 0.0);
}

}  // namespace limber::dynamics
