// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/math.h"

#include <algorithm>
#include <cmath>

namespace limber {

Matrix3 Skew(const Vector3& a) {
  Matrix3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

Quaternion ExpRotation(const Vector3& w) {
  const Vector3 half = 0.5 * w;
  const double t = half.squaredNorm();
  // sin(x)/x and cos(x) by series while the next term is below round-off.
  if (t < 1e-3) {
    const double s =
        1.0 + t * (-1.0 / 6.0 + t * (1.0 / 120.0 + t * (-1.0 / 5040.0)));
    const double c =
        1.0 + t * (-0.5 +
                   t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t * (1.0 / 40320.0))));
    return {c, half.x() * s, half.y() * s, half.z() * s};
  }
  const double angle = std::sqrt(t);
  const double s = std::sin(angle) / angle;
  return {std::cos(angle), half.x() * s, half.y() * s, half.z() * s};
}

Vector3 LogRotation(const Quaternion& q) {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vector3 v = sign * q.vec();
  const double s = v.norm();
  const double c = sign * q.w();
  // 2 atan2(s, c)/s; the series is atan(x)/x with x = s/c.
  if (s < 1e-4) return v * (2.0 / c) * (1.0 - s * s / (3.0 * c * c));
  return v * (2.0 * std::atan2(s, c) / s);
}

double AngleBetween(const Quaternion& a, const Quaternion& b) {
  const Quaternion d = a.conjugate() * b;
  return 2.0 * std::atan2(d.vec().norm(), std::abs(d.w()));
}

Vector3 AnyPerpendicular(const Vector3& a) {
  // The axis along which `a` is shortest gives the best-conditioned product.
  int axis = 0;
  a.cwiseAbs().minCoeff(&axis);
  return a.cross(Vector3::Unit(axis)).normalized();
}

}  // namespace limber
