// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "dynamics/internal/tree_solver.h"

namespace limber::dynamics::internal {
namespace {

// A free body with two limp balls on it, one of which carries a third.
TreeSolver Figure() {
  TreeSolver solver;
  solver.nodes.resize(4);
  const int parents[4] = {-1, 0, 0, 2};
  solver.Start();
  for (int i = 0; i < 4; ++i) {
    TreeNode& node = solver.nodes[static_cast<std::size_t>(i)];
    node.parent = parents[i];
    node.free_root = i == 0;
    node.ball = node.limp_ball = i > 0;
    node.mass = 1.0 + i;
    node.inertia = Sym{0.3 + i, 0.02, -0.01, 0.4, 0.03, 0.5 + 0.1 * i};
    if (i > 0) {
      node.r = Vec{0.1, -0.2 * i, 0.05};
      node.l = Vec{0.3, 0.1, -0.1 * i};
    }
    solver.StartNode(i);
  }
  return solver;
}

Vector6 MotionOf(const TreeNode& node) {
  const Vec x = node.x + node.dx;
  const Vec w = node.w + node.dw;
  Vector6 V;
  V << x.x, x.y, x.z, w.x, w.y, w.z;
  return V;
}

TEST(TreeResponses, EqualTheChangeThatAnImpulseMakes) {
  TreeSolver solver = Figure();
  ASSERT_TRUE(solver.SolveBounded());
  const std::vector<int> touched = {0, 1, 3};
  std::vector<Matrix6> R;
  solver.FindResponses(touched, R);
  for (std::size_t b = 0; b < touched.size(); ++b) {
    for (int axis = 0; axis < 6; ++axis) {
      // A unit impulse at the reference point, as a change of V_free.
      TreeSolver loaded = Figure();
      TreeNode& node = loaded.nodes[static_cast<std::size_t>(touched[b])];
      const Vec unit{axis % 3 == 0 ? 1.0 : 0.0, axis % 3 == 1 ? 1.0 : 0.0,
                     axis % 3 == 2 ? 1.0 : 0.0};
      const Vec force = axis < 3 ? unit : Vec{};
      const Vec torque = axis < 3 ? -Cross(node.r, unit) : unit;
      node.free_v += (1.0 / node.mass) * force;
      node.free_w += Inverse(node.inertia) * torque;
      ASSERT_TRUE(loaded.SolveBounded(true));
      for (std::size_t c = 0; c < touched.size(); ++c) {
        const std::size_t n = static_cast<std::size_t>(touched[c]);
        const Vector6 change =
            MotionOf(loaded.nodes[n]) - MotionOf(solver.nodes[n]);
        EXPECT_LT((R[c * touched.size() + b].col(axis) - change).norm(), 1e-12)
            << touched[c] << " " << touched[b] << " " << axis;
      }
    }
  }
}

}  // namespace
}  // namespace limber::dynamics::internal
