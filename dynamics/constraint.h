// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/lcp.h"
#include "dynamics/row.h"

namespace limber::dynamics {

namespace internal {
class ConstraintAccess;
}

/// Three rows along the axes of the world that pull a point A, fixed in one
/// body, to a place T of the world, all with the same settings:
///
///     C = p_WA - p_WT ,   rate_bias = -v_WT
///
/// Markers, nails and drag handles. A solver that knows the form needs neither
/// Jacobians nor a second call of `AddRows` to see where a step leads.
struct PointForm {
  BodyId body;
  Vector3 p_BA = Vector3::Zero();         ///< [m].
  Vector3 p_WT = Vector3::Zero();         ///< [m].
  Vector3 v_WT = Vector3::Zero();         ///< [m/s].
  const RowSettings* settings = nullptr;  ///< Of the constraint.
};

/// A relation between bodies that the world keeps by forces it works out. A new
/// kind of constraint is one subclass with two functions; tests/dynamics/
/// constraint_checker.h compares its rows with finite differences.
///
/// Anchors and axes are given in body frames B when a constraint is made.
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// The bodies that rows of this constraint may touch. They decide which
  /// bodies belong to one island; the ground need not be named.
  virtual std::span<const BodyId> bodies() const = 0;

  /// Adds the rows at `time` [s] for bodies that stand and move as `bodies`
  /// says: C, J, the two biases, bounds and policy. The number and order of
  /// rows may change from call to call only for constraints whose `rows_vary`
  /// is true (limits, ropes, contacts). Must not allocate.
  virtual void AddRows(BodyMotions bodies, double time,
                       RowBuffer& rows) const = 0;

  /// True, and `form` filled for `time` [s], if the rows of `AddRows` are those
  /// of a `PointForm`. Must not depend on the motion of the bodies.
  virtual bool GetPointForm(double time, PointForm& form) const;

  /// Called before each step: throws std::invalid_argument, naming field and
  /// value, if a setting that may be changed between steps is no good. Must be
  /// cheap.
  virtual void CheckSettings() const {}

  /// Called once after each accepted step with the motion it led to, for
  /// constraints with a memory (turn counters, curve parameters).
  virtual void AfterStep(BodyMotions bodies, double time);

  virtual bool rows_vary() const { return false; }

  /// Appends what `AfterStep` remembers, and takes it back from the front of
  /// `memory`, of which it returns the rest. For `World::Save` and `Restore`.
  virtual void SaveMemory(std::vector<double>& memory) const;
  virtual std::span<const double> RestoreMemory(std::span<const double> memory);

  /// A switched-off constraint has no rows and no memory of past impulses.
  bool enabled() const { return enabled_; }
  void set_enabled(bool enabled) { enabled_ = enabled; }

  /// The constraint switches itself off after the first step in which the norm
  /// of its linear row forces exceeds `max_force` [N] or that of its angular
  /// ones `max_torque` [N m]; the world reports a "broken" event.
  double max_force() const { return max_force_; }
  double max_torque() const { return max_torque_; }
  void set_breaking(double max_force, double max_torque);

  /// Impulses of the last step, one per row in the order of `AddRows`
  /// [N s or N m s]; divided by the step they are the forces. Empty before the
  /// first step and while switched off.
  std::span<const double> impulses() const { return impulses_; }

 private:
  friend class internal::ConstraintAccess;
  bool enabled_ = true;
  double max_force_ = kInfinity;
  double max_torque_ = kInfinity;
  std::vector<double> impulses_;
  std::vector<double> last_rates_;  ///< C' of each row after the last kick.
  std::vector<LcpRowState> row_states_;  ///< Where the next solve starts.
};

}  // namespace limber::dynamics
