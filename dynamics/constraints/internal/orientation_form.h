// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/body_motion.h"

namespace limber::dynamics {

/// Error of B's orientation against R_RB relative to R, as AlignOrientation
/// says: C_i' = gradient[i] . (w_WB - w_WR) with world axes, C_i'' without the
/// accelerations = drift[i].
struct OrientationForm {
  Vector3 error = Vector3::Zero();
  std::array<Vector3, 3> gradient;
  Vector3 drift = Vector3::Zero();
};

OrientationForm FormOfOrientation(const BodyMotion& reference,
                                  const BodyMotion& body,
                                  const Quaternion& R_RB);

}  // namespace limber::dynamics
