// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/constraints/turn_angle.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// A spiral spring with a damper about the axis of a turning angle, past full
/// turns:
///
///     torque on the body = -stiffness (angle - rest_angle) - damping angle'
///
/// and the opposite one on the carrier. Implicit; steps of less than half a
/// turn.
struct TorqueSpringSettings {
  double stiffness = 0.0;          ///< [N m/rad], zero or positive.
  double damping = 0.0;            ///< [N m s/rad], zero or positive.
  double rest_angle = 0.0;         ///< [rad].
  bool predict_half_step = false;  ///< As SpringDamperSettings.
};

class TorqueSpring : public Force {
 public:
  /// @throws std::invalid_argument for negative or non-finite settings.
  TorqueSpring(const TurnAngle& angle, const TorqueSpringSettings& settings);

  const TorqueSpringSettings& settings() const { return settings_; }
  /// @throws std::invalid_argument as the constructor.
  void set_settings(const TorqueSpringSettings& settings);
  /// At the start of the last step, or call of AddForces [rad].
  double angle() const { return angle_.last(); }
  /// On the body about the axis, of the last step or call of AddForces [N m].
  double torque() const { return torque_; }

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;
  std::span<const BodyId> bodies() const override { return bodies_; }
  void BeginStep(BodyMotions bodies, const Mobility& mobility,
                 double h) override;
  void AddRows(BodyMotions bodies, RowBuffer& rows) const override;
  void TakeForces(std::span<const double> row_forces) override;
  bool OnlyResists() const override { return settings_.stiffness == 0.0; }
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  TurnAngle angle_;
  std::array<BodyId, 2> bodies_;
  TorqueSpringSettings settings_;
  double torque_ = 0.0;
  bool followed_ = true;  ///< Of the step under way.
};

}  // namespace limber::dynamics
