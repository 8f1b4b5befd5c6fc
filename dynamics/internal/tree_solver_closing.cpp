// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"
#include "dynamics/internal/tree_solver_sweeps.h"

// Closing: what the offsets alone ask for, all other rows at rest.

namespace limber::dynamics::internal {

void TreeSolver::PredictClosing() {
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) StartClosing(i);
}

bool TreeSolver::LoadClosing(bool factorise, bool predicted) {
  ++solves;
  if (all_held_ && aux_rows.empty()) {
    if (!predicted) PredictClosing();
    return true;
  }
  // With the kick's factor interior body rows resist being moved; with a new
  // one only the held directions count, as if nothing else acted.
  for (TreeBodyRow& row : body_rows) {
    row.u = row.push;
    row.lo = row.hi = row.push = 0.0;
  }
  for (TreePointRow& row : point_rows) row.u = Vec{};
  const bool anew = factorise || all_held_;
  if (anew) {
    for (TreePointRow& row : point_rows) row.stiffness = 0.0;
    for (TreeBodyRow& row : body_rows) {
      if (!row.contact) row.state = -1;
    }
    for (TreeNode& node : nodes) {
      for (int k = 0; k < node.num_coordinates; ++k) {
        TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
        q.locked = q.closes;
        q.d = 0.0;
        q.mode = TreeCoordinate::kNoMode;
      }
      node.kind = node.simple ? TreeNode::Kind::kFreeBall : KindOf(node);
    }
    MarkAllDirty();
  }
  if (!predicted) PredictClosing();
  AddBodyRows();
  if (anew) {
    Factorise(true);
  } else {
    SweepUp(true);
  }
  return false;
}

bool TreeSolver::SolveClosing(bool factorise, bool predicted) {
  closing_pending_ = false;
  if (LoadClosing(factorise, predicted)) {
    for (TreeNode& node : nodes) node.dx = node.dw = Vec{};
    return true;
  }
  if (!aux_rows.empty()) return SolveClosingAux();
  closing_pending_ = true;
  return true;
}

bool TreeSolver::SolveClosingAux() {
  SweepDown(true);
  for (TreeNode& node : nodes) {
    node.free_v = node.free_w = node.c = Vec{};
  }
  for (TreeCoordinate& q : coordinates) q.c = 0.0;
  return SolveAux();
}

}  // namespace limber::dynamics::internal
