// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/motor_reading.h"

#include <cmath>

namespace limber::figure {

using dynamics::PoweredAxis;

namespace {

// A motor at this share of its bound is saturated: solvers clamp exactly, only
// rounding lies between.
constexpr double kAtBound = 1.0 - 1e-9;

}  // namespace

MotorReading ReadMotors(const dynamics::Joint& joint, double h) {
  MotorReading reading;
  const std::span<const double> impulses = joint.impulses();
  // Rows: the locked ones, then drive, lower and upper limit per direction.
  std::size_t row = static_cast<std::size_t>(6 - joint.num_free());
  for (int k = 0; k < joint.num_free(); ++k) {
    const PoweredAxis& axis = joint.axis(k);
    if (axis.drive != PoweredAxis::Drive::kNone) {
      const double force = row < impulses.size() ? impulses[row] / h : 0.0;
      (k < 3 ? reading.torque : reading.force)[k % 3] = force;
      if (std::isfinite(axis.max_force) && axis.max_force > 0.0) {
        ++reading.num_motors;
        // Friction takes its part of the bound, one way or the other.
        const double friction = axis.has_friction() ? axis.friction : 0.0;
        if (std::abs(force) >= kAtBound * (axis.max_force - friction)) {
          ++reading.num_saturated;
        }
      }
      ++row;
    }
    if (axis.lower > -dynamics::kInfinity) ++row;
    if (axis.upper < dynamics::kInfinity) ++row;
  }
  return reading;
}

}  // namespace limber::figure
