// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace limber::dynamics {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Vector3 RandomVector(std::mt19937& random, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  return {normal(random), normal(random), normal(random)};
}

std::vector<Vector3> RandomPoints(std::mt19937& random, int n) {
  std::vector<Vector3> points;
  for (int i = 0; i < n; ++i) points.push_back(RandomVector(random, 1.0));
  return points;
}

struct NamedCurve {
  std::string name;
  std::shared_ptr<const Curve> curve;
};

template <typename T>
NamedCurve Named(const std::string& name, T curve) {
  return {name, std::make_shared<const T>(std::move(curve))};
}

// Every kind, splines over random points.
std::vector<NamedCurve> AllCurves() {
  std::mt19937 random(84);
  const std::vector<Vector3> points = RandomPoints(random, 7);
  const std::vector<Vector3> four(points.begin(), points.begin() + 4);
  return {
      Named("line", Line({1, 2, 3}, {1, -1, 0.5})),
      Named("segment", LineSegment({0, 1, 0}, {2, 0, -1})),
      Named("circle", Circle({1, 0, 0}, {0, 1, 1}, {1, 2, 0}, 1.5)),
      Named("B-spline segment", CubicSpline::BSpline(four)),
      Named("B-spline", CubicSpline::BSpline(points)),
      Named("closed B-spline", CubicSpline::BSpline(points, true)),
      Named("C-spline segment", CubicSpline::CatmullRom({points.data(), 2})),
      Named("C-spline", CubicSpline::CatmullRom(points)),
      Named("closed C-spline", CubicSpline::CatmullRom(points, true))};
}

// Finite part of the domain.
ParameterRange Shown(const Curve& curve) {
  ParameterRange range = curve.domain();
  range.min = std::max(range.min, -10.0);
  range.max = std::min(range.max, 10.0);
  return range;
}

// Dynamo-084
TEST(Curve, Dynamo084_DerivativesEqualCentralDifferences) {
  const double h = 1e-5;
  for (const NamedCurve& item : AllCurves()) {
    const ParameterRange range = Shown(*item.curve);
    for (int i = 0; i < 200; ++i) {
      // Never within h of a join.
      const double s = range.min + (range.max - range.min) * (i + 0.37) / 200.0;
      const CurvePoint x = item.curve->Evaluate(s);
      const CurvePoint plus = item.curve->Evaluate(s + h);
      const CurvePoint minus = item.curve->Evaluate(s - h);
      const Vector3 first = (plus.position - minus.position) / (2.0 * h);
      const Vector3 second = (plus.first - minus.first) / (2.0 * h);
      EXPECT_LT((x.first - first).norm(), 1e-6) << item.name << " at " << s;
      EXPECT_LT((x.second - second).norm(), 1e-6) << item.name << " at " << s;
    }
  }
}

// Dynamo-084: closeto is never worse than the best of 1000 samples, and the
// distance is stationary there.
TEST(Curve, Dynamo084_ClosestBeatsAThousandSamples) {
  std::mt19937 random(85);
  for (const NamedCurve& item : AllCurves()) {
    const ParameterRange range = Shown(*item.curve);
    for (int trial = 0; trial < 200; ++trial) {
      const Vector3 p = RandomVector(random, 2.0);
      const double s = item.curve->ClosestParameter(p);
      EXPECT_TRUE(item.curve->domain().Contains(s)) << item.name;
      const CurvePoint x = item.curve->Evaluate(s);
      double sampled = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= 1000; ++i) {
        const double t = range.min + (range.max - range.min) * i / 1000.0;
        sampled = std::min(sampled, (item.curve->Position(t) - p).norm());
      }
      EXPECT_LE((x.position - p).norm(), sampled + 1e-15) << item.name;
      const bool inner = range.periodic || (s > range.min && s < range.max);
      if (inner) {
        EXPECT_NEAR((x.position - p).dot(x.first), 0.0,
                    1e-12 * (1.0 + x.first.squaredNorm()) * (1.0 + p.norm()))
            << item.name;
      }
    }
  }
}

TEST(Curve, ClosestNearFollowsAMovingPoint) {
  for (const NamedCurve& item : AllCurves()) {
    const ParameterRange range = Shown(*item.curve);
    for (int i = 1; i < 50; ++i) {
      const double s = range.min + (range.max - range.min) * i / 50.0;
      const CurvePoint x = item.curve->Evaluate(s);
      const double off = 1e-3;
      const Vector3 p =
          x.position + off * AnyPerpendicular(x.first.normalized());
      const double start = s + 0.01 / x.first.norm();
      const double found = item.curve->ClosestParameterNear(p, start);
      const double turn = range.periodic ? range.max - range.min : 1e9;
      EXPECT_NEAR(std::remainder(found - s, turn), 0.0, 1e-9)
          << item.name << " at " << s;
    }
  }
}

// The sampling search of the base class, for kinds that bring none.
TEST(Curve, DefaultSearchServesANewKind) {
  class Helix : public Curve {
   public:
    CurvePoint Evaluate(double s) const override {
      return {{std::cos(s), 0.1 * s, std::sin(s)},
              {-std::sin(s), 0.1, std::cos(s)},
              {-std::cos(s), 0.0, -std::sin(s)}};
    }
    ParameterRange domain() const override { return {0.0, 20.0, false}; }
  };
  const Helix helix;
  for (const double s : {0.0, 1.0, 7.7, 13.3, 20.0}) {
    const CurvePoint x = helix.Evaluate(s);
    const Vector3 axis(0.0, x.position.y(), 0.0);
    const Vector3 p = axis + 1.2 * (x.position - axis);
    EXPECT_NEAR(helix.ClosestParameter(p), s, 1e-7);
  }
}

// Dynamo-084: B-splines join C2, Catmull-Rom splines C1.
TEST(CubicSpline, Dynamo084_JoinsAreSmooth) {
  std::mt19937 random(86);
  const std::vector<Vector3> points = RandomPoints(random, 9);
  const double tiny = 1e-12;
  for (const bool closed : {false, true}) {
    const CubicSpline b = CubicSpline::BSpline(points, closed);
    const CubicSpline c = CubicSpline::CatmullRom(points, closed);
    double jump_c = 0.0;
    for (int i = closed ? 0 : 1; i < b.num_segments(); ++i) {
      const CurvePoint before = b.Evaluate(i - tiny);
      const CurvePoint after = b.Evaluate(i);
      EXPECT_LT((before.position - after.position).norm(), 1e-9);
      EXPECT_LT((before.first - after.first).norm(), 1e-9);
      EXPECT_LT((before.second - after.second).norm(), 1e-9);
    }
    for (int i = closed ? 0 : 1; i < c.num_segments(); ++i) {
      const CurvePoint before = c.Evaluate(i - tiny);
      const CurvePoint after = c.Evaluate(i);
      EXPECT_LT((before.position - after.position).norm(), 1e-9);
      EXPECT_LT((before.first - after.first).norm(), 1e-9);
      jump_c = std::max(jump_c, (before.second - after.second).norm());
    }
    // Random points: C2 is no accident of the check.
    EXPECT_GT(jump_c, 0.1);
  }
}

TEST(CubicSpline, CatmullRomPassesThroughItsPoints) {
  std::mt19937 random(87);
  const std::vector<Vector3> points = RandomPoints(random, 6);
  for (const bool closed : {false, true}) {
    const CubicSpline c = CubicSpline::CatmullRom(points, closed);
    for (int i = 0; i < 6; ++i) {
      EXPECT_LT((c.Position(i) - points[i]).norm(), 1e-14);
    }
  }
}

TEST(CubicSpline, BSplineOfALineIsTheLine) {
  std::vector<Vector3> points;
  for (int i = 0; i < 6; ++i) points.emplace_back(i, 2.0 * i, 0.0);
  const CubicSpline b = CubicSpline::BSpline(points);
  EXPECT_LT((b.Position(1.25) - Vector3(2.25, 4.5, 0)).norm(), 1e-14);
  EXPECT_LT((b.Evaluate(0.5).first - Vector3(1, 2, 0)).norm(), 1e-14);
}

TEST(Circle, GoesRoundByTheRightHandRule) {
  const Circle circle(Vector3::Zero(), Vector3::UnitZ(), Vector3::UnitX(), 2.0);
  EXPECT_LT((circle.Position(kPi / 2) - Vector3(0, 2, 0)).norm(), 1e-15);
  EXPECT_NEAR(circle.ClosestParameter({0, -3, 1}), 1.5 * kPi, 1e-15);
}

TEST(ParameterRange, BringsValuesInside) {
  const ParameterRange open{0.0, 3.0, false};
  EXPECT_EQ(open.Bring(-1.0), 0.0);
  EXPECT_EQ(open.Bring(5.0), 3.0);
  EXPECT_FALSE(open.Contains(3.5));
  const ParameterRange round{0.0, 3.0, true};
  EXPECT_EQ(round.Bring(-1.0), 2.0);
  EXPECT_EQ(round.Bring(7.0), 1.0);
  EXPECT_EQ(round.Bring(3.0), 0.0);
  EXPECT_LT(round.Bring(-1e-17), 3.0);
  EXPECT_TRUE(round.Contains(100.0));
}

TEST(Curve, BadArgumentsAreNamed) {
  EXPECT_THAT(
      [] {
        Line({0, 0, 0}, {0, 0, 0});
      },
      ThrowsMessage<std::invalid_argument>(
          "direction must be finite and not zero, found (0, 0, 0)"));
  EXPECT_THAT(
      [] {
        LineSegment({1, 0, 0}, {1, 0, 0});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("end")));
  EXPECT_THAT(
      [] {
        Circle({0, 0, 0}, {0, 1, 0}, {0, 2, 0}, 1.0);
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("start")));
  EXPECT_THAT(
      [] {
        Circle({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, -1.0);
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("radius")));
  const std::vector<Vector3> three(3, Vector3::Zero());
  EXPECT_THAT([&] { CubicSpline::BSpline(three); },
              ThrowsMessage<std::invalid_argument>(
                  "control_points must be at least 4, found 3"));
}

}  // namespace
}  // namespace limber::dynamics
