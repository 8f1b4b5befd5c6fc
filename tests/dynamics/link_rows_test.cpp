// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Rows of every constraint that is not a joint, against finite differences
// (B-10, B-11, H-12), on random motions: J, rate_bias, acceleration_bias.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/edges.h"
#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/gear.h"
#include "dynamics/constraints/point_on_curve.h"
#include "dynamics/constraints/point_on_line.h"
#include "dynamics/constraints/point_on_surface.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rolling_wheel.h"
#include "dynamics/constraints/rope.h"
#include "tests/dynamics/constraint_checker.h"

namespace limber::dynamics {
namespace {

using test::CheckConstraint;
using test::ConstraintCheck;
using test::RandomMotions;

constexpr int kRounds = 30;
const BodyId kOne{1};
const BodyId kTwo{2};
const BodyPoint kA{kOne, Vector3(0.3, -0.2, 0.1)};
const BodyPoint kB{kTwo, Vector3(-0.1, 0.4, 0.25)};

// Runs `make(bodies)`, which may also move the bodies, through the checker on
// random motions.
template <typename Make>
void CheckOnRandomMotions(int num_bodies, Make make,
                          const ConstraintCheck& check = {}) {
  std::mt19937 random(11);
  for (int i = 0; i < kRounds; ++i) {
    std::vector<BodyMotion> bodies = RandomMotions(num_bodies, random);
    const auto constraint = make(bodies);
    EXPECT_TRUE(CheckConstraint(constraint, bodies, 0.4 + 0.1 * i, check))
        << "round " << i;
  }
}

TEST(LinkRows, DistanceRodMatchesDifferences) {
  CheckOnRandomMotions(2, [](auto&) { return DistanceRod(kA, kB, 0.8); });
}

TEST(LinkRows, DistanceRodToGroundMatchesDifferences) {
  CheckOnRandomMotions(2, [](auto&) {
    return DistanceRod(WorldPoint({1.0, 2.0, 3.0}), kB, 0.8);
  });
}

TEST(LinkRows, RopeMatchesDifferences) {
  CheckOnRandomMotions(2, [](auto&) { return Rope(kA, kB, 0.8); });
}

TEST(LinkRows, RopeThroughSharedBodiesMatchesDifferences) {
  const std::array points = {WorldPoint({2.0, 1.0, 0.0}), kA, kB,
                             BodyPoint{kOne, Vector3(-0.5, 0.1, 0.0)},
                             BodyPoint{BodyId{3}, Vector3(0.0, 0.2, 0.0)}};
  for (const Rope::Kind kind : {Rope::Kind::kRope, Rope::Kind::kMultibar}) {
    CheckOnRandomMotions(3, [&](auto&) { return Rope(points, 4.0, kind); });
  }
}

TEST(LinkRows, PointToPointMatchesDifferences) {
  for (const auto axes :
       {PointToPoint::Axes::kOfA, PointToPoint::Axes::kWorld}) {
    CheckOnRandomMotions(2, [&](auto&) { return PointToPoint(kA, kB, axes); });
  }
  CheckOnRandomMotions(2, [](auto&) {
    return PointToPoint(kA, WorldPoint({1.0, 0.0, 0.0}));
  });
}

TEST(LinkRows, PointNailMatchesDifferences) {
  CheckOnRandomMotions(
      1, [](auto&) { return PointNail(kA, Vector3(0.5, 0.6, 0.7)); });
}

PointOnPath::Sample Helix(double t) {
  return {{std::cos(2.0 * t), 0.3 * t * t, std::sin(2.0 * t)},
          {-2.0 * std::sin(2.0 * t), 0.6 * t, 2.0 * std::cos(2.0 * t)},
          {-4.0 * std::cos(2.0 * t), 0.6, -4.0 * std::sin(2.0 * t)}};
}

TEST(LinkRows, PointOnPathMatchesDifferences) {
  CheckOnRandomMotions(1, [](auto&) { return PointOnPath(kA, Helix); });
}

TEST(LinkRows, VelocityMatchMatchesDifferences) {
  CheckOnRandomMotions(2, [](auto&) { return VelocityMatch(kA, kB); },
                       {.rows_without_error = {0, 1, 2}});
}

TEST(LinkRows, PointOnLineAndPlaneMatchDifferences) {
  CheckOnRandomMotions(
      2, [](auto&) { return PointOnLine(kA, kB, Vector3(1.0, 2.0, -0.5)); });
  CheckOnRandomMotions(
      2, [](auto&) { return PointOnPlane(kA, kB, Vector3(1.0, 2.0, -0.5)); });
}

std::shared_ptr<const Curve> Spline() {
  const std::array<Vector3, 6> points = {
      Vector3(-2, 0, 0), Vector3(-1, 1, 0.5), Vector3(0, 0.5, 1),
      Vector3(1, 0, 0),  Vector3(2, 1, -1),   Vector3(3, 0, 0)};
  return std::make_shared<CubicSpline>(CubicSpline::BSpline(points));
}

TEST(LinkRows, PointOnCurveMatchesDifferences) {
  const std::shared_ptr<const Curve> circle = std::make_shared<Circle>(
      Vector3(0.1, 0.2, 0.3), Vector3::UnitZ(), Vector3::UnitX(), 2.0);
  for (const auto& curve : {circle, Spline()}) {
    CheckOnRandomMotions(2, [&](std::vector<BodyMotion>& bodies) {
      // Near the curve but off it, and past the parameter that it remembers.
      const double s = 1.3;
      const Vector3 x = curve->Position(s + 0.05) + Vector3(0.02, 0.03, -0.01);
      BodyMotion& two = bodies[2];
      two.p_WB += bodies[1].Point(kA.p_BA) - two.Point(x);
      return PointOnCurve(kA, kTwo, curve, s);
    });
  }
}

TEST(LinkRows, PointOnSurfaceMatchesDifferences) {
  const std::shared_ptr<const Surface> ellipsoid = std::make_shared<Ellipsoid>(
      Transform{ExpRotation(Vector3(0.3, 0.2, 0.1)), Vector3(0.1, 0.2, 0.3)},
      Vector3(3.0, 4.5, 3.5));
  const std::shared_ptr<const Surface> cylinder =
      std::make_shared<Cylinder>(Transform{}, 2.5, kInfinity);
  for (const auto& surface : {ellipsoid, cylinder}) {
    CheckOnRandomMotions(2, [&](std::vector<BodyMotion>& bodies) {
      // Up to 0.1 m off the surface, on either side.
      const double u = bodies[1].p_WB.x();
      const double v = 0.5 * bodies[1].p_WB.y();
      const double off = 0.1 * std::sin(10.0 * u);
      const Vector3 x = surface->Position(u, v) + off * surface->Normal(u, v);
      bodies[2].p_WB += bodies[1].Point(kA.p_BA) - bodies[2].Point(x);
      return PointOnSurface(kA, kTwo, surface);
    });
  }
}

// Turns body `b` to within about a right angle of the orientation of
// `reference`: differences are poor near the 180 degrees of a singular C.
void TurnNear(std::vector<BodyMotion>& bodies, std::size_t b,
              std::size_t reference) {
  const Vector3 turn = LogRotation(bodies[b].q_WB);
  test::SetPose(bodies[b], {bodies[reference].q_WB * ExpRotation(0.25 * turn),
                            bodies[b].p_WB});
}

TEST(LinkRows, AlignMatchesDifferences) {
  const Vector3 b(0.2, 1.0, 0.3);
  const Vector3 n(0.1, 1.0, -0.2);
  CheckOnRandomMotions(2, [&](std::vector<BodyMotion>& bodies) {
    TurnNear(bodies, 1, 2);
    return AlignAxis(kOne, b, kTwo, n);
  });
  CheckOnRandomMotions(1, [&](std::vector<BodyMotion>& bodies) {
    TurnNear(bodies, 1, 0);
    return AlignAxis(kOne, b, kGround, n);
  });
  CheckOnRandomMotions(
      2, [&](auto&) { return AlignAxisScalar(kOne, b, kTwo, n); });
  CheckOnRandomMotions(2, [](std::vector<BodyMotion>& bodies) {
    TurnNear(bodies, 1, 2);
    return AlignOrientation(kOne, kTwo, ExpRotation(Vector3(0.5, 0.2, -1.0)));
  });
}

TEST(LinkRows, GearMatchesDifferences) {
  CheckOnRandomMotions(3, [](std::vector<BodyMotion>& bodies) {
    TurnNear(bodies, 1, 3);
    TurnNear(bodies, 2, 3);
    return Gear(TurnAngle(BodyId{3}, Vector3::UnitX(), Vector3::UnitY(), kOne,
                          Vector3(0.1, 1.0, 0.2)),
                TurnAngle(BodyId{3}, Vector3::UnitZ(), Vector3::UnitY(), kTwo,
                          Vector3(0.5, 1.0, 0.2)),
                -2.5, 0.1);
  });
}

TEST(LinkRows, EdgesMatchDifferences) {
  const Edge a{{BodyId{2}, Vector3(0.1, 0.0, 0.0)}, {kOne, Vector3::Zero()}};
  const Edge b{{BodyId{2}, Vector3(0.1, 0.0, 0.0)},
               {BodyId{3}, Vector3(0.0, 0.2, 0.0)}};
  CheckOnRandomMotions(3, [&](auto&) { return EdgeAngle(a, b, 1.1); },
                       {.tolerance = 1e-6});
  CheckOnRandomMotions(
      3, [&](auto& bodies) { return EdgesParallel(a, b, bodies); },
      {.tolerance = 1e-6});
}

TEST(LinkRows, RollingWheelMatchesDifferences) {
  CheckOnRandomMotions(1,
                       [](auto&) {
                         return RollingWheel({kOne, Vector3(0.1, 0.2, 0.3)},
                                             Vector3(1.0, 0.2, 0.1), 0.4,
                                             Vector3(0.0, -1.0, 0.0),
                                             Vector3(0.1, 1.0, 0.2));
                       },
                       {.rows_without_error = {1, 2}});
}

// Dynamo-056, D-21, H-12: the distance of two points written as a function, by
// differences and with its gradient, gives the rows of DistanceRod.
TEST(FunctionConstraint, NumericAndGivenJacobianEqualTheClass) {
  const FunctionConstraint::Error error = [](BodyMotions bodies, double,
                                             std::span<double> phi) {
    phi[0] = (MotionOf(bodies, kTwo).Point(kB.p_BA) -
              MotionOf(bodies, kOne).Point(kA.p_BA))
                 .norm() -
             0.8;
  };
  const FunctionConstraint::Jacobian gradient =
      [](BodyMotions bodies, double, int, std::span<RowBuffer::Entry> entries) {
        const BodyMotion& one = MotionOf(bodies, kOne);
        const BodyMotion& two = MotionOf(bodies, kTwo);
        const Vector3 a = one.Point(kA.p_BA);
        const Vector3 b = two.Point(kB.p_BA);
        const Vector3 n = (b - a).normalized();
        entries[0].linear = -n;
        entries[0].angular = -(a - one.p_WC).cross(n);
        entries[1].linear = n;
        entries[1].angular = (b - two.p_WC).cross(n);
      };
  const FunctionConstraint numeric({kOne, kTwo}, 1, error);
  const FunctionConstraint given({kOne, kTwo}, 1, error, gradient);
  const DistanceRod rod(kA, kB, 0.8);
  std::mt19937 random(3);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<BodyMotion> bodies = RandomMotions(2, random);
    RowBuffer expected;
    rod.AddRows(bodies, 0.0, expected);
    for (const FunctionConstraint* constraint : {&numeric, &given}) {
      RowBuffer rows;
      constraint->AddRows(bodies, 0.0, rows);
      ASSERT_EQ(rows.size(), 1);
      EXPECT_NEAR(rows.row(0).error, expected.row(0).error, 1e-15);
      EXPECT_NEAR(rows.row(0).acceleration_bias,
                  expected.row(0).acceleration_bias, 1e-5);
      for (int e = 0; e < 2; ++e) {
        const std::size_t i = static_cast<std::size_t>(e);
        EXPECT_LT(
            (rows.entries(0)[i].linear - expected.entries(0)[i].linear).norm(),
            1e-9);
        EXPECT_LT((rows.entries(0)[i].angular - expected.entries(0)[i].angular)
                      .norm(),
                  1e-9);
      }
    }
  }
}

TEST(FunctionConstraint, TimeDependentMatchesDifferences) {
  CheckOnRandomMotions(
      1,
      [](auto&) {
        return FunctionConstraint(
            {kOne}, 2, [](BodyMotions bodies, double t, std::span<double> phi) {
              const Vector3 p = bodies[1].Point(kA.p_BA);
              phi[0] = p.x() * p.y() - std::sin(t);
              phi[1] = p.z() - t * p.x();
            });
      },
      {.tolerance = 2e-6});
}

TEST(FunctionConstraint, ValidScalesAndZeroDropsTheRows) {
  FunctionConstraint constraint(
      {kOne}, 1, [](BodyMotions bodies, double, std::span<double> phi) {
        phi[0] = bodies[1].p_WC.x() - 2.0;
      });
  std::mt19937 random(3);
  const std::vector<BodyMotion> bodies = RandomMotions(1, random);
  RowBuffer rows;
  constraint.set_valid(0.5);
  constraint.AddRows(bodies, 0.0, rows);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_NEAR(rows.row(0).error, 0.5 * (bodies[1].p_WC.x() - 2.0), 1e-15);
  EXPECT_NEAR(rows.entries(0)[0].linear.x(), 0.5, 1e-9);
  rows.Clear();
  constraint.set_valid(0.0);
  constraint.AddRows(bodies, 0.0, rows);
  EXPECT_EQ(rows.size(), 0);
}

TEST(Link, BadArgumentsAreNamed) {
  const BodyPoint ground = WorldPoint({0.0, 0.0, 0.0});
  EXPECT_THROW(DistanceRod(ground, ground, 1.0), std::invalid_argument);
  EXPECT_THROW(DistanceRod(kA, kA, 1.0), std::invalid_argument);
  EXPECT_THROW(DistanceRod(kA, kB, -1.0), std::invalid_argument);
  EXPECT_THROW(Rope(std::array{kA}, 1.0), std::invalid_argument);
  EXPECT_THROW(PointOnLine(kA, kB, Vector3::Zero()), std::invalid_argument);
  EXPECT_THROW(EdgeAngle({kA, kB}, {kB, kA}, kPi), std::invalid_argument);
  EXPECT_THROW(PointOnCurve(kA, kTwo, nullptr, 0.0), std::invalid_argument);
  EXPECT_THROW(PointOnCurve(kA, kTwo, Spline(), 99.0), std::invalid_argument);
  EXPECT_THROW(RollingWheel(kA, Vector3::UnitX(), 0.0, Vector3::Zero(),
                            Vector3::UnitY()),
               std::invalid_argument);
  RowSettings crossed;
  crossed.lo = 1.0;
  crossed.hi = 0.0;
  EXPECT_THROW(PointNail(kA, Vector3::Zero()).set_settings(crossed),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
