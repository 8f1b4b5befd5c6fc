// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/banded_system.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>
#include <stdexcept>

namespace limber::mocap {
namespace {

TEST(BandedSystem, AgreesWithADenseSolver) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const int n : {1, 3, 12, 40}) {
    const int half_width = 4;
    BandedSystem system(n, half_width);
    MatrixX dense = MatrixX::Zero(n, n);
    VectorX right = VectorX::Zero(n);
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(0, i - half_width); j <= i; ++j) {
        const double value = i == j ? 6.0 + number(random) : number(random);
        system.Add(i, j, value);
        dense(i, j) = dense(j, i) = value;
      }
      right(i) = number(random);
      system.AddRight(i, right(i));
    }
    const VectorX expected = dense.ldlt().solve(right);
    const std::vector<double> x = system.Solve();
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], expected(i), 1e-12);
  }
}

// With two values fixed at both ends the third differences alone make a
// parabola through what is given: a quadratic comes back exactly.
TEST(BandedSystem, ThirdDifferencesKeepAParabola) {
  const std::size_t n = 30;
  BandedSystem system(n, 3);
  system.AddThirdDifferences(0, 1, n, 1e4);
  const auto parabola = [](std::size_t i) {
    const double t = static_cast<double>(i);
    return 0.3 + 0.2 * t - 0.01 * t * t;
  };
  for (const std::size_t i : {0, 1, 15, 28, 29}) system.Fix(i, parabola(i));
  const std::vector<double> x = system.Solve();
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], parabola(i), 1e-9);
}

TEST(BandedSystem, FixedUnknownsKeepTheirValueExactly) {
  BandedSystem system(10, 3);
  system.AddThirdDifferences(0, 1, 10, 1.0);
  for (std::size_t i = 0; i < 10; ++i) system.Add(i, i, 0.1);
  system.Fix(4, 0.7);
  EXPECT_EQ(system.Solve()[4], 0.7);
}

TEST(BandedSystem, IndefiniteMatrixThrows) {
  BandedSystem system(2, 1);
  system.Add(0, 0, 1.0);
  system.Add(1, 0, 2.0);
  system.Add(1, 1, 1.0);
  EXPECT_THROW(system.Solve(), std::runtime_error);
}

}  // namespace
}  // namespace limber::mocap
