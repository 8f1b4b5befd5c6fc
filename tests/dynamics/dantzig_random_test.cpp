// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Many random problems, against the residual and the reference solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "dynamics/dantzig.h"
#include "tests/dynamics/reference_lcp.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

using test::LcpData;
using test::RandomFeasibleLcp;
using test::RandomLcp;

// V-6: 10 000 problems, 30 % semidefinite (rank n/4 to n-1), n up to 60.
TEST(DantzigSolver, TenThousandRandomProblemsHaveResidualBelow1em9) {
  std::mt19937 random(6);
  std::uniform_int_distribution<int> size(1, 60);
  DantzigSolver solver;
  double worst = 0.0;
  int num_regularised = 0;
  for (int trial = 0; trial < 10'000; ++trial) {
    const int n = size(random);
    const bool semidefinite = trial % 10 < 3 && n > 1;
    std::uniform_int_distribution<int> rank(std::max(1, n / 4), n - 1);
    std::uniform_int_distribution<int> full_rank(n + 1, 2 * n + 1);
    const LcpData lcp = semidefinite
                            ? RandomFeasibleLcp(n, rank(random), random)
                            : RandomLcp(n, full_rank(random), random);
    solver.ClearWarmStart();
    const LcpResult& result = solver.Solve(lcp.View());
    const double residual = LcpResidual(lcp.View(), result.lambda());
    ASSERT_LE(residual, 1e-9) << "trial " << trial << " n " << n;
    ASSERT_EQ(residual, result.residual);
    ASSERT_TRUE(result.unmet_rows.empty()) << trial;
    if (semidefinite) {
      ASSERT_TRUE(result.status == LcpStatus::kSolved ||
                  result.status == LcpStatus::kRegularised)
          << "trial " << trial << " status " << static_cast<int>(result.status);
      num_regularised += result.status == LcpStatus::kRegularised;
    } else {
      ASSERT_EQ(result.status, LcpStatus::kSolved) << "trial " << trial;
    }
    worst = std::max(worst, residual);
  }
  RecordProperty("worst_residual", testing::PrintToString(worst));
  RecordProperty("num_regularised", num_regularised);
  std::cout << "worst residual " << worst << ", regularised " << num_regularised
            << "\n";
  EXPECT_GT(num_regularised, 500);
}

// V-7: enumeration of all index sets.
TEST(DantzigSolver, DefiniteProblemsUpToEightRowsEqualEnumeration) {
  std::mt19937 random(71);
  std::uniform_int_distribution<int> size(1, 8);
  DantzigSolver solver;
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = size(random);
    const LcpData lcp = RandomLcp(n, n + 2, random);
    const std::optional<VectorX> expected =
        test::SolveByEnumeration(lcp.View());
    ASSERT_TRUE(expected.has_value()) << trial;
    const LcpResult& result = solver.Solve(lcp.View());
    const double scale = 1.0 + expected->cwiseAbs().maxCoeff();
    ASSERT_LE((result.lambda() - *expected).cwiseAbs().maxCoeff(), 1e-9 * scale)
        << trial;
  }
}

// V-7, V-8: semidefinite; K λ and e are unique, λ need not be.
TEST(DantzigSolver, SemidefiniteProblemsUpToEightRowsEqualEnumeration) {
  std::mt19937 random(72);
  std::uniform_int_distribution<int> size(2, 8);
  DantzigSolver solver;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = size(random);
    std::uniform_int_distribution<int> rank(1, n - 1);
    const LcpData lcp = RandomFeasibleLcp(n, rank(random), random);
    const std::optional<VectorX> expected =
        test::SolveByEnumeration(lcp.View());
    ASSERT_TRUE(expected.has_value()) << trial;
    const LcpResult& result = solver.Solve(lcp.View());
    const VectorX K_lambda = lcp.K * result.lambda();
    const VectorX expected_K_lambda = lcp.K * *expected;
    ASSERT_LE((K_lambda - expected_K_lambda).cwiseAbs().maxCoeff(), 1e-9)
        << trial;
    ASSERT_LE(
        (result.error() - expected_K_lambda - lcp.c).cwiseAbs().maxCoeff(),
        1e-9)
        << trial;
  }
}

// V-8: pure (contacts) and mixed (joints and contacts) LCP are other bounds.
TEST(DantzigSolver, PureAndMixedLcpEqualGaussSeidel) {
  std::mt19937 random(8);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  DantzigSolver solver;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 20;
    LcpData lcp = RandomLcp(n, 3 * n, random);
    lcp.hi.setConstant(kInfinity);
    lcp.lo.setZero();
    if (trial % 2 == 1) lcp.lo.head(n / 2).setConstant(-kInfinity);
    const VectorX expected = test::SolveByGaussSeidel(lcp.View());
    const LcpResult& result = solver.Solve(lcp.View());
    ASSERT_EQ(result.status, LcpStatus::kSolved);
    ASSERT_LE((result.lambda() - expected).cwiseAbs().maxCoeff(), 1e-9)
        << trial;
  }
}

TEST(DantzigSolver, WarmStartFromAnyStateGivesTheSameAnswer) {
  std::mt19937 random(9);
  std::uniform_int_distribution<int> size(1, 40);
  std::uniform_int_distribution<int> any_state(0, 2);
  DantzigSolver solver;
  for (int trial = 0; trial < 1000; ++trial) {
    const int n = size(random);
    const LcpData lcp = RandomLcp(n, 2 * n, random);
    solver.ClearWarmStart();
    const VectorX cold = solver.Solve(lcp.View()).lambda();
    std::vector<LcpRowState> state(n);
    for (LcpRowState& s : state) {
      s = static_cast<LcpRowState>(any_state(random));
    }
    solver.SetWarmStart(state);
    const LcpResult& warm = solver.Solve(lcp.View());
    ASSERT_EQ(warm.status, LcpStatus::kSolved);
    ASSERT_LE((warm.lambda() - cold).cwiseAbs().maxCoeff(),
              1e-9 * (1.0 + cold.cwiseAbs().maxCoeff()))
        << trial;
    // From the answer's own sets no step is needed.
    ASSERT_EQ(solver.Solve(lcp.View()).iterations, 0) << trial;
  }
}

// The fallback alone, from the first step on.
TEST(DantzigSolver, FallbackSolvesRandomProblems) {
  std::mt19937 random(10);
  std::uniform_int_distribution<int> size(1, 40);
  DantzigOptions options;
  options.max_steps_per_row = 0;
  DantzigSolver fallback(options);
  DantzigSolver dantzig;
  for (int trial = 0; trial < 1000; ++trial) {
    const int n = size(random);
    const LcpData lcp = trial % 3 == 0 ? RandomFeasibleLcp(n, n / 2 + 1, random)
                                       : RandomLcp(n, 2 * n, random);
    const LcpResult& result = fallback.Solve(lcp.View());
    ASSERT_LE(LcpResidual(lcp.View(), result.lambda()), 1e-9) << trial;
    ASSERT_EQ(result.status, dantzig.Solve(lcp.View()).status) << trial;
  }
}

// Rows whose matrix has few digits left, small integers with exact ties.
TEST(DantzigSolver, IntegerProblemsWithTiesHaveResidualBelow1em9) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> size(2, 24);
  std::uniform_int_distribution<int> digit(-1, 1);
  std::uniform_int_distribution<int> bound(0, 2);
  DantzigSolver solver;
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = size(random);
    LcpData lcp;
    MatrixX J(n, n);
    VectorX v(n);
    lcp.lo.resize(n);
    lcp.hi.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) J(i, j) = digit(random);
      v[i] = digit(random);
      lcp.lo[i] = -bound(random);
      lcp.hi[i] = bound(random);
    }
    lcp.K = J * J.transpose();
    lcp.c = J * v;  // in the range of K: feasible
    solver.ClearWarmStart();
    const LcpResult& result = solver.Solve(lcp.View());
    ASSERT_LE(LcpResidual(lcp.View(), result.lambda()), 1e-9) << trial;
    ASSERT_NE(result.status, LcpStatus::kIterationLimit) << trial;
  }
}

}  // namespace
}  // namespace limber::dynamics
