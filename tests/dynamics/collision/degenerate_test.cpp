// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Touching exactly, parallel, coincident, of no size: the placements where
// formulas divide by zero.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "dynamics/collision/collide.h"
#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

using scenes::ReferenceDistance;

std::vector<ShapePointer> Solids() {
  return {
      Shape::Sphere(0.5),
      Shape::Sphere(0.0),
      Shape::Capsule(0.25, 0.5),
      Shape::Capsule(0.0, 0.5),
      Shape::Capsule(0.5, 0.0),
      Shape::Box({0.5, 0.5, 0.5}),
      Shape::Box({0.25, 0.5, 1.0}),
      Shape::ConvexHull({{-0.5, 0, 0},
                         {0.5, 0, 0},
                         {0, 0.5, 0},
                         {0, -0.5, 0},
                         {0, 0, 0.5},
                         {0, 0, -0.5}}),
      Shape::ConvexHull({{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}})};
}

// The 24 turns that carry the axes to the axes.
std::vector<Quaternion> RightAngleTurns() {
  std::vector<Quaternion> turns;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 4; ++k) {
      const Quaternion a = ExpRotation(0.5 * kPi * k * Vector3::Unit(i));
      for (int j = 0; j < 2; ++j) {
        turns.push_back(
            a * ExpRotation(0.5 * kPi * j * Vector3::Unit((i + 1) % 3)));
      }
    }
  }
  return turns;
}

void ExpectSound(const ManifoldList& list, double margin) {
  for (const Manifold& m : list) {
    ASSERT_NEAR(m.normal_W.norm(), 1.0, 1e-12);
    ASSERT_GE(m.num_points, 1);
    ASSERT_LE(m.num_points, 4);
    std::set<std::uint32_t> ids;
    for (const ContactPoint& point : m) {
      ASSERT_TRUE(point.p_W.allFinite());
      ASSERT_LE(point.distance, margin);
      ids.insert(point.feature);
    }
    ASSERT_EQ(static_cast<int>(ids.size()), m.num_points);
  }
}

TEST(Degenerate, V18_EveryPairOnALatticeEqualsTheReference) {
  const std::vector<ShapePointer> solids = Solids();
  const std::vector<Quaternion> turns = RightAngleTurns();
  std::mt19937 random(3);
  std::uniform_int_distribution<int> quarter(-4, 4);
  ManifoldList list;
  for (const ShapePointer& a : solids) {
    for (const ShapePointer& b : solids) {
      for (std::size_t i = 0; i < 240; ++i) {
        const Transform X_WA = {turns[(7 * i) % turns.size()], Vector3::Zero()};
        Transform X_WB = {turns[i % turns.size()], Vector3::Zero()};
        // Positions on the quarter lattice; the first turns coincide.
        if (i >= turns.size()) {
          const int x = quarter(random);
          const int y = quarter(random);
          X_WB.p = 0.25 * Vector3(x, y, quarter(random));
        }
        const SignedDistance d = Distance(*a, X_WA, *b, X_WB);
        ASSERT_NEAR(d.distance, ReferenceDistance(*a, X_WA, *b, X_WB), 1e-9);
        ASSERT_NEAR(d.normal_W.norm(), 1.0, 1e-12);
        ASSERT_TRUE(d.p_WA.allFinite() && d.p_WB.allFinite());
        // The normal is one along which they really part.
        Transform apart = X_WB;
        apart.p -= d.distance * d.normal_W;
        ASSERT_NEAR(ReferenceDistance(*a, X_WA, *b, apart), 0.0, 1e-9)
            << static_cast<int>(a->kind()) << " " << static_cast<int>(b->kind())
            << " " << i << " at " << d.distance;
        list.clear();
        Collide(*a, X_WA, *b, X_WB, 0.01, list);
        ASSERT_EQ(list.empty(), d.distance > 0.01);
        ASSERT_NO_FATAL_FAILURE(ExpectSound(list, 0.01));
        if (list.empty()) continue;
        double least = 1.0;
        for (const ContactPoint& point : list[0]) {
          least = std::min(least, point.distance);
        }
        ASSERT_NEAR(least, d.distance, 0.01);
      }
    }
  }
}

TEST(Degenerate, ShapesNearlyAlignedEqualTheReference) {
  const std::vector<ShapePointer> solids = Solids();
  const std::vector<Quaternion> turns = RightAngleTurns();
  std::mt19937 random(4);
  std::uniform_int_distribution<int> quarter(-4, 4);
  for (const ShapePointer& a : solids) {
    for (const ShapePointer& b : solids) {
      for (std::size_t i = 0; i < 100; ++i) {
        const double noise = std::pow(10.0, -1.0 - static_cast<double>(i % 15));
        const Transform X_WA = {turns[(7 * i) % turns.size()], Vector3::Zero()};
        const int x = quarter(random);
        const int y = quarter(random);
        const Transform X_WB = {
            ExpRotation(noise * scenes::RandomUnit(random)) *
                turns[i % turns.size()],
            0.25 * Vector3(x, y, quarter(random)) +
                noise * scenes::RandomUnit(random)};
        const SignedDistance d = Distance(*a, X_WA, *b, X_WB);
        ASSERT_NEAR(d.distance, ReferenceDistance(*a, X_WA, *b, X_WB), 1e-9)
            << static_cast<int>(a->kind()) << " " << static_cast<int>(b->kind())
            << " " << i << " noise " << noise;
      }
    }
  }
}

int NumPoints(const ManifoldList& list) {
  int count = 0;
  for (const Manifold& m : list) count += m.num_points;
  return count;
}

TEST(RestingContact, BoxesLieOnFourPoints) {
  const ShapePointer floor = Shape::Box({2, 0.5, 2});
  const ShapePointer cube = Shape::Box({0.5, 0.5, 0.5});
  const ShapePointer plane = Shape::Plane();
  ManifoldList list;
  for (const double turn : {0.0, 0.3, kPi / 4, 1.0}) {
    const Transform X_WB = {ExpRotation(turn * Vector3::UnitY()),
                            Vector3(0.1, 0.999, 0.2)};
    const Transform up = {Quaternion::Identity(), Vector3(0, 0.5, 0)};
    for (const auto& [under, X_WA] :
         {std::pair(floor, Transform()), std::pair(plane, up),
          std::pair(cube, Transform())}) {
      list.clear();
      Collide(*under, X_WA, *cube, X_WB, 0.01, list);
      ASSERT_EQ(list.size(), 1u);
      EXPECT_EQ(list[0].num_points, 4) << "turn " << turn;
      EXPECT_LT((list[0].normal_W - Vector3::UnitY()).norm(), 1e-12);
      for (const ContactPoint& point : list[0]) {
        EXPECT_NEAR(point.distance, -0.001, 1e-12);
        EXPECT_NEAR(point.p_W.y(), 0.4995, 1e-12);
      }
    }
  }
}

// A toe that stands on an edge while its figure falls: all eight corners are
// within the margin, and the two that touch must not take turns because the
// upper ones are wider apart.
TEST(RestingContact, NearCornersOfABoxStayWhateverIsAboveThem) {
  const Vector3 half(0.05, 0.0135, 0.035);
  const ShapePointer box = Shape::Box(half);
  const ShapePointer plane = Shape::Plane();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  ManifoldList list;
  int num_edges = 0;
  for (int n = 0; n < 500; ++n) {
    const double x = unit(random), y = unit(random), z = unit(random);
    const Quaternion R = ExpRotation(kPi * Vector3(x, y, z));
    std::vector<Vector3> corners;
    double least = half.norm();
    for (int i = 0; i < 8; ++i) {
      const Vector3 sign(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0,
                         i & 4 ? 1.0 : -1.0);
      corners.push_back(R * half.cwiseProduct(sign));
      least = std::min(least, corners.back().y());
    }
    const Transform X_WB = {R, Vector3(0.0, -0.001 - least, 0.0)};
    list.clear();
    Collide(*plane, Transform(), *box, X_WB, 0.2, list);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].num_points, 4);
    std::erase_if(corners, [&](const Vector3& corner) {
      return corner.y() > least + 0.49 * half.minCoeff();
    });
    if (corners.size() > 4) continue;
    num_edges += corners.size() == 2;
    for (const Vector3& corner : corners) {
      const auto here = [&](const ContactPoint& point) {
        return std::hypot(point.p_W.x() - corner.x(),
                          point.p_W.z() - corner.z()) < 1e-9;
      };
      EXPECT_TRUE(std::any_of(list[0].begin(), list[0].end(), here)) << n;
    }
  }
  EXPECT_GT(num_edges, 50);
}

TEST(RestingContact, CapsulesLieOnTwoPoints) {
  const ShapePointer capsule = Shape::Capsule(0.1, 0.4);
  // Lies along X, 1 mm deep in what is below.
  const Transform lying = {ExpRotation(0.5 * kPi * Vector3::UnitZ()),
                           Vector3(0, 0.099, 0)};
  const Transform below = {ExpRotation(0.5 * kPi * Vector3::UnitZ()),
                           Vector3(0.2, -0.1, 0)};
  ManifoldList list;
  const auto ends = [&] {
    std::vector<double> x;
    for (const ContactPoint& point : list[0]) {
      EXPECT_NEAR(point.distance, -0.001, 1e-9);
      x.push_back(point.p_W.x());
    }
    std::ranges::sort(x);
    return x;
  };
  Collide(*Shape::Plane(), {}, *capsule, lying, 0.01, list);
  EXPECT_THAT(ends(),
              ::testing::Pointwise(::testing::DoubleNear(1e-9), {-0.4, 0.4}));
  list.clear();
  const Transform top = {Quaternion::Identity(), Vector3(0, -0.5, 0)};
  Collide(*Shape::Box({0.3, 0.5, 1.0}), top, *capsule, lying, 0.01, list);
  EXPECT_THAT(ends(),
              ::testing::Pointwise(::testing::DoubleNear(1e-9), {-0.3, 0.3}));
  list.clear();
  Collide(*capsule, below, *capsule, lying, 0.01, list);
  EXPECT_THAT(ends(),
              ::testing::Pointwise(::testing::DoubleNear(1e-9), {-0.2, 0.4}));
  // Along the edge of a box that stands on its edge.
  list.clear();
  const Transform on_edge = {ExpRotation(0.25 * kPi * Vector3::UnitX()),
                             Vector3(0, -0.5 * std::sqrt(2.0), 0)};
  Collide(*Shape::Box({1.0, 0.5, 0.5}), on_edge, *capsule, lying, 0.01, list);
  EXPECT_THAT(ends(),
              ::testing::Pointwise(::testing::DoubleNear(1e-9), {-0.4, 0.4}));
}

// Dynamo-099, V-18: what rests on a face keeps its normal and its points while
// the solver shakes it a little.
TEST(RestingContact, JitterChangesNeitherNormalNorFeatures) {
  std::mt19937 random(5);
  const ShapePointer cube = Shape::Box({0.5, 0.5, 0.5});
  const ShapePointer prism = Shape::ConvexHull({{-0.4, -0.5, -0.3},
                                                {0.4, -0.5, -0.3},
                                                {0, -0.5, 0.5},
                                                {-0.4, 0.5, -0.3},
                                                {0.4, 0.5, -0.3},
                                                {0, 0.5, 0.5}});
  const ShapePointer capsule = Shape::Capsule(0.5, 0.6);
  const Quaternion lying = ExpRotation(0.5 * kPi * Vector3::UnitX());
  struct Case {
    ShapePointer under;
    ShapePointer over;
    Quaternion R;
  };
  for (const Case& c :
       {Case{cube, cube, Quaternion::Identity()},
        Case{cube, cube, ExpRotation(0.4 * Vector3::UnitY())},
        Case{cube, prism, Quaternion::Identity()},
        Case{prism, cube, Quaternion::Identity()},
        Case{prism, prism, ExpRotation(0.2 * Vector3::UnitY())},
        Case{cube, capsule, lying}, Case{capsule, cube, lying}}) {
    std::set<std::uint32_t> all;
    int most = 0;
    ManifoldList list;
    for (int i = 0; i < 1000; ++i) {
      Transform X_WA;
      if (c.under == capsule) X_WA.R = lying;
      Transform X_WB = {c.R, Vector3(0.07, 1.0, 0.03)};
      if (c.under == capsule) X_WB.R = Quaternion::Identity();
      X_WB.R = ExpRotation(1e-5 * scenes::RandomUnit(random)) * X_WB.R;
      X_WB.p += 1e-5 * scenes::RandomUnit(random);
      list.clear();
      Collide(*c.under, X_WA, *c.over, X_WB, 0.01, list);
      ASSERT_EQ(list.size(), 1u);
      ASSERT_GT(list[0].normal_W.y(), 0.99999) << i;
      most = std::max(most, list[0].num_points);
      ASSERT_EQ(list[0].num_points, most);
      for (const ContactPoint& point : list[0]) all.insert(point.feature);
    }
    EXPECT_EQ(static_cast<int>(all.size()), most);
    EXPECT_GE(most, 2);
  }
}

// V-80: the deep overlap of a thin board parts through its nearest side.
TEST(DeepOverlap, V80_PartsThroughTheNearestSide) {
  const ShapePointer board = Shape::Box({1.0, 0.01, 1.0});
  const ShapePointer ball = Shape::Sphere(0.1);
  ManifoldList list;
  Transform X_WB;
  X_WB.p = {0.2, 0.005, 0.1};
  Collide(*board, {}, *ball, X_WB, 0.0, list);
  ASSERT_EQ(NumPoints(list), 1);
  EXPECT_LT((list[0].normal_W - Vector3::UnitY()).norm(), 1e-12);
  EXPECT_NEAR(list[0].points[0].distance, -0.105, 1e-12);
  list.clear();
  const ShapePointer box = Shape::Box({0.1, 0.1, 0.1});
  Collide(*board, {}, *box, X_WB, 0.0, list);
  EXPECT_EQ(NumPoints(list), 4);
  EXPECT_LT((list[0].normal_W - Vector3::UnitY()).norm(), 1e-12);
  EXPECT_NEAR(list[0].points[0].distance, -0.105, 1e-12);
}

TEST(Compound, EqualsItsChildrenWithTheirNumbers) {
  Transform left;
  left.p.x() = -0.5;
  Transform right;
  right.p.x() = 0.5;
  const ShapePointer dumbbell = Shape::Compound(
      {{Shape::Sphere(0.2), left}, {Shape::Sphere(0.2), right}});
  Transform X_WB;
  X_WB.p.y() = 0.19;
  ManifoldList list;
  Collide(*Shape::Plane(), {}, *dumbbell, X_WB, 0.0, list);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].sub_b, 0);
  EXPECT_EQ(list[1].sub_b, 1);
  EXPECT_NE(list[0].points[0].feature, list[1].points[0].feature);
  EXPECT_NEAR(list[1].points[0].p_W.x(), 0.5, 1e-12);
  EXPECT_NEAR(list[1].points[0].distance, -0.01, 1e-12);
  list.clear();
  Transform other;
  other.p = {1.0, 0.0, 0.0};
  Collide(*dumbbell, {}, *dumbbell, other, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].sub_a, 1);
  EXPECT_EQ(list[0].sub_b, 0);
}

TEST(Distance, SurfacesAndCompoundsAreRefused) {
  const ShapePointer sphere = Shape::Sphere(1.0);
  const ShapePointer compound = Shape::Compound({{sphere, {}}});
  EXPECT_THROW(Distance(*sphere, {}, *compound, {}), std::invalid_argument);
  EXPECT_THROW(Distance(*Shape::Plane(), {}, *Shape::Plane(), {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
