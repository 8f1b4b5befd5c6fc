// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// A massless rope (or, two-sided, a chain of bars that shares one length) that
/// runs through N points of any bodies without friction: pulleys, tackles, or
/// with N = 2 a plain rope.
///
///     L = sum_i |p_{i+1} - p_i|
///     kRope:     C = length - L >= 0, force f >= 0 is the tension; it only
///                pulls and goes slack by itself
///     kMultibar: C = L - length = 0, force -f is the tension
///
/// One row; the tension is the same in every segment, so a point inside the
/// rope feels it from both sides. Points may lie on the same body; two
/// neighbouring points of one body are a fixed length and pull at nothing.
class Rope : public Link {
 public:
  enum class Kind { kRope, kMultibar };

  /// @throws std::invalid_argument for fewer than two points or a length that
  ///         is not positive.
  Rope(std::span<const BodyPoint> points, double length,
       Kind kind = Kind::kRope);
  /// The plain rope from A to B.
  Rope(const BodyPoint& a, const BodyPoint& b, double length);

  std::span<const BodyPoint> points() const { return points_; }
  double length() const { return length_; }
  void set_length(double length);
  /// L for bodies that stand so [m].
  double Stretch(BodyMotions bodies) const;

  /// Whether the rope pulled in the last step.
  bool taut() const { return tension_impulse() > 0.0; }
  /// Of the last step, 0 before the first [N s].
  double tension_impulse() const;

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  std::vector<BodyPoint> points_;
  double length_ = 0.0;
  Kind kind_;
};

}  // namespace limber::dynamics
