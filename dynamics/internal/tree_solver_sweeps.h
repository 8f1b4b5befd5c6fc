// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/tree_solver.h"

// The ways down the trees, for inlining: node waits for node there, and whoever
// does the work of a body at the same time gets it for nothing.

namespace limber::dynamics::internal {

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

inline void TreeSolver::SolveRoot(const Root& root, TreeNode& node) const {
  double y[6] = {node.f.x, node.f.y, node.f.z, node.t.x, node.t.y, node.t.z};
  for (int i = 1; i < 6; ++i) {
    for (int k = 0; k < i; ++k) y[i] -= root.L[i][k] * y[k];
  }
  for (int i = 5; i >= 0; --i) {
    y[i] /= root.D[i];
    for (int k = i + 1; k < 6; ++k) y[i] -= root.L[k][i] * y[k];
  }
  node.dx = {y[0], y[1], y[2]};
  node.dw = {y[3], y[4], y[5]};
}

// Answers from the roots down; visit(i) is called once node i has its own.
template <typename Visit>
void TreeSolver::SweepDown(bool homogeneous, const Visit& visit) {
  // In a chain the parent is the node before: its motion stays in registers.
  Vec last_dx, last_dw;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    TreeNode& node = nodes[static_cast<std::size_t>(i)];
    Vec dx, dw;
    if (node.parent >= 0) {
      if (node.parent != i - 1) {
        const TreeNode& parent = nodes[static_cast<std::size_t>(node.parent)];
        last_dx = parent.dx;
        last_dw = parent.dw;
      }
      dx = last_dx + Cross(last_dw, node.l);
      dw = last_dw;
    }
    // The impulse F, T of the joint is asked for in full solves only.
    switch (node.kind) {
      case TreeNode::Kind::kFreeRoot:
        SolveRoot(roots_[static_cast<std::size_t>(i)], node);
        node.F = node.T = Vec{};
        dx = node.dx;
        dw = node.dw;
        break;
      case TreeNode::Kind::kRigid:
        if (homogeneous) break;
        node.F = Momentum(node.M, dx, dw) - node.f;
        node.T = Spin(node.M, dx, dw) - node.t;
        break;
      case TreeNode::Kind::kFreeBall:
        if (!homogeneous) {
          node.F = node.M.A * dx - node.f;
          if (!node.limp_ball) node.T = -node.t;
        }
        dw = node.y - TransposedTimes(node.M.H, dx);
        break;
      case TreeNode::Kind::kSoftBall: {
        const Vec spin = node.y + node.inverse_D * (node.d * dw) -
                         TransposedTimes(node.W, dx);
        if (!homogeneous) {
          node.F = Momentum(node.M, dx, dw) - node.f;
          node.T = node.c - node.d * (spin - dw);
        }
        dw = spin;
        break;
      }
      case TreeNode::Kind::kMixed:
        if (!homogeneous) {
          node.F = Momentum(node.M, dx, dw) - node.f;
          node.T = Spin(node.M, dx, dw) - node.t;
        }
        for (int k = node.num_coordinates - 1; k >= 0; --k) {
          TreeCoordinate& q =
              coordinates[static_cast<std::size_t>(node.first_coordinate + k)];
          if (q.locked) continue;
          q.delta =
              q.y - q.inverse_D * (Dot(q.U_linear, dx) + Dot(q.U_angular, dw));
          dw += q.delta * q.angular;
          if (!node.ball) dx += q.delta * q.linear;
        }
        break;
    }
    node.dx = last_dx = dx;
    node.dw = last_dw = dw;
    visit(static_cast<std::size_t>(i));
  }
}

template <typename Visit>
bool TreeSolver::SolveClosing(bool factorise, bool predicted,
                              const Visit& visit) {
  if (LoadClosing(factorise, predicted)) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].dx = nodes[i].dw = Vec{};
      visit(i);
    }
    return true;
  }
  if (aux_rows.empty()) {
    SweepDown(true, visit);
    return true;
  }
  if (!SolveClosingAux()) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) visit(i);
  return true;
}

}  // namespace limber::dynamics::internal
