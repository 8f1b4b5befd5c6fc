// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "dynamics/dantzig.h"
#include "tests/dynamics/allocation_count.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

using limber::test::AllocationCount;

TEST(AllocationCount, SeesNewMallocAndEigen) {
  const long before = AllocationCount();
  const std::unique_ptr<int[]> by_new(new int[100]);
  const VectorX by_eigen = VectorX::Constant(100, by_new[0] == 7 ? 1.0 : 2.0);
  EXPECT_GT(by_eigen.sum(), 0.0);
  EXPECT_GE(AllocationCount() - before, 2);
}

// Every path: Dantzig, regularised, contradictory, friction, fallback, invalid.
TEST(DantzigSolver, SolvesWithoutAllocationOnceItHasSeenTheSize) {
  std::mt19937 random(1);
  std::vector<test::LcpData> problems;
  for (const int n : {60, 7, 24, 60}) {
    problems.push_back(test::RandomLcp(n, 2 * n, random));
    problems.push_back(test::RandomFeasibleLcp(n, n / 2, random));
    problems.push_back(test::RandomLcp(n, n / 2, random));
    test::LcpData friction = test::RandomLcp(n, 2 * n, random);
    friction.normal.assign(n, -1);
    friction.mu.assign(n, 0.5);
    friction.normal[n - 1] = friction.normal[n - 2] = 0;
    problems.push_back(friction);
    problems.push_back(friction);
    problems.back().c[0] = std::nan("");
  }
  for (const int max_steps_per_row : {40, 0}) {
    DantzigOptions options;
    options.max_steps_per_row = max_steps_per_row;
    DantzigSolver solver(options);
    solver.Solve(problems.front().View());
    for (const test::LcpData& lcp : problems) {
      const LcpProblem problem = lcp.View();
      const long before = AllocationCount();
      const LcpResult& cold = solver.Solve(problem);
      const LcpResult& warm = solver.Solve(problem);
      const long after = AllocationCount();
      EXPECT_EQ(after - before, 0) << lcp.size();
      EXPECT_EQ(cold.lambda_values.size(), warm.lambda_values.size());
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
