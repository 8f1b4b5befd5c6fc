// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limber::dynamics::internal {

/// The factorisation A_CC = L D L^T of a symmetric positive definite principal
/// block, L unit lower triangular, whose rows come and go:
///
///     Factor   m^3/6 multiply-adds, from scratch
///     Append   m^2/2, one row at the end
///     Remove   at most m^2, any row (a rank-1 update of the rows behind it)
///     Solve    m^2
///
/// L is stored by columns, so every inner loop runs over contiguous memory.
/// No allocation after Reserve.
class UpdatedLdlt {
 public:
  void Reserve(int capacity);
  void Clear() { size_ = 0; }
  int size() const { return size_; }

  /// Factors the rows and columns `rows` of A, row-major with `stride`. Stops
  /// at the first pivot not above `min_pivot` and returns its place in `rows`;
  /// -1 if all are good.
  int Factor(const double* A, std::ptrdiff_t stride, std::span<const int> rows,
             double min_pivot);

  /// Solves L y = a, z = D^-1 y, for a candidate row with off-diagonal part `a`
  /// (size() numbers) and diagonal `a_ii`. z replaces `a`. Returns the pivot
  /// the row would have, a_ii - y^T z: the Schur complement.
  double Eliminate(double* a, double a_ii) const;

  /// Appends the row that Eliminate made from.
  void Append(const double* z, double pivot);

  /// Drops the rows from `size` on: the undo of Append.
  void Truncate(int size) { size_ = size; }

  /// Removes row k and column k.
  void Remove(int k);

  /// x <- L^-T x, the second half of a solve that Eliminate began.
  void SolveTransposed(double* x) const;

  /// x <- A_CC^-1 x.
  void Solve(double* x) const;

 private:
  void SolveLower(double* x) const;
  const double* column(int j) const { return L_.data() + j * stride_; }
  double* column(int j) { return L_.data() + j * stride_; }

  int size_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::vector<double> L_;  // column j holds rows j+1 .. m-1 at those places
  std::vector<double> D_;
  std::vector<double> work_;  // the vector of the rank-1 update
};

/// out += sum_k w[k] A_{rows[k]}, A row-major, each row `length` long.
void AddRows(const double* A, std::ptrdiff_t stride, std::span<const int> rows,
             const double* w, int length, double* out);

}  // namespace limber::dynamics::internal
