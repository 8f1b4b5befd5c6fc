// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/drag.h"

#include <algorithm>
#include <cmath>

#include "dynamics/forces/internal/followed.h"
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

// c |v| v is taken as c |v-| v+ where the step follows it: that is exact for
// drag alone, and of second order. Where it does not, v+ goes as 1/|v-|, and
// the speeds would alternate about the one at which drag and load are equal;
// there |v-| is replaced by its geometric mean with the speed s taken last:
// from s v+ = load / c that is sqrt(load / c), where it settles at once.
void Drag::BeginStep(BodyMotions bodies, const Mobility& mobility, double h) {
  const PointMotion point = MotionOfPoint(bodies, point_);
  const double speed = (point.rate - settings_.wind).norm();
  const double settled =
      settled_speed_ > 0.0 ? std::sqrt(settled_speed_ * speed) : speed;
  const double quadratic = settings_.quadratic;
  bool followed = true;
  for (int i = 0; i < 3; ++i) {
    const Vector3 axis = Vector3::Unit(i);
    const double W = mobility.AtPoint(point_.body, point.position, axis);
    followed =
        followed &&
        IsFollowed(0.0, settings_.linear + quadratic * std::max(speed, settled),
                   W, h);
    const bool turns_freely = IsFollowed(0.0, settings_.angular,
                                         mobility.About(point_.body, axis), h);
    angular_[static_cast<std::size_t>(i)] =
        turns_freely ? Stabilisation::MeanSpring(0.0, settings_.angular)
                     : Stabilisation::Spring(0.0, settings_.angular);
  }
  settled_speed_ = followed ? speed : settled;
  linear_.fill(
      followed
          ? Stabilisation::MeanSpring(0.0, settings_.linear, quadratic * speed)
          : Stabilisation::Spring(0.0, settings_.linear + quadratic * settled));
}

void Drag::AddRows(BodyMotions bodies, RowBuffer& rows) const {
  const Vector3 p_WA = MotionOf(bodies, point_.body).Point(point_.p_BA);
  RowSettings settings;
  for (int i = 0; i < 3; ++i) {
    settings.stabilisation = linear_[static_cast<std::size_t>(i)];
    rows.Add(0.0, -settings_.wind[i], 0.0, settings);
    rows.TouchPoint(bodies, point_.body, p_WA, Vector3::Unit(i));
  }
  if (settings_.angular == 0.0) return;
  settings.angular = true;
  for (int i = 0; i < 3; ++i) {
    settings.stabilisation = angular_[static_cast<std::size_t>(i)];
    rows.Add(0.0, 0.0, 0.0, settings);
    rows.Touch(point_.body, Vector3::Zero(), Vector3::Unit(i));
  }
}

void Drag::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(settled_speed_);
}

std::span<const double> Drag::RestoreMemory(std::span<const double> memory) {
  settled_speed_ = memory[0];
  return memory.subspan(1);
}

}  // namespace limber::dynamics
