// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/point_on_line.h"

#include "dynamics/constraints/internal/seen_row.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

PointOnLine::PointOnLine(const BodyPoint& point, const BodyPoint& line,
                         const Vector3& direction_B)
    : Link("PointOnLine", {line.body, point.body}), point_(point), line_(line) {
  RequireTwoBodies(point.body, line.body, "PointOnLine");
  const Vector3 t = UnitOrThrow(direction_B, "PointOnLine: direction_B");
  u_ = AnyPerpendicular(t);
  v_ = t.cross(u_);
}

void PointOnLine::AddRows(BodyMotions bodies, double /*time*/,
                          RowBuffer& rows) const {
  const SeenPoint seen = SeeFrom(bodies, line_.body, point_);
  for (const Vector3* normal : {&u_, &v_}) {
    AddSeenRow(bodies, line_.body, point_.body, seen,
               normal->dot(seen.x - line_.p_BA), *normal, 0.0, LengthSettings(),
               rows);
  }
}

PointOnPlane::PointOnPlane(const BodyPoint& point, const BodyPoint& plane,
                           const Vector3& normal_B)
    : Link("PointOnPlane", {plane.body, point.body}),
      point_(point),
      plane_(plane),
      normal_(UnitOrThrow(normal_B, "PointOnPlane: normal_B")) {
  RequireTwoBodies(point.body, plane.body, "PointOnPlane");
}

void PointOnPlane::AddRows(BodyMotions bodies, double /*time*/,
                           RowBuffer& rows) const {
  const SeenPoint seen = SeeFrom(bodies, plane_.body, point_);
  AddSeenRow(bodies, plane_.body, point_.body, seen,
             normal_.dot(seen.x - plane_.p_BA), normal_, 0.0, LengthSettings(),
             rows);
}

}  // namespace limber::dynamics
