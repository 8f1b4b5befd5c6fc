// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/constraints/link.h"
#include "dynamics/constraints/turn_angle.h"

namespace limber::dynamics {

/// Ties two turning angles, each of a wheel about an axis of its carrier (the
/// hinges that hold the wheels are joints of their own); one row:
///
///     C = first - ratio second - phase
///
/// Position level: teeth do not slip over any number of turns. Two wheels that
/// mesh from outside turn against each other: ratio = -radius_2 / radius_1; a
/// chain or an inner wheel: +radius_2 / radius_1.
class Gear : public Link {
 public:
  /// @throws std::invalid_argument if the ratio is zero or not finite.
  Gear(const TurnAngle& first, const TurnAngle& second, double ratio,
       double phase = 0.0);

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  void AfterStep(BodyMotions bodies, double time) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  TurnAngle first_;
  TurnAngle second_;
  double ratio_;
  double phase_;
};

}  // namespace limber::dynamics
