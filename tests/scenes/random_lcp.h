// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <random>
#include <vector>

#include "dynamics/lcp.h"

namespace limber::dynamics::test {

/// The numbers of an LCP, to be looked at through View().
struct LcpData {
  MatrixX K;
  VectorX c, lo, hi;
  std::vector<int> normal = {};
  std::vector<double> mu = {};

  int size() const { return static_cast<int>(c.size()); }
  LcpProblem View() const { return {K, c, lo, hi, normal, mu}; }
};

/// A vector of these numbers.
VectorX Values(std::initializer_list<double> numbers);

/// n rows, K = J J^T with J n x rank of normal random numbers, a mix of all
/// kinds of bounds (equality, one-sided either way, two-sided, two-sided
/// without zero, zero-width), c random. Definite if rank >= n (almost surely),
/// and then always feasible.
LcpData RandomLcp(int n, int rank, std::mt19937& random);

/// The same with c chosen so that there is an answer, whatever the rank. A
/// quarter of its conditions are degenerate (at a bound with e = 0).
LcpData RandomFeasibleLcp(int n, int rank, std::mt19937& random);

/// Gives row i the unit a_i: J_i and c_i times a_i, λ_i divided by a_i.
void ScaleRows(const VectorX& a, LcpData& lcp);

}  // namespace limber::dynamics::test
