// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <random>

#include "dynamics/dantzig.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

using test::LcpData;
using test::Values;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One contact: normal row 0, friction row 1 with coefficient mu.
LcpData Contact(const MatrixX& K, const VectorX& c, double mu) {
  LcpData lcp{K, c, VectorX::Zero(2), VectorX::Constant(2, kInfinity)};
  lcp.normal = {-1, 0};
  lcp.mu = {0.0, mu};
  return lcp;
}

// V-7: a block of mass 2 on a slope of angle a, one step of h under gravity:
// it stays if mu >= tan a, and otherwise keeps h g (sin a - mu cos a).
TEST(DantzigSolver, BlockOnASlopeSticksOrSlides) {
  const double mass = 2.0;
  const double fall = 0.01 * kGravity;
  const double angle = 0.5;
  for (const double mu : {0.0, 0.3, 0.54, 0.55, 2.0}) {
    const LcpData lcp =
        Contact(MatrixX::Identity(2, 2) / mass,
                Values({-fall * std::cos(angle), fall * std::sin(angle)}), mu);
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_EQ(result.status, LcpStatus::kSolved) << mu;
    EXPECT_TRUE(result.friction_settled);
    EXPECT_NEAR(result.lambda()[0], mass * fall * std::cos(angle), 1e-14);
    const double slide =
        std::max(0.0, fall * (std::sin(angle) - mu * std::cos(angle)));
    EXPECT_NEAR(result.error()[1], slide, 1e-14) << mu;
    EXPECT_LE(result.residual, 1e-12);
  }
}

// A pole that leans into its slide: friction raises the normal impulse, which
// raises the friction. λ_n = 1 + 0.5 λ_t, λ_t = mu λ_n, so λ_n = 1/(1 - mu/2).
TEST(DantzigSolver, FrictionThatFeedsTheNormalImpulseIsIterated) {
  MatrixX K(2, 2);
  K << 1.0, -0.5, -0.5, 1.0;
  const LcpData lcp = Contact(K, Values({-1.0, -9.0}), 0.8);
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_GT(result.friction_rounds, 1);
  EXPECT_NEAR(result.lambda()[0], 1.0 / 0.6, 1e-10);
  EXPECT_NEAR(result.lambda()[1], 0.8 / 0.6, 1e-10);

  // Bounds fixed once, from the impulse without friction: what is left shows.
  DantzigSolver once({.friction_rounds = 1});
  const LcpResult& rough = once.Solve(lcp.View());
  EXPECT_EQ(rough.friction_rounds, 1);
  EXPECT_FALSE(rough.friction_settled);
  EXPECT_EQ(rough.status, LcpStatus::kIterationLimit);
  EXPECT_NEAR(rough.lambda()[1], 0.8, 1e-14);
  EXPECT_GT(rough.residual, 0.01);
  EXPECT_THAT(rough.unmet_rows, testing::ElementsAre(1));
}

// Friction that takes the normal impulse away: bounds that move the whole way
// would jump between λ_n = 1 and 0 for ever; the answer is λ_n = 1 - 1.5 λ_t,
// λ_t = mu λ_n.
TEST(DantzigSolver, FrictionThatLiftsTheContactSettles) {
  MatrixX K(2, 2);
  K << 1.0, 1.5, 1.5, 4.0;
  const LcpData lcp = Contact(K, Values({-1.0, -20.0}), 2.0);
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_NEAR(result.lambda()[0], 0.25, 1e-9);
  EXPECT_NEAR(result.lambda()[1], 0.5, 1e-9);
}

TEST(DantzigSolver, FrictionRoundsThatDoNotSettleAreReported) {
  MatrixX K(2, 2);
  K << 1.0, 1.5, 1.5, 4.0;
  const LcpData lcp = Contact(K, Values({-1.0, -20.0}), 2.0);
  DantzigSolver solver({.friction_rounds = 3});
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kIterationLimit);
  EXPECT_FALSE(result.friction_settled);
  EXPECT_EQ(result.friction_rounds, 3);
  EXPECT_GT(result.residual, 0.01);
}

// Random contacts with two friction rows each; half of them redundant.
TEST(DantzigSolver, RandomFrictionProblemsAreSolvedOrReported) {
  std::mt19937 random(35);
  std::normal_distribution<double> normal;
  DantzigSolver solver;
  int num_settled = 0;
  constexpr int kTrials = 500;
  for (int trial = 0; trial < kTrials; ++trial) {
    const int num_contacts = 1 + trial % 8;
    const int n = 3 * num_contacts;
    LcpData lcp =
        test::RandomLcp(n, trial % 2 == 0 ? 2 * n : n / 2 + 1, random);
    VectorX v(n);
    for (double& v_i : v) v_i = normal(random);
    lcp.c = lcp.K * v;
    lcp.lo.setZero();
    lcp.hi.setConstant(kInfinity);
    lcp.normal.assign(n, -1);
    lcp.mu.assign(n, 0.4);
    for (int i = 0; i < n; ++i) {
      if (i % 3 != 0) lcp.normal[i] = i - i % 3;
    }
    solver.ClearWarmStart();
    const LcpResult& result = solver.Solve(lcp.View());
    ASSERT_TRUE(result.lambda().allFinite());
    if (result.friction_settled) {
      ++num_settled;
      ASSERT_LE(result.residual, 1e-9) << trial;
      ASSERT_NE(result.status, LcpStatus::kIterationLimit) << trial;
    } else {
      ASSERT_EQ(result.status, LcpStatus::kIterationLimit) << trial;
      ASSERT_FALSE(result.unmet_rows.empty()) << trial;
    }
    // The warm start ends in the same place.
    if (result.status == LcpStatus::kSolved) {
      const VectorX cold = result.lambda();
      const LcpResult& warm = solver.Solve(lcp.View());
      ASSERT_LE((warm.lambda() - cold).cwiseAbs().maxCoeff(), 1e-8) << trial;
    }
  }
  std::cout << num_settled << " of " << kTrials << " settled\n";
  EXPECT_GE(num_settled, kTrials * 95 / 100);
}

}  // namespace
}  // namespace limber::dynamics
