// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/screw_joint.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/joints/internal/form_writer.h"
#include "dynamics/joints/internal/turnings.h"

namespace limber::dynamics {

ScrewJoint::ScrewJoint(BodyId parent, const Transform& X_PF, BodyId child,
                       const Transform& X_BM, double lead)
    : Joint(parent, X_PF, child, X_BM, 1), lead_(lead) {
  if (!std::isfinite(lead) || lead == 0.0) {
    throw std::invalid_argument(
        "ScrewJoint: lead must be finite and not zero, is " +
        std::to_string(lead));
  }
}

void ScrewJoint::Evaluate(const BodyMotion& parent, const BodyMotion& child,
                          JointForm& form) const {
  internal::FormWriter writer(*this, parent, child, form);
  const internal::TiltAndTurn measured =
      internal::MeasureTiltAndTurn(writer.R_FM(), writer.w_FM());
  writer.LockTranslation(0);
  writer.LockTranslation(1);
  // C = z - slide q,  q = angle + 2 pi turns  with the turns that make C least
  const double slide = lead_ / (2.0 * kPi);
  const internal::Measure& turn = measured.turn;
  const double z = writer.p_FM().z();
  const double turns = std::round(z / lead_ - turn.value / (2.0 * kPi));
  const double q = turn.value + 2.0 * kPi * turns;
  writer.LockSlideToTurning(-slide * turn.row, z - slide * q,
                            -slide * turn.bias);
  for (const internal::Measure& tilt : measured.tilt) {
    writer.LockTurning(tilt.row, tilt.value, tilt.bias);
  }
  writer.FreeTurning(measured.axis, turn.row, q, turn.bias, slide);
}

}  // namespace limber::dynamics
