// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// A massless rod between point A of one body and point B of another:
///
///     d = p_WB - p_WA,  n = d / |d|
///     C   = |d| - length
///     C'  = n . d'
///     C'' = n . d'' + (|d'|^2 - C'^2) / |d|
///
/// One row; its force pushes the points apart where positive. Length 0 is
/// allowed and asks for coincidence by one number instead of three, without
/// prescribing the way there [Barzel & Barr 1988, sec. 4.4 note 3]; since |d|
/// has a kink at 0, such a rod holds to about h times the speed, not better:
/// for a ball joint take PointToPoint.
class DistanceRod : public Link {
 public:
  /// @throws std::invalid_argument if both points are on one body or `length`
  ///         is negative or not finite.
  DistanceRod(const BodyPoint& a, const BodyPoint& b, double length);

  double length() const { return length_; }
  void set_length(double length);

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyPoint a_;
  BodyPoint b_;
  double length_;
};

/// Two spheres, centres at A and B, that touch from outside and may slide:
/// C = |d| - (radius_a + radius_b). Two-sided: it also pulls.
class SphereOnSphere : public DistanceRod {
 public:
  SphereOnSphere(const BodyPoint& a, double radius_a, const BodyPoint& b,
                 double radius_b);
};

}  // namespace limber::dynamics
