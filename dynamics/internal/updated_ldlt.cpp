// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/updated_ldlt.h"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>

namespace limber::dynamics::internal {
namespace {

// Loops over four columns at once: each pass over the long vector does four
// times the work for one load and store of it.

// x[r] -= a0 c0[r] + ... + a3 c3[r] for r in [begin, end)
inline void Subtract4(const double* __restrict c0, const double* __restrict c1,
                      const double* __restrict c2, const double* __restrict c3,
                      const double a[4], int begin, int end,
                      double* __restrict x) {
  const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  for (int r = begin; r < end; ++r) {
    x[r] -= (a0 * c0[r] + a1 * c1[r]) + (a2 * c2[r] + a3 * c3[r]);
  }
}

inline void Subtract1(const double* __restrict c0, double a0, int begin,
                      int end, double* __restrict x) {
  for (int r = begin; r < end; ++r) x[r] -= a0 * c0[r];
}

// The dot products of four columns with x over [begin, end).
inline Eigen::Array4d Dot4(const double* c0, const double* c1, const double* c2,
                           const double* c3, const double* x, int begin,
                           int end) {
  using Pack = Eigen::Map<const Eigen::Array4d>;
  Eigen::Array4d s0 = Eigen::Array4d::Zero(), s1 = s0, s2 = s0, s3 = s0;
  int r = begin;
  for (; r + 4 <= end; r += 4) {
    const Eigen::Array4d x_r = Pack(x + r);
    s0 += Pack(c0 + r) * x_r;
    s1 += Pack(c1 + r) * x_r;
    s2 += Pack(c2 + r) * x_r;
    s3 += Pack(c3 + r) * x_r;
  }
  Eigen::Array4d sum(s0.sum(), s1.sum(), s2.sum(), s3.sum());
  for (; r < end; ++r) {
    sum += Eigen::Array4d(c0[r], c1[r], c2[r], c3[r]) * x[r];
  }
  return sum;
}

}  // namespace

void UpdatedLdlt::Reserve(int capacity) {
  size_ = 0;
  if (static_cast<std::size_t>(capacity) <= D_.size()) return;
  stride_ = capacity;
  L_.assign(static_cast<std::size_t>(capacity) * capacity, 0.0);
  D_.assign(capacity, 0.0);
  work_.assign(capacity, 0.0);
}

int UpdatedLdlt::Factor(const double* A, std::ptrdiff_t stride,
                        std::span<const int> rows, double min_pivot) {
  const int m = static_cast<int>(rows.size());
  assert(static_cast<std::size_t>(m) <= D_.size());
  size_ = 0;
  // Column by column: v = A_Cj - sum_{k<j} L_k d_k L_jk;  d_j = v_j,
  // L_j = v / d_j.
  for (int j = 0; j < m; ++j) {
    double* v = column(j);
    const double* A_j = A + rows[j] * stride;
    for (int r = j; r < m; ++r) v[r] = A_j[rows[r]];
    int k = 0;
    for (; k + 4 <= j; k += 4) {
      const double* c[4] = {column(k), column(k + 1), column(k + 2),
                            column(k + 3)};
      double a[4];
      for (int q = 0; q < 4; ++q) a[q] = c[q][j] * D_[k + q];
      Subtract4(c[0], c[1], c[2], c[3], a, j, m, v);
    }
    for (; k < j; ++k) Subtract1(column(k), column(k)[j] * D_[k], j, m, v);
    const double pivot = v[j];
    if (!(pivot > min_pivot)) return j;
    D_[j] = pivot;
    const double inverse = 1.0 / pivot;
    for (int r = j + 1; r < m; ++r) v[r] *= inverse;
    size_ = j + 1;
  }
  return -1;
}

void UpdatedLdlt::SolveLower(double* x) const {
  const int m = size_;
  int j = 0;
  for (; j + 4 <= m; j += 4) {
    const double* c[4] = {column(j), column(j + 1), column(j + 2),
                          column(j + 3)};
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) x[j + q] -= c[p][j + q] * x[j + p];
    }
    Subtract4(c[0], c[1], c[2], c[3], x + j, j + 4, m, x);
  }
  for (; j < m; ++j) Subtract1(column(j), x[j], j + 1, m, x);
}

void UpdatedLdlt::SolveTransposed(double* x) const {
  const int m = size_;
  int j = m;
  // The rows left over by groups of four come first, from the end.
  for (; j % 4 != 0; --j) {
    const double* c = column(j - 1);
    for (int r = j; r < m; ++r) x[j - 1] -= c[r] * x[r];
  }
  for (; j > 0; j -= 4) {
    const double* c[4] = {column(j - 4), column(j - 3), column(j - 2),
                          column(j - 1)};
    const Eigen::Array4d sum = Dot4(c[0], c[1], c[2], c[3], x, j, m);
    for (int q = 3; q >= 0; --q) {
      double& x_q = x[j - 4 + q];
      x_q -= sum[q];
      for (int r = q + 1; r < 4; ++r) x_q -= c[q][j - 4 + r] * x[j - 4 + r];
    }
  }
}

void UpdatedLdlt::Solve(double* x) const {
  SolveLower(x);
  for (int j = 0; j < size_; ++j) x[j] /= D_[j];
  SolveTransposed(x);
}

double UpdatedLdlt::Eliminate(double* a, double a_ii) const {
  SolveLower(a);
  double pivot = a_ii;
  for (int j = 0; j < size_; ++j) {
    const double z = a[j] / D_[j];
    pivot -= z * a[j];
    a[j] = z;
  }
  return pivot;
}

void UpdatedLdlt::Append(const double* z, double pivot) {
  assert(static_cast<std::size_t>(size_) < D_.size());
  for (int j = 0; j < size_; ++j) column(j)[size_] = z[j];
  D_[size_] = pivot;
  ++size_;
}

void UpdatedLdlt::Remove(int k) {
  const int m = size_;
  // Columns before k only lose an entry.
  for (int j = 0; j < k; ++j) {
    double* c = column(j);
    std::copy(c + k + 1, c + m, c + k);
  }
  // The rows behind k: L' D' L'^T = L D L^T + α w w^T with w = L_k, α = d_k,
  // column by column [Gill et al. 1974, method C1]. α stays positive, so every
  // pivot grows: the update is stable.
  double* __restrict w = work_.data();
  std::copy(column(k) + k + 1, column(k) + m, w + k + 1);
  double alpha = D_[k];
  for (int j = k + 1; j < m; ++j) {
    const double* __restrict from = column(j);
    double* __restrict to = column(j - 1) - 1;  // one place up, one left
    const double p = w[j];
    const double pivot = D_[j] + alpha * p * p;
    const double beta = alpha * p / pivot;
    alpha *= D_[j] / pivot;
    D_[j - 1] = pivot;
    for (int r = j + 1; r < m; ++r) {
      w[r] -= p * from[r];
      to[r] = from[r] + beta * w[r];
    }
  }
  --size_;
}

void AddRows(const double* A, std::ptrdiff_t stride, std::span<const int> rows,
             const double* w, int length, double* out) {
  const int m = static_cast<int>(rows.size());
  int k = 0;
  for (; k + 4 <= m; k += 4) {
    const double a[4] = {-w[k], -w[k + 1], -w[k + 2], -w[k + 3]};
    Subtract4(A + rows[k] * stride, A + rows[k + 1] * stride,
              A + rows[k + 2] * stride, A + rows[k + 3] * stride, a, 0, length,
              out);
  }
  for (; k < m; ++k) Subtract1(A + rows[k] * stride, -w[k], 0, length, out);
}

}  // namespace limber::dynamics::internal
