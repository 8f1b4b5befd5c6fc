// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <span>

#include "core/math.h"

namespace limber::dynamics {

/// Names a body of one World. The ground, which never moves and whose frame is
/// the world frame W, is body 0 of every world.
struct BodyId {
  int value = 0;
  auto operator<=>(const BodyId&) const = default;
};
inline constexpr BodyId kGround{0};

/// Where a body is and how it moves, as constraints and forces read it. All
/// vectors are in world axes. B is the frame the user gave the body, C its
/// centre of mass.
struct BodyMotion {
  Quaternion q_WB = Quaternion::Identity();
  Matrix3 R_WB = Matrix3::Identity();
  Vector3 p_WB = Vector3::Zero();  ///< Origin of B [m].
  Vector3 p_WC = Vector3::Zero();  ///< Centre of mass [m].
  Vector3 v_WC = Vector3::Zero();  ///< Velocity of the mass centre [m/s].
  Vector3 w_WB = Vector3::Zero();  ///< Angular velocity [rad/s].

  /// The point A fixed in B at `p_BA`, in world coordinates.
  Vector3 Point(const Vector3& p_BA) const { return p_WB + R_WB * p_BA; }
  /// Velocity of the material point now at world position `p_WA`.
  Vector3 PointVelocity(const Vector3& p_WA) const {
    return v_WC + w_WB.cross(p_WA - p_WC);
  }
};

/// The motions of all bodies of a world, in the order of their ids.
using BodyMotions = std::span<const BodyMotion>;

inline const BodyMotion& MotionOf(BodyMotions bodies, BodyId body) {
  return bodies[static_cast<std::size_t>(body.value)];
}

}  // namespace limber::dynamics
