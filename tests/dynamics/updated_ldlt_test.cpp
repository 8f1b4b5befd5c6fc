// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/updated_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <random>
#include <vector>

#include "tests/scenes/random_lcp.h"

namespace limber::dynamics::internal {
namespace {

VectorX SolveDirectly(const MatrixX& A, const std::vector<int>& rows,
                      const VectorX& b) {
  return MatrixX(A(rows, rows)).ldlt().solve(b);
}

VectorX SolveUpdated(const UpdatedLdlt& factor, const VectorX& b) {
  VectorX x = b;
  factor.Solve(x.data());
  return x;
}

// Dynamo-076: blocks of the matrix of all rows, picked in any order.
TEST(UpdatedLdlt, FactorSolvesBlocksOfEverySize) {
  std::mt19937 random(1);
  const MatrixX A = test::RandomLcp(40, 80, random).K;
  UpdatedLdlt factor;
  factor.Reserve(40);
  std::vector<int> rows;
  for (int m = 1; m <= 40; ++m) {
    rows.push_back((m * 7) % 40);
    ASSERT_EQ(factor.Factor(A.data(), 40, rows, 0.0), -1);
    const VectorX b = A.col(3).head(m);
    EXPECT_LT((SolveUpdated(factor, b) - SolveDirectly(A, rows, b)).norm(),
              1e-11)
        << m;
  }
}

TEST(UpdatedLdlt, DependentRowIsNamed) {
  MatrixX A = MatrixX::Identity(4, 4);
  A(2, 1) = A(1, 2) = 1.0;  // rows 1 and 2 equal
  UpdatedLdlt factor;
  factor.Reserve(4);
  const std::vector<int> rows = {0, 2, 3, 1};
  EXPECT_EQ(factor.Factor(A.data(), 4, rows, 1e-12), 3);
}

// V-7, Dynamo-076: a thousand rows enter and leave; no digit is lost on the
// way.
TEST(UpdatedLdlt, RandomAppendAndRemoveStaysExact) {
  std::mt19937 random(2);
  const int n = 30;
  const MatrixX A = test::RandomLcp(n, 2 * n, random).K;
  UpdatedLdlt factor;
  factor.Reserve(n);
  std::vector<int> rows;
  std::vector<double> z(n);
  for (int change = 0; change < 2000; ++change) {
    const int i = std::uniform_int_distribution<int>(0, n - 1)(random);
    const auto found = std::find(rows.begin(), rows.end(), i);
    if (found != rows.end()) {
      factor.Remove(static_cast<int>(found - rows.begin()));
      rows.erase(found);
    } else {
      for (std::size_t k = 0; k < rows.size(); ++k) z[k] = A(i, rows[k]);
      const double pivot = factor.Eliminate(z.data(), A(i, i));
      ASSERT_GT(pivot, 0.0);
      factor.Append(z.data(), pivot);
      rows.push_back(i);
    }
    ASSERT_EQ(factor.size(), static_cast<int>(rows.size()));
    if (rows.empty()) continue;
    const VectorX b = A.col(0).head(static_cast<int>(rows.size()));
    ASSERT_LT((SolveUpdated(factor, b) - SolveDirectly(A, rows, b)).norm(),
              1e-11)
        << change;
  }
}

// Dynamo-076
TEST(AddRows, IsTheWeightedSumOfRows) {
  std::mt19937 random(3);
  const MatrixX A = test::RandomLcp(9, 9, random).K;
  const std::vector<int> rows = {8, 0, 3, 4, 7, 1};
  const std::vector<double> w = {1.0, -2.0, 0.5, 3.0, -1.0, 0.25};
  VectorX expected = VectorX::Constant(9, 1.0);
  for (std::size_t k = 0; k < w.size(); ++k) expected += w[k] * A.col(rows[k]);
  VectorX out = VectorX::Constant(9, 1.0);
  AddRows(A.data(), 9, rows, w.data(), 9, out.data());
  EXPECT_LT((out - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace limber::dynamics::internal
