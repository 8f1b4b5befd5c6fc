// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/closed_mesh.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/internal/check.h"

namespace limber::dynamics::internal {

void CheckClosedMesh(std::span<const Vector3> vertices,
                     std::span<const std::array<int, 3>> triangles) {
  const int num_vertices = static_cast<int>(vertices.size());
  for (const Vector3& vertex : vertices) CheckFinite("vertices", vertex);
  // Edge (low, high) with +1 for low to high and -1 for high to low.
  std::vector<std::pair<std::pair<int, int>, int>> edges;
  edges.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::array<int, 3>& corner = triangles[t];
    const std::string field = "triangles[" + std::to_string(t) + "]";
    for (int i = 0; i < 3; ++i) {
      const int from = corner[i];
      const int to = corner[(i + 1) % 3];
      if (from < 0 || from >= num_vertices) {
        ThrowBadValue(field, "an index below " + std::to_string(num_vertices),
                      std::to_string(from));
      }
      if (from == to) {
        ThrowBadValue(field, "three different corners",
                      "corner " + std::to_string(from) + " twice");
      }
      edges.push_back({std::minmax(from, to), from < to ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();) {
    const std::pair<int, int> edge = edges[i].first;
    int up = 0;
    int down = 0;
    for (; i < edges.size() && edges[i].first == edge; ++i) {
      (edges[i].second > 0 ? up : down) += 1;
    }
    if (up != down) {
      ThrowBadValue("triangles", "a closed mesh with one outside",
                    "edge " + std::to_string(edge.first) + "-" +
                        std::to_string(edge.second) + " walked " +
                        std::to_string(up) + " times up and " +
                        std::to_string(down) + " times down");
    }
  }
}

}  // namespace limber::dynamics::internal
