// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "core/math.h"

namespace limber::dynamics::internal {

/// @throws std::invalid_argument, naming the place, on a vertex that is not
///         finite, an index out of range, a repeated corner, or an edge that
///         its triangles do not walk as often one way as the other: the mesh
///         then has a border, or neighbours that disagree about the outside.
void CheckClosedMesh(std::span<const Vector3> vertices,
                     std::span<const std::array<int, 3>> triangles);

}  // namespace limber::dynamics::internal
