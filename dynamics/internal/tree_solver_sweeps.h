// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/tree_solver.h"

// The way down the trees at the start of a kick and of a closing, for inlining.

namespace limber::dynamics::internal {

// `StartNode` of a ball joint along which nothing acts, without the questions:
// V* = V_free as far as the joint lets it, so that no spin is lacking.
inline void TreeSolver::StartLimpBall(TreeNode& node) {
  Vec x = node.offset_linear;
  if (node.parent >= 0) {
    const TreeNode& parent = nodes[static_cast<std::size_t>(node.parent)];
    x += parent.x + Cross(parent.w, node.l);
  } else {
    x += node.base_x;
  }
  node.kind = TreeNode::Kind::kFreeBall;
  nodes_held_ = false;
  const Vec w = node.free_w;
  const Vec f = node.mass * (node.free_v - x - Cross(w, node.r));
  node.x = x;
  node.w = w;
  node.f = f;
  node.t = Cross(node.r, f);
}

// V* of a closing: the offsets alone move the bodies.
inline void TreeSolver::StartClosing(int i) {
  TreeNode& node = nodes[static_cast<std::size_t>(i)];
  if (node.free_root) {
    node.x = node.w = node.f = node.t = Vec{};
    return;
  }
  Vec x = node.offset_linear;
  Vec w;
  if (node.parent >= 0) {
    const TreeNode& parent = nodes[static_cast<std::size_t>(node.parent)];
    x += parent.x + Cross(parent.w, node.l);
    if (!node.limp_ball) w = parent.w;
  }
  if (!node.ball) w += node.offset_angular;
  node.x = x;
  node.w = w;
  if (node.limp_ball) {
    const Vec f = (-node.mass) * x;
    node.f = f;
    node.t = Cross(node.r, f);
    return;
  }
  const Vec f = (-node.mass) * (x + Cross(w, node.r));
  node.f = f;
  node.t = Cross(node.r, f) - node.inertia * w;
}

}  // namespace limber::dynamics::internal
