// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/turn_angle.h"

#include <cmath>

#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

TurnAngle::TurnAngle(BodyId carrier, const Vector3& axis_A,
                     const Vector3& zero_A, BodyId body, const Vector3& zero_B)
    : carrier_(carrier), body_(body) {
  RequireTwoBodies(carrier, body, "TurnAngle");
  const Vector3 n = UnitOrThrow(axis_A, "TurnAngle: axis_A");
  const Vector3 zero = UnitOrThrow(zero_A, "TurnAngle: zero_A");
  x_A_ =
      UnitOrThrow(zero - n.dot(zero) * n, "TurnAngle: zero_A across the axis");
  y_A_ = n.cross(x_A_);
  m_B_ = UnitOrThrow(zero_B, "TurnAngle: zero_B");
}

TurnAngle TurnAngle::FromNow(BodyMotions bodies, BodyId carrier,
                             const Vector3& axis_A, BodyId body) {
  const Vector3 zero_A =
      AnyPerpendicular(UnitOrThrow(axis_A, "TurnAngle: axis_A"));
  const Vector3 zero_W = MotionOf(bodies, carrier).R_WB * zero_A;
  return TurnAngle(carrier, axis_A, zero_A, body,
                   MotionOf(bodies, body).R_WB.transpose() * zero_W);
}

TurnAngle::Form TurnAngle::Evaluate(BodyMotions bodies) const {
  const PointMotion m = MotionOfDirection(bodies, body_, m_B_);
  const PointMotion x = MotionOfDirection(bodies, carrier_, x_A_);
  const PointMotion y = MotionOfDirection(bodies, carrier_, y_A_);
  // X = m . x, Y = m . y;  X' = (m x x) . (w_B - w_A)
  const double X = m.position.dot(x.position);
  const double Y = m.position.dot(y.position);
  const double X_rate = m.rate.dot(x.position) + m.position.dot(x.rate);
  const double Y_rate = m.rate.dot(y.position) + m.position.dot(y.rate);
  const double X_drift = m.drift.dot(x.position) + 2.0 * m.rate.dot(x.rate) +
                         m.position.dot(x.drift);
  const double Y_drift = m.drift.dot(y.position) + 2.0 * m.rate.dot(y.rate) +
                         m.position.dot(y.drift);
  // angle' = (X Y' - Y X') / (X^2 + Y^2)
  const double square = X * X + Y * Y;
  Form form;
  form.angle = turns_.Unwrap(std::atan2(Y, X));
  form.gradient =
      (X * m.position.cross(y.position) - Y * m.position.cross(x.position)) /
      square;
  form.rate = (X * Y_rate - Y * X_rate) / square;
  form.drift = (X * Y_drift - Y * X_drift -
                2.0 * form.rate * (X * X_rate + Y * Y_rate)) /
               square;
  return form;
}

}  // namespace limber::dynamics
