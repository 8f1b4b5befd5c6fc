// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

struct SineCosine {
  double s;
  double c;
};

SineCosine SinCos(double x) {
  const double t = x * x;
  if (t < 1e-3) {
    // Series while the next term is below round-off.
    return {
        x * (1.0 + t * (-1.0 / 6.0 + t * (1.0 / 120.0 - t / 5040.0))),
        1.0 + t * (-0.5 + t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t / 40320.0)))};
  }
  return {std::sin(x), std::cos(x)};
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
  if (rate_b_ == 0.0) return AdvanceOnce(R_WB, L_W, h);
  constexpr double kLargestTurn = 0.5;  // [rad]
  constexpr double kMostParts = 1024.0;
  const double turn =
      std::abs(h) * L_W.norm() * std::max(std::abs(rate_a_), std::abs(rate_b_));
  if (!(turn > kLargestTurn)) return AdvanceOnce(R_WB, L_W, h);
  const int parts =
      static_cast<int>(std::min(std::ceil(turn / kLargestTurn), kMostParts));
  Quaternion turned = R_WB;
  for (int i = 0; i < parts; ++i) {
    turned = AdvanceOnce(turned, L_W, h / parts);
  }
  return turned;
}

Quaternion RotationFlow::AdvanceOnce(const Quaternion& R_WB, const Vector3& L_W,
                                     double h) const {
  const Quaternion W = ExpRotation(h * inverse_c_ * L_W);
  if (rate_a_ == 0.0 && rate_b_ == 0.0) return (W * R_WB).normalized();
  const int c_axis = 3 - a_ - b_;
  const Vector3 L_B = R_WB.conjugate() * L_W;
  // D = the turns in body axes, one after the other on the right.
  Quaternion D;
  if (rate_b_ == 0.0) {
    // A symmetric top: the two halves of A join.
    const SineCosine a = SinCos(0.5 * h * rate_a_ * L_B[a_]);
    D.w() = a.c;
    D.vec()[a_] = a.s;
    D.vec()[b_] = D.vec()[c_axis] = 0.0;
  } else {
    // As R turns by +angle, L_B turns by -angle about the same axis. a, b, c
    // are right-handed; x1, x2, x3 hold the sines of the half angles.
    const double half = 0.25 * h * rate_a_;
    const SineCosine x1 = SinCos(half * L_B[a_]);
    const double sin_1 = 2.0 * x1.s * x1.c;
    const double cos_1 = 1.0 - 2.0 * x1.s * x1.s;
    const double L_b = cos_1 * L_B[b_] + sin_1 * L_B[c_axis];
    const double L_c = cos_1 * L_B[c_axis] - sin_1 * L_B[b_];
    const SineCosine x2 = SinCos(0.5 * h * rate_b_ * L_b);
    const double sin_2 = 2.0 * x2.s * x2.c;
    const double cos_2 = 1.0 - 2.0 * x2.s * x2.s;
    const double L_a = cos_2 * L_B[a_] - sin_2 * L_c;
    const SineCosine x3 = SinCos(half * L_a);
    // (c1 + s1 a)(c2 + s2 b)(c3 + s3 a)
    D.w() = x2.c * (x1.c * x3.c - x1.s * x3.s);
    D.vec()[a_] = x2.c * (x1.s * x3.c + x1.c * x3.s);
    D.vec()[b_] = x2.s * (x1.c * x3.c + x1.s * x3.s);
    D.vec()[c_axis] = x2.s * (x1.s * x3.c - x1.c * x3.s);
  }
  return (W * R_WB * D).normalized();
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
