// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// Point A of one body stays on a line fixed in another (`line.body`, through
/// `line.p_BA`). With x = p_BA seen from that body and u, v normal to the line,
/// two rows:
///
///     C = (u . (x - origin), v . (x - origin))
class PointOnLine : public Link {
 public:
  /// @param direction_B  of the line, in the frame of line.body.
  /// @throws std::invalid_argument if it is zero or both are on one body.
  PointOnLine(const BodyPoint& point, const BodyPoint& line,
              const Vector3& direction_B);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyPoint point_;
  BodyPoint line_;
  Vector3 u_;
  Vector3 v_;
};

/// Point A of one body stays on a plane fixed in another; one row
///
///     C = n . (x - origin),   force f along n on A
///
/// One-sided with settings().lo = 0: A may then leave to the side of n.
class PointOnPlane : public Link {
 public:
  /// @throws std::invalid_argument as PointOnLine.
  PointOnPlane(const BodyPoint& point, const BodyPoint& plane,
               const Vector3& normal_B);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyPoint point_;
  BodyPoint plane_;
  Vector3 normal_;
};

}  // namespace limber::dynamics
