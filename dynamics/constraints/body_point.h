// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/body_motion.h"

namespace limber::dynamics {

/// A control point: a point A fixed in a body, to which constraints, forces and
/// sensors attach. `WorldPoint` makes one that never moves.
struct BodyPoint {
  BodyId body;
  Vector3 p_BA = Vector3::Zero();  ///< In the body's frame [m].
};

inline BodyPoint WorldPoint(const Vector3& p_WA) { return {kGround, p_WA}; }

/// How a point or a direction moves, in world axes. `drift` is the part of its
/// second derivative that is there without any acceleration of the bodies:
///
///     p'' = v_WC' + w' x r + drift,   drift = w x (w x r),   r = p_WA - p_WC
struct PointMotion {
  Vector3 position = Vector3::Zero();
  Vector3 rate = Vector3::Zero();
  Vector3 drift = Vector3::Zero();
};

PointMotion MotionOfPoint(BodyMotions bodies, const BodyPoint& point);

/// The same for a vector d fixed in a body: d'' = w' x d + drift.
PointMotion MotionOfDirection(BodyMotions bodies, BodyId body,
                              const Vector3& d_B);

/// The point A as somebody sees it who sits in the frame B of body `frame`:
/// position x = p_BA, x' and drift in axes of B, where
///
///     x'' = R_BW (relative acceleration of A and of the material point of the
///                 frame that is now at A) + drift
struct SeenPoint {
  Vector3 x = Vector3::Zero();
  Vector3 rate = Vector3::Zero();
  Vector3 drift = Vector3::Zero();
  Vector3 p_WA = Vector3::Zero();
};

SeenPoint SeeFrom(BodyMotions bodies, BodyId frame, const BodyPoint& point);

}  // namespace limber::dynamics
