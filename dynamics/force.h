// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/body_motion.h"

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

/// A force that depends on the state: spring, damper, drag, a controller's
/// actuator. Called once per step, before the constraints are solved.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds the forces for a step of `h` seconds from `time`.
  virtual void AddForces(BodyMotions bodies, double time, double h,
                         ForceBuffer& forces) = 0;

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
