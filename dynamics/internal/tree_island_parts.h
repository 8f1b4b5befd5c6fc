// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include "core/index.h"
#include "dynamics/internal/body_refresh.h"
#include "dynamics/internal/small_algebra.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/powered_axis.h"

// Small parts that the sources of TreeIsland share.

namespace limber::dynamics::internal::tree_parts {

// Softer body rows are added to their body's block. The inverse of a block of
// three turns errs by 1e-16 (W/s)^2, W the mobility of the limb, and what that
// leaves one refinement squares: harder rows must be solved beside the trees.
inline constexpr double kSoftEnough = 1e-5;

// Joints beside contacts that turn less than this in a step are not measured a
// second time: that errs by its square [rad or m].
inline constexpr double kSlowTurn = 0.01;

inline Vec Rotated(const Matrix3& R, const Vec& p) {
  const double* m = R.data();
  return {m[0] * p.x + m[3] * p.y + m[6] * p.z,
          m[1] * p.x + m[4] * p.y + m[7] * p.z,
          m[2] * p.x + m[5] * p.y + m[8] * p.z};
}

inline void CopyNumbers(const Matrix3& from, Mat& to) {
  const double* m = from.data();
  to.m[0] = m[0];
  to.m[1] = m[3];
  to.m[2] = m[6];
  to.m[3] = m[1];
  to.m[4] = m[4];
  to.m[5] = m[7];
  to.m[6] = m[2];
  to.m[7] = m[5];
  to.m[8] = m[8];
}

// exp(a) q, unit. The series are exact to rounding below 0.1 rad.
inline Quat Turned(const Vec& a, const Quat& q) {
  const double t = 0.25 * Dot(a, a);
  Quat turn;
  if (t < 0.0025) {
    const double s =
        0.5 - t * (1.0 / 12.0 - t * (1.0 / 240.0 - t * (1.0 / 10080.0 -
                                                        t * (1.0 / 725760.0))));
    const double c =
        1.0 - t * (1.0 / 2.0 -
                   t * (1.0 / 24.0 - t * (1.0 / 720.0 - t * (1.0 / 40320.0))));
    turn = {c, s * a.x, s * a.y, s * a.z};
  } else {
    turn = ToQuat(ExpRotation(ToEigen(a)));
  }
  const Quat o = turn * q;
  // 1/sqrt(1 + d) = 1 - d/2 + 3/8 d^2 ...
  const double d = o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z - 1.0;
  const double n =
      std::abs(d) < 1e-8 ? 1.0 - 0.5 * d : 1.0 / std::sqrt(1.0 + d);
  return {n * o.w, n * o.x, n * o.y, n * o.z};
}

/// The same for four; bits do not depend on the neighbours.
inline QuatLanes Turned(const VecLanes& a, const QuatLanes& q) {
  const Lane t = 0.25 * Dot(a, a);
  const Lane s =
      0.5 - t * (1.0 / 12.0 - t * (1.0 / 240.0 -
                                   t * (1.0 / 10080.0 - t * (1.0 / 725760.0))));
  const Lane c =
      1.0 - t * (1.0 / 2.0 -
                 t * (1.0 / 24.0 - t * (1.0 / 720.0 - t * (1.0 / 40320.0))));
  const QuatLanes o = QuatLanes{c, s * a.x, s * a.y, s * a.z} * q;
  const Lane n = 1.5 - 0.5 * (o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z);
  QuatLanes turned = {n * o.w, n * o.x, n * o.y, n * o.z};
  const LaneMask near = t < AllLanes(0.0025);
  if (!Any(~near)) return turned;
  for (std::size_t k = 0; k < kLanes; ++k) {
    if (near[k] != 0) continue;
    SetOne(turned, k, Turned(OneOf(a, k), {q.w[k], q.x[k], q.y[k], q.z[k]}));
  }
  return turned;
}

inline Vec PointVelocity(const BodyMotion& body, const Vec& point) {
  return ToVec(body.v_WC) + Cross(ToVec(body.w_WB), point - ToVec(body.p_WC));
}

// The rotation vector of the unit quaternion q. Larger turns are halved,
//     q^1/2 = (1 + w, v) / sqrt(2 + 2 w) ,
// until the series of the arc sine is exact to rounding.
inline Vec Logarithm(const Quat& q) {
  constexpr double kSeries = 0.01;
  constexpr double kMost = 0.15;
  double s2 = q.x * q.x + q.y * q.y + q.z * q.z;
  if (s2 > kMost) return ToVec(LogRotation(ToEigen(q)));
  double scale = q.w < 0.0 ? -2.0 : 2.0;
  double w = std::abs(q.w);
  while (s2 > kSeries) {
    const double root = std::sqrt(0.5 + 0.5 * w);
    const double half = 0.5 / root;
    s2 *= half * half;
    scale *= 2.0 * half;
    w = root;
  }
  const double f =
      1.0 + s2 * (1.0 / 6.0 +
                  s2 * (3.0 / 40.0 +
                        s2 * (5.0 / 112.0 +
                              s2 * (35.0 / 1152.0 +
                                    s2 * (63.0 / 2816.0 +
                                          s2 * (231.0 / 13312.0 +
                                                s2 * (143.0 / 10240.0)))))));
  const double g = scale * f;
  return {g * q.x, g * q.y, g * q.z};
}

// The rows of a joint, locked ones first: its inverse has their directions as
// columns.
inline Matrix6 RowsOfForm(const JointForm& form) {
  Matrix6 rows;
  for (int k = 0; k < form.num_locked; ++k) {
    const JointForm::Locked& locked = form.locked[Index(k)];
    rows.row(k) << locked.linear.transpose(), locked.angular.transpose();
  }
  for (int k = 0; k < form.num_free; ++k) {
    const JointForm::Free& free = form.free[Index(k)];
    rows.row(form.num_locked + k) << free.row_linear.transpose(),
        free.row_angular.transpose();
  }
  return rows;
}

// A limit of an angle that is no part of a joint, hard or nearly so.
inline bool IsAngleLimit(const RowBuffer::Row& row) {
  const RowSettings& settings = row.settings;
  return settings.angular && IsOneSided(settings) &&
         settings.stabilisation.policy == Stabilisation::Policy::kDefault &&
         row.normal_row < 0;
}

inline int ToInt(LcpRowState state) {
  return state == LcpRowState::kAtLo ? -1 : state == LcpRowState::kAtHi ? 1 : 0;
}
inline LcpRowState ToState(int state) {
  return state < 0   ? LcpRowState::kAtLo
         : state > 0 ? LcpRowState::kAtHi
                     : LcpRowState::kInterior;
}

// The rows that act on one free direction, in the order of Joint::AddRows.
struct FreeRows {
  bool drive = false;
  bool lower = false;
  bool upper = false;
  int count() const { return drive + lower + upper; }
};
inline FreeRows RowsOf(const PoweredAxis& axis, bool has_position) {
  return {axis.drive != PoweredAxis::Drive::kNone,
          has_position && axis.lower > -kInfinity,
          has_position && axis.upper < kInfinity};
}

}  // namespace limber::dynamics::internal::tree_parts
