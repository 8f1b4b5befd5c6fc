// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/row.h"

#include <cassert>

namespace limber::dynamics {

void RowBuffer::Clear() {
  rows_.clear();
  entries_.clear();
}

RowBuffer::Row& RowBuffer::Add(double error, double rate_bias,
                               double acceleration_bias,
                               const RowSettings& settings) {
  Row& row = rows_.emplace_back();
  row.first_entry = static_cast<int>(entries_.size());
  row.error = error;
  row.rate_bias = rate_bias;
  row.acceleration_bias = acceleration_bias;
  row.settings = settings;
  return row;
}

void RowBuffer::Touch(BodyId body, const Vector3& linear,
                      const Vector3& angular, const Vector3& arm) {
  assert(!rows_.empty());
  entries_.push_back({body.value, linear, angular, arm});
  ++rows_.back().num_entries;
}

void RowBuffer::TouchPoint(BodyMotions bodies, BodyId body, const Vector3& p_WA,
                           const Vector3& direction) {
  // d . (v + w x r) = d . v + (r x d) . w
  const Vector3 r = p_WA - MotionOf(bodies, body).p_WC;
  Touch(body, direction, r.cross(direction), r);
}

double RowBuffer::Speed(int i, BodyMotions bodies) const {
  double speed = 0.0;
  for (const Entry& entry : entries(i)) {
    const BodyMotion& motion = bodies[static_cast<std::size_t>(entry.body)];
    speed += entry.linear.dot(motion.v_WC) + entry.angular.dot(motion.w_WB);
  }
  return speed;
}

}  // namespace limber::dynamics
