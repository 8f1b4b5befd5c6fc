// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/lcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/dynamics/reference_lcp.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

using test::LcpData;
using test::Values;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

// One row, K = 2, c = -4: without bounds λ = 2.
LcpData OneRow(double lo, double hi) {
  return {MatrixX::Constant(1, 1, 2.0), VectorX::Constant(1, -4.0),
          VectorX::Constant(1, lo), VectorX::Constant(1, hi)};
}
VectorX One(double value) { return VectorX::Constant(1, value); }

TEST(LcpResidual, IsZeroOnEachBranch) {
  EXPECT_EQ(LcpResidual(OneRow(-kInfinity, kInfinity).View(), One(2.0)), 0.0);
  EXPECT_EQ(LcpResidual(OneRow(0.0, 1.0).View(), One(1.0)), 0.0);
  EXPECT_EQ(LcpResidual(OneRow(3.0, 4.0).View(), One(3.0)), 0.0);
  EXPECT_EQ(LcpResidual(OneRow(1.5, 1.5).View(), One(1.5)), 0.0);
}

TEST(LcpResidual, EqualsItsFormula) {
  // e = 2 λ - 4, s = 4 + 2|λ| + 2|λ|.
  const LcpData free = OneRow(-kInfinity, kInfinity);
  EXPECT_DOUBLE_EQ(LcpResidual(free.View(), One(3.0)), 2.0 / 16.0);
  // The projected step from 0.5 goes to the bound 1, not to 2.
  EXPECT_DOUBLE_EQ(LcpResidual(OneRow(0.0, 1.0).View(), One(0.5)),
                   2.0 * 0.5 / 6.0);
}

TEST(LcpResidual, ViolatedBoundCounts) {
  // λ = 2 has e = 0, but is out of [0, 1] by 1.
  EXPECT_DOUBLE_EQ(LcpResidual(OneRow(0.0, 1.0).View(), One(2.0)), 2.0 / 12.0);
}

TEST(LcpResidual, WrongSignAtABoundCounts) {
  EXPECT_GT(LcpResidual(OneRow(0.0, 3.0).View(), One(0.0)), 0.5);
  EXPECT_GT(LcpResidual(OneRow(0.0, 3.0).View(), One(3.0)), 0.05);
}

TEST(LcpResidual, DoesNotDependOnTheUnitsOfTheRows) {
  std::mt19937 random(1);
  LcpData lcp = test::RandomLcp(6, 9, random);
  VectorX lambda = VectorX::LinSpaced(6, -1.0, 1.0);
  const double residual = LcpResidual(lcp.View(), lambda);
  VectorX a(6);
  a << 1e-6, 1e6, 3.0, 1e-3, 7e4, 1.0;
  test::ScaleRows(a, lcp);
  lambda = lambda.cwiseQuotient(a);
  EXPECT_GT(residual, 1e-3);
  EXPECT_NEAR(LcpResidual(lcp.View(), lambda), residual, 1e-12);
}

// A row beside a large one: judged by its own size down to kLcpFloor.
TEST(LcpResidual, SmallRowsAreJudgedByTheirOwnSizeDownToTheFloor) {
  const auto residual = [](double small, double error) {
    const LcpData lcp{MatrixX::Identity(2, 2), Values({-1.0, -small}),
                      VectorX::Constant(2, -kInfinity),
                      VectorX::Constant(2, kInfinity)};
    return LcpResidual(lcp.View(), Values({1.0, small + error}));
  };
  // S = 3 for the large row; s = 3 * small for the small one.
  EXPECT_NEAR(residual(1e-3, 1e-9), 1e-9 / 3e-3, 1e-12);
  EXPECT_NEAR(residual(0.0, 1e-9), 1e-9 / 3e-4, 1e-12);
}

TEST(LcpResidual, NotANumberIsInfinite) {
  const LcpData lcp = OneRow(-kInfinity, kInfinity);
  EXPECT_EQ(LcpResidual(lcp.View(), One(kNan)), kInfinity);
  EXPECT_EQ(LcpResidual(lcp.View(), One(kInfinity)), kInfinity);
}

TEST(LcpResidual, WrongSizeThrows) {
  const LcpData lcp = OneRow(0.0, 1.0);
  EXPECT_THROW(LcpResidual(lcp.View(), VectorX::Zero(2)),
               std::invalid_argument);
}

TEST(LcpResidual, FrictionBoundFollowsTheNormalImpulse) {
  LcpData lcp{MatrixX::Identity(2, 2), VectorX(2), VectorX::Zero(2),
              VectorX::Constant(2, kInfinity)};
  lcp.c << -3.0, -5.0;  // normal impulse 3; friction wants 5
  lcp.normal = {-1, 0};
  lcp.mu = {0.0, 0.5};
  EXPECT_EQ(BoundsOfRow(lcp.View(), Values({3.0, 0.0}), 1).hi, 1.5);
  EXPECT_EQ(BoundsOfRow(lcp.View(), Values({-3.0, 0.0}), 1).hi, 0.0);
  EXPECT_EQ(LcpResidual(lcp.View(), Values({3.0, 1.5})), 0.0);
  EXPECT_GT(LcpResidual(lcp.View(), Values({3.0, 1.4})), 0.01);
  EXPECT_GT(LcpResidual(lcp.View(), Values({3.0, 1.6})), 0.01);
}

TEST(CheckLcp, NamesTheRowAndTheFault) {
  std::mt19937 random(2);
  const LcpData good = test::RandomLcp(4, 8, random);
  EXPECT_TRUE(CheckLcp(good.View()).ok());

  const auto expect = [&](int row, std::string_view words, auto change) {
    LcpData bad = good;
    bad.normal.assign(4, -1);
    bad.mu.assign(4, 0.5);
    change(bad);
    const LcpInputError error = CheckLcp(bad.View());
    EXPECT_EQ(error.row, row) << words;
    EXPECT_EQ(error.words, words);
  };
  expect(2, "K is not finite", [](LcpData& b) { b.K(1, 2) = kNan; });
  expect(3, "K is not finite", [](LcpData& b) { b.K(3, 3) = kInfinity; });
  expect(1, "c is not finite", [](LcpData& b) { b.c[1] = kInfinity; });
  expect(1, "K has a negative diagonal", [](LcpData& b) { b.K(1, 1) = -1; });
  expect(0, "lo > hi, or NaN", [](LcpData& b) { b.lo[0] = b.hi[0] + 1; });
  expect(0, "lo > hi, or NaN", [](LcpData& b) { b.hi[0] = kNan; });
  expect(3, "lo is +inf", [](LcpData& b) { b.lo[3] = b.hi[3] = kInfinity; });
  expect(3, "hi is -inf", [](LcpData& b) { b.lo[3] = b.hi[3] = -kInfinity; });
  const auto normal = "normal is not a row with bounds of its own";
  expect(2, normal, [](LcpData& b) { b.normal[2] = 4; });
  expect(2, normal, [](LcpData& b) { b.normal[2] = 2; });
  expect(2, normal, [](LcpData& b) { b.normal = {-1, -1, 3, 0}; });
  expect(2, "mu is negative or not finite", [](LcpData& b) {
    b.normal[2] = 0;
    b.mu[2] = -0.1;
  });
  const auto sizes = "sizes of K, c, lo, hi, normal, mu do not fit";
  expect(-1, sizes, [](LcpData& b) { b.lo.conservativeResize(3); });
  expect(-1, sizes, [](LcpData& b) { b.K.conservativeResize(4, 3); });
  expect(-1, sizes, [](LcpData& b) { b.mu.pop_back(); });
}

// The judge of the judge: enumeration and Gauss-Seidel are independent.
TEST(ReferenceLcp, EnumerationEqualsGaussSeidel) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const LcpData lcp = test::RandomLcp(5, 15, random);
    const std::optional<VectorX> a = test::SolveByEnumeration(lcp.View());
    ASSERT_TRUE(a.has_value());
    const VectorX b = test::SolveByGaussSeidel(lcp.View());
    ASSERT_LT((*a - b).norm(), 1e-10);
    ASSERT_LT(LcpResidual(lcp.View(), *a), 1e-12);
  }
}

TEST(ReferenceLcp, EnumerationFindsNothingWhenRowsContradict) {
  LcpData lcp{MatrixX::Ones(2, 2), VectorX(2), VectorX::Constant(2, -kInfinity),
              VectorX::Constant(2, kInfinity)};
  lcp.c << 0.0, -1.0;
  EXPECT_FALSE(test::SolveByEnumeration(lcp.View()).has_value());
}

}  // namespace
}  // namespace limber::dynamics
