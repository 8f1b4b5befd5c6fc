// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/force.h"
#include "dynamics/joint.h"

namespace limber::dynamics {

/// A given force along one free direction of a joint, equal and opposite on
/// parent and child, whatever the motion: its power is force times q_k'.
class JointActuator : public Force {
 public:
  /// @param joint  must live as long as the actuator.
  /// @throws std::invalid_argument if the joint has no free direction `k`.
  JointActuator(const Joint& joint, int k, double force = 0.0);

  double force() const { return force_; }  ///< [N or N m].
  void set_force(double force) { force_ = force; }

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;

 private:
  const Joint* joint_;
  int k_;
  double force_;
};

}  // namespace limber::dynamics
