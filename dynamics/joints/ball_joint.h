// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/free_rotation_joint.h"

namespace limber::dynamics {

/// Ball and socket: the origins of F and M coincide, all turning is free.
class BallJoint : public FreeRotationJoint {
 public:
  BallJoint(BodyId parent, const Transform& X_PF, BodyId child,
            const Transform& X_BM, Axes axes = Axes::kParentAxes)
      : FreeRotationJoint(parent, X_PF, child, X_BM, axes,
                          {false, false, false}) {}
  /// Frames F and M parallel to their bodies.
  BallJoint(BodyId parent, const Vector3& p_PF, BodyId child,
            const Vector3& p_BM)
      : BallJoint(parent, Transform{Quaternion::Identity(), p_PF}, child,
                  Transform{Quaternion::Identity(), p_BM}) {}
};

}  // namespace limber::dynamics
