// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// Rows on velocities that need not be the derivative of any error: the general
/// nonholonomic constraint of [Dumont et al. 1990, 2.2], written by the user as
/// its coefficients,
///
///     sum_b a_b(q, t) . V_b + b(q, t) = 0 ,   V_b = (v_WC, w_WB) of body b
///
/// for example a blade that does not move sideways, rolling, a prescribed
/// speed. C stays 0: what is once lost is not made good. The acceleration bias
/// a' V + b' is found by central differences along the motion, good to about
/// 1e-8 of its size.
class VelocityConstraint : public Link {
 public:
  /// Writes the coefficients of row `row`: `entries` has one entry per body of
  /// the constraint in the order given, with `body` set and the rest at zero,
  /// and `b` is 0 [m/s or rad/s]. May read the time and the poses of these
  /// bodies and the ground, not velocities nor other bodies; must not allocate.
  using Coefficients =
      std::function<void(BodyMotions, double time, int row,
                         std::span<RowBuffer::Entry> entries, double& b)>;

  /// @param angular  whether the rows are in rad/s rather than m/s.
  /// @throws std::invalid_argument if num_rows < 1, `coefficients` is empty, or
  ///         a body is named twice or is the ground.
  VelocityConstraint(const std::vector<BodyId>& bodies, int num_rows,
                     Coefficients coefficients, bool angular = false);

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  void Fill(BodyMotions bodies, double time, int row, double& b) const;
  double SpeedAfter(BodyMotions bodies, double time, int row, double dt) const;

  int num_rows_;
  Coefficients coefficients_;
  bool angular_;
  // Work space, so that AddRows need not allocate.
  mutable std::vector<BodyMotion> moved_;
  mutable std::vector<RowBuffer::Entry> entries_;
};

}  // namespace limber::dynamics
