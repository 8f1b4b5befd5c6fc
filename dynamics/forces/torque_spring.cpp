// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/torque_spring.h"

#include "dynamics/forces/internal/followed.h"
#include "dynamics/internal/arguments.h"
#include "dynamics/internal/pair_force.h"

namespace limber::dynamics {

TorqueSpring::TorqueSpring(const TurnAngle& angle,
                           const TorqueSpringSettings& settings)
    : angle_(angle), bodies_{angle.carrier(), angle.body()} {
  set_settings(settings);
}

void TorqueSpring::set_settings(const TorqueSpringSettings& settings) {
  RequireNotNegative(settings.stiffness, "TorqueSpring: stiffness");
  RequireFinite(settings.stiffness, "TorqueSpring: stiffness");
  RequireNotNegative(settings.damping, "TorqueSpring: damping");
  RequireFinite(settings.damping, "TorqueSpring: damping");
  RequireFinite(settings.rest_angle, "TorqueSpring: rest_angle");
  settings_ = settings;
}

void TorqueSpring::AddForces(BodyMotions bodies, double /*time*/, double h,
                             ForceBuffer& forces) {
  angle_.Follow(bodies);
  const TurnAngle::Form form = angle_.Evaluate(bodies);
  double angle = form.angle;
  if (settings_.predict_half_step) angle += 0.5 * h * form.rate;
  torque_ = -settings_.stiffness * (angle - settings_.rest_angle) -
            settings_.damping * form.rate;
  AddPairTorque(angle_.carrier(), angle_.body(), torque_ * form.gradient,
                forces);
}

void TorqueSpring::BeginStep(BodyMotions bodies, const Mobility& mobility,
                             double h) {
  angle_.Follow(bodies);
  const Vector3 axis = angle_.Evaluate(bodies).gradient;
  followed_ = IsFollowed(settings_.stiffness, settings_.damping,
                         mobility.About(angle_.carrier(), axis) +
                             mobility.About(angle_.body(), axis),
                         h);
}

void TorqueSpring::AddRows(BodyMotions bodies, RowBuffer& rows) const {
  const TurnAngle::Form form = angle_.Evaluate(bodies);
  RowSettings settings;
  settings.angular = true;
  settings.stabilisation =
      followed_
          ? Stabilisation::MeanSpring(settings_.stiffness, settings_.damping)
          : Stabilisation::EndSpring(settings_.stiffness, settings_.damping);
  rows.Add(form.angle - settings_.rest_angle, 0.0, form.drift, settings).start =
      angle_.last() - settings_.rest_angle;
  const Vector3 none = Vector3::Zero();
  if (angle_.carrier() != kGround) {
    rows.Touch(angle_.carrier(), none, -form.gradient);
  }
  if (angle_.body() != kGround) rows.Touch(angle_.body(), none, form.gradient);
}

void TorqueSpring::TakeForces(std::span<const double> row_forces) {
  torque_ = row_forces[0];
}

void TorqueSpring::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(angle_.last());
  memory.push_back(torque_);
}

std::span<const double> TorqueSpring::RestoreMemory(
    std::span<const double> memory) {
  angle_.set_last(memory[0]);
  torque_ = memory[1];
  return memory.subspan(2);
}

}  // namespace limber::dynamics
