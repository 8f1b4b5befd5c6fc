// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/lcp.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/row.h"

namespace limber::dynamics {
namespace {

bool SizesFit(const LcpProblem& problem) {
  const Eigen::Index n = problem.c.size();
  const std::size_t num_rows = static_cast<std::size_t>(n);
  return problem.K.rows() == n && problem.K.cols() == n &&
         problem.lo.size() == n && problem.hi.size() == n &&
         problem.normal.size() == problem.mu.size() &&
         (problem.normal.empty() || problem.normal.size() == num_rows);
}

void CheckSizes(const LcpProblem& problem, Eigen::Index size,
                const char* field) {
  if (!SizesFit(problem)) {
    throw std::invalid_argument(
        "LcpProblem: sizes of K, c, lo, hi, normal, mu "
        "do not fit");
  }
  if (size != problem.c.size()) {
    throw std::invalid_argument(std::string(field) + " has " +
                                std::to_string(size) + " rows, the problem " +
                                std::to_string(problem.c.size()));
  }
}

// K is symmetric, so its column i, which is contiguous, is its row i.
const double* RowOf(const LcpProblem& problem, Eigen::Index i) {
  return problem.K.data() + i * problem.K.outerStride();
}

struct ErrorAndScale {
  double e;
  double s;
  double k;
};

ErrorAndScale ErrorOfRow(const LcpProblem& problem,
                         const Eigen::Ref<const VectorX>& lambda, int i) {
  double e = problem.c[i];
  double s = std::abs(e);
  const double* K_i = RowOf(problem, i);
  for (Eigen::Index j = 0; j < lambda.size(); ++j) {
    const double term = K_i[j] * lambda[j];
    e += term;
    s += std::abs(term);
  }
  const double k = K_i[i] > 0.0 ? K_i[i] : 1.0;
  return {e, s + k * std::abs(lambda[i]), k};
}

// S
double LargestScale(const LcpProblem& problem,
                    const Eigen::Ref<const VectorX>& lambda) {
  double largest = 0.0;
  for (int i = 0; i < lambda.size(); ++i) {
    const ErrorAndScale row = ErrorOfRow(problem, lambda, i);
    largest = std::max(largest, row.s / std::sqrt(row.k));
  }
  return largest;
}

double RowResidual(const LcpProblem& problem,
                   const Eigen::Ref<const VectorX>& lambda, double largest,
                   int i) {
  const auto [e, s, k] = ErrorOfRow(problem, lambda, i);
  const LcpBounds bounds = BoundsOfRow(problem, lambda, i);
  const double p = std::min(std::max(lambda[i] - e / k, bounds.lo), bounds.hi);
  const double distance = std::abs(lambda[i] - p);
  if (distance == 0.0) return 0.0;
  const double residual =
      k * distance / std::max(s, kLcpFloor * std::sqrt(k) * largest);
  // NaN only when λ is not finite.
  return std::isnan(residual) ? kInfinity : residual;
}

}  // namespace

LcpBounds BoundsOfRow(const LcpProblem& problem,
                      const Eigen::Ref<const VectorX>& lambda, int i) {
  if (problem.normal.empty() || problem.normal[i] < 0) {
    return {problem.lo[i], problem.hi[i]};
  }
  const double bound = problem.mu[i] * std::max(0.0, lambda[problem.normal[i]]);
  return {-bound, bound};
}

double LcpResidual(const LcpProblem& problem,
                   const Eigen::Ref<const VectorX>& lambda) {
  CheckSizes(problem, lambda.size(), "lambda");
  const double largest = LargestScale(problem, lambda);
  double worst = 0.0;
  for (int i = 0; i < lambda.size(); ++i) {
    worst = std::max(worst, RowResidual(problem, lambda, largest, i));
  }
  return worst;
}

void LcpRowResiduals(const LcpProblem& problem,
                     const Eigen::Ref<const VectorX>& lambda,
                     Eigen::Ref<VectorX> residuals) {
  CheckSizes(problem, lambda.size(), "lambda");
  CheckSizes(problem, residuals.size(), "residuals");
  const double largest = LargestScale(problem, lambda);
  for (int i = 0; i < lambda.size(); ++i) {
    residuals[i] = RowResidual(problem, lambda, largest, i);
  }
}

LcpInputError CheckLcp(const LcpProblem& problem) {
  if (!SizesFit(problem)) {
    return {-1, "sizes of K, c, lo, hi, normal, mu do not fit"};
  }
  const int n = static_cast<int>(problem.c.size());
  for (int i = 0; i < n; ++i) {
    // A sum of finite numbers may overflow, 0 * number may not.
    double zero = 0.0;
    const double* K_i = RowOf(problem, i);
    for (int j = 0; j < n; ++j) zero += 0.0 * K_i[j];
    if (zero != 0.0) return {i, "K is not finite"};
    if (!std::isfinite(problem.c[i])) return {i, "c is not finite"};
    if (K_i[i] < 0.0) return {i, "K has a negative diagonal"};
    if (!problem.normal.empty() && problem.normal[i] >= 0) {
      const int k = problem.normal[i];
      if (k >= n || k == i || problem.normal[k] >= 0) {
        return {i, "normal is not a row with bounds of its own"};
      }
      if (!(problem.mu[i] >= 0.0) || std::isinf(problem.mu[i])) {
        return {i, "mu is negative or not finite"};
      }
      continue;
    }
    if (!(problem.lo[i] <= problem.hi[i])) return {i, "lo > hi, or NaN"};
    if (problem.lo[i] == kInfinity) return {i, "lo is +inf"};
    if (problem.hi[i] == -kInfinity) return {i, "hi is -inf"};
  }
  return {};
}

}  // namespace limber::dynamics
