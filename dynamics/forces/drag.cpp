// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/drag.h"

#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

Drag::Drag(const BodyPoint& point, const DragSettings& settings)
    : point_(point), settings_(settings) {
  RequireTwoBodies(point.body, kGround, "Drag: the body and the ground");
  RequireNotNegative(settings.linear, "Drag: linear");
  RequireNotNegative(settings.quadratic, "Drag: quadratic");
  RequireNotNegative(settings.angular, "Drag: angular");
}

void Drag::AddForces(BodyMotions bodies, double /*time*/, double /*h*/,
                     ForceBuffer& forces) {
  const Vector3 v = MotionOfPoint(bodies, point_).rate - settings_.wind;
  forces.AddForce(point_.body, point_.p_BA,
                  -(settings_.linear + settings_.quadratic * v.norm()) * v);
  if (settings_.angular > 0.0) {
    forces.AddTorque(point_.body,
                     -settings_.angular * MotionOf(bodies, point_.body).w_WB);
  }
}

}  // namespace limber::dynamics
