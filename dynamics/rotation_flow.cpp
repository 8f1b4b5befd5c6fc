// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <cmath>

#include "dynamics/internal/check.h"
#include "dynamics/internal/small_algebra.h"

namespace limber::dynamics {
namespace {

// Component i of q^-1 L: column i of the rotation matrix times L.
double BodyComponent(const internal::Quat& q, const Vector3& L, int i) {
  const double w = q.w, x = q.x, y = q.y, z = q.z;
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

// sin(x)/x and cos(x) for t = x^2.
struct SineCosine {
  double sine_over_x;
  double cosine;
};
SineCosine SineCosineOfSquare(double t) {
  // Series while the next term is below round-off: steps turn bodies little.
  if (t < 0.0625) {
    return {1.0 + t * (-1.0 / 6.0 +
                       t * (1.0 / 120.0 + t * (-1.0 / 5040.0 +
                                               t * (1.0 / 362880.0 -
                                                    t * (1.0 / 39916800.0))))),
            1.0 + t * (-0.5 + t * (1.0 / 24.0 +
                                   t * (-1.0 / 720.0 +
                                        t * (1.0 / 40320.0 +
                                             t * (-1.0 / 3628800.0 +
                                                  t * (1.0 / 479001600.0))))))};
  }
  const double x = std::sqrt(t);
  return {std::sin(x) / x, std::cos(x)};
}

// q exp(angle e_i).
internal::Quat TurnAboutBodyAxis(const internal::Quat& q, int i, double angle) {
  const double half = 0.5 * angle;
  const SineCosine f = SineCosineOfSquare(half * half);
  const double s = half * f.sine_over_x;
  const double c = f.cosine;
  switch (i) {
    case 0:
      return {q.w * c - q.x * s, q.x * c + q.w * s, q.y * c + q.z * s,
              q.z * c - q.y * s};
    case 1:
      return {q.w * c - q.y * s, q.x * c - q.z * s, q.y * c + q.w * s,
              q.z * c + q.x * s};
    default:
      return {q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s,
              q.z * c + q.w * s};
  }
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
  internal::Quat q = internal::ToQuat(R_WB);
  // K(h/2)
  const double kick = 0.5 * h * rate_b_;
  if (kick != 0.0) {
    q = TurnAboutBodyAxis(q, b_, kick * BodyComponent(q, L_W, b_));
  }
  // T(h)
  if (rate_a_ != 0.0) {
    q = TurnAboutBodyAxis(q, a_, h * rate_a_ * BodyComponent(q, L_W, a_));
  }
  const Vector3 half = (0.5 * h * inverse_c_) * L_W;
  const SineCosine f = SineCosineOfSquare(half.squaredNorm());
  q = internal::Quat{f.cosine, f.sine_over_x * half.x(),
                     f.sine_over_x * half.y(), f.sine_over_x * half.z()} *
      q;
  // K(h/2)
  if (kick != 0.0) {
    q = TurnAboutBodyAxis(q, b_, kick * BodyComponent(q, L_W, b_));
  }
  const double scale =
      1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Quaternion(scale * q.w, scale * q.x, scale * q.y, scale * q.z);
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
