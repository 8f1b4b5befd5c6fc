// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/crossed_axes_joint.h"

#include <cassert>

#include "dynamics/joints/internal/form_writer.h"
#include "dynamics/joints/internal/turnings.h"

namespace limber::dynamics {

CrossedAxesJoint::CrossedAxesJoint(BodyId parent, const Transform& X_PF,
                                   int axis_F, BodyId child,
                                   const Transform& X_BM, int axis_M,
                                   const std::array<bool, 3>& free_translation)
    : Joint(parent, X_PF, child, X_BM,
            internal::CountFree(2, free_translation)),
      axis_F_(axis_F),
      axis_M_(axis_M),
      free_translation_(free_translation) {
  assert(axis_F != axis_M);
}

void CrossedAxesJoint::Evaluate(const BodyMotion& parent,
                                const BodyMotion& child,
                                JointForm& form) const {
  internal::FormWriter writer(*this, parent, child, form);
  const internal::SequenceAngles measured =
      internal::MeasureSequence(axis_F_, axis_M_, writer.R_FM(), writer.w_FM());
  const internal::Measure& first = measured.angle[0];
  const internal::Measure& error = measured.angle[1];
  const internal::Measure& last = measured.angle[2];
  writer.LockTranslations(free_translation_);
  writer.LockTurning(error.row, error.value, error.bias);
  writer.FreeTurning(measured.column[0], first.row,
                     turns_[0].Unwrap(first.value), first.bias);
  writer.FreeTurning(measured.column[2], last.row, turns_[1].Unwrap(last.value),
                     last.bias);
  writer.FreeTranslations(free_translation_);
}

void CrossedAxesJoint::AfterStep(BodyMotions bodies, double /*time*/) {
  const std::array<double, 2> angles = internal::OuterAngles(
      axis_F_, axis_M_,
      internal::RelativeRotation(*this, MotionOf(bodies, parent()),
                                 MotionOf(bodies, child())));
  turns_[0].Remember(angles[0]);
  turns_[1].Remember(angles[1]);
}

void CrossedAxesJoint::SaveMemory(std::vector<double>& memory) const {
  for (const TurnCounter& turn : turns_) memory.push_back(turn.last());
}

std::span<const double> CrossedAxesJoint::RestoreMemory(
    std::span<const double> memory) {
  for (TurnCounter& turn : turns_) {
    turn.set_last(memory.front());
    memory = memory.subspan(1);
  }
  return memory;
}

}  // namespace limber::dynamics
