// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/aligned_axis_joint.h"

namespace limber::dynamics {

/// Hinge (pin): the origins of F and M coincide and their z axes are the hinge
/// axis. Coordinate: the angle about it, over many turns [rad].
class HingeJoint : public AlignedAxisJoint {
 public:
  HingeJoint(BodyId parent, const Transform& X_PF, BodyId child,
             const Transform& X_BM)
      : AlignedAxisJoint(parent, X_PF, child, X_BM, {false, false, false}) {}
};

}  // namespace limber::dynamics
