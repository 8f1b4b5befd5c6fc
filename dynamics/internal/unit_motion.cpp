// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {

UnitMotion MotionOfUnit(const PointMotion& a, const PointMotion& b) {
  // d = L n:  n' = (d' - L' n) / L,  L'' = n . d'' + L |n'|^2,
  //           n'' = (d'' - L'' n - 2 L' n') / L
  UnitMotion unit;
  const Vector3 d = b.position - a.position;
  const Vector3 d_rate = b.rate - a.rate;
  const Vector3 d_drift = b.drift - a.drift;
  unit.length = d.norm();
  if (unit.length < kShortestDirection) {
    unit.n = Vector3::UnitX();
    unit.length_rate = d_rate.x();
    unit.length_drift = d_drift.x();
    return unit;
  }
  unit.n = d / unit.length;
  unit.length_rate = unit.n.dot(d_rate);
  unit.rate = (d_rate - unit.length_rate * unit.n) / unit.length;
  unit.length_drift =
      unit.n.dot(d_drift) + unit.length * unit.rate.squaredNorm();
  unit.drift = (d_drift - unit.length_drift * unit.n -
                2.0 * unit.length_rate * unit.rate) /
               unit.length;
  return unit;
}

}  // namespace limber::dynamics
