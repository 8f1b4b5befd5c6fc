// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/crossed_axes_joint.h"

namespace limber::dynamics {

/// Universal (Cardan) joint: the origins of F and M coincide; M turns first
/// about the x axis of F, then about its own y axis, R_FM = Rx(q0) Ry(q1).
/// Coordinates: q0 and q1, over many turns [rad].
class UniversalJoint : public CrossedAxesJoint {
 public:
  UniversalJoint(BodyId parent, const Transform& X_PF, BodyId child,
                 const Transform& X_BM)
      : CrossedAxesJoint(parent, X_PF, 0, child, X_BM, 1,
                         {false, false, false}) {}
};

}  // namespace limber::dynamics
