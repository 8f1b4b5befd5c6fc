// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {

namespace {

// Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations. In the
// axes of a limb under tension K is nearly diagonal: one sweep mostly does.
struct SymmetricAxes {
  Vector3 values;
  Matrix3 vectors = Matrix3::Identity();

  explicit SymmetricAxes(const Matrix3& symmetric) : a_(symmetric) {
    constexpr int kMostSweeps = 12;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const bool turned_z = Turn<0, 1, 2>();
      const bool turned_y = Turn<0, 2, 1>();
      const bool turned_x = Turn<1, 2, 0>();
      if (!turned_x && !turned_y && !turned_z) break;
    }
    values = a_.diagonal();
  }

 private:
  // Makes a(p, q) zero; false if it is.
  template <int p, int q, int r>
  bool Turn() {
    constexpr double kRounding = 1e-16;
    const double size =
        std::abs(a_(0, 0)) + std::abs(a_(1, 1)) + std::abs(a_(2, 2));
    const double off = a_(p, q);
    if (!(std::abs(off) > kRounding * size)) return false;
    // t = tan of the angle, the smaller of two.
    const double half = 0.5 * (a_(q, q) - a_(p, p));
    const double root = std::sqrt(half * half + off * off);
    const double t = off / (half + (half < 0.0 ? -root : root));
    const double c = 1.0 / std::sqrt(1.0 + t * t);
    const double s = t * c;
    a_(p, p) -= t * off;
    a_(q, q) += t * off;
    a_(p, q) = a_(q, p) = 0.0;
    const double rp = a_(r, p), rq = a_(r, q);
    a_(r, p) = a_(p, r) = c * rp - s * rq;
    a_(r, q) = a_(q, r) = s * rp + c * rq;
    for (int i = 0; i < 3; ++i) {
      const double vp = vectors(i, p), vq = vectors(i, q);
      vectors(i, p) = c * vp - s * vq;
      vectors(i, q) = s * vp + c * vq;
    }
    return true;
  }

  Matrix3 a_;
};

}  // namespace

bool TensionInertia(const Vector3& inertia, const Matrix3& R_WC,
                    const Matrix3& stiffness, double h, Matrix3& I_eff) {
  const Vector3 inverse_root = inertia.cwiseSqrt().cwiseInverse();
  const Matrix3 K_C = R_WC.transpose() * stiffness * R_WC;
  // pos(K) <= K + n 1, where -n is below every eigenvalue of K (Gershgorin);
  // if I - h^2 beta (K + n 1) is positive definite, I_eff = I.
  const double xy = std::abs(K_C(0, 1)), xz = std::abs(K_C(0, 2)),
               yz = std::abs(K_C(1, 2));
  const double n = std::max(
      {0.0, xy + xz - K_C(0, 0), xy + yz - K_C(1, 1), xz + yz - K_C(2, 2)});
  const double g = h * h * kBeta;
  const double b00 = inertia.x() - g * (K_C(0, 0) + n);
  const double b11 = inertia.y() - g * (K_C(1, 1) + n);
  const double b22 = inertia.z() - g * (K_C(2, 2) + n);
  // Of an array with dominant diagonal every eigenvalue is positive.
  if (b00 > g * (xy + xz) && b11 > g * (xy + yz) && b22 > g * (xz + yz)) {
    return false;
  }
  const SymmetricAxes positive(K_C);
  Matrix3 Kg = K_C;
  if (positive.values.minCoeff() < 0.0) {
    Kg = positive.vectors * positive.values.cwiseMax(0.0).asDiagonal() *
         positive.vectors.transpose();
  }
  const SymmetricAxes scaled(inverse_root.asDiagonal() * Kg *
                             inverse_root.asDiagonal());
  const Vector3 factor = h * h * kBeta * scaled.values;
  if (factor.maxCoeff() <= 1.0) return false;
  const Matrix3 to_world =
      R_WC * inertia.cwiseSqrt().asDiagonal() * scaled.vectors;
  I_eff = to_world * factor.cwiseMax(1.0).asDiagonal() * to_world.transpose();
  return true;
}

}  // namespace limber::dynamics::internal
