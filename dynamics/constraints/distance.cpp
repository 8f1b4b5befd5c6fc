// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/distance.h"

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/internal/arguments.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {

DistanceRod::DistanceRod(const BodyPoint& a, const BodyPoint& b, double length)
    : Link("DistanceRod", {a.body, b.body}), a_(a), b_(b), length_(0.0) {
  RequireTwoBodies(a.body, b.body, "DistanceRod");
  set_length(length);
}

void DistanceRod::set_length(double length) {
  RequireNotNegative(length, "DistanceRod: length");
  RequireFinite(length, "DistanceRod: length");
  length_ = length;
}

void DistanceRod::AddRows(BodyMotions bodies, double /*time*/,
                          RowBuffer& rows) const {
  const PointMotion a = MotionOfPoint(bodies, a_);
  const PointMotion b = MotionOfPoint(bodies, b_);
  const UnitMotion d = MotionOfUnit(a, b);
  rows.Add(d.length - length_, 0.0, d.length_drift, LengthSettings());
  EntrySum entries(bodies);
  entries.AtPoint(a_.body, a.position, -d.n);
  entries.AtPoint(b_.body, b.position, d.n);
  entries.MoveInto(rows);
}

SphereOnSphere::SphereOnSphere(const BodyPoint& a, double radius_a,
                               const BodyPoint& b, double radius_b)
    : DistanceRod(a, b, radius_a + radius_b) {
  RequireNotNegative(radius_a, "SphereOnSphere: radius_a");
  RequireNotNegative(radius_b, "SphereOnSphere: radius_b");
}

}  // namespace limber::dynamics
