// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamics/reference_lcp.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace limber::dynamics::test {
namespace {

bool ConditionsHold(const LcpProblem& problem, const VectorX& lambda,
                    const VectorX& e, double tolerance) {
  for (int i = 0; i < lambda.size(); ++i) {
    const double lo = problem.lo[i];
    const double hi = problem.hi[i];
    if (lambda[i] < lo - tolerance || lambda[i] > hi + tolerance) return false;
    const bool at_lo = lambda[i] <= lo + tolerance;
    const bool at_hi = lambda[i] >= hi - tolerance;
    if (e[i] > tolerance && !at_lo) return false;
    if (e[i] < -tolerance && !at_hi) return false;
  }
  return true;
}

}  // namespace

std::optional<VectorX> SolveByEnumeration(const LcpProblem& problem,
                                          double tolerance) {
  const int n = static_cast<int>(problem.c.size());
  if (n > 8) throw std::invalid_argument("SolveByEnumeration: n > 8");
  int num_cases = 1;
  for (int i = 0; i < n; ++i) num_cases *= 3;
  for (int number = 0; number < num_cases; ++number) {
    VectorX lambda = VectorX::Zero(n);
    std::vector<int> interior;
    bool possible = true;
    for (int i = 0, digits = number; i < n; ++i, digits /= 3) {
      if (digits % 3 == 0) {
        interior.push_back(i);
      } else {
        lambda[i] = digits % 3 == 1 ? problem.lo[i] : problem.hi[i];
        possible = possible && std::isfinite(lambda[i]);
      }
    }
    if (!possible) continue;
    // K_CC λ_C = -c_C - K_CN λ_N, least norm: if the case has answers, then the
    // case with the most rows at a bound has this one.
    const VectorX c = problem.c + problem.K * lambda;
    const int m = static_cast<int>(interior.size());
    MatrixX K_CC(m, m);
    VectorX c_C(m);
    for (int k = 0; k < m; ++k) {
      c_C[k] = c[interior[k]];
      for (int l = 0; l < m; ++l) {
        K_CC(k, l) = problem.K(interior[k], interior[l]);
      }
    }
    if (m > 0) {
      Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition;
      decomposition.setThreshold(1e-9);
      decomposition.compute(K_CC);
      const VectorX lambda_C = decomposition.solve(-c_C);
      for (int k = 0; k < m; ++k) lambda[interior[k]] = lambda_C[k];
    }
    const VectorX e = problem.K * lambda + problem.c;
    if (ConditionsHold(problem, lambda, e, tolerance)) return lambda;
  }
  return std::nullopt;
}

VectorX SolveByGaussSeidel(const LcpProblem& problem, double tolerance,
                           int max_sweeps) {
  const int n = static_cast<int>(problem.c.size());
  VectorX lambda(n);
  for (int i = 0; i < n; ++i) {
    lambda[i] = std::clamp(0.0, problem.lo[i], problem.hi[i]);
  }
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0.0;
    for (int i = 0; i < n; ++i) {
      const double e = problem.K.col(i).dot(lambda) + problem.c[i];
      const double next = std::clamp(lambda[i] - e / problem.K(i, i),
                                     problem.lo[i], problem.hi[i]);
      change = std::max(change, std::abs(next - lambda[i]));
      lambda[i] = next;
    }
    if (change <= tolerance) break;
  }
  return lambda;
}

}  // namespace limber::dynamics::test
