// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/math.h"
#include "mocap/solve/body.h"

namespace limber::mocap::internal {

/// Blocks of three unknowns: block 0 moves the pelvis (world axes), block j + 1
/// turns joint j (axes of segment j: R_PJ becomes R_PJ Exp(x)).
inline constexpr int kNumBlocks = kNumSegments + 1;
inline constexpr int kNumUnknowns = 3 * kNumBlocks;
/// Blocks from the translation down to a hand.
inline constexpr int kMaxDepth = 8;

/// For every block its ancestors, nearest to the root first, itself last.
struct BlockTree {
  std::array<int, kNumBlocks> depth{};  ///< Number of proper ancestors.
  std::array<std::array<int, kMaxDepth>, kNumBlocks> path{};
};
const BlockTree& Blocks();

/// The normal equations H x = -g of one frame. Two blocks are coupled only if
/// one is an ancestor of the other, and elimination from the leaves to the root
/// keeps it so: no fill-in, a few microseconds for the whole body.
class TreeSystem {
 public:
  using Flat = Eigen::Matrix<double, kNumUnknowns, 1>;

  void Clear();

  /// H between the ancestor at place `d` of the path of block `b` (rows) and
  /// block `b` (columns).
  Matrix3& H(int b, int d) { return h_[b][d]; }
  const Matrix3& H(int b, int d) const { return h_[b][d]; }
  Matrix3& Diagonal(int b) { return h_[b][Blocks().depth[b]]; }
  Vector3& g(int b) { return g_[b]; }
  const Vector3& g(int b) const { return g_[b]; }
  /// Blocks that are not unknowns get x = 0.
  void SetFixed(int b, bool fixed) { fixed_[b] = fixed; }
  bool is_fixed(int b) const { return fixed_[b]; }

  /// Eliminates with `damping` added to the diagonal. H and g are consumed.
  void Factor(double damping);
  /// x with H x = -g, after `Factor`.
  void Solve(std::array<Vector3, kNumBlocks>& x) const;

  /// Replaces a further right-hand side by L⁻¹ of it, after `Factor`, which
  /// leaves H = L D Lᵀ and g = L⁻¹ g: then H⁻¹ = L⁻ᵀ D⁻¹ L⁻¹. Only the rows of
  /// `block` and of the blocks above it may differ from zero, and only these do
  /// afterwards.
  void Eliminate(int block, Eigen::Ref<VectorX> rhs) const;
  /// The same for a right-hand side with any rows.
  void Eliminate(Eigen::Ref<VectorX> rhs) const;
  /// A block of D⁻¹.
  const Matrix3& inverse(int b) const { return inverse_[b]; }

  /// H as a full symmetric matrix, before `Factor`; fixed blocks are empty.
  void ToDense(MatrixX& dense) const;

 private:
  std::array<std::array<Matrix3, kMaxDepth>, kNumBlocks> h_;
  /// h D⁻¹ of the eliminated blocks.
  std::array<std::array<Matrix3, kMaxDepth>, kNumBlocks> y_;
  std::array<Matrix3, kNumBlocks> inverse_;
  std::array<Vector3, kNumBlocks> g_;
  std::array<bool, kNumBlocks> fixed_{};
};

}  // namespace limber::mocap::internal
