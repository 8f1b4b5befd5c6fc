// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <random>

#include "core/math.h"
#include "dynamics/collision/shape.h"

namespace limber::scenes {

/// Signed distance of two solids by trying everything, in long double: apart,
/// the least distance of corners to triangles and of edges to edges;
/// overlapped, the greatest gap over all normals of faces and of pairs of
/// edges. Shares no code with dynamics/collision. Sphere, capsule, box, convex
/// hull; A may be a plane.
double ReferenceDistance(const dynamics::Shape& a, const Transform& X_WA,
                         const dynamics::Shape& b, const Transform& X_WB);

/// The same from a triangle in the world to a solid.
double ReferenceDistance(const std::array<Vector3, 3>& triangle_W,
                         const dynamics::Shape& b, const Transform& X_WB);

Vector3 RandomUnit(std::mt19937& random);
Quaternion RandomRotation(std::mt19937& random);
/// About `size` metres large; `kind` is a convex kind or a plane.
dynamics::ShapePointer RandomShape(dynamics::ShapeKind kind, double size,
                                   std::mt19937& random);

}  // namespace limber::scenes
