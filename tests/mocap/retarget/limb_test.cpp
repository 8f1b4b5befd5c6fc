// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/limb.h"

#include <gtest/gtest.h>

#include <random>

namespace limber::mocap {
namespace {

Vector3 Reached(const Limb& limb, const LimbTurn& turn) {
  return turn.Q_a * limb.a + turn.Q_b * limb.b;
}

TEST(ReachFor, GetsToEveryPointWithinReach) {
  std::mt19937 random(2);
  std::normal_distribution<double> number;
  const auto vector = [&] {
    return Vector3(number(random), number(random), number(random));
  };
  for (int i = 0; i < 1000; ++i) {
    const Limb limb{vector(), vector(), vector().normalized()};
    const double a = limb.a.norm();
    // The part of b along the hinge cannot be bent away.
    const Vector3 n =
        (limb.hinge - limb.a * limb.a.dot(limb.hinge) / (a * a)).normalized();
    const double across = n.dot(limb.b);
    const double b = (limb.b - n * across).norm();
    const double least = std::hypot(a - b, across);
    const double most = std::hypot(a + b, across);
    std::uniform_real_distribution<double> between(least, most);
    const Vector3 d = vector().normalized() * between(random);
    const LimbTurn turn = ReachFor(limb, d);
    EXPECT_LT((Reached(limb, turn) - d).norm(), 1e-9);
    EXPECT_LT(turn.miss, 1e-9);
  }
}

TEST(ReachFor, WhereItIsAlreadyNothingTurns) {
  const Limb limb{{0, -0.4, 0.1}, {0, -0.4, -0.05}, Vector3::UnitX()};
  const LimbTurn turn = ReachFor(limb, limb.a + limb.b);
  EXPECT_EQ(AngleBetween(turn.Q_a, Quaternion::Identity()), 0.0);
  EXPECT_EQ(AngleBetween(turn.Q_b, Quaternion::Identity()), 0.0);
}

TEST(ReachFor, TooFarStretchesAndSaysByHowMuch) {
  const Limb limb{{0, -0.4, 0.1}, {0, -0.4, -0.1}, Vector3::UnitX()};
  const LimbTurn turn = ReachFor(limb, Vector3(0, -1.0, 0));
  const double length = limb.a.norm() + limb.b.norm();
  EXPECT_NEAR(turn.miss, 1.0 - length, 1e-12);
  EXPECT_LT((Reached(limb, turn) - Vector3(0, -length, 0)).norm(), 1e-9);
}

TEST(ReachFor, StraightKneeBendsAsKneesDo) {
  // The hinge is the figure's left: the ankle goes back, the knee forward.
  const Limb limb{{0, -0.4, 0}, {0, -0.4, 0}, Vector3::UnitX()};
  const LimbTurn turn = ReachFor(limb, Vector3(0, -0.7, 0));
  EXPECT_GT((turn.Q_a * limb.a).z(), 0.1);
}

TEST(ReachFor, KneeKeepsItsSide) {
  const Limb bent_back{{0, -0.4, -0.1}, {0, -0.4, 0.1}, Vector3::UnitX()};
  const LimbTurn turn = ReachFor(bent_back, Vector3(0, -0.7, 0));
  EXPECT_LT((turn.Q_a * bent_back.a).z(), -0.1);
}

}  // namespace
}  // namespace limber::mocap
