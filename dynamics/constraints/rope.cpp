// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/rope.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "dynamics/internal/arguments.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {

Rope::Rope(std::span<const BodyPoint> points, double length, Kind kind)
    : Link("Rope", points), points_(points.begin(), points.end()), kind_(kind) {
  if (points.size() < 2) {
    throw std::invalid_argument("Rope: needs two points or more, found " +
                                std::to_string(points.size()));
  }
  set_length(length);
}

Rope::Rope(const BodyPoint& a, const BodyPoint& b, double length)
    : Rope(std::array<BodyPoint, 2>{a, b}, length) {}

void Rope::set_length(double length) {
  internal::CheckPositive("Rope: length", length);
  length_ = length;
}

double Rope::Stretch(BodyMotions bodies) const {
  double stretch = 0.0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    stretch +=
        (MotionOf(bodies, points_[i].body).Point(points_[i].p_BA) -
         MotionOf(bodies, points_[i - 1].body).Point(points_[i - 1].p_BA))
            .norm();
  }
  return stretch;
}

double Rope::tension_impulse() const {
  if (impulses().empty()) return 0.0;
  return kind_ == Kind::kRope ? impulses()[0] : -impulses()[0];
}

void Rope::AddRows(BodyMotions bodies, double /*time*/, RowBuffer& rows) const {
  const auto segment = [&](std::size_t i) {
    return MotionOfUnit(MotionOfPoint(bodies, points_[i]),
                        MotionOfPoint(bodies, points_[i + 1]));
  };
  double stretch = 0.0;
  double drift = 0.0;
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const UnitMotion d = segment(i);
    stretch += d.length;
    drift += d.length_drift;
  }
  RowSettings settings = LengthSettings();
  double sign = 1.0;
  if (kind_ == Kind::kRope) {
    settings.lo = std::max(settings.lo, 0.0);
    sign = -1.0;
  }
  rows.Add(sign * (stretch - length_), 0.0, sign * drift, settings);

  // L' = sum_i p_i' . (n_{i-1} - n_i), gathered body by body.
  for (const BodyId body : this->bodies()) {
    Vector3 linear = Vector3::Zero();
    Vector3 angular = Vector3::Zero();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (points_[i].body != body) continue;
      Vector3 pull = Vector3::Zero();
      if (i > 0) pull += segment(i - 1).n;
      if (i + 1 < points_.size()) pull -= segment(i).n;
      const BodyMotion& motion = MotionOf(bodies, body);
      linear += pull;
      angular += (motion.Point(points_[i].p_BA) - motion.p_WC).cross(pull);
    }
    rows.Touch(body, sign * linear, sign * angular);
  }
}

}  // namespace limber::dynamics
