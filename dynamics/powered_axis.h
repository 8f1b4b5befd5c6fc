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
/// A drive that pushes against a limit stays within its bound and the limit
/// holds: the limit wins. max_force = 0 leaves the axis limp, +inf makes the
/// drive a rigid constraint; a target_position beyond a limit is taken at the
/// limit.
struct PoweredAxis {
  enum class Drive { kNone, kSpeed, kPosition, kSpring };

  Drive drive = Drive::kNone;
  double target_position = 0.0;
  double target_speed = 0.0;
  double max_force = kInfinity;  ///< Zero or positive.
  double softness = 0.0;         ///< s of the drive's row, zero or positive.
  double stiffness = 0.0;        ///< kSpring only.
  double damping = 0.0;          ///< kSpring only.
  double lower = -kInfinity;     ///< Smallest q, at most `upper`.
  double upper = kInfinity;      ///< Largest q.
  double limit_softness = 0.0;   ///< s of the limit rows.
};

/// @throws std::invalid_argument naming the field and its value if a number is
///         NaN, negative where it must not be, or lower > upper.
void Validate(const PoweredAxis& axis);

/// Whether the axis does no more than resist motion: it is free, or its drive
/// is a damper (kSpring without stiffness) or a brake (kSpeed), aimed at rest.
/// Dry friction of F is kSpeed with max_force F. A body whose joints only
/// resist comes to rest and may sleep.
bool OnlyResists(const PoweredAxis& axis);

}  // namespace limber::dynamics
