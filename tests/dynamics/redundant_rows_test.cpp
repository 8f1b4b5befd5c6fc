// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Redundant, contradictory and unreachable demands: an answer, a report, and
// never a hang, a NaN or an explosion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/constraints/point_to_point.h"
#include "dynamics/world.h"

namespace limber::dynamics {
namespace {

BodySpec Ball(const Vector3& p_WB) {
  BodySpec spec;
  spec.mass.mass = 2.0;
  spec.mass.I_BC = Matrix3::Identity() * 0.1;
  spec.X_WB.p = p_WB;
  return spec;
}

RowSettings Tau(double tau) {
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(tau);
  return settings;
}

constexpr double kStep = 1.0 / 240.0;
const Vector3 kCentre = Vector3::Zero();

// B-27, Dynamo-073: two coincident nails carry half the weight each.
TEST(RedundantRows, CoincidentNailsShareTheWeight) {
  for (const Scheme scheme :
       {Scheme::kLeapfrog, Scheme::kEuler, Scheme::kAcceleration}) {
    World world(WorldSettings{.scheme = scheme});
    const BodyId ball = world.AddBody(Ball(Vector3::Zero()));
    PointNail& first = world.Add(PointNail({ball, kCentre}, Vector3::Zero()));
    PointNail& second = world.Add(PointNail({ball, kCentre}, Vector3::Zero()));
    for (int i = 0; i < 10; ++i) world.Step(kStep);
    EXPECT_NEAR(first.impulses()[1] / kStep, kGravity, 1e-6);
    EXPECT_NEAR(second.impulses()[1] / kStep, kGravity, 1e-6);
    EXPECT_LT(world.motion(ball).p_WC.norm(), 1e-9);
  }
}

// B-27: a horizontal rod nailed at both ends: no axial force, mg/2 each.
TEST(RedundantRows, RodNailedAtBothEndsHasNoAxialForce) {
  World world;
  BodySpec rod = Ball(Vector3::Zero());
  const BodyId body = world.AddBody(rod);
  PointNail& left =
      world.Add(PointNail({body, Vector3(-0.5, 0, 0)}, Vector3(-0.5, 0, 0)));
  PointNail& right =
      world.Add(PointNail({body, Vector3(0.5, 0, 0)}, Vector3(0.5, 0, 0)));
  for (int i = 0; i < 10; ++i) world.Step(kStep);
  EXPECT_NEAR(left.impulses()[0] / kStep, 0.0, 1e-5);
  EXPECT_NEAR(right.impulses()[0] / kStep, 0.0, 1e-5);
  EXPECT_NEAR(left.impulses()[1] / kStep, kGravity, 1e-5);
  EXPECT_NEAR(right.impulses()[1] / kStep, kGravity, 1e-5);
}

// B-28, D-25, Dynamo-074: contradictory nails: the ball rests in between, the
// rows that cannot be met are named.
TEST(RedundantRows, ContradictoryNailsMeetInBetweenAndAreReported) {
  World world(WorldSettings{.scheme = Scheme::kEuler});
  const BodyId ball = world.AddBody(Ball(Vector3(0.1, 0, 0)));
  PointNail& left = world.Add(PointNail({ball, kCentre}, Vector3(0, 0, 0)));
  PointNail& right = world.Add(PointNail({ball, kCentre}, Vector3(1, 0, 0)));
  left.set_settings(Tau(0.1));
  right.set_settings(Tau(0.1));
  for (int i = 0; i < 480; ++i) {
    world.Step(kStep);
    ASSERT_TRUE(world.motion(ball).p_WC.allFinite());
  }
  EXPECT_NEAR(world.motion(ball).p_WC.x(), 0.5, 0.01);
  const auto& unmet = world.report().unmet;
  EXPECT_NE(std::find(unmet.begin(), unmet.end(), &left), unmet.end());
  EXPECT_NE(std::find(unmet.begin(), unmet.end(), &right), unmet.end());
}

// B-28: with unequal time constants at the weighted mean of 1/tau^2.
TEST(RedundantRows, UnequalTimeConstantsWeighTheRestingPlace) {
  WorldSettings settings{.scheme = Scheme::kAcceleration};
  World world(settings);
  const BodyId ball = world.AddBody(Ball(Vector3(0.1, 0, 0)));
  PointNail& left = world.Add(PointNail({ball, kCentre}, Vector3(0, 0, 0)));
  PointNail& right = world.Add(PointNail({ball, kCentre}, Vector3(1, 0, 0)));
  left.set_settings(Tau(0.1));
  right.set_settings(Tau(0.2));
  for (int i = 0; i < 960; ++i) world.Step(kStep);
  const double a = 1.0 / 0.01;
  const double b = 1.0 / 0.04;
  EXPECT_NEAR(world.motion(ball).p_WC.x(), b / (a + b), 0.01);
}

// B-30: a constraint given twice changes no trajectory.
TEST(RedundantRows, DuplicateConstraintChangesNothing) {
  const auto run = [](bool twice) {
    World world(WorldSettings{.scheme = Scheme::kEuler});
    const BodyId ball = world.AddBody(Ball(Vector3(1, 0, 0)));
    world.Add(PointNail({ball, Vector3(-1, 0, 0)}, Vector3::Zero()));
    if (twice) {
      world.Add(PointNail({ball, Vector3(-1, 0, 0)}, Vector3::Zero()));
    }
    for (int i = 0; i < 240; ++i) world.Step(kStep);
    return Vector3(world.motion(ball).p_WC);
  };
  EXPECT_LT((run(true) - run(false)).norm(), 1e-9);
}

// D-23: dependent rows are reported, and the reactions are finite.
TEST(RedundantRows, DependentRowsAreReported) {
  World world;
  const BodyId ball = world.AddBody(Ball(Vector3::Zero()));
  world.Add(PointNail({ball, kCentre}, Vector3::Zero()));
  EXPECT_EQ(world.Step(kStep).status, LcpStatus::kSolved);
  world.Add(PointNail({ball, kCentre}, Vector3::Zero()));
  EXPECT_EQ(world.Step(kStep).status, LcpStatus::kRegularised);
  EXPECT_TRUE(world.report().unmet.empty());
}

// D-24: penalty mode: sag m g / k, halved by giving the row twice.
TEST(RedundantRows, PenaltyRowsSagByWeightOverStiffness) {
  const auto sag = [](double k, bool twice) {
    World world(WorldSettings{.scheme = Scheme::kEuler});
    BodySpec spec = Ball(Vector3::Zero());
    spec.mass.mass = 1.0;
    const BodyId ball = world.AddBody(spec);
    RowSettings settings;
    settings.stabilisation = Stabilisation::Spring(k, 2.0 * std::sqrt(k));
    for (int i = 0; i < (twice ? 2 : 1); ++i) {
      world.Add(PointNail({ball, kCentre}, Vector3::Zero()))
          .set_settings(settings);
    }
    for (int i = 0; i < 2400; ++i) world.Step(kStep);
    return -world.motion(ball).p_WC.y();
  };
  EXPECT_NEAR(sag(1e5, false), 9.81e-5, 1e-10);
  EXPECT_NEAR(sag(1e5, true), 4.905e-5, 1e-10);
  EXPECT_NEAR(sag(1e4, false) / sag(1e5, false), 10.0, 1e-5);
}

// A nail that can never be reached: two nails too far apart for the rod. It
// stays finite and in between, for every scheme.
TEST(RedundantRows, UnreachableNailsDoNotExplode) {
  for (const Scheme scheme :
       {Scheme::kLeapfrog, Scheme::kEuler, Scheme::kAcceleration}) {
    World world(WorldSettings{.scheme = scheme});
    const BodyId rod = world.AddBody(Ball(Vector3::Zero()));
    world.Add(PointNail({rod, Vector3(-0.5, 0, 0)}, Vector3(-2, 0, 0)));
    world.Add(PointNail({rod, Vector3(0.5, 0, 0)}, Vector3(2, 0, 0)));
    for (int i = 0; i < 1000; ++i) {
      world.Step(kStep);
      ASSERT_LT(world.motion(rod).p_WC.norm(), 5.0);
      ASSERT_LT(world.motion(rod).v_WC.norm(), 1000.0);
    }
    EXPECT_LT(std::abs(world.motion(rod).p_WC.x()), 0.1);
  }
}

}  // namespace
}  // namespace limber::dynamics
