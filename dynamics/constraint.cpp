// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraint.h"

#include <stdexcept>
#include <string>

namespace limber::dynamics {

bool Constraint::GetPointForm(double /*time*/, PointForm& /*form*/) const {
  return false;
}

void Constraint::AfterStep(BodyMotions /*bodies*/, double /*time*/) {}

void Constraint::SaveMemory(std::vector<double>& /*memory*/) const {}

std::span<const double> Constraint::RestoreMemory(
    std::span<const double> memory) {
  return memory;
}

void Constraint::set_breaking(double max_force, double max_torque) {
  if (!(max_force >= 0.0) || !(max_torque >= 0.0)) {
    throw std::invalid_argument(
        "set_breaking: max_force and max_torque must be zero or positive, "
        "are " +
        std::to_string(max_force) + " and " + std::to_string(max_torque));
  }
  max_force_ = max_force;
  max_torque_ = max_torque;
}

}  // namespace limber::dynamics
