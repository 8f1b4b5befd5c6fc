// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/spring_damper.h"

#include "dynamics/internal/arguments.h"
#include "dynamics/internal/pair_force.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {

SpringDamper::SpringDamper(const BodyPoint& a, const BodyPoint& b,
                           const SpringDamperSettings& settings)
    : a_(a), b_(b) {
  RequireTwoBodies(a.body, b.body, "SpringDamper");
  set_settings(settings);
}

void SpringDamper::set_settings(const SpringDamperSettings& settings) {
  RequireNotNegative(settings.stiffness, "SpringDamper: stiffness");
  RequireFinite(settings.stiffness, "SpringDamper: stiffness");
  RequireNotNegative(settings.damping, "SpringDamper: damping");
  RequireFinite(settings.damping, "SpringDamper: damping");
  RequireNotNegative(settings.rest_length, "SpringDamper: rest_length");
  RequireFinite(settings.rest_length, "SpringDamper: rest_length");
  settings_ = settings;
}

void SpringDamper::AddForces(BodyMotions bodies, double /*time*/, double h,
                             ForceBuffer& forces) {
  const UnitMotion d =
      MotionOfUnit(MotionOfPoint(bodies, a_), MotionOfPoint(bodies, b_));
  double x = d.length;
  if (settings_.predict_half_step) x += 0.5 * h * d.length_rate;
  force_ = settings_.stiffness * (x - settings_.rest_length) +
           settings_.damping * d.length_rate;
  // Without a direction there is nothing to pull along.
  if (d.length < kShortestDirection) return;
  AddPairForce(a_, b_, -force_ * d.n, forces);
}

void SpringDamper::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(force_);
}

std::span<const double> SpringDamper::RestoreMemory(
    std::span<const double> memory) {
  force_ = memory[0];
  return memory.subspan(1);
}

}  // namespace limber::dynamics
