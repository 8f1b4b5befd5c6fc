// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "dynamics/world.h"

namespace limber::dynamics::test {

/// A world on acceleration level with Runge-Kutta 4, for closed forms.
inline World PreciseWorld(const Vector3& gravity = Vector3(0.0, -kGravity,
                                                           0.0)) {
  WorldSettings settings;
  settings.scheme = Scheme::kAcceleration;
  settings.gravity = gravity;
  return World(settings);
}

inline World WeightlessWorld() {
  WorldSettings settings;
  settings.gravity.setZero();
  return World(settings);
}

inline BodyId AddParticle(World& world, double mass, const Vector3& p_WB,
                          const Vector3& v = Vector3::Zero()) {
  BodySpec spec;
  spec.mass.mass = mass;
  spec.X_WB.p = p_WB;
  spec.v_WC = v;
  spec.point_mass = true;
  return world.AddBody(spec);
}

inline BodyId AddBody(World& world, const MassProperties& mass,
                      const Transform& X_WB, const Vector3& v = Vector3::Zero(),
                      const Vector3& w = Vector3::Zero()) {
  BodySpec spec;
  spec.mass = mass;
  spec.X_WB = X_WB;
  spec.v_WC = v;
  spec.w_WB = w;
  return world.AddBody(spec);
}

/// Steps of h until `duration` has passed.
inline void Advance(World& world, double h, double duration) {
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int i = 0; i < steps; ++i) world.Step(h);
}

/// A row that asks C'' = 0 and corrects nothing, for reading exact reactions on
/// acceleration level: the feedback of the default would show in the forces.
inline RowSettings WithoutFeedback() {
  RowSettings settings;
  settings.stabilisation = Stabilisation::Baumgarte(0.0, 0.0);
  return settings;
}

/// The forces of the last step of h seconds of a constraint of three rows.
inline Vector3 ForceOf(const Constraint& constraint, double h) {
  return Vector3(constraint.impulses()[0], constraint.impulses()[1],
                 constraint.impulses()[2]) /
         h;
}

}  // namespace limber::dynamics::test
