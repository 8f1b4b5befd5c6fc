// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/fixed_orientation_joint.h"

#include "dynamics/joints/internal/form_writer.h"
#include "dynamics/joints/internal/turnings.h"

namespace limber::dynamics {

FixedOrientationJoint::FixedOrientationJoint(
    BodyId parent, const Transform& X_PF, BodyId child, const Transform& X_BM,
    const std::array<bool, 3>& free_translation)
    : Joint(parent, X_PF, child, X_BM,
            internal::CountFree(0, free_translation)),
      free_translation_(free_translation) {}

void FixedOrientationJoint::Evaluate(const BodyMotion& parent,
                                     const BodyMotion& child,
                                     JointForm& form) const {
  internal::FormWriter writer(*this, parent, child, form);
  writer.LockTranslations(free_translation_);
  for (const internal::Measure& error :
       internal::RotationVectorErrors(writer.R_FM(), writer.w_FM())) {
    writer.LockTurning(error.row, error.value, error.bias);
  }
  writer.FreeTranslations(free_translation_);
}

}  // namespace limber::dynamics
