// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joints/crossed_axes_joint.h"

namespace limber::dynamics {

/// Cylinder on a plane: the cylinder's axis, x of M, stays parallel to the
/// plane and its origin in the xy plane of F, one radius above the plane it
/// lies on (slipping and rolling freely). Coordinates: the turn about the
/// normal z of F and the roll about the axis, over many turns [rad]; x and y of
/// the origin of M in F [m]. R_FM = Rz(q0) Rx(q1).
class CylinderOnPlaneJoint : public CrossedAxesJoint {
 public:
  CylinderOnPlaneJoint(BodyId parent, const Transform& X_PF, BodyId child,
                       const Transform& X_BM)
      : CrossedAxesJoint(parent, X_PF, 2, child, X_BM, 0, {true, true, false}) {
  }
};

}  // namespace limber::dynamics
