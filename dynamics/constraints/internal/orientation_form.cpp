// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/internal/orientation_form.h"

namespace limber::dynamics {

OrientationForm FormOfOrientation(const BodyMotion& reference,
                                  const BodyMotion& body,
                                  const Quaternion& R_RB) {
  Quaternion q = reference.q_WB.conjugate() * body.q_WB * R_RB.conjugate();
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  const double eta = q.w();
  const Vector3 eps = q.vec();

  const Matrix3 R_RW = reference.R_WB.transpose();
  const Vector3 relative_W = body.w_WB - reference.w_WB;
  const Vector3 w = R_RW * relative_W;
  // w' = R_RW (w_WB' - w_WR') - R_RW (w_WR x (w_WB - w_WR))
  const Vector3 w_drift = -(R_RW * reference.w_WB.cross(relative_W));
  // q' = 1/2 (0, w) q
  const double eta_rate = -0.5 * w.dot(eps);
  const Vector3 eps_rate = 0.5 * (eta * w + w.cross(eps));

  OrientationForm form;
  form.error = 2.0 * eps;
  // C' = (eta - [eps]) w, row i taken to the world's axes.
  const Matrix3 jacobian = (eta * Matrix3::Identity() - Skew(eps)) * R_RW;
  for (int i = 0; i < 3; ++i) {
    form.gradient[static_cast<std::size_t>(i)] = jacobian.row(i).transpose();
  }
  form.drift =
      eta * w_drift + w_drift.cross(eps) + eta_rate * w + w.cross(eps_rate);
  return form;
}

}  // namespace limber::dynamics
