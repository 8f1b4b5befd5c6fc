// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/aligned_axis_joint.h"

namespace limber::dynamics {

/// Plane on plane: the origin of M moves in the xy plane of F and M turns about
/// its normal, z of F. Coordinates: the angle over many turns [rad], x and y of
/// the origin of M in F [m].
class PlanarJoint : public AlignedAxisJoint {
 public:
  PlanarJoint(BodyId parent, const Transform& X_PF, BodyId child,
              const Transform& X_BM)
      : AlignedAxisJoint(parent, X_PF, child, X_BM, {true, true, false}) {}
};

}  // namespace limber::dynamics
