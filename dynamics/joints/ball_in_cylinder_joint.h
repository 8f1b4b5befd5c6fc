// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/free_rotation_joint.h"

namespace limber::dynamics {

/// Ball in a cylinder: the origin of M moves along the z axis of F, all turning
/// is free. Free direction 3: the distance along the axis [m].
class BallInCylinderJoint : public FreeRotationJoint {
 public:
  BallInCylinderJoint(BodyId parent, const Transform& X_PF, BodyId child,
                      const Transform& X_BM, Axes axes = Axes::kParentAxes)
      : FreeRotationJoint(parent, X_PF, child, X_BM, axes,
                          {false, false, true}) {}
};

}  // namespace limber::dynamics
