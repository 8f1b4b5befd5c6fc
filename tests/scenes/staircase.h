// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "dynamics/collision/shape.h"

namespace limber::scenes {

/// Steps that climb along +X from x = 0, from the floor y = 0; z from -width/2
/// to width/2 [m].
struct Staircase {
  int num_steps = 6;
  double rise = 0.17;
  double run = 0.29;
  double width = 2.0;
};

/// One box a step, from the floor up.
inline dynamics::ShapePointer StairsOfBoxes(const Staircase& stairs) {
  std::vector<dynamics::CompoundChild> steps;
  for (int i = 0; i < stairs.num_steps; ++i) {
    const double height = (i + 1) * stairs.rise;
    Transform X_SC;
    X_SC.p = {(i + 0.5) * stairs.run, 0.5 * height, 0.0};
    steps.push_back({dynamics::Shape::Box(
                         {0.5 * stairs.run, 0.5 * height, 0.5 * stairs.width}),
                     X_SC});
  }
  return dynamics::Shape::Compound(std::move(steps));
}

/// The treads and risers of the same steps as triangles, seen from above and
/// from the front.
inline dynamics::ShapePointer StairsOfTriangles(const Staircase& stairs) {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  const auto add_line = [&](double x, double y) {
    vertices.emplace_back(x, y, -0.5 * stairs.width);
    vertices.emplace_back(x, y, 0.5 * stairs.width);
  };
  add_line(0.0, 0.0);
  for (int i = 0; i < stairs.num_steps; ++i) {
    add_line(i * stairs.run, (i + 1) * stairs.rise);
    add_line((i + 1) * stairs.run, (i + 1) * stairs.rise);
  }
  for (int v = 0; v + 3 < static_cast<int>(vertices.size()); v += 2) {
    triangles.push_back({v, v + 1, v + 3});
    triangles.push_back({v, v + 3, v + 2});
  }
  return dynamics::Shape::TriangleMesh(std::move(vertices),
                                       std::move(triangles));
}

}  // namespace limber::scenes
