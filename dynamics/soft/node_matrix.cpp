// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/soft/node_matrix.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace limber::dynamics::internal {

namespace {

// Residual at which conjugate gradients end, as a share of the right side, in
// the norm of the preconditioner. What is left over goes into the next round of
// the iteration over the forces, so this sets its rate and not its end.
constexpr double kGradientsEnd = 1e-10;

}  // namespace

void NodeMatrix::SetGraph(int num, std::vector<std::pair<int, int>> edges,
                          int most_direct) {
  edges_ = std::move(edges);
  direct_ = num <= most_direct;
  diagonal_.assign(Index(num), Matrix3::Zero());
  blocks_.assign(edges_.size(), Matrix3::Zero());
  inverse_.resize(Index(num));
  first_edge_.assign(Index(num) + 1, 0);
  for (const auto& edge : edges_) ++first_edge_[Index(edge.first) + 1];
  for (int i = 0; i < num; ++i) {
    first_edge_[Index(i) + 1] += first_edge_[Index(i)];
  }
  for (std::vector<Vector3>* v : {&r_, &z_, &p_, &q_}) {
    v->assign(Index(num), Vector3::Zero());
  }
  if (!direct_) return;
  // The lower half, column by column; `Factorise` writes in the same order.
  lower_.resize(3 * num, 3 * num);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < num; ++j) {
    for (int c = 0; c < 3; ++c) {
      for (int r = c; r < 3; ++r) entries.emplace_back(3 * j + r, 3 * j + c, 1);
      for (int e = first_edge_[Index(j)]; e < first_edge_[Index(j) + 1]; ++e) {
        const int i = edges_[Index(e)].second;
        for (int r = 0; r < 3; ++r) {
          entries.emplace_back(3 * i + r, 3 * j + c, 0.0);
        }
      }
    }
  }
  lower_.setFromTriplets(entries.begin(), entries.end());
  lower_.makeCompressed();
  cholesky_.analyzePattern(lower_);
}

int NodeMatrix::EdgeOf(int a, int b) const {
  const auto begin = edges_.begin() + first_edge_[Index(a)];
  const auto end = edges_.begin() + first_edge_[Index(a) + 1];
  return static_cast<int>(std::lower_bound(begin, end, std::pair(a, b)) -
                          edges_.begin());
}

void NodeMatrix::SetZero() {
  for (Matrix3& block : diagonal_) block.setZero();
  for (Matrix3& block : blocks_) block.setZero();
}

bool NodeMatrix::Factorise() {
  if (!direct_) {
    for (std::size_t i = 0; i < diagonal_.size(); ++i) {
      inverse_[i] = diagonal_[i].inverse();
      if (!(diagonal_[i].determinant() > 0.0)) return false;
    }
    return true;
  }
  double* value = lower_.valuePtr();
  for (int j = 0; j < num(); ++j) {
    for (int c = 0; c < 3; ++c) {
      for (int r = c; r < 3; ++r) *value++ = diagonal_[Index(j)](r, c);
      for (int e = first_edge_[Index(j)]; e < first_edge_[Index(j) + 1]; ++e) {
        for (int r = 0; r < 3; ++r) *value++ = blocks_[Index(e)](c, r);
      }
    }
  }
  cholesky_.factorize(lower_);
  return cholesky_.info() == Eigen::Success;
}

bool NodeMatrix::Solve(std::span<const Vector3> y, std::span<Vector3> x) {
  if (!direct_) return SolveByGradients(y, x);
  work_.resize(3 * num());
  for (int i = 0; i < num(); ++i) work_.segment<3>(3 * i) = y[Index(i)];
  work_ = cholesky_.solve(work_);
  for (int i = 0; i < num(); ++i) x[Index(i)] = work_.segment<3>(3 * i);
  return true;
}

void NodeMatrix::Multiply(std::span<const Vector3> x,
                          std::span<Vector3> y) const {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    y[i] = diagonal_[i] * x[i];
  }
  for (std::size_t a = 0; a < diagonal_.size(); ++a) {
    Vector3 sum = Vector3::Zero();
    for (int e = first_edge_[a]; e < first_edge_[a + 1]; ++e) {
      const std::size_t b = Index(edges_[Index(e)].second);
      sum += blocks_[Index(e)] * x[b];
      y[b] += blocks_[Index(e)].transpose() * x[a];
    }
    y[a] += sum;
  }
}

bool NodeMatrix::SolveByGradients(std::span<const Vector3> y,
                                  std::span<Vector3> x) {
  double rz = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i].setZero();
    r_[i] = y[i];
    p_[i] = z_[i] = inverse_[i] * r_[i];
    rz += r_[i].dot(z_[i]);
  }
  if (rz == 0.0) return true;
  const double end = kGradientsEnd * kGradientsEnd * rz;
  const int most = 10 * num() + 100;  // Exact numbers need 3 num.
  for (int k = 0; k < most && rz > end; ++k, ++iterations_) {
    Multiply(p_, q_);
    double curvature = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) curvature += p_[i].dot(q_[i]);
    if (!(curvature > 0.0)) return false;
    const double step = rz / curvature;
    double next = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += step * p_[i];
      r_[i] -= step * q_[i];
      z_[i] = inverse_[i] * r_[i];
      next += r_[i].dot(z_[i]);
    }
    const double share = next / rz;
    for (std::size_t i = 0; i < x.size(); ++i) p_[i] = z_[i] + share * p_[i];
    rz = next;
  }
  return true;
}

}  // namespace limber::dynamics::internal
