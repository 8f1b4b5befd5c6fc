// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

Vector3 RandomVector(std::mt19937& random, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  return {normal(random), normal(random), normal(random)};
}

TEST(Transform, ProductThenInverseIsIdentity) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const Transform X_AB{ExpRotation(RandomVector(random, 2.0)),
                         RandomVector(random, 5.0)};
    const Transform X_BC{ExpRotation(RandomVector(random, 2.0)),
                         RandomVector(random, 5.0)};
    const Vector3 p_C = RandomVector(random, 1.0);
    EXPECT_LT(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 1e-13);
    EXPECT_LT((X_AB.Inverse() * (X_AB * p_C) - p_C).norm(), 1e-13);
  }
}

TEST(Skew, TimesVectorIsCrossProduct) {
  const Vector3 a(1.0, -2.0, 3.0);
  const Vector3 b(0.5, 4.0, -1.0);
  EXPECT_EQ((Skew(a) * b - a.cross(b)).norm(), 0.0);
}

TEST(ExpRotation, TurnsByTheRightHandRule) {
  const Vector3 turned = ExpRotation(Vector3(0, 0, kPi / 2)) * Vector3::UnitX();
  EXPECT_LT((turned - Vector3::UnitY()).norm(), 1e-15);
}

TEST(ExpRotation, SeriesAndClosedFormMeetAtTheSwitch) {
  for (const double angle : {0.06, 0.0632, 0.0633, 0.064}) {
    const Quaternion q = ExpRotation(Vector3(angle, 0, 0));
    EXPECT_NEAR(q.x(), std::sin(angle / 2), 1e-16);
    EXPECT_NEAR(q.w(), std::cos(angle / 2), 2e-16);
  }
}

TEST(LogRotation, UndoesExpFromTinyToHalfTurn) {
  const Vector3 axis = Vector3(1, 2, -2) / 3.0;
  for (const double angle : {0.0, 1e-12, 1e-6, 1.9e-4, 2.1e-4, 0.5, 3.0, kPi}) {
    const Quaternion q = ExpRotation(angle * axis);
    EXPECT_NEAR(LogRotation(q).norm(), angle, 1e-14) << angle;
    const Quaternion minus_q(-q.w(), -q.x(), -q.y(), -q.z());
    EXPECT_NEAR(LogRotation(minus_q).norm(), angle, 1e-14) << angle;
  }
}

TEST(AngleBetween, IgnoresTheSignOfTheQuaternion) {
  const Quaternion a = ExpRotation(Vector3(0.2, 0, 0));
  const Quaternion b = ExpRotation(Vector3(0.5, 0, 0));
  const Quaternion minus_b(-b.w(), -b.x(), -b.y(), -b.z());
  EXPECT_NEAR(AngleBetween(a, b), 0.3, 1e-15);
  EXPECT_NEAR(AngleBetween(a, minus_b), 0.3, 1e-15);
}

TEST(AnyPerpendicular, IsUnitAndPerpendicular) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const Vector3 a = RandomVector(random, 1.0).normalized();
    const Vector3 b = AnyPerpendicular(a);
    EXPECT_NEAR(b.norm(), 1.0, 1e-15);
    EXPECT_NEAR(a.dot(b), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace limber
