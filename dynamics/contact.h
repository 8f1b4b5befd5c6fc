// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "dynamics/body_motion.h"
#include "dynamics/collision/shape.h"

namespace limber::dynamics {

/// How a surface takes part in contacts. Where two meet, friction coefficients
/// are combined by their geometric mean, restitution by the mean, threshold and
/// radii by the larger one.
struct ContactSurface {
  double static_friction = 0.8;   ///< While sticking; zero or positive.
  double dynamic_friction = 0.8;  ///< While sliding; at most the static one.
  /// e of Newton's law: normal speed after = -e times that before; 0 to 1.
  double restitution = 0.0;
  /// Slower impacts do not bounce [m/s].
  double restitution_speed = 0.5;
  /// Resistance against spinning about the normal: torque at most
  /// friction * torsional_radius * normal force [m].
  double torsional_radius = 0.0;
  /// Resistance against rolling: torque at most rolling_radius * normal force,
  /// about each of two axes in the surface [m].
  double rolling_radius = 0.0;
  /// Of the surface relative to its body, in axes of B; what touches is carried
  /// along (conveyor). Only the part in the surface counts [m/s].
  Vector3 surface_velocity = Vector3::Zero();
};

/// Names a collider of one World.
struct ColliderId {
  int value = -1;
  auto operator<=>(const ColliderId&) const = default;
};

/// A shape fixed to a body.
struct ColliderSpec {
  ShapePointer shape;
  Transform X_BS;  ///< Frame S of the shape in the body.
  ContactSurface surface;
  /// A pair meets if each one's mask has a bit of the other's group.
  std::uint32_t group = 1;
  std::uint32_t mask = ~0u;
  /// Colliders of one family never meet, e.g. the segments of a figure that
  /// does not touch itself. 0: no family.
  int family = 0;
};

/// One point where two bodies touch, or are about to: what the last step found.
/// The impulses act on body b, their opposites on body a.
struct Contact {
  enum class State {
    kOpen,      ///< Near, no impulse.
    kSticking,  ///< The friction impulse holds.
    kSliding,   ///< The friction impulse is at its bound.
  };
  ColliderId collider_a, collider_b;
  BodyId body_a, body_b;
  Vector3 p_W = Vector3::Zero();       ///< At the start of the step [m].
  Vector3 normal_W = Vector3::Zero();  ///< Unit, from a to b.
  double distance = 0.0;        ///< At the start of the step; < 0: overlap [m].
  double normal_impulse = 0.0;  ///< Zero or positive [N s].
  Vector3 friction_impulse_W = Vector3::Zero();  ///< In the surface [N s].
  State state = State::kOpen;
  double age = 0.0;      ///< Since the point first came near [s].
  bool bounced = false;  ///< The impact of this step had restitution.
};

/// How contacts are treated; part of `WorldSettings`. The defaults are measured
/// in docs/contact_world.md.
struct ContactSettings {
  /// Contacts are looked for this far away, and as far as a step can carry two
  /// bodies towards each other [m].
  double margin = 5e-3;
  /// Contacts act before they touch, so far that a step just closes the gap:
  /// nothing passes through anything. Without, only bodies that touch (nearer
  /// than `slop`) press; for `EventStepper`, which finds the time of contact.
  bool speculative = true;
  /// Bodies that overlap part at most at this speed [m/s], which does not
  /// become a velocity: they are never thrown.
  double push_speed = 1.0;
  /// Overlap that is left alone, so that resting contacts persist [m].
  double slop = 1e-4;
  /// Softness of a contact row as a share of its body's own response.
  double softness = 1e-3;
  /// Times the friction bounds follow the normal impulses within a step.
  int friction_rounds = 4;
  /// The first friction axis follows the slip (or, sticking, the friction
  /// force), so that the bound is that of a cone; else a pyramid whose axes
  /// depend on the normal alone.
  bool friction_cone = true;
  int sweeps = 40;  ///< Gauss-Seidel sweeps over contacts between figures.

  bool sleeping = true;  ///< Bodies at rest on each other sleep.
  /// A body is still below these [m/s, rad/s] ...
  double sleep_speed = 0.01;
  double sleep_spin = 0.15;
  double sleep_time = 0.5;  ///< ... and its group sleeps after so long [s].
};

}  // namespace limber::dynamics
