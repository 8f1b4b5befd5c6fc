// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/osim_function.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace limber::mocap {
namespace {

double Cubic(double x) { return 2 + x * (-1 + x * (0.5 + 0.3 * x)); }

// Four points fix a cubic, and the ends of the spline are those of the cubic
// through the four points there: it is met everywhere.
TEST(OsimFunction, SplineOfACubicIsTheCubic) {
  constexpr std::array kX = {-2.0, -1.1, -0.3, 0.6, 1.0, 2.5};
  std::array<double, kX.size()> y{};
  for (std::size_t i = 0; i < kX.size(); ++i) y[i] = Cubic(kX[i]);
  const std::optional<OsimFunction> spline = OsimFunction::Spline(kX, y);
  ASSERT_TRUE(spline);
  for (double x = -2; x <= 2.5; x += 0.05) {
    EXPECT_NEAR(spline->Value(x), Cubic(x), 1e-12) << x;
    EXPECT_NEAR(spline->Slope(x), -1 + x * (1 + 0.9 * x), 1e-11) << x;
  }
  // Beyond the ends it goes on straight.
  EXPECT_NEAR(spline->Value(-3), Cubic(-2) - spline->Slope(-2), 1e-12);
  EXPECT_NEAR(spline->Value(3.5), Cubic(2.5) + spline->Slope(2.5), 1e-12);
  EXPECT_NEAR(spline->Slope(9), spline->Slope(2.5), 1e-12);
}

TEST(OsimFunction, SplineIsTwiceDifferentiableAndMeetsItsPoints) {
  constexpr std::array kX = {0.0, 0.4, 1.0, 1.3, 2.0};
  constexpr std::array kY = {1.0, -0.5, 0.7, 0.2, 3.0};
  const std::optional<OsimFunction> spline = OsimFunction::Spline(kX, kY);
  ASSERT_TRUE(spline);
  constexpr double h = 1e-6;
  for (std::size_t i = 0; i < kX.size(); ++i) {
    EXPECT_NEAR(spline->Value(kX[i]), kY[i], 1e-12);
    if (i == 0 || i + 1 == kX.size()) continue;
    EXPECT_NEAR(spline->Slope(kX[i] - h), spline->Slope(kX[i] + h), 1e-3);
    const double before = (spline->Slope(kX[i]) - spline->Slope(kX[i] - h)) / h;
    const double after = (spline->Slope(kX[i] + h) - spline->Slope(kX[i])) / h;
    EXPECT_NEAR(before, after, 1e-2);
  }
  for (double x = -0.5; x < 2.5; x += 0.17) {
    EXPECT_NEAR((spline->Value(x + h) - spline->Value(x - h)) / (2 * h),
                spline->Slope(x), 1e-6);
  }
}

TEST(OsimFunction, FewPointsLinesAndPolynomials) {
  EXPECT_NEAR(OsimFunction::Spline(std::array{0.0, 2.0}, std::array{1.0, 5.0})
                  ->Value(3),
              7, 1e-12);
  // Three points: a parabola.
  EXPECT_NEAR(OsimFunction::Spline(std::array{-1.0, 0.0, 2.0},
                                   std::array{1.0, 0.0, 4.0})
                  ->Value(1),
              1, 1e-12);
  const std::optional<OsimFunction> lines =
      OsimFunction::Lines(std::array{0.0, 1.0, 3.0}, std::array{0.0, 2.0, 0.0});
  EXPECT_DOUBLE_EQ(lines->Value(0.5), 1);
  EXPECT_DOUBLE_EQ(lines->Value(2), 1);
  EXPECT_DOUBLE_EQ(lines->Value(4), -1);
  EXPECT_DOUBLE_EQ(lines->Slope(2), -1);
  OsimFunction powers;
  powers.powers = {2, 0, 1};
  powers.scale = 0.5;
  EXPECT_DOUBLE_EQ(powers.Value(3), 9.5);
  EXPECT_DOUBLE_EQ(powers.Slope(3), 6);
}

TEST(OsimFunction, KnotsMustRise) {
  EXPECT_FALSE(OsimFunction::Spline(std::array{0.0, 1.0, 1.0},
                                    std::array{0.0, 1.0, 2.0}));
  EXPECT_FALSE(
      OsimFunction::Spline(std::array{0.0, 1.0, 2.0}, std::array{0.0, 1.0}));
  EXPECT_FALSE(OsimFunction::Lines(std::array{0.0}, std::array{0.0}));
  EXPECT_FALSE(
      OsimFunction::Lines(std::array{0.0, std::nan("")}, std::array{0.0, 1.0}));
}

}  // namespace
}  // namespace limber::mocap
