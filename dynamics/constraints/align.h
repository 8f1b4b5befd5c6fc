// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// An axis b of one body points along an axis n of another (of the world, if
/// that is the ground). With u, v at right angles to n, two rows:
///
///     x = b . u,  z = b . n:   C_u = 2 x / (1 + z),   |C| = 2 tan(angle / 2)
///
/// Smooth for every angle but 180 degrees, where the way back is undecided, and
/// with full rank at the goal. The turn about b stays free.
class AlignAxis : public Link {
 public:
  /// @throws std::invalid_argument if an axis is zero or the bodies are equal.
  AlignAxis(BodyId body, const Vector3& axis_B, BodyId reference,
            const Vector3& axis_R);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyId body_;
  BodyId reference_;
  Vector3 b_;
  Vector3 n_;
  Vector3 u_;
  Vector3 v_;
};

/// The same wish as one row, C = b . n - 1 [Barzel & Barr 1988, C.3], for
/// comparison: its gradient vanishes at the goal, so that a torque moves b off
/// before the row can act, and the angle decays at half the rate of C. Use
/// AlignAxis.
class AlignAxisScalar : public Link {
 public:
  /// @throws std::invalid_argument as AlignAxis.
  AlignAxisScalar(BodyId body, const Vector3& axis_B, BodyId reference,
                  const Vector3& axis_R);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyId body_;
  BodyId reference_;
  Vector3 b_;
  Vector3 n_;
};

/// Body B keeps the orientation R_RB relative to a reference body R; three rows
/// in axes of R. With the error turn q = R_RW R_WB R_BR(wanted) = (eta, eps),
/// eta >= 0, and the relative turning speed w = R_RW (w_WB - w_WR):
///
///     C  = 2 eps,   C' = eta w + w x eps,   |C| = 2 sin(angle / 2)
class AlignOrientation : public Link {
 public:
  /// @throws std::invalid_argument if the bodies are equal.
  AlignOrientation(BodyId body, BodyId reference, const Quaternion& R_RB);
  void set_R_RB(const Quaternion& R_RB);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyId body_;
  BodyId reference_;
  Quaternion R_RB_;
};

}  // namespace limber::dynamics
