// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "dynamics/world.h"

namespace limber::dynamics::test {

inline constexpr double kStep = 1.0 / 240.0;

inline ContactSurface Rough(double friction, double restitution = 0.0) {
  ContactSurface surface;
  surface.static_friction = surface.dynamic_friction = friction;
  surface.restitution = restitution;
  return surface;
}

inline ColliderId AddFloor(World& world, const ContactSurface& surface = {},
                           const Transform& X_WS = {}) {
  ColliderSpec spec;
  spec.shape = Shape::Plane();
  spec.X_BS = X_WS;
  spec.surface = surface;
  return world.AddCollider(kGround, spec);
}

/// A solid of uniform density with its shape around the body's origin.
inline BodyId AddSolid(World& world, const ShapePointer& shape, double density,
                       const Transform& X_WB,
                       const ContactSurface& surface = {},
                       const Vector3& v = Vector3::Zero(),
                       const Vector3& w = Vector3::Zero()) {
  BodySpec body;
  body.mass = MassOf(*shape, density);
  body.X_WB = X_WB;
  body.v_WC = v;
  body.w_WB = w;
  const BodyId id = world.AddBody(body);
  ColliderSpec spec;
  spec.shape = shape;
  spec.surface = surface;
  world.AddCollider(id, spec);
  return id;
}

/// A shape that does not move.
inline BodyId AddFixed(World& world, const ShapePointer& shape,
                       const Transform& X_WB,
                       const ContactSurface& surface = {},
                       BodyKind kind = BodyKind::kFixed) {
  BodySpec body;
  body.kind = kind;
  body.X_WB = X_WB;
  const BodyId id = world.AddBody(body);
  ColliderSpec spec;
  spec.shape = shape;
  spec.surface = surface;
  world.AddCollider(id, spec);
  return id;
}

inline Transform At(double x, double y, double z) {
  return {Quaternion::Identity(), Vector3(x, y, z)};
}

inline void Advance(World& world, double duration) {
  const int steps = static_cast<int>(std::lround(duration / kStep));
  for (int i = 0; i < steps; ++i) world.Step(kStep);
}

/// Deepest overlap of the last step [m].
inline double Penetration(const World& world) {
  double depth = 0.0;
  for (const Contact& contact : world.contacts()) {
    depth = std::max(depth, -contact.distance);
  }
  return depth;
}

inline double Energy(const World& world) {
  return world.KineticEnergy() + world.PotentialEnergy();
}

}  // namespace limber::dynamics::test
