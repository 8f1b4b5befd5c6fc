// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"
#include "dynamics/collision/manifold.h"
#include "dynamics/collision/shape.h"

namespace limber::dynamics {

/// Appends to `out` the patches where A and B come nearer than `margin` [m]
/// (zero or positive; above zero: contacts that are about to happen). The
/// methods per pair are in docs/contact.md.
///
/// - Every point of a patch has distance <= margin, measured along its normal.
/// - Overlapping solids get the direction of least translation, but a face is
///   preferred while it costs no more than 1 % of the smaller shape's inner
///   radius: a box at rest keeps its normal and its four points.
/// - Swapping A and B mirrors the result: the same points, opposite normals.
/// - Equal input gives equal output to the bit. Coincident centres, parallel
///   edges and exact touching give some valid unit normal, never NaN.
/// - Surfaces (plane, mesh, height field) do not meet each other: no patch.
///
/// Poses must be finite with unit quaternions; allocates only while `out`
/// grows.
void Collide(const Shape& a, const Transform& X_WA, const Shape& b,
             const Transform& X_WB, double margin, ManifoldList& out);

/// The nearest points of two solids, or for overlapping ones the two ends of
/// the least translation that parts them.
struct SignedDistance {
  double distance = 0.0;                ///< < 0: overlap [m].
  Vector3 p_WA = Vector3::Zero();       ///< Witness on the surface of A.
  Vector3 p_WB = Vector3::Zero();       ///< p_WA + distance normal_W.
  Vector3 normal_W = Vector3::UnitY();  ///< Unit, from A to B.
};

/// Exact to rounding for every pair of sphere, capsule, box, convex hull, and
/// of one of these with a plane. No preference for faces here.
/// @throws std::invalid_argument for other kinds.
SignedDistance Distance(const Shape& a, const Transform& X_WA, const Shape& b,
                        const Transform& X_WB);

}  // namespace limber::dynamics
