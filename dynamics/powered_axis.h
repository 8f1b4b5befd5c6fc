// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/row.h"

namespace limber::dynamics {

/// What acts along one free direction of a joint: a drive with a bounded force,
/// and limits. Units are those of the direction: m and N along it, rad and N m
/// about it. With q the joint's coordinate and f = lambda / h the force:
///
///     drive      row                                  bounds on f
///     kNone      none
///     kSpeed     e = q' - target_speed + s lambda     -max_force .. max_force
///     kPosition  e = q' - u + s lambda                -max_force .. max_force
///                u takes q to target_position at the end of the step
///     kSpring    f = -stiffness (q - target_position) -max_force .. max_force
///                    -damping (q' - target_speed), integrated implicitly
///     limits     q >= lower and q <= upper            one-sided, unbounded
///
/// kSpeed and kPosition have friction beside them: with T = max_force,
/// F = friction and u the speed that the drive aims at, here u > 0, the force f
/// of both is, at every step length,
///
///     q' < 0    q' = 0          0 < q' < u    q' = u             q' > u
///     T + F     T - F .. T + F  T - F         -T - F .. T - F    -T - F
///
/// so that a load within F of what the drive can carry stays where it is. With
/// T = 0 it is a brake. `damping` d makes the friction d q', at most F.
///
/// A drive that pushes against a limit stays within its bound and the limit
/// holds: the limit wins. max_force = 0 leaves the axis limp, +inf makes the
/// drive a rigid constraint; a target_position beyond a limit is taken at the
/// limit.
struct PoweredAxis {
  enum class Drive { kNone, kSpeed, kPosition, kSpring };

  // What an idle axis is known by comes first.
  Drive drive = Drive::kNone;
  double lower = -kInfinity;  ///< Smallest q, at most `upper`.
  double upper = kInfinity;   ///< Largest q.
  double target_position = 0.0;
  double target_speed = 0.0;
  double max_force = kInfinity;  ///< Zero or positive.
  double softness = 0.0;         ///< s of the drive's row, zero or positive.
  double stiffness = 0.0;        ///< kSpring only.
  double damping = 0.0;          ///< Of the spring or friction; 0 is dry.
  double limit_softness = 0.0;   ///< s of the limit rows.
  double friction = 0.0;         ///< Zero or positive; not of kSpring.

  bool has_friction() const {
    return friction > 0.0 &&
           (drive == Drive::kSpeed || drive == Drive::kPosition);
  }
};

/// @throws std::invalid_argument naming the field and its value if a number is
///         NaN, negative where it must not be, or lower > upper.
void Validate(const PoweredAxis& axis);

/// Whether the axis does no more than resist motion: its drive has no force of
/// its own (max_force = 0), or is a damper (kSpring without stiffness) or a
/// brake (kSpeed) aimed at rest. Bodies whose joints only resist may sleep.
bool OnlyResists(const PoweredAxis& axis);

}  // namespace limber::dynamics
