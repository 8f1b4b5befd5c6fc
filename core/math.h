// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace limber {

/// Eigen types used across the project. All maths is in `double`, SI units,
/// radians, right-handed axes, +Y up.
using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Vector4 = Eigen::Vector4d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using VectorX = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix4 = Eigen::Matrix4d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using MatrixX = Eigen::MatrixXd;
/// Always built and written by named part (w, x, y, z). q and -q are the same
/// rotation: compare with `AngleBetween`.
using Quaternion = Eigen::Quaterniond;

inline constexpr double kPi = 3.14159265358979323846;
/// Standard gravity as the source documents use it [m/s^2].
inline constexpr double kGravity = 9.81;

/// A rigid motion. `X_AB` carries coordinates in frame B to frame A:
///
///     p_A = R_AB p_B + p_AB
///
/// so products check by eye: X_AC = X_AB * X_BC.
struct Transform {
  Quaternion R = Quaternion::Identity();  ///< R_AB, unit.
  Vector3 p = Vector3::Zero();            ///< p_AB, origin of B in A [m].

  static Transform Identity() { return {}; }
  Transform operator*(const Transform& other) const {
    return {R * other.R, R * other.p + p};
  }
  Vector3 operator*(const Vector3& point) const { return R * point + p; }
  Transform Inverse() const {
    const Quaternion R_BA = R.conjugate();
    return {R_BA, -(R_BA * p)};
  }
};

/// The matrix [a] with [a] b = a x b.
Matrix3 Skew(const Vector3& a);

/// Rotation by |w| radians about w; exact for every length of w.
Quaternion ExpRotation(const Vector3& w);

/// The rotation vector w, |w| <= pi, with ExpRotation(w) = q (or -q). Accurate
/// near 0 and near pi.
Vector3 LogRotation(const Quaternion& q);

/// Angle of the rotation from `a` to `b` [rad], in [0, pi].
double AngleBetween(const Quaternion& a, const Quaternion& b);

/// A unit vector at right angles to the unit vector `a`, the same one for the
/// same `a`.
Vector3 AnyPerpendicular(const Vector3& a);

}  // namespace limber
