// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"

// Soft rows on one body and given motions: contacts with the ground, markers.

namespace limber::dynamics::internal {

// Blocks of the rows that give way: j j^T / s. Three rows on one point are a
// mass of 1/s there.
void TreeSolver::AddBodyBlocks() {
  for (const TreeBodyRow& row : body_rows) {
    TreeNode& node = nodes[Index(row.node)];
    if (!IsDirty(node) || row.state != 0) continue;
    if (!node.loaded) node.Load(BlockInertia{});
    AddRankOne(node.M, row.linear, row.angular, 1.0 / row.s);
  }
  for (const TreePointRow& row : point_rows) {
    TreeNode& node = nodes[Index(row.node)];
    if (IsDirty(node)) {
      node.Load(RigidInertia(row.stiffness, Sym{}, row.arm));
    }
  }
}

//     interior  j (u - j V*) / s ,   at a bound  j lambda
void TreeSolver::AddBodyRows() {
  for (const TreeBodyRow& row : body_rows) {
    TreeNode& node = nodes[Index(row.node)];
    const double g =
        row.state == 0
            ? (row.u - Dot(row.linear, node.x) - Dot(row.angular, node.w)) /
                  row.s
            : (row.state < 0 ? row.lo : row.hi);
    node.f += g * row.linear;
    node.t += g * row.angular;
  }
  for (const TreePointRow& row : point_rows) {
    TreeNode& node = nodes[Index(row.node)];
    const Vec g = row.stiffness * (row.u - node.x - Cross(node.w, row.arm));
    node.f += g;
    node.t += Cross(row.arm, g);
  }
}

// Speeds and impulses from the answer of the sweeps.
void TreeSolver::FinishBodyRows() {
  for (TreeBodyRow& row : body_rows) {
    const TreeNode& node = nodes[Index(row.node)];
    row.rate =
        Dot(row.linear, node.x + node.dx) + Dot(row.angular, node.w + node.dw);
    row.lambda = row.state == 0  ? (row.u - row.rate) / row.s
                 : row.state < 0 ? row.lo
                                 : row.hi;
  }
  for (TreePointRow& row : point_rows) {
    const TreeNode& node = nodes[Index(row.node)];
    row.rate = node.x + node.dx + Cross(node.w + node.dw, row.arm);
    row.lambda = row.stiffness * (row.u - row.rate);
  }
}

}  // namespace limber::dynamics::internal
