// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/world.h"

namespace limber::viewer {

/// What a constraint or a contact does to one body: a force on a line through
/// `p_W`, and the torque that is left about that point.
struct ForceOnBody {
  dynamics::BodyId body;
  Vector3 p_W = Vector3::Zero();
  Vector3 force = Vector3::Zero();   ///< World axes [N].
  Vector3 torque = Vector3::Zero();  ///< Along the force [N m].
  bool reaction = false;  ///< On the first of two bodies, or on the ground.
  bool sliding = false;   ///< Contacts: friction is at its bound.
  int other = -1;         ///< Contacts: the id of the body that acts.
};

/// Metres per newton so that an arrow of `force` [N] is about `length` long
/// [m], and a metre is a round number of newtons: 1, 2 or 5 and zeros. Both are
/// positive.
double RoundForceScale(double force, double length);

/// The forces of the last step of `h` seconds, one per body that the constraint
/// touches; the ground counts as a body. With the rows' Jacobians J and
/// impulses lambda, on each body
///
///     f = J_v^T lambda / h ,   t_C = J_w^T lambda / h
///     p = p_C + (f x t_C) / f.f ,   t_p = f (f . t_C) / f.f
///
/// Forces of one constraint on all bodies sum to zero wherever its rows act
/// between bodies (Newton's third law). A constraint without impulses has none.
std::vector<ForceOnBody> ConstraintForces(
    const dynamics::World& world, const dynamics::Constraint& constraint,
    double h);

}  // namespace limber::viewer
