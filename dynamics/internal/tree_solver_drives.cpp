// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"

// Drives of ball joints that act as one.

namespace limber::dynamics::internal {

// Impulses of the simple drives, lambda = +-R^T T, and whether their bounds
// allow them.
bool TreeSolver::SimpleDrivesFit() {
  LaneMask wrong = {};
  for (std::size_t n = 0; n < balls.size(); ++n) {
    TreeBallBlock& block = balls[n];
    if (!Any(block.simple)) continue;
    const ConstPlaces from = {NumbersOf(kLanes * n), NumbersOf(kLanes * n + 1),
                              NumbersOf(kLanes * n + 2),
                              NumbersOf(kLanes * n + 3)};
    const FourLanes T = Gather(from, kNodeTorque - 1);
    const VecLanes lambda =
        block.sign * TransposedTimes(block.R_WF, VecLanes{T.b, T.c, T.d});
    block.lambda = lambda;
    const auto above = [](const Lane& impulse, const Lane& most) -> LaneMask {
      return Size(impulse) >
             most + kRowTolerance * (kSmallestRow + Size(impulse));
    };
    wrong |= block.simple &
             (above(lambda.x, block.most.x) | above(lambda.y, block.most.y) |
              above(lambda.z, block.most.z));
  }
  return !Any(wrong);
}

// The same drives as coordinates of their own, inside their bounds.
void TreeSolver::ExpandSimpleDrives() {
  if (!has_simple_) return;
  has_simple_ = false;
  has_coordinates_ = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    TreeNode& node = nodes[i];
    if (!node.simple) continue;
    node.simple = false;
    node.num_coordinates = 3;
    const TreeBallBlock& block = balls[i / kLanes];
    const std::size_t k = i % kLanes;
    const double u[3] = {block.u.x[k], block.u.y[k], block.u.z[k]};
    const double most[3] = {block.most.x[k], block.most.y[k], block.most.z[k]};
    const Mat R_WF = OneOf(block.R_WF, k);
    for (int a = 0; a < 3; ++a) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + a)];
      q.angular = block.sign[k] * Column(R_WF, a);
      q.guess = q.u = u[a];
      q.s = block.s[k];
      q.lo = -most[a];
      q.hi = most[a];
      q.other = -1;
      q.has_main = true;
      q.main_state = q.limit_state = 0;
      q.mode = TreeCoordinate::kNoMode;
      SetMode(q);
    }
  }
}

}  // namespace limber::dynamics::internal
