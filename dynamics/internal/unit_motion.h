// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "dynamics/constraints/body_point.h"

namespace limber::dynamics {

/// Unit vector along d from point A to point B, with its derivatives at
/// unaccelerated bodies, and the length of d.
struct UnitMotion {
  double length = 0.0;        ///< |d|
  double length_rate = 0.0;   ///< n . d'
  double length_drift = 0.0;  ///< n . d'' + |d| |n'|^2
  Vector3 n = Vector3::Zero();
  Vector3 rate = Vector3::Zero();   ///< n'
  Vector3 drift = Vector3::Zero();  ///< n''
};

/// Below this length [m] the direction of d is noise: n is then the world's x
/// axis and held still.
inline constexpr double kShortestDirection = 1e-12;

UnitMotion MotionOfUnit(const PointMotion& a, const PointMotion& b);

}  // namespace limber::dynamics
