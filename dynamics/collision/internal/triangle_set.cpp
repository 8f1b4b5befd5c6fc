// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/triangle_set.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "dynamics/internal/check.h"

namespace limber::dynamics::internal {
namespace {

// Below this sine a convex edge counts as flat (half a degree): a ball rolls
// over it without being stopped by more than its own rounding.
constexpr double kFlatEdge = 0.0087;
constexpr int kLeafSize = 4;

}  // namespace

void TriangleSet::CheckTriangles() const {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    CheckFinite("vertices[" + std::to_string(i) + "]", vertices[i]);
  }
  if (triangles.empty()) ThrowBadValue("triangles", "at least 1", "0");
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::string name = "triangles[" + std::to_string(t) + "]";
    for (const int v : triangles[t]) {
      if (v < 0 || v >= static_cast<int>(vertices.size())) {
        ThrowBadValue(
            name, "indices from 0 to " + std::to_string(vertices.size() - 1),
            std::to_string(v));
      }
    }
  }
}

void TriangleSet::Finish() {
  CheckTriangles();
  normals.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vector3& a = vertices[triangles[t][0]];
    const Vector3 ab = vertices[triangles[t][1]] - a;
    const Vector3 ac = vertices[triangles[t][2]] - a;
    const Vector3 area = ab.cross(ac);
    const double longest =
        std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    if (!(area.norm() > 1e-12 * longest)) {
      ThrowBadValue("triangles[" + std::to_string(t) + "]",
                    "a triangle with area", ToText(0.5 * area.norm()));
    }
    normals[t] = area.normalized();
    for (const int v : triangles[t]) box.Extend(vertices[v]);
  }
  FindActiveEdges();
  BuildTree();
}

void TriangleSet::FindActiveEdges() {
  struct Side {
    int triangle;
    int edge;
  };
  std::map<std::pair<int, int>, std::vector<Side>> sides;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    for (int i = 0; i < 3; ++i) {
      const int a = triangles[t][i];
      const int b = triangles[t][(i + 1) % 3];
      sides[{std::min(a, b), std::max(a, b)}].push_back({t, i});
    }
  }
  active.assign(triangles.size(), 0);
  edge_ids.resize(triangles.size());
  std::vector<bool> active_vertex(vertices.size(), false);
  int id = 0;
  for (const auto& [ends, meeting] : sides) {
    bool is_active = true;
    if (meeting.size() == 2) {
      const Side& s = meeting[0];
      const Side& o = meeting[1];
      const Vector3& n0 = normals[s.triangle];
      const Vector3& n1 = normals[o.triangle];
      const std::array<int, 3>& corners = triangles[s.triangle];
      const Vector3 along =
          (vertices[corners[(s.edge + 1) % 3]] - vertices[corners[s.edge]])
              .normalized();
      const bool same_turn =
          corners[s.edge] ==
          triangles[o.triangle][(o.edge + 1) % 3];  // Walked the other way.
      // n0 x n1 points along the edge where the surface is convex. A fold
      // sharper than a right angle sticks out or in on one side; from the
      // other side of a two-sided mesh, hollow edges stick out.
      const double bend = n0.cross(n1).dot(along);
      const bool sharp = n0.dot(n1) < 0.0;
      if (same_turn) {
        is_active = two_sided ? (std::abs(bend) > kFlatEdge || sharp)
                              : (bend > kFlatEdge || (sharp && bend >= 0.0));
      }
    }
    for (const Side& side : meeting) {
      edge_ids[side.triangle][side.edge] = id;
      if (is_active) {
        active[side.triangle] |= static_cast<std::uint8_t>(1 << side.edge);
      }
    }
    if (is_active) {
      active_vertex[ends.first] = true;
      active_vertex[ends.second] = true;
    }
    ++id;
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      if (active_vertex[triangles[t][i]]) {
        active[t] |= static_cast<std::uint8_t>(8 << i);
      }
    }
  }
}

void TriangleSet::BuildTree() {
  const int n = static_cast<int>(triangles.size());
  std::vector<BoundingBox> boxes(n);
  std::vector<Vector3> middles(n);
  for (int t = 0; t < n; ++t) {
    for (const int v : triangles[t]) boxes[t].Extend(vertices[v]);
    middles[t] = 0.5 * (boxes[t].min + boxes[t].max);
  }
  order.resize(n);
  std::iota(order.begin(), order.end(), 0);
  nodes.clear();
  nodes.push_back({{}, -1, 0, n});
  // Halve at the median along the longest side; depth stays below log2(n) + 1.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int begin = nodes[i].begin;
    const int end = nodes[i].end;
    BoundingBox centres;
    for (int k = begin; k < end; ++k) {
      nodes[i].box.Extend(boxes[order[k]]);
      centres.Extend(middles[order[k]]);
    }
    if (end - begin <= kLeafSize) continue;
    int axis = 0;
    (centres.max - centres.min).maxCoeff(&axis);
    const int half = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + half,
                     order.begin() + end, [&](int a, int b) {
                       return std::pair(middles[a][axis], a) <
                              std::pair(middles[b][axis], b);
                     });
    nodes[i].left = static_cast<int>(nodes.size());
    nodes.push_back({{}, -1, begin, half});
    nodes.push_back({{}, -1, half, end});
  }
}

}  // namespace limber::dynamics::internal
