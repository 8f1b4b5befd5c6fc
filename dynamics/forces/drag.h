// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/constraints/body_point.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// A medium that resists the motion of a body's point and its turning:
///
///     v = velocity of the point - wind
///     f = -linear v - quadratic |v| v          at the point
///     t = -angular w
///
/// Implicit: slows down at any size, and never turns the motion round.
struct DragSettings {
  double linear = 0.0;             ///< [N s/m], zero or positive.
  double quadratic = 0.0;          ///< [N s^2/m^2], zero or positive.
  double angular = 0.0;            ///< [N m s/rad], zero or positive.
  Vector3 wind = Vector3::Zero();  ///< World axes [m/s].
};

class Drag : public Force {
 public:
  /// @throws std::invalid_argument for the ground or a negative coefficient.
  Drag(const BodyPoint& point, const DragSettings& settings);
  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;
  std::span<const BodyId> bodies() const override { return {&point_.body, 1}; }
  void BeginStep(BodyMotions bodies, const Mobility& mobility,
                 double h) override;
  void AddRows(BodyMotions bodies, RowBuffer& rows) const override;
  bool OnlyResists() const override { return settings_.wind.isZero(0.0); }
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  BodyPoint point_;
  DragSettings settings_;
  double settled_speed_ = 0.0;  ///< At which quadratic drag was last taken.
  // Of the step under way: f = -c v along the axes of the world.
  std::array<Stabilisation, 3> linear_;
  std::array<Stabilisation, 3> angular_;
};

}  // namespace limber::dynamics
