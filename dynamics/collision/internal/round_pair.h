// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/collision/internal/convex_pair.h"
#include "dynamics/collision/shape.h"

namespace limber::dynamics::internal {

// Closed forms, in the frame of the first shape; `second` is placed in it.

/// Point, segment and point, or two segments: the cores of spheres and
/// capsules, in any frame.
PairDistance DistanceOfRounds(const Polytope& a, const Polytope& b);
/// Two parallel segments get two points.
void CollideRounds(const Polytope& a, const Polytope& b, double margin,
                   Patch& out);

/// A box of `half_extents` about the origin and a rounded point.
PairDistance DistanceBoxSphere(const Vector3& half_extents, const Vector3& p,
                               double radius);

/// The half space y <= 0 and any convex set.
PairDistance DistancePlane(const Polytope& b);
void CollidePlane(const Polytope& b, double margin, Patch& out);

}  // namespace limber::dynamics::internal
