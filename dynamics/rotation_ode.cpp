// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_ode.h"

#include <cmath>
#include <utility>

#include "dynamics/internal/check.h"

namespace limber::dynamics {

RotationOde::RotationOde(const Vector3& inertia, Torque torque,
                         bool renormalise)
    : inertia_(inertia), torque_(std::move(torque)), renormalise_(renormalise) {
  if (!inertia.allFinite() || inertia.minCoeff() < 0.0) {
    internal::ThrowBadValue("inertia", "finite and not negative",
                            internal::ToText(inertia));
  }
  for (int i = 0; i < 3; ++i) {
    inverse_inertia_[i] = inertia[i] > 0.0 ? 1.0 / inertia[i] : 0.0;
  }
}

void RotationOde::Evaluate(double t, const VectorX& y, VectorX& dydt) {
  EvaluateLed(t, y, 0.0, dydt);
}

void RotationOde::EvaluateLed(double t, const VectorX& y, double lead,
                              VectorX& dydt) {
  // R need not be unit between steps: turn with the unit one, but keep
  // R' linear in R as the equation says.
  const Quaternion R = Rotation(y);
  const Quaternion R_WB = R.normalized();
  const Quaternion R_BW = R_WB.conjugate();
  Vector3 w_B = R_BW * AngularVelocity(y);
  for (int i = 0; i < 3; ++i) {
    if (inertia_[i] == 0.0) w_B[i] = 0.0;
  }
  // I w' = tau - w x I w in body axes; 1/0 reads 0, which drops torque and w'
  // along a one-dimensional body.
  Vector3 moment_B = -w_B.cross(inertia_.cwiseProduct(w_B));
  if (torque_) moment_B += R_BW * torque_(t, R_WB);
  const Vector3 w = R_WB * w_B;
  Vector3 alpha = R_WB * inverse_inertia_.cwiseProduct(moment_B);
  const Vector3 w_led = w + lead * alpha;
  const Quaternion half(0.0, 0.5 * w_led.x(), 0.5 * w_led.y(), 0.5 * w_led.z());
  const Quaternion rate = half * R;
  dydt[0] = rate.w();
  dydt.segment<3>(1) = rate.vec();
  dydt.segment<3>(4) = alpha;
}

bool RotationOde::Project(double, VectorX& y) {
  if (!renormalise_) return false;
  y.head<4>().normalize();
  return true;
}

VectorX RotationOde::MakeState(const Quaternion& R_WB, const Vector3& w_WB) {
  VectorX y(7);
  y << R_WB.w(), R_WB.x(), R_WB.y(), R_WB.z(), w_WB;
  return y;
}

Quaternion RotationOde::Rotation(const VectorX& y) {
  return {y[0], y[1], y[2], y[3]};
}

Vector3 RotationOde::AngularVelocity(const VectorX& y) {
  return y.segment<3>(4);
}

Vector3 RotationOde::AngularMomentum(const VectorX& y) const {
  const Quaternion R_WB = Rotation(y).normalized();
  const Vector3 w_B = R_WB.conjugate() * AngularVelocity(y);
  return R_WB * inertia_.cwiseProduct(w_B);
}

double RotationOde::KineticEnergy(const VectorX& y) const {
  return 0.5 * AngularVelocity(y).dot(AngularMomentum(y));
}

}  // namespace limber::dynamics
