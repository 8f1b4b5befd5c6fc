// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/body_point.h"
#include "dynamics/joints/turn_counter.h"

namespace limber::dynamics {

/// The angle by which a body B has turned about an axis n of a carrier A, past
/// full turns: 3 turns read 6 pi. With x at right angles to n and y = n x x,
/// all fixed in A, and a direction m of B (at rest across the axis):
///
///     angle = atan2(m . y, m . x) + 2 pi turns
///
/// B may tilt against the axis; its part of m in the plane then counts. The
/// whole turns come from memory: `Follow` once per step of less than half a
/// turn.
class TurnAngle {
 public:
  /// Angle 0 when the directions `zero_A` and `zero_B` point the same way
  /// across the axis. @throws std::invalid_argument if the axis is zero, a zero
  /// direction lies along the axis, or the bodies are equal.
  TurnAngle(BodyId carrier, const Vector3& axis_A, const Vector3& zero_A,
            BodyId body, const Vector3& zero_B);
  /// Angle 0 as the bodies stand now.
  static TurnAngle FromNow(BodyMotions bodies, BodyId carrier,
                           const Vector3& axis_A, BodyId body);

  BodyId carrier() const { return carrier_; }
  BodyId body() const { return body_; }

  struct Form {
    double angle = 0.0;  ///< [rad]
    double rate = 0.0;   ///< gradient . (w_WB - w_WA)
    double drift = 0.0;  ///< Second derivative at unaccelerated bodies.
    Vector3 gradient = Vector3::Zero();  ///< The axis, in world axes.
  };
  Form Evaluate(BodyMotions bodies) const;
  void Follow(BodyMotions bodies) { turns_.Remember(Evaluate(bodies).angle); }
  /// The angle `Follow` saw last: all the memory there is.
  double last() const { return turns_.last(); }
  void set_last(double angle) { turns_.set_last(angle); }

 private:
  BodyId carrier_;
  BodyId body_;
  Vector3 x_A_;
  Vector3 y_A_;
  Vector3 m_B_;
  TurnCounter turns_;
};

}  // namespace limber::dynamics
