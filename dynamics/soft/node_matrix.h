// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <span>
#include <utility>
#include <vector>

#include "core/math.h"

namespace limber::dynamics::internal {

/// A symmetric positive definite matrix of 3 x 3 blocks, one row a node, and
/// the solution of A x = y: by sparse Cholesky for few nodes, by conjugate
/// gradients with the inverse diagonal blocks as preconditioner for many.
class NodeMatrix {
 public:
  /// More nodes than this are solved by conjugate gradients. The cost of the
  /// factor grows with the power 2 (solids) or 1.5 (sheets) of the number, that
  /// of a product with 1. Where they cross has not been measured.
  static constexpr int kMostDirect = 1000;

  /// @param edges  pairs a < b of nodes that share a block, ascending, none
  ///               twice.
  void SetGraph(int num, std::vector<std::pair<int, int>> edges,
                int most_direct = kMostDirect);
  int num() const { return static_cast<int>(diagonal_.size()); }
  /// The number of edge a < b. @pre there is one.
  int EdgeOf(int a, int b) const;

  void SetZero();
  Matrix3& Diagonal(int i) { return diagonal_[static_cast<std::size_t>(i)]; }
  /// Rows of the first node, columns of the second.
  Matrix3& Edge(int e) { return blocks_[static_cast<std::size_t>(e)]; }

  /// Prepares `Solve`; false if the matrix is not positive definite, as far as
  /// that is seen at once.
  bool Factorise();
  /// x = A^-1 y; false if the matrix is not positive definite.
  bool Solve(std::span<const Vector3> y, std::span<Vector3> x);
  void Multiply(std::span<const Vector3> x, std::span<Vector3> y) const;
  bool direct() const { return direct_; }
  int iterations() const { return iterations_; }  ///< Of all calls of Solve.

 private:
  bool SolveByGradients(std::span<const Vector3> y, std::span<Vector3> x);

  bool direct_ = true;
  int iterations_ = 0;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> first_edge_;  ///< By node.
  std::vector<Matrix3> diagonal_;
  std::vector<Matrix3> blocks_;
  std::vector<Matrix3> inverse_;
  Eigen::SparseMatrix<double> lower_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> cholesky_;
  std::vector<Vector3> r_, z_, p_, q_;
  VectorX work_;
};

}  // namespace limber::dynamics::internal
