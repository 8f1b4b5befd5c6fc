// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/dantzig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <random>

#include "tests/dynamics/reference_lcp.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

using test::LcpData;
using test::Values;
using testing::ElementsAre;
using testing::IsEmpty;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

LcpData Equalities(const MatrixX& K, const VectorX& c) {
  return {K, c, VectorX::Constant(c.size(), -kInfinity),
          VectorX::Constant(c.size(), kInfinity)};
}
LcpData Contacts(const MatrixX& K, const VectorX& c) {
  return {K, c, VectorX::Zero(c.size()),
          VectorX::Constant(c.size(), kInfinity)};
}

double Largest(const VectorX& v) { return v.cwiseAbs().maxCoeff(); }

TEST(DantzigSolver, NoRowsIsSolved) {
  const LcpData lcp = Equalities(MatrixX(0, 0), VectorX(0));
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_EQ(result.lambda().size(), 0);
}

// V-6: below its bound a motor meets its target, above it stays at the bound.
TEST(DantzigSolver, MotorReachesItsTargetOrItsBoundExactly) {
  // A wheel of inertia 0.5 kg m^2 at rest shall turn with u = 3 rad/s.
  const double K = 1.0 / 0.5;
  for (const double bound : {0.1, 1.0, 1.4999, 1.5001, 2.0}) {
    const LcpData lcp{MatrixX::Constant(1, 1, K), VectorX::Constant(1, -3.0),
                      VectorX::Constant(1, -bound),
                      VectorX::Constant(1, bound)};
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_EQ(result.status, LcpStatus::kSolved);
    if (bound < 1.5) {
      EXPECT_EQ(result.lambda()[0], bound);
      EXPECT_EQ(result.state[0], LcpRowState::kAtHi);
      EXPECT_LT(result.error()[0], 0.0);
    } else {
      EXPECT_NEAR(result.lambda()[0], 1.5, 1e-12);
      EXPECT_EQ(result.state[0], LcpRowState::kInterior);
      EXPECT_NEAR(result.error()[0], 0.0, 1e-12);
    }
  }
}

// V-6: clamping the unbounded answer is not the bounded answer.
TEST(DantzigSolver, BoundedAnswerIsNotTheClampedUnboundedOne) {
  LcpData lcp = Equalities(MatrixX(2, 2), VectorX(2));
  lcp.K << 2.0, 1.0, 1.0, 2.0;
  lcp.c << -5.0, -1.0;
  DantzigSolver solver;
  const VectorX free = solver.Solve(lcp.View()).lambda();
  EXPECT_LT((free - Values({3.0, -1.0})).norm(), 1e-13);
  lcp.lo[0] = -1.0;
  lcp.hi[0] = 1.0;
  const VectorX clamped = free.cwiseMax(lcp.lo).cwiseMin(lcp.hi);
  const LcpResult& bounded = solver.Solve(lcp.View());
  // Row 1 notices that row 0 gives less: 1 + 2 λ_1 - 1 = 0.
  EXPECT_LT((bounded.lambda() - Values({1.0, 0.0})).norm(), 1e-13);
  EXPECT_GT((bounded.lambda() - clamped).norm(), 0.9);
  EXPECT_GT(LcpResidual(lcp.View(), clamped), 0.1);
}

// V-13: softness s on the diagonal leaves the error J v+ - u = -s λ.
TEST(DantzigSolver, SoftnessLeavesErrorOfSoftnessTimesImpulse) {
  std::mt19937 random(13);
  const LcpData stiff = test::RandomLcp(8, 16, random);
  for (const double softness : {1e-6, 1e-2, 1.0}) {
    const LcpData soft =
        Equalities(stiff.K + softness * MatrixX::Identity(8, 8), stiff.c);
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(soft.View());
    const VectorX error = stiff.K * result.lambda() + stiff.c;
    EXPECT_LT(Largest(error + softness * result.lambda()), 1e-12);
    EXPECT_GT(Largest(error), 0.01 * softness);
  }
}

// B-27: a ball of weight 1 on two coincident nails: half on each. B-30, Dynamo
// 073: the duplicate changes nothing else.
TEST(DantzigSolver, IdenticalRowsShareTheLoad) {
  for (const LcpData& lcp :
       {Equalities(MatrixX::Ones(2, 2), VectorX::Constant(2, -1.0)),
        Contacts(MatrixX::Ones(2, 2), VectorX::Constant(2, -1.0))}) {
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_EQ(result.status, LcpStatus::kRegularised);
    EXPECT_THAT(result.unmet_rows, IsEmpty());
    EXPECT_LT((result.lambda() - Values({0.5, 0.5})).norm(), 1e-7);
    EXPECT_LT(Largest(result.error()), 1e-12);
  }
}

// B-27: a rod of mass 1, length 1, nailed at both ends. Rows: x and y of the
// left, then of the right end. Weight 1 along -y.
TEST(DantzigSolver, HorizontalRodNailedAtBothEndsHasNoAxialForce) {
  MatrixX J(4, 3);  // x, y, angle
  J << 1, 0, 0, 0, 1, -0.5, 1, 0, 0, 0, 1, 0.5;
  const MatrixX K = J * Values({1.0, 1.0, 12.0}).asDiagonal() * J.transpose();
  const LcpData lcp = Equalities(K, J * Values({0.0, -1.0, 0.0}));
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kRegularised);
  EXPECT_THAT(result.unmet_rows, IsEmpty());
  EXPECT_LT((result.lambda() - Values({0.0, 0.5, 0.0, 0.5})).norm(), 1e-8);
}

// Four feet of a table, rank 3: symmetric loads, not three feet and a spare.
TEST(DantzigSolver, FourContactsOfATableShareTheWeight) {
  MatrixX J(4, 3);  // height, two tilts
  J << 1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1;
  const MatrixX K = J * J.transpose();
  DantzigSolver solver;
  const LcpData centred = Contacts(K, J * Values({-1.0, 0.0, 0.0}));
  const LcpResult& result = solver.Solve(centred.View());
  EXPECT_EQ(result.status, LcpStatus::kRegularised);
  EXPECT_LT((result.lambda() - VectorX::Constant(4, 0.25)).norm(), 1e-7);
  // Loaded on one foot only, the least-norm answer without bounds would pull
  // at the opposite foot; with bounds it does not.
  const LcpData corner = Contacts(K, J * Values({-1.0, -1.0, -1.0}));
  const LcpResult& on_corner = solver.Solve(corner.View());
  EXPECT_LT((on_corner.lambda() - Values({1.0, 0.0, 0.0, 0.0})).norm(), 1e-7);
  EXPECT_LE(LcpResidual(corner.View(), on_corner.lambda()), 1e-12);
}

// B-28, Dynamo 074: a ball tied to nails at x = 0 and x = 1.
TEST(DantzigSolver, ContradictoryRowsMeetInBetween) {
  LcpData lcp = Equalities(MatrixX::Ones(2, 2), Values({0.0, -1.0}));
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kRegularised);
  EXPECT_THAT(result.unmet_rows, ElementsAre(0, 1));
  EXPECT_LT((result.error() - Values({0.5, -0.5})).norm(), 1e-9);
  EXPECT_LT((result.lambda() - Values({0.25, 0.25})).norm(), 1e-6);
}

// B-28: the rest position (x1/τ1² + x2/τ2²) / (1/τ1² + 1/τ2²), reached by
// steps of a particle whose rows ask for the speed -(x - x_i) h / τ_i².
TEST(DantzigSolver, BallTiedToTwoNailsRestsAtTheWeightedMean) {
  for (const VectorX& tau : {Values({1.0, 1.0}), Values({1.0, 2.0})}) {
    const double h = 0.1;
    double x = 0.1;
    double v = 0.3;
    DantzigSolver solver;
    for (int step = 0; step < 4000; ++step) {
      const LcpData lcp = Equalities(
          MatrixX::Ones(2, 2), Values({v + x * h / (tau[0] * tau[0]),
                                       v + (x - 1.0) * h / (tau[1] * tau[1])}));
      v += solver.Solve(lcp.View()).lambda().sum();
      x += h * v;
    }
    const VectorX weight = tau.cwiseAbs2().cwiseInverse();
    EXPECT_NEAR(x, weight[1] / weight.sum(), 1e-6);
  }
}

// An equality holds a body still, a contact wants it to move: both give way
// alike. A third row elsewhere is not disturbed.
TEST(DantzigSolver, EqualityAgainstContactLeavesTheOtherRowsAlone) {
  LcpData lcp = Equalities(MatrixX::Zero(3, 3), Values({0.0, -1.0, -4.0}));
  lcp.K.topLeftCorner(2, 2).setOnes();
  lcp.K(2, 2) = 2.0;
  lcp.lo[1] = 0.0;
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kRegularised);
  EXPECT_THAT(result.unmet_rows, ElementsAre(0, 1));
  EXPECT_LT((result.lambda() - Values({0.25, 0.25, 2.0})).norm(), 1e-6);
}

// The same against a motor, however strong: the motor gives in, exactly.
TEST(DantzigSolver, EqualityAgainstMotorSaturatesTheMotor) {
  for (const double bound : {1.0, 1e3, 1e9}) {
    LcpData lcp = Equalities(MatrixX::Ones(2, 2), Values({0.0, -1.0}));
    lcp.lo[1] = -bound;
    lcp.hi[1] = bound;
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_EQ(result.lambda()[1], bound);
    EXPECT_LE(std::abs(result.lambda()[0] + bound), 1e-12 * bound);
    EXPECT_THAT(result.unmet_rows, IsEmpty()) << bound;
  }
}

// Least norm and least squares, both the pseudo-inverse when K_ii = 1.
TEST(DantzigSolver, SingularEqualitiesGiveThePseudoInverse) {
  std::mt19937 random(27);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 4 + trial % 17;
    LcpData lcp = test::RandomLcp(n, n / 2, random);
    test::ScaleRows(lcp.K.diagonal().cwiseSqrt().cwiseInverse(), lcp);
    const bool redundant = trial % 2 == 0;
    const VectorX any = lcp.c;
    if (redundant) lcp.c = lcp.K * any;
    lcp = Equalities(lcp.K, lcp.c);
    Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition;
    decomposition.setThreshold(1e-9);
    decomposition.compute(lcp.K);
    const VectorX expected = decomposition.solve(-lcp.c);
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    ASSERT_EQ(result.status, LcpStatus::kRegularised);
    ASSERT_EQ(result.unmet_rows.empty(), redundant);
    ASSERT_LE(Largest(result.lambda() - expected), 1e-6 * Largest(expected))
        << trial;
    ASSERT_LE(Largest(result.error() - (lcp.K * expected + lcp.c)),
              1e-9 * Largest(lcp.c))
        << trial;
  }
}

TEST(DantzigSolver, ZeroRowIsReportedAndTheRestSolved) {
  LcpData lcp = Equalities(MatrixX::Zero(2, 2), Values({3.0, 1.0}));
  lcp.K(0, 0) = 1.0;
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kRegularised);
  EXPECT_THAT(result.unmet_rows, ElementsAre(1));
  EXPECT_LT((result.lambda() - Values({-3.0, 0.0})).norm(), 1e-6);
}

TEST(DantzigSolver, RandomInfeasibleProblemsEndFiniteWithinBounds) {
  std::mt19937 random(28);
  DantzigSolver solver;
  for (int trial = 0; trial < 1000; ++trial) {
    const int n = 2 + trial % 30;
    const LcpData lcp = test::RandomLcp(n, 1 + n / 3, random);
    const LcpResult& result = solver.Solve(lcp.View());
    ASSERT_TRUE(result.lambda().allFinite()) << trial;
    ASSERT_LE(Largest(result.lambda()), 1e8) << trial;
    ASSERT_TRUE((result.lambda().array() >= lcp.lo.array()).all()) << trial;
    ASSERT_TRUE((result.lambda().array() <= lcp.hi.array()).all()) << trial;
    ASSERT_NE(result.status, LcpStatus::kIterationLimit) << trial;
    ASSERT_EQ(result.unmet_rows.empty(), result.residual <= 1e-10) << trial;
  }
}

// Eigenvalues from 1 down to 1e-16, through the threshold of rank.
TEST(DantzigSolver, NearSingularMatricesNeverExplode) {
  std::mt19937 random(29);
  DantzigSolver solver;
  for (double smallest = 1.0; smallest > 1e-17; smallest *= 0.1) {
    for (int trial = 0; trial < 20; ++trial) {
      const int n = 10;
      LcpData lcp = test::RandomLcp(n, 2 * n, random);
      const MatrixX Q = Eigen::HouseholderQR<MatrixX>(lcp.K).householderQ();
      VectorX eigenvalues(n);
      for (int i = 0; i < n; ++i) {
        eigenvalues[i] = std::pow(smallest, i / (n - 1.0));
      }
      lcp.K = Q * eigenvalues.asDiagonal() * Q.transpose();
      lcp.K = (0.5 * (lcp.K + lcp.K.transpose())).eval();
      lcp.c = lcp.K * lcp.c;
      const LcpResult& result = solver.Solve(lcp.View());
      ASSERT_TRUE(result.lambda().allFinite());
      ASSERT_LE(result.residual, 1e-9) << smallest << " " << trial;
      ASSERT_NE(result.status, LcpStatus::kIterationLimit) << smallest;
    }
  }
}

TEST(DantzigSolver, InvalidInputEndsWithAStatus) {
  std::mt19937 random(30);
  const LcpData good = test::RandomLcp(5, 10, random);
  DantzigSolver solver;
  const auto expect_invalid = [&](int row, auto change) {
    LcpData bad = good;
    change(bad);
    const LcpResult& result = solver.Solve(bad.View());
    EXPECT_EQ(result.status, LcpStatus::kInvalidInput);
    EXPECT_TRUE(result.lambda().isZero(0.0));
    if (row >= 0) {
      EXPECT_THAT(result.unmet_rows, ElementsAre(row));
    }
    // It recovers.
    EXPECT_EQ(solver.Solve(good.View()).status, LcpStatus::kSolved);
  };
  const double nan = std::nan("");
  expect_invalid(1, [&](LcpData& lcp) { lcp.K(0, 1) = nan; });
  expect_invalid(2, [&](LcpData& lcp) { lcp.c[2] = nan; });
  expect_invalid(3, [&](LcpData& lcp) { lcp.lo[3] = nan; });
  expect_invalid(4, [&](LcpData& lcp) { lcp.hi[4] = lcp.lo[4] - 1.0; });
  expect_invalid(-1, [&](LcpData& lcp) { lcp.hi.conservativeResize(4); });
  // Not semidefinite: two rows that gain energy from each other.
  expect_invalid(-1, [&](LcpData& lcp) {
    lcp.lo.setConstant(-kInfinity);
    lcp.hi.setConstant(kInfinity);
    lcp.K(0, 1) = lcp.K(1, 0) = 10.0;
  });
}

TEST(DantzigSolver, BadOptionsThrow) {
  EXPECT_THROW(DantzigSolver({.tolerance = 0.0}), std::invalid_argument);
  EXPECT_THROW(DantzigSolver({.friction_rounds = 0}), std::invalid_argument);
  EXPECT_THROW(DantzigSolver({.max_steps_per_row = -1}), std::invalid_argument);
}

// V-7: one factorisation, of the rows without bounds; the rest are updates.
TEST(DantzigSolver, TwoHundredRowsNeedNoRefactorisation) {
  std::mt19937 random(200);
  const LcpData lcp = test::RandomLcp(200, 300, random);
  DantzigSolver solver;
  const LcpResult& result = solver.Solve(lcp.View());
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_EQ(result.factorisations, 1);
  EXPECT_GT(result.iterations, 50);
  EXPECT_LE(result.residual, 1e-12);
}

TEST(DantzigSolver, ThreeHundredRowsAreSolved) {
  std::mt19937 random(300);
  DantzigSolver solver;
  for (const int rank : {310, 600}) {
    const LcpData lcp = test::RandomLcp(300, rank, random);
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_EQ(result.status, LcpStatus::kSolved);
    EXPECT_LE(result.residual, 1e-12);
  }
}

TEST(DantzigSolver, AllConditionsDegenerate) {
  // c = 0: λ = 0 is the answer and sits on a corner of every condition.
  std::mt19937 random(31);
  for (const int rank : {4, 24}) {
    LcpData lcp =
        Contacts(test::RandomLcp(12, rank, random).K, VectorX::Zero(12));
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_TRUE(result.lambda().isZero(0.0));
    EXPECT_EQ(result.status,
              rank < 12 ? LcpStatus::kRegularised : LcpStatus::kSolved);
  }
}

// Every row ten times: ties in every ratio test.
TEST(DantzigSolver, ManyDuplicateRowsShareEqually) {
  std::mt19937 random(32);
  const LcpData one = test::RandomLcp(6, 12, random);
  const LcpData single = Contacts(one.K, one.c);
  const LcpData tenfold =
      Contacts(one.K.replicate(10, 10), one.c.replicate(10, 1));
  DantzigSolver solver;
  const VectorX lambda = solver.Solve(single.View()).lambda();
  const LcpResult& shared = solver.Solve(tenfold.View());
  EXPECT_LE(shared.residual, 1e-10);
  EXPECT_LT(Largest(10.0 * shared.lambda() - lambda.replicate(10, 1)),
            1e-6 * Largest(lambda));
}

// Fathi's matrices M M^T (M lower triangular, 1 on and 2 below the diagonal)
// with c = -1 take 2^n steps by Murty's least-index rule alone.
TEST(DantzigSolver, FathisMatricesTakeFewSteps) {
  for (const int n : {3, 10, 30, 100}) {
    MatrixX M = MatrixX::Identity(n, n);
    for (int i = 0; i < n; ++i) M.row(i).head(i).setConstant(2.0);
    const LcpData lcp = Contacts(M * M.transpose(), VectorX::Constant(n, -1.0));
    DantzigSolver solver;
    const LcpResult& result = solver.Solve(lcp.View());
    EXPECT_LE(result.residual, 1e-9) << n;
    EXPECT_LE(result.iterations, 4 * n) << n;
    // The known answer: the first row alone carries.
    VectorX expected = VectorX::Zero(n);
    expected[0] = 1.0;
    EXPECT_LT(Largest(result.lambda() - expected), 1e-9) << n;
  }
}

// Rows in units from 1e-6 to 1e6: the same answer in those units.
TEST(DantzigSolver, UnitsOfTheRowsDoNotMatter) {
  std::mt19937 random(33);
  std::uniform_real_distribution<double> exponent(-6.0, 6.0);
  DantzigSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 20;
    LcpData lcp = trial % 2 == 0 ? test::RandomLcp(n, 2 * n, random)
                                 : test::RandomFeasibleLcp(n, n / 2, random);
    const VectorX plain = solver.Solve(lcp.View()).lambda();
    const LcpStatus status = solver.Solve(lcp.View()).status;
    VectorX a(n);
    for (double& a_i : a) a_i = std::pow(10.0, exponent(random));
    test::ScaleRows(a, lcp);
    const LcpResult& scaled = solver.Solve(lcp.View());
    ASSERT_LE(scaled.residual, 1e-10) << trial;
    ASSERT_EQ(scaled.status, status) << trial;
    const VectorX back = scaled.lambda().cwiseProduct(a);
    ASSERT_LE(Largest(back - plain), 1e-6 * Largest(plain)) << trial;
  }
}

// A chain of links with masses 1000:1 alternating, hung up, with limited
// joints.
TEST(DantzigSolver, MassRatiosOfAThousandAreSolved) {
  const int n = 40;
  VectorX inverse_mass(n);
  for (int i = 0; i < n; ++i) inverse_mass[i] = i % 2 == 0 ? 1.0 : 1e-3;
  MatrixX J = MatrixX::Zero(n, n);  // joint i holds link i to link i-1
  for (int i = 0; i < n; ++i) {
    J(i, i) = 1.0;
    if (i > 0) J(i, i - 1) = -1.0;
  }
  const MatrixX K = J * inverse_mass.asDiagonal() * J.transpose();
  const VectorX fall = VectorX::Constant(n, -0.0981);
  LcpData lcp = Equalities(K, J * fall);
  DantzigSolver solver;
  const VectorX hang = solver.Solve(lcp.View()).lambda();
  // Joint i carries the weight below it.
  double weight = 0.0;
  for (int i = n - 1; i >= 0; --i) {
    weight += 0.0981 / inverse_mass[i];
    ASSERT_NEAR(hang[i], weight, 1e-9 * weight) << i;
  }
  lcp.lo.setConstant(-500.0);
  lcp.hi.setConstant(500.0);
  const LcpResult& slips = solver.Solve(lcp.View());
  EXPECT_EQ(slips.status, LcpStatus::kSolved);
  EXPECT_LE(slips.residual, 1e-12);
  EXPECT_EQ(slips.lambda().maxCoeff(), 500.0);
}

TEST(DantzigSolver, SameInputGivesTheSameBits) {
  std::mt19937 random(34);
  const LcpData lcp = test::RandomFeasibleLcp(50, 30, random);
  DantzigSolver a;
  DantzigSolver b;
  b.Solve(test::RandomLcp(50, 60, random).View());
  b.ClearWarmStart();
  EXPECT_EQ(a.Solve(lcp.View()).lambda_values,
            b.Solve(lcp.View()).lambda_values);
}

}  // namespace
}  // namespace limber::dynamics
