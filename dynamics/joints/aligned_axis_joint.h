// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/joint.h"
#include "dynamics/joints/turn_counter.h"

namespace limber::dynamics {

/// Base of the joints that keep the z axes of F and M parallel and free turning
/// about them.
///
/// Free direction 0 is the turning, its coordinate the angle from the x axis of
/// F to that of M, counted over whole turns from step to step (less than half
/// a turn per step). Free translations along x, y, z of F follow.
///
/// The alignment error is the rotation vector of the shortest turn from z_F to
/// z_M. It vanishes for equal axes only, so an axis that starts upside down
/// turns over; exactly upside down it does so about the y axis of F.
class AlignedAxisJoint : public Joint {
 public:
  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const final;
  void AfterStep(BodyMotions bodies, double time) final;
  void SaveMemory(std::vector<double>& memory) const final;
  std::span<const double> RestoreMemory(std::span<const double> memory) final;

 protected:
  AlignedAxisJoint(BodyId parent, const Transform& X_PF, BodyId child,
                   const Transform& X_BM,
                   const std::array<bool, 3>& free_translation);

 private:
  std::array<bool, 3> free_translation_;
  TurnCounter turn_;
};

}  // namespace limber::dynamics
