// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <cmath>

#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

// Component i of q^-1 L: column i of the rotation matrix times L.
double BodyComponent(const Quaternion& q, const Vector3& L, int i) {
  const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
  switch (i) {
    case 0:
      return (1.0 - 2.0 * (y * y + z * z)) * L.x() +
             2.0 * (x * y + w * z) * L.y() + 2.0 * (x * z - w * y) * L.z();
    case 1:
      return 2.0 * (x * y - w * z) * L.x() +
             (1.0 - 2.0 * (x * x + z * z)) * L.y() +
             2.0 * (y * z + w * x) * L.z();
    default:
      return 2.0 * (x * z + w * y) * L.x() + 2.0 * (y * z - w * x) * L.y() +
             (1.0 - 2.0 * (x * x + y * y)) * L.z();
  }
}

// q exp(angle e_i).
Quaternion TurnAboutBodyAxis(const Quaternion& q, int i, double angle) {
  const double x = 0.5 * angle;
  const double t = x * x;
  double s, c;
  if (t < 1e-3) {
    // Series while the next term is below round-off.
    s = x * (1.0 + t * (-1.0 / 6.0 + t * (1.0 / 120.0 + t * (-1.0 / 5040.0))));
    c = 1.0 + t * (-0.5 +
                   t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t * (1.0 / 40320.0))));
  } else {
    s = std::sin(x);
    c = std::cos(x);
  }
  // (w, v) (c, s e) = (w c - s v.e, c v + s w e + s v x e)
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  const Vector3 v = q.vec();
  Quaternion turned;
  turned.w() = c * q.w() - s * v[i];
  turned.vec()[i] = c * v[i] + s * q.w();
  turned.vec()[j] = c * v[j] + s * v[k];
  turned.vec()[k] = c * v[k] - s * v[j];
  return turned;
}

}  // namespace

RotationFlow::RotationFlow(const Vector3& inertia) : inertia_(inertia) {
  // Round-off of inertias that come from sums over many parts.
  constexpr double kTolerance = 1e-9;
  if (!inertia.allFinite() || inertia.minCoeff() < 0.0) {
    internal::ThrowBadValue("inertia", "finite and not negative",
                            internal::ToText(inertia));
  }
  const double sum = inertia.sum();
  if (2.0 * inertia.maxCoeff() > sum * (1.0 + kTolerance)) {
    internal::ThrowBadValue("inertia",
                            "such that none exceeds the sum of the others",
                            internal::ToText(inertia));
  }
  for (int i = 0; i < 3; ++i) {
    inverse_inertia_[i] = inertia[i] > 0.0 ? 1.0 / inertia[i] : 0.0;
  }
  // The axis of least asymmetry; of equal ones the first.
  double least = -1.0;
  for (int a = 0; a < 3; ++a) {
    const double difference =
        std::abs(inverse_inertia_[(a + 1) % 3] - inverse_inertia_[(a + 2) % 3]);
    if (least < 0.0 || difference < least) {
      least = difference;
      a_ = a;
    }
  }
  b_ = (a_ + 1) % 3;
  inverse_c_ = inverse_inertia_[(a_ + 2) % 3];
  rate_a_ = inverse_inertia_[a_] - inverse_c_;
  rate_b_ = inverse_inertia_[b_] - inverse_c_;
}

Quaternion RotationFlow::Advance(const Quaternion& R_WB, const Vector3& L_W,
                                 double h) const {
  Quaternion q = R_WB;
  if (rate_b_ == 0.0) {
    // A symmetric top: the two halves of A join.
    if (rate_a_ != 0.0) {
      q = TurnAboutBodyAxis(q, a_, h * rate_a_ * BodyComponent(q, L_W, a_));
    }
  } else {
    const double half = 0.5 * h * rate_a_;
    q = TurnAboutBodyAxis(q, a_, half * BodyComponent(q, L_W, a_));
    q = TurnAboutBodyAxis(q, b_, h * rate_b_ * BodyComponent(q, L_W, b_));
    q = TurnAboutBodyAxis(q, a_, half * BodyComponent(q, L_W, a_));
  }
  q = ExpRotation(h * inverse_c_ * L_W) * q;
  return q.normalized();
}

Vector3 RotationFlow::AngularVelocity(const Quaternion& R_WB,
                                      const Vector3& L_W) const {
  return R_WB * inverse_inertia_.cwiseProduct(R_WB.conjugate() * L_W);
}

Vector3 RotationFlow::AngularMomentum(const Quaternion& R_WB,
                                      const Vector3& w_W) const {
  return R_WB * inertia_.cwiseProduct(R_WB.conjugate() * w_W);
}

Vector3 RotationFlow::Admissible(const Quaternion& R_WB,
                                 const Vector3& L_W) const {
  if (!is_one_dimensional()) return L_W;
  Vector3 L_B = R_WB.conjugate() * L_W;
  for (int i = 0; i < 3; ++i) {
    if (inertia_[i] == 0.0) L_B[i] = 0.0;
  }
  return R_WB * L_B;
}

double RotationFlow::KineticEnergy(const Quaternion& R_WB,
                                   const Vector3& L_W) const {
  const Vector3 L_B = R_WB.conjugate() * L_W;
  return 0.5 * L_B.dot(inverse_inertia_.cwiseProduct(L_B));
}

bool RotationFlow::is_one_dimensional() const {
  return inertia_.minCoeff() == 0.0;
}

}  // namespace limber::dynamics
