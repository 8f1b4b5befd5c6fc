// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/tree_system.h"

namespace limber::mocap::internal {

namespace {

BlockTree MakeBlocks() {
  BlockTree tree;
  tree.path[0][0] = 0;
  for (int b = 1; b < kNumBlocks; ++b) {
    const int parent = Body()[b - 1].parent + 1;
    tree.depth[b] = tree.depth[parent] + 1;
    tree.path[b] = tree.path[parent];
    tree.path[b][tree.depth[b]] = b;
  }
  return tree;
}

}  // namespace

const BlockTree& Blocks() {
  static const BlockTree tree = MakeBlocks();
  return tree;
}

void TreeSystem::Clear() {
  const BlockTree& tree = Blocks();
  for (int b = 0; b < kNumBlocks; ++b) {
    for (int d = 0; d <= tree.depth[b]; ++d) h_[b][d].setZero();
    g_[b].setZero();
  }
}

void TreeSystem::Factor(double damping) {
  const BlockTree& tree = Blocks();
  for (int b = kNumBlocks - 1; b >= 0; --b) {
    if (fixed_[b]) continue;
    const int depth = tree.depth[b];
    const auto& path = tree.path[b];
    h_[b][depth].diagonal().array() += damping;
    // D⁻¹ by cofactors: D is symmetric, positive definite and 3 x 3.
    inverse_[b] = h_[b][depth].inverse();
    for (int d = 0; d < depth; ++d) {
      if (fixed_[path[d]]) continue;
      y_[b][d].noalias() = h_[b][d] * inverse_[b];
    }
    for (int e = 0; e < depth; ++e) {
      const int near = path[e];
      if (fixed_[near]) continue;
      for (int d = 0; d <= e; ++d) {
        if (fixed_[path[d]]) continue;
        h_[near][d].noalias() -= y_[b][d] * h_[b][e].transpose();
      }
      g_[near].noalias() -= y_[b][e] * g_[b];
    }
  }
}

void TreeSystem::Solve(std::array<Vector3, kNumBlocks>& x) const {
  const BlockTree& tree = Blocks();
  for (int b = 0; b < kNumBlocks; ++b) {
    if (fixed_[b]) {
      x[b].setZero();
      continue;
    }
    Vector3 sum = -(inverse_[b] * g_[b]);
    for (int d = 0; d < tree.depth[b]; ++d) {
      const int ancestor = tree.path[b][d];
      if (!fixed_[ancestor])
        sum.noalias() -= y_[b][d].transpose() * x[ancestor];
    }
    x[b] = sum;
  }
}

void TreeSystem::Eliminate(int block, Eigen::Ref<VectorX> rhs) const {
  const BlockTree& tree = Blocks();
  for (int k = tree.depth[block]; k > 0; --k) {
    const int b = tree.path[block][k];
    if (fixed_[b]) continue;
    const Vector3 x = rhs.segment<3>(3 * b);
    for (int d = 0; d < k; ++d) {
      const int ancestor = tree.path[block][d];
      if (fixed_[ancestor]) continue;
      rhs.segment<3>(3 * ancestor).noalias() -= y_[b][d] * x;
    }
  }
}

void TreeSystem::Eliminate(Eigen::Ref<VectorX> rhs) const {
  const BlockTree& tree = Blocks();
  for (int b = kNumBlocks - 1; b > 0; --b) {
    if (fixed_[b]) continue;
    const Vector3 x = rhs.segment<3>(3 * b);
    for (int d = 0; d < tree.depth[b]; ++d) {
      const int ancestor = tree.path[b][d];
      if (fixed_[ancestor]) continue;
      rhs.segment<3>(3 * ancestor).noalias() -= y_[b][d] * x;
    }
  }
}

void TreeSystem::ToDense(MatrixX& dense) const {
  const BlockTree& tree = Blocks();
  dense.setZero(kNumUnknowns, kNumUnknowns);
  for (int b = 0; b < kNumBlocks; ++b) {
    if (fixed_[b]) continue;
    for (int d = 0; d <= tree.depth[b]; ++d) {
      const int a = tree.path[b][d];
      if (fixed_[a]) continue;
      dense.block<3, 3>(3 * a, 3 * b) = h_[b][d];
      dense.block<3, 3>(3 * b, 3 * a) = h_[b][d].transpose();
    }
  }
}

}  // namespace limber::mocap::internal
