// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// A thin disc of radius r that rolls on a plane of the world without slip,
/// upright or leaning. With the centre c, the axle a (unit), the plane's normal
/// n, and the rim's lowest point P:
///
///     z = n . a,  s = sqrt(1 - z^2),  e = -(n - z a) / s,  P = c + r e
///     row 0 (contact):    C  = n . (c - origin) - r s       height of P
///     rows 1, 2 (no slip): C' = t . (v_c + w x r e) = 0      C left at 0
///
/// with t along the track, n x a / s, then across it. Rows 1 and 2 are not the
/// derivative of any C (nonholonomic). When the disc lies too flat, s below
/// `kFlattest`, the constraint switches itself off [Barenbrug 2000, 4.1.13].
class RollingWheel : public Link {
 public:
  static constexpr double kFlattest = 0.1;

  /// @param centre   of the disc, a point of the rolling body.
  /// @param axle_B   axis of the disc in the body's frame.
  /// @throws std::invalid_argument unless radius > 0 and axes are not zero.
  RollingWheel(const BodyPoint& centre, const Vector3& axle_B, double radius,
               const Vector3& plane_origin, const Vector3& plane_normal);

  /// Whether the ground may also hold the wheel down; true by default. Without,
  /// the no-slip rows still hold in the air: for wheels that stay in touch.
  bool two_sided() const { return two_sided_; }
  void set_two_sided(bool two_sided) { two_sided_ = two_sided; }

  /// The rim's lowest point, in the world.
  Vector3 ContactPoint(BodyMotions bodies) const;

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  void AfterStep(BodyMotions bodies, double time) override;

 private:
  BodyPoint centre_;
  Vector3 axle_;
  double radius_;
  Vector3 origin_;
  Vector3 normal_;
  bool two_sided_ = true;
};

}  // namespace limber::dynamics
