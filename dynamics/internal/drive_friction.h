// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/world_data.h"

// Dry friction beside a drive, in one row.

namespace limber::dynamics::internal {

/// What one driven row knows before a solve beside its target.
struct DriveFriction {
  double bound = 0.0;       ///< F [N or N m].
  double damping = 0.0;     ///< d: the friction is d q' up to F; 0 is dry.
  double rate = 0.0;        ///< q' before the kick.
  double last_force = 0.0;  ///< Of the row in the last step, 0 if unknown.
};

/// Adds friction to the `target` of a drive, whose u, softness s and bounds -+T
/// (times `kick`) are those without. The force of the two together is a
/// staircase over q', here for u > 0 and s = 0:
///
///     q' < 0    q' = 0          0 < q' < u    q' = u             q' > u
///     T + F     T - F .. T + F  T - F         -T - F .. T - F    -T - F
///
/// Either riser is a row with bounds, and between them both say T - F:
///
///     pulls     q' = u ,   -T - F <= f <= T - F
///     sticks    q' = 0 ,    P - F <= f <= P + F ,    P = min(T, u / (s kick))
///
/// With damping it sticks with f = P - d q', and min(F, d u) stands in the
/// place of F but for P + F. `target` becomes the riser that the last step
/// speaks for, `other` the other one: a solver goes from one to the other where
/// the answer lies there. False, and nothing in `other`, if one is all there
/// is: T = 0 or u = 0.
bool AddFriction(const DriveFriction& friction, double kick, RowTarget& target,
                 RowTarget& other);

/// `AddFriction` for the rows of one constraint that have friction, whose
/// targets stand in `data.targets`.
void AddFrictionToRows(Data& data, const Constraint& constraint, int first,
                       int count, double kick);

/// Force of row `i` of a constraint in the last step, 0 if there was none
/// [N or N m].
inline double RowForceBefore(const Data& data, const Constraint& constraint,
                             std::size_t i) {
  const std::span<const double> impulses = constraint.impulses();
  return i < impulses.size() && data.last_kick > 0.0
             ? impulses[i] / data.last_kick
             : 0.0;
}

}  // namespace limber::dynamics::internal
