// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/body_motion.h"
#include "dynamics/row.h"

namespace limber::dynamics {

/// Collects the forces of one step. A force is constant in the world and its
/// point constant in the body for the whole step, so action and reaction stay
/// equal through every stage of an integrator.
class ForceBuffer {
 public:
  struct PointForce {
    BodyId body;
    Vector3 p_BA = Vector3::Zero();  ///< Where it acts, in the body [m].
    Vector3 f_W = Vector3::Zero();   ///< [N].
  };
  struct Torque {
    BodyId body;
    Vector3 t_W = Vector3::Zero();  ///< [N m].
  };

  void Clear() {
    forces_.clear();
    torques_.clear();
  }
  void AddForce(BodyId body, const Vector3& p_BA, const Vector3& f_W) {
    forces_.push_back({body, p_BA, f_W});
  }
  void AddTorque(BodyId body, const Vector3& t_W) {
    torques_.push_back({body, t_W});
  }
  const std::vector<PointForce>& forces() const { return forces_; }
  const std::vector<Torque>& torques() const { return torques_; }

 private:
  std::vector<PointForce> forces_;
  std::vector<Torque> torques_;
};

/// How easily bodies give way: at most J W J^T of a row, however the body is
/// turned. Zero for bodies that forces do not move.
class Mobility {
 public:
  virtual ~Mobility() = default;
  /// To a unit force at the world point `p_WA` along `direction` [1/kg].
  virtual double AtPoint(BodyId body, const Vector3& p_WA,
                         const Vector3& direction) const = 0;
  /// To a unit torque about `axis` [1/(kg m^2)].
  virtual double About(BodyId body, const Vector3& axis) const = 0;
};

/// A force that depends on the state: spring, damper, drag, a controller's
/// actuator. There are two kinds.
///
/// *Explicit* forces give `AddForces`, which is called once per step before the
/// constraints are solved, and stay for the step what they were at its start. A
/// force that pulls back by k x + d x' then adds energy once h d W > 2 or
/// h^2 k W > 4, W the `Mobility` of what it pulls at.
///
/// *Implicit* ones name their `bodies` and are rows of the same problem as the
/// constraints: `BeginStep`, then `AddRows` as `Constraint::AddRows`, at the
/// present motion and where it would lead. What energy they gain: dynamics.md.
/// Scheme::kAcceleration, whose methods want forces, calls `AddForces` of these
/// too.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds the forces for a step of `h` seconds from `time`.
  virtual void AddForces(BodyMotions bodies, double time, double h,
                         ForceBuffer& forces) = 0;

  /// The bodies that an implicit force acts on; none of an explicit one.
  virtual std::span<const BodyId> bodies() const { return {}; }
  /// A step of `h` seconds begins: the number and policy of the rows is chosen.
  virtual void BeginStep(BodyMotions /*bodies*/, const Mobility& /*mobility*/,
                         double /*h*/) {}
  virtual void AddRows(BodyMotions /*bodies*/, RowBuffer& /*rows*/) const {}
  /// The step has ended with these forces along the rows [N or N m].
  virtual void TakeForces(std::span<const double> /*row_forces*/) {}
  /// Whether bodies at rest feel nothing of an implicit force: they may sleep.
  virtual bool OnlyResists() const { return false; }

  /// Appends what `AddForces` remembers from step to step, and takes it back
  /// from the front of `memory`, of which it returns the rest. For
  /// `World::Save` and `Restore`.
  virtual void SaveMemory(std::vector<double>& /*memory*/) const {}
  virtual std::span<const double> RestoreMemory(
      std::span<const double> memory) {
    return memory;
  }

  bool enabled() const { return enabled_; }
  void set_enabled(bool enabled) { enabled_ = enabled; }

 private:
  bool enabled_ = true;
};

}  // namespace limber::dynamics
