// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/row.h"

namespace limber::dynamics {

void RowBuffer::Clear() {
  rows_.clear();
  entries_.clear();
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
