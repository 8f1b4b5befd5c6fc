// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/fixed_orientation_joint.h"

namespace limber::dynamics {

/// Slider (prism): M slides along the z axis of F without turning. Coordinate:
/// the distance along it [m].
class SliderJoint : public FixedOrientationJoint {
 public:
  SliderJoint(BodyId parent, const Transform& X_PF, BodyId child,
              const Transform& X_BM)
      : FixedOrientationJoint(parent, X_PF, child, X_BM, {false, false, true}) {
  }
};

}  // namespace limber::dynamics
