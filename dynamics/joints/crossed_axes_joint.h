// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/joint.h"
#include "dynamics/joints/turn_counter.h"

namespace limber::dynamics {

/// Base of the joints that keep an axis a of F and an axis c of M at right
/// angles and free turning about both: with m = a x c the third axis at the
/// start,
///
///     R_FM = R_a(q0) R_m(error) R_c(q1).
///
/// Free directions 0 and 1 are the turnings about a and c, counted over whole
/// turns from step to step (less than half a turn each); free translations
/// along x, y, z of F follow. The error is the angle by which a and c miss the
/// right angle, in [-90, 90] degrees; its row has length 1 everywhere, and
/// every state of error 0 is a proper one. Only where a and c meet (an error of
/// 90 degrees) q0 and q1 are not defined and their rows inexact.
class CrossedAxesJoint : public Joint {
 public:
  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const final;
  void AfterStep(BodyMotions bodies, double time) final;
  void SaveMemory(std::vector<double>& memory) const final;
  std::span<const double> RestoreMemory(std::span<const double> memory) final;

 protected:
  /// `axis_F` and `axis_M` are 0, 1, 2 for x, y, z.
  CrossedAxesJoint(BodyId parent, const Transform& X_PF, int axis_F,
                   BodyId child, const Transform& X_BM, int axis_M,
                   const std::array<bool, 3>& free_translation);

 private:
  int axis_F_;
  int axis_M_;
  std::array<bool, 3> free_translation_;
  std::array<TurnCounter, 2> turns_;
};

}  // namespace limber::dynamics
