// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/aligned_axis_joint.h"

namespace limber::dynamics {

/// Cylindrical: M turns about and slides along the z axis of F. Coordinates:
/// the angle over many turns [rad], the distance along the axis [m].
class CylindricalJoint : public AlignedAxisJoint {
 public:
  CylindricalJoint(BodyId parent, const Transform& X_PF, BodyId child,
                   const Transform& X_BM)
      : AlignedAxisJoint(parent, X_PF, child, X_BM, {false, false, true}) {}
};

}  // namespace limber::dynamics
