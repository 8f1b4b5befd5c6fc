// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

namespace limber::dynamics {

/// Free rotation of a rigid body with principal axes = axes of B, over any
/// step, with the world angular momentum L kept to the last bit (it is input
/// only) and the energy within a bounded swing of order h^2:
///
///     R' = R [I^-1 R^T L],   I = diag(inertia)
///
/// Let a be the axis about which the body comes closest to symmetric
/// (|1/I_b - 1/I_c| smallest), b and c the other two, and L_B = R^-1 L. The
/// energy splits into three parts, each of which is turned exactly:
///
///     A(t):  R <- R exp(t (1/I_a - 1/I_c) (L_B)_a e_a)
///     B(t):  R <- R exp(t (1/I_b - 1/I_c) (L_B)_b e_b)
///     W(t):  R <- exp(t L / I_c) R             commutes with A and B
///     Advance = A(h/2), B(h), A(h/2), W(h)     explicit, order 2
///
/// Spheres and symmetric bodies have no B: exact for every h. Where A or B
/// would turn by more than half a radian the step is divided, for the swing of
/// the energy would grow as large as the energy itself. Reversible. There is no
/// gyroscopic torque to add anywhere. Derivation and measured errors:
/// docs/dynamics_mass_ode.md.
///
/// A zero inertia makes a one-dimensional body (rod): there is no spin about
/// that axis, and L has no part along it (see Admissible). Three zeros make a
/// point mass, which does not turn.
class RotationFlow {
 public:
  /// @param inertia  principal inertias [kg m^2].
  /// @throws std::invalid_argument naming the value if one is negative or not
  ///         finite, or exceeds the sum of the others by more than 1e-9 of it.
  explicit RotationFlow(const Vector3& inertia);

  /// R_WB after `h` seconds (may be negative), unit. L_W in [kg m^2/s].
  Quaternion Advance(const Quaternion& R_WB, const Vector3& L_W,
                     double h) const;

  int symmetry_axis() const { return a_; }
  double rate_a() const { return rate_a_; }
  double rate_b() const { return rate_b_; }
  double inverse_c() const { return inverse_c_; }

  /// w_WB in world axes [rad/s], no part along an axis without inertia.
  Vector3 AngularVelocity(const Quaternion& R_WB, const Vector3& L_W) const;
  /// I w in world axes [kg m^2/s].
  Vector3 AngularMomentum(const Quaternion& R_WB, const Vector3& w_W) const;
  /// L_W (or a torque) without its part along an axis that has no inertia.
  Vector3 Admissible(const Quaternion& R_WB, const Vector3& L_W) const;
  double KineticEnergy(const Quaternion& R_WB, const Vector3& L_W) const;

  const Vector3& inertia() const { return inertia_; }
  /// Zero where the inertia is zero.
  const Vector3& inverse_inertia() const { return inverse_inertia_; }
  bool is_one_dimensional() const;

 private:
  Quaternion AdvanceOnce(const Quaternion& R_WB, const Vector3& L_W,
                         double h) const;

  Vector3 inertia_;
  Vector3 inverse_inertia_;
  int a_ = 0;
  int b_ = 1;
  double inverse_c_ = 0.0;  ///< 1/I_c
  double rate_a_ = 0.0;     ///< 1/I_a - 1/I_c
  double rate_b_ = 0.0;     ///< 1/I_b - 1/I_c
};

}  // namespace limber::dynamics
