// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/free_rotation_joint.h"

namespace limber::dynamics {

/// Ball on a plane: the origin of M, the ball's centre, stays in the xy plane
/// of F, one radius above the plane it lies on; all turning is free (it slips).
/// Free directions 3 and 4: x and y of the centre in F [m].
class BallOnPlaneJoint : public FreeRotationJoint {
 public:
  BallOnPlaneJoint(BodyId parent, const Transform& X_PF, BodyId child,
                   const Transform& X_BM, Axes axes = Axes::kParentAxes)
      : FreeRotationJoint(parent, X_PF, child, X_BM, axes,
                          {true, true, false}) {}
};

}  // namespace limber::dynamics
