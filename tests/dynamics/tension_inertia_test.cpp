// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tension_inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {
namespace {

using Axes = Eigen::SelfAdjointEigenSolver<Matrix3>;

Matrix3 Part(const SymLanes& S, std::size_t k) {
  Matrix3 o;
  o << S.xx[k], S.xy[k], S.xz[k], S.xy[k], S.yy[k], S.yz[k], S.xz[k], S.yz[k],
      S.zz[k];
  return o;
}

SymLanes FourOf(const std::array<Matrix3, kLanes>& m) {
  const auto at = [&](int i, int j) {
    return Lane{m[0](i, j), m[1](i, j), m[2](i, j), m[3](i, j)};
  };
  return {at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)};
}

Matrix3 WithEigenvalues(const Vector3& d, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Matrix3 R =
      Quaternion(normal(random), normal(random), normal(random), normal(random))
          .normalized()
          .toRotationMatrix();
  const Matrix3 m = R * d.asDiagonal() * R.transpose();
  return 0.5 * (m + m.transpose());
}

Matrix3 Expected(const Matrix3& m) {
  const Axes axes(m);
  return axes.eigenvectors() * axes.eigenvalues().cwiseMax(0.0).asDiagonal() *
         axes.eigenvectors().transpose();
}

TEST(PositivePart, EigenvaluesOfAllSignsAndSizesMatchTheEigenvectors) {
  std::mt19937 random(7);
  const double values[] = {-1e6, -2.0,  -1.0, -1e-9, -1e-14, 0.0,
                           1e-9, 2e-14, 1.0,  1.5,   1e6};
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : values) {
        std::array<Matrix3, kLanes> four;
        for (Matrix3& m : four) m = WithEigenvalues({a, b, c}, random);
        const SymLanes found = PositivePart(FourOf(four));
        // The two largest: where the second is small, so is what is lost.
        std::array<double, 3> size = {std::abs(a), std::abs(b), std::abs(c)};
        std::sort(size.begin(), size.end());
        double allowed = 4.0 * size[1] + 1e-8 * size[2];
        if (size[1] > 0.0) {
          allowed = std::min(allowed, 4e-15 * size[2] * size[2] / size[1]);
        }
        for (std::size_t k = 0; k < kLanes; ++k) {
          EXPECT_LE((Part(found, k) - Expected(four[k])).norm(), allowed)
              << a << " " << b << " " << c;
        }
      }
    }
  }
}

TEST(PositivePart, BitsDoNotDependOnTheNeighbours) {
  std::mt19937 random(5);
  std::array<Matrix3, kLanes> four;
  four[0] = WithEigenvalues({2.0, 1.0, -1.0}, random);
  four[1] = WithEigenvalues({1e-9, -1e-9, -1.0}, random);
  four[2] = WithEigenvalues({2.0, 2.0, 2.0}, random);
  four[3] = WithEigenvalues({-2.0, -1.0, 3.0}, random);
  const SymLanes together = PositivePart(FourOf(four));
  for (std::size_t k = 0; k < kLanes; ++k) {
    const SymLanes alone =
        PositivePart(FourOf({four[k], four[k], four[k], four[k]}));
    EXPECT_EQ(Part(together, k), Part(alone, 0));
  }
}

// I_eff = I^1/2 E max(1, h^2 beta d) E^T I^1/2 by eigenvectors.
TEST(TensionInertia, RandomBodiesMatchTheEigenvectors) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  const double h = 1.0 / 240.0;
  int num_tight = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 inertia(uniform(random), uniform(random), uniform(random));
    const Matrix3 R = Quaternion(uniform(random), uniform(random) - 0.5,
                                 uniform(random), -uniform(random))
                          .normalized()
                          .toRotationMatrix();
    const double scale = 3.0 * uniform(random) / (h * h * kBeta);
    const Matrix3 K =
        WithEigenvalues(scale * Vector3(uniform(random) - 0.5, uniform(random),
                                        uniform(random) - 0.5),
                        random);
    const Matrix3 root = R * inertia.cwiseSqrt().asDiagonal() * R.transpose();
    const Matrix3 inverse = root.inverse();
    const Axes axes(h * h * kBeta * inverse * Expected(K) * inverse);
    const Matrix3 expected = root * axes.eigenvectors() *
                             axes.eigenvalues().cwiseMax(1.0).asDiagonal() *
                             axes.eigenvectors().transpose() * root;
    Matrix3 I_eff;
    const bool tight = TensionInertia(inertia, R, K, h, I_eff);
    const bool should = axes.eigenvalues().maxCoeff() > 1.0;
    if (std::abs(axes.eigenvalues().maxCoeff() - 1.0) > 1e-9) {
      EXPECT_EQ(tight, should);
    }
    if (!tight) continue;
    ++num_tight;
    EXPECT_LE((I_eff - expected).norm(), 1e-12);
  }
  EXPECT_GT(num_tight, 300);
  EXPECT_LT(num_tight, 900);
}

}  // namespace
}  // namespace limber::dynamics::internal
