// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/torque_spring.h"

#include "dynamics/internal/arguments.h"
#include "dynamics/internal/pair_force.h"

namespace limber::dynamics {

TorqueSpring::TorqueSpring(const TurnAngle& angle,
                           const TorqueSpringSettings& settings)
    : angle_(angle) {
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
