// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "dynamics/constraint.h"

namespace limber::dynamics::test {

struct ConstraintCheck {
  /// Allowed |difference| / (1 + |value|), values in SI units.
  double tolerance = 1e-6;
  /// Rows (counted within the constraint) that are not the derivative of their
  /// `error`: speed drives, rolling, moving springs. Their J is taken as given;
  /// the acceleration bias is still compared with the change of J V.
  std::set<int> rows_without_error = {};
  std::uint32_t seed = 1;  ///< Of the accelerations that are tried.
};

/// Compares the rows that `constraint` adds at `time` with differences of their
/// errors C, for bodies that stand and move as `bodies` says (body 0 is the
/// ground and stays):
///
///     J                  with dC along the six unit motions of every body,
///                        also of bodies the constraint does not name
///     rate_bias          with dC/dt while the bodies stand still
///     acceleration_bias  with C'' and with (J V + rate_bias)' along paths that
///                        start with the given velocities and with random
///                        accelerations V'
///
/// Also checks that rows touch only the bodies that `constraint.bodies()` names
/// (or the ground) and that C does not depend on velocities. The state must not
/// lie where C jumps or the number of rows changes. No rows at all is a
/// failure.
testing::AssertionResult CheckConstraint(const Constraint& constraint,
                                         const std::vector<BodyMotion>& bodies,
                                         double time = 0.0,
                                         const ConstraintCheck& check = {});

/// The ground and `num_bodies` bodies somewhere within about a metre, with any
/// orientation, mass centres off their origins and speeds of about 1 m/s and
/// 1 rad/s.
std::vector<BodyMotion> RandomMotions(int num_bodies, std::mt19937& random);

/// `bodies` after `s` seconds (any sign, a fraction of a second) on the path
/// that starts with their velocities and the accelerations (v_WC', w_WB') in
/// `accelerations`, one per body; body 0 stays. Poses and velocities of the
/// path agree exactly.
std::vector<BodyMotion> Moved(const std::vector<BodyMotion>& bodies,
                              const std::vector<Vector6>& accelerations,
                              double s);

/// Turns and shifts `body` as a rigid whole to the pose X_WB; the velocities
/// stay.
void SetPose(BodyMotion& body, const Transform& X_WB);

}  // namespace limber::dynamics::test
