// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/free_rotation_joint.h"

namespace limber::dynamics {

/// No lock at all: six free directions that can be driven. Free directions 3 to
/// 5: x, y and z of the origin of M in F [m].
class FreeJoint : public FreeRotationJoint {
 public:
  FreeJoint(BodyId parent, const Transform& X_PF, BodyId child,
            const Transform& X_BM, Axes axes = Axes::kParentAxes)
      : FreeRotationJoint(parent, X_PF, child, X_BM, axes, {true, true, true}) {
  }
};

}  // namespace limber::dynamics
