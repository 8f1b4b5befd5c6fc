// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/lane_angles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber::dynamics::internal {
namespace {

constexpr double kTolerance = 5e-16;

double Alone(double y, double x) {
  return ArcTangent(Lane{y, 1.0, -1.0, 0.0}, Lane{x, 0.0, 2.0, 1.0})[0];
}

TEST(ArcTangent, AllAroundAndAtEverySizeIsTheLibrarys) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-4.0, 4.0);
  std::uniform_real_distribution<double> power(-150.0, 150.0);
  for (int i = 0; i < 250000; ++i) {
    Lane x, y;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double a = angle(random);
      const double size = std::pow(10.0, power(random));
      x[k] = size * std::cos(a);
      y[k] = size * std::sin(a);
    }
    const Lane a = ArcTangent(y, x);
    for (std::size_t k = 0; k < kLanes; ++k) {
      ASSERT_NEAR(a[k], std::atan2(y[k], x[k]), kTolerance)
          << y[k] << ", " << x[k];
    }
  }
}

TEST(ArcTangent, SmallAnglesKeepTheirDigits) {
  for (double a = 1e-3; a > 1e-300; a *= 1e-7) {
    EXPECT_NEAR(Alone(a, 1.0), std::atan2(a, 1.0), kTolerance * a) << a;
  }
}

TEST(ArcTangent, AxesAndDiagonalsAreExact) {
  const double pi = std::acos(-1.0);
  EXPECT_EQ(Alone(0.0, 0.0), 0.0);
  EXPECT_EQ(Alone(0.0, 2.0), 0.0);
  EXPECT_EQ(Alone(0.0, -2.0), pi);
  EXPECT_EQ(Alone(3.0, 0.0), 0.5 * pi);
  EXPECT_EQ(Alone(-3.0, 0.0), -0.5 * pi);
  EXPECT_NEAR(Alone(1.0, 1.0), 0.25 * pi, kTolerance);
  EXPECT_NEAR(Alone(-1.0, -1.0), -0.75 * pi, kTolerance);
}

}  // namespace
}  // namespace limber::dynamics::internal
