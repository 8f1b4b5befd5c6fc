// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "viewer/part.h"

namespace limber::viewer::internal {

/// Triangles with a normal per corner; corners count anticlockwise from
/// outside.
struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<Vector3> normals;
  std::vector<std::array<int, 3>> triangles;
};

/// The surface of a part, in its frame S.
Mesh MeshOf(const PartShape& shape);

}  // namespace limber::viewer::internal
