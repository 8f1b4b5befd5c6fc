// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "dynamics/ode.h"

namespace limber::dynamics {

/// The rotation of one rigid body about its mass centre as an ODE, for the
/// integrators of ode.h. The principal axes are the axes of B. State, 7 long:
/// R_WB as (w, x, y, z), then w_WB in world axes [rad/s].
///
///     R' = 1/2 (0, w + lead w') R
///     w' = I^-1 (tau - w x I w),   I = R diag(inertia) R^T
///
/// A zero principal inertia makes a one-dimensional body: torque, spin and w'
/// about that axis are projected out at every evaluation
/// [Barenbrug 2000, App. D].
class RotationOde : public OdeProblem {
 public:
  /// Torque about the mass centre, world axes [N m].
  using Torque = std::function<Vector3(double t, const Quaternion& R_WB)>;

  /// @param inertia  principal inertias [kg m^2], zero or positive.
  /// @param renormalise  whether Project brings R_WB back to unit length.
  /// @throws std::invalid_argument naming a negative or non-finite inertia.
  explicit RotationOde(const Vector3& inertia, Torque torque = {},
                       bool renormalise = true);

  int num_states() const override { return 7; }
  void Evaluate(double t, const VectorX& y, VectorX& dydt) override;
  void EvaluateLed(double t, const VectorX& y, double lead,
                   VectorX& dydt) override;
  bool Project(double t, VectorX& y) override;

  static VectorX MakeState(const Quaternion& R_WB, const Vector3& w_WB);
  static Quaternion Rotation(const VectorX& y);
  static Vector3 AngularVelocity(const VectorX& y);
  /// I w in world axes [kg m^2/s].
  Vector3 AngularMomentum(const VectorX& y) const;
  double KineticEnergy(const VectorX& y) const;  ///< [J]

 private:
  Vector3 inertia_;
  Vector3 inverse_inertia_;  ///< Zero where the inertia is zero.
  Torque torque_;
  bool renormalise_;
};

}  // namespace limber::dynamics
