// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraint.h"

namespace limber::dynamics {

/// Limits of how two bodies are turned against each other, kept beside the
/// joint that joins them. All rows are one-sided and push back, none drives:
/// bodies at rest that nothing else holds but joints which only resist may
/// sleep.
///
/// Errors of such rows bend, and only those near their limits are rows at all.
/// Where the kick turns the bodies fast, the leapfrog asks again for the end of
/// the step: docs/dynamics_tree.md, section "Second look".
class AngleLimits : public Constraint {
 public:
  /// Makes rows of the limits that are passed by more than `by` [rad] by bodies
  /// which stand as `bodies` says. True if they were none before. The next
  /// `AfterStep` decides anew. Must not allocate.
  virtual bool Foresee(BodyMotions bodies, double by) = 0;
};

}  // namespace limber::dynamics
