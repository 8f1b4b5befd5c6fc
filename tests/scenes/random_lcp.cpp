// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/random_lcp.h"

#include <algorithm>
#include <limits>

namespace limber::dynamics::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatrixX RandomGram(int n, int rank, std::mt19937& random) {
  std::normal_distribution<double> normal;
  MatrixX J(n, rank);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < rank; ++j) J(i, j) = normal(random);
  }
  MatrixX K = J * J.transpose() / rank;
  return 0.5 * (K + K.transpose());
}

void RandomBounds(LcpData& lcp, std::mt19937& random) {
  std::uniform_real_distribution<double> width(0.1, 2.0);
  std::uniform_int_distribution<int> kind(0, 5);
  const int n = lcp.size();
  lcp.lo.resize(n);
  lcp.hi.resize(n);
  for (int i = 0; i < n; ++i) {
    const double w = width(random);
    switch (kind(random)) {
      case 0:  // equality
        lcp.lo[i] = -kInfinity;
        lcp.hi[i] = kInfinity;
        break;
      case 1:  // contact
        lcp.lo[i] = 0.0;
        lcp.hi[i] = kInfinity;
        break;
      case 2:  // the other way, off zero
        lcp.lo[i] = -kInfinity;
        lcp.hi[i] = -w;
        break;
      case 3:  // motor
        lcp.lo[i] = -w;
        lcp.hi[i] = w;
        break;
      case 4:  // two-sided, zero outside
        lcp.lo[i] = w;
        lcp.hi[i] = 2.0 * w;
        break;
      default:  // zero width
        lcp.lo[i] = lcp.hi[i] = w - 1.0;
    }
  }
}

}  // namespace

VectorX Values(std::initializer_list<double> numbers) {
  VectorX values(static_cast<Eigen::Index>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), values.data());
  return values;
}

LcpData RandomLcp(int n, int rank, std::mt19937& random) {
  std::normal_distribution<double> normal;
  LcpData lcp;
  lcp.K = RandomGram(n, rank, random);
  lcp.c.resize(n);
  for (int i = 0; i < n; ++i) lcp.c[i] = normal(random);
  RandomBounds(lcp, random);
  return lcp;
}

LcpData RandomFeasibleLcp(int n, int rank, std::mt19937& random) {
  LcpData lcp = RandomLcp(n, rank, random);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  VectorX lambda(n);
  VectorX e = VectorX::Zero(n);
  for (int i = 0; i < n; ++i) {
    const bool has_lo = lcp.lo[i] > -kInfinity;
    const bool has_hi = lcp.hi[i] < kInfinity;
    const double error = unit(random) < 0.25 ? 0.0 : unit(random);
    const double branch = unit(random);
    if (has_lo && (branch < 0.4 || lcp.lo[i] == lcp.hi[i])) {
      lambda[i] = lcp.lo[i];
      e[i] = error;
    } else if (has_hi && branch < 0.7) {
      lambda[i] = lcp.hi[i];
      e[i] = -error;
    } else if (has_lo && has_hi) {
      lambda[i] = lcp.lo[i] + unit(random) * (lcp.hi[i] - lcp.lo[i]);
    } else if (has_lo) {
      lambda[i] = lcp.lo[i] + unit(random);
    } else if (has_hi) {
      lambda[i] = lcp.hi[i] - unit(random);
    } else {
      lambda[i] = 2.0 * unit(random) - 1.0;
    }
  }
  lcp.c = e - lcp.K * lambda;
  return lcp;
}

void ScaleRows(const VectorX& a, LcpData& lcp) {
  lcp.K = a.asDiagonal() * lcp.K * a.asDiagonal();
  lcp.c = lcp.c.cwiseProduct(a);
  for (int i = 0; i < lcp.size(); ++i) {
    lcp.lo[i] /= a[i];
    lcp.hi[i] /= a[i];
  }
}

}  // namespace limber::dynamics::test
