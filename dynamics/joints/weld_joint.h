// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/fixed_orientation_joint.h"

namespace limber::dynamics {

/// Weld: F and M coincide; nothing is free.
class WeldJoint : public FixedOrientationJoint {
 public:
  WeldJoint(BodyId parent, const Transform& X_PF, BodyId child,
            const Transform& X_BM)
      : FixedOrientationJoint(parent, X_PF, child, X_BM,
                              {false, false, false}) {}
};

}  // namespace limber::dynamics
