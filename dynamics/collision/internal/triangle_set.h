// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "dynamics/collision/bounding_box.h"

namespace limber::dynamics::internal {

/// Triangles of a mesh or height field, with what contact needs of them.
struct TriangleSet {
  /// A node's box holds those of its two children, at `left` and `left + 1`;
  /// a leaf (left < 0) holds triangles order[begin .. end).
  struct Node {
    BoundingBox box;
    int left = -1;
    int begin = 0;
    int end = 0;
  };

  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vector3> normals;  ///< Unit, from the anticlockwise side.
  /// Bit i: edge i (corner i to i + 1) sticks out, so that it may be touched
  /// on its own; flat and hollow edges between neighbours may not. Bit 3 + i:
  /// some edge at corner i does.
  std::vector<std::uint8_t> active;
  /// Id of each edge, the same for the two triangles that share it.
  std::vector<std::array<int, 3>> edge_ids;
  bool two_sided = false;
  bool solid_below = false;  ///< Height field.
  BoundingBox box;
  std::vector<Node> nodes;
  std::vector<int> order;

  /// Fills everything after `triangles`. @throws std::invalid_argument naming
  /// the place for a vertex that is not finite, an index out of range or a
  /// triangle without area.
  void Finish();

  /// Calls visit(triangle) for each triangle whose box may touch `query`, in
  /// an order fixed by the set.
  template <typename Visit>
  void ForEachIn(const BoundingBox& query, Visit&& visit) const {
    if (nodes.empty()) return;
    std::array<int, 64> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const Node& node = nodes[stack[--depth]];
      if (!node.box.Overlaps(query)) continue;
      if (node.left < 0) {
        for (int i = node.begin; i < node.end; ++i) visit(order[i]);
      } else {
        stack[depth++] = node.left + 1;
        stack[depth++] = node.left;
      }
    }
  }

 private:
  void CheckTriangles() const;
  void FindActiveEdges();
  void BuildTree();
};

}  // namespace limber::dynamics::internal
