// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/aligned_axis_joint.h"

#include "dynamics/joints/internal/form_writer.h"
#include "dynamics/joints/internal/turnings.h"

namespace limber::dynamics {

AlignedAxisJoint::AlignedAxisJoint(BodyId parent, const Transform& X_PF,
                                   BodyId child, const Transform& X_BM,
                                   const std::array<bool, 3>& free_translation)
    : Joint(parent, X_PF, child, X_BM,
            internal::CountFree(1, free_translation)),
      free_translation_(free_translation) {}

void AlignedAxisJoint::Evaluate(const BodyMotion& parent,
                                const BodyMotion& child,
                                JointForm& form) const {
  internal::FormWriter writer(*this, parent, child, form);
  const internal::TiltAndTurn measured =
      internal::MeasureTiltAndTurn(writer.R_FM(), writer.w_FM());
  writer.LockTranslations(free_translation_);
  for (const internal::Measure& tilt : measured.tilt) {
    writer.LockTurning(tilt.row, tilt.value, tilt.bias);
  }
  writer.FreeTurning(measured.axis, measured.turn.row,
                     turn_.Unwrap(measured.turn.value), measured.turn.bias);
  writer.FreeTranslations(free_translation_);
}

void AlignedAxisJoint::AfterStep(BodyMotions bodies, double /*time*/) {
  turn_.Remember(internal::TurnAngle(internal::RelativeRotation(
      *this, MotionOf(bodies, parent()), MotionOf(bodies, child()))));
}

void AlignedAxisJoint::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(turn_.last());
}

std::span<const double> AlignedAxisJoint::RestoreMemory(
    std::span<const double> memory) {
  turn_.set_last(memory.front());
  return memory.subspan(1);
}

}  // namespace limber::dynamics
