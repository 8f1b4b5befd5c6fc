// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

#define EXPECT_REFUSED(call, ...)                                  \
  EXPECT_THAT([&] { call; }, ThrowsMessage<std::invalid_argument>( \
                                 ::testing::AllOf(__VA_ARGS__)))

std::vector<Vector3> Cube() {
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  }
  return corners;
}

TEST(Shape, BadSizesAreRefusedByNameAndValue) {
  EXPECT_REFUSED(Shape::Sphere(-1.0), HasSubstr("radius"), HasSubstr("-1"));
  EXPECT_REFUSED(Shape::Sphere(kNan), HasSubstr("radius"), HasSubstr("nan"));
  EXPECT_REFUSED(Shape::Sphere(kInf), HasSubstr("radius"), HasSubstr("inf"));
  EXPECT_REFUSED(Shape::Capsule(0.1, -2.0), HasSubstr("half_length"),
                 HasSubstr("-2"));
  EXPECT_REFUSED(Shape::Box({1, 0, 1}), HasSubstr("half_extents"),
                 HasSubstr("0"));
  EXPECT_REFUSED(Shape::Box({1, kNan, 1}), HasSubstr("half_extents"),
                 HasSubstr("nan"));
}

TEST(Shape, BadHullsAreRefused) {
  EXPECT_REFUSED(Shape::ConvexHull({}), HasSubstr("points"),
                 HasSubstr("found 0"));
  EXPECT_REFUSED(
      Shape::ConvexHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}),
      HasSubstr("not all in one plane"), HasSubstr("in one plane"));
  EXPECT_REFUSED(
      Shape::ConvexHull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}),
      HasSubstr("on one line"));
  EXPECT_REFUSED(Shape::ConvexHull(std::vector<Vector3>(4, Vector3(1, 1, 1))),
                 HasSubstr("at one place"));
  std::vector<Vector3> cube = Cube();
  cube[3].y() = kInf;
  EXPECT_REFUSED(Shape::ConvexHull(cube), HasSubstr("points[3]"));
  EXPECT_REFUSED(Shape::ConvexHull(std::vector<Vector3>(5000, cube[0])),
                 HasSubstr("4096"), HasSubstr("5000"));
}

TEST(Shape, GivenFacesMustCloseAConvexSolid) {
  const std::vector<Vector3> tetra = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::vector<int>> good = {
      {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  EXPECT_EQ(Shape::ConvexHull(tetra, good)->Faces(), good);
  std::vector<std::vector<int>> bad = good;
  bad[2] = {0, 2, 3};
  EXPECT_REFUSED(Shape::ConvexHull(tetra, bad), HasSubstr("faces[2]"),
                 HasSubstr("hull"));
  bad = good;
  bad.pop_back();
  EXPECT_REFUSED(Shape::ConvexHull(tetra, bad), HasSubstr("at least 4"));
  bad = good;
  bad[1] = {0, 1, 4};
  EXPECT_REFUSED(Shape::ConvexHull(tetra, bad), HasSubstr("faces[1]"),
                 HasSubstr("0 to 3"), HasSubstr("4"));
  bad = good;
  bad[3] = {0, 2, 1};
  EXPECT_REFUSED(Shape::ConvexHull(tetra, bad), HasSubstr("faces[3]"));
  std::vector<Vector3> dented = Cube();
  dented[0] = {0.5, 0.5, 0.5};
  EXPECT_REFUSED(Shape::ConvexHull(dented, Shape::Box({1, 1, 1})->Faces()),
                 HasSubstr("faces[0]"), HasSubstr("flat and on the hull"));
}

TEST(Shape, BadCompoundsAreRefused) {
  EXPECT_REFUSED(Shape::Compound({}), HasSubstr("children"));
  EXPECT_REFUSED(Shape::Compound({{nullptr, {}}}), HasSubstr("children[0]"));
  EXPECT_REFUSED(Shape::Compound({{Shape::Plane(), {}}}),
                 HasSubstr("children[0]"), HasSubstr("a plane"));
  Transform bad;
  bad.R.w() = 2.0;
  EXPECT_REFUSED(Shape::Compound({{Shape::Sphere(1.0), bad}}),
                 HasSubstr("children[0].X_SC.R"), HasSubstr("2"));
}

TEST(Shape, BadSurfacesAreRefused) {
  const std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  EXPECT_REFUSED(Shape::TriangleMesh(corners, {}), HasSubstr("triangles"));
  EXPECT_REFUSED(Shape::TriangleMesh(corners, {{0, 1, 3}}),
                 HasSubstr("triangles[0]"), HasSubstr("3"));
  EXPECT_REFUSED(Shape::TriangleMesh(corners, {{0, 1, 2}, {0, 1, 1}}),
                 HasSubstr("triangles[1]"), HasSubstr("area"));
  EXPECT_REFUSED(
      Shape::TriangleMesh({{0, 0, 0}, {1, 0, 0}, {kNan, 0, 1}}, {{0, 1, 2}}),
      HasSubstr("vertices[2]"));
  EXPECT_REFUSED(Shape::HeightField(1, 2, 1.0, {0, 0}), HasSubstr("num_x"));
  EXPECT_REFUSED(Shape::HeightField(2, 2, 0.0, {0, 0, 0, 0}),
                 HasSubstr("spacing"));
  EXPECT_REFUSED(Shape::HeightField(2, 2, 1.0, {0, 0, 0}), HasSubstr("heights"),
                 HasSubstr("3"));
  EXPECT_REFUSED(Shape::HeightField(2, 2, 1.0, {0, 0, kNan, 0}),
                 HasSubstr("heights[2]"));
  EXPECT_REFUSED(Shape::HeightField(1 << 30, 1 << 30, 1.0, {}),
                 HasSubstr("heights"));
}

TEST(ConvexHull, PointsInsideFacesAndEdgesAreLeftOut) {
  std::vector<Vector3> points = Cube();
  // A grid on every face, edge points and inner points, shuffled in.
  for (int i = -4; i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      for (int k = -4; k <= 4; ++k) {
        points.emplace_back(0.25 * i, 0.25 * j, 0.25 * k);
      }
    }
  }
  std::mt19937 random(7);
  std::shuffle(points.begin(), points.end(), random);
  const ShapePointer hull = Shape::ConvexHull(points);
  EXPECT_EQ(hull->vertices().size(), 8u);
  EXPECT_EQ(hull->Faces().size(), 6u);
}

TEST(ConvexHull, HoldsAllPointsAndMeetsEuler) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 200; ++round) {
    std::vector<Vector3> points;
    const int n = 4 + round;
    for (int i = 0; i < n; ++i) {
      const double x = normal(random);
      const double y = normal(random);
      points.emplace_back(x, y, normal(random));
      // Every third round the points lie on a ball: all are corners.
      if (round % 3 == 0) points.back().normalize();
    }
    const ShapePointer hull = Shape::ConvexHull(points);
    const std::vector<std::vector<int>> faces = hull->Faces();
    std::size_t ends = 0;
    for (const std::vector<int>& face : faces) {
      ends += face.size();
      const Vector3& o = hull->vertices()[face[0]];
      const Vector3 out = (hull->vertices()[face[1]] - o)
                              .cross(hull->vertices()[face[2]] - o)
                              .normalized();
      for (const Vector3& p : points) ASSERT_LT(out.dot(p - o), 1e-9);
    }
    EXPECT_EQ(hull->vertices().size() + faces.size(), ends / 2 + 2);
    if (round % 3 == 0) {
      EXPECT_EQ(static_cast<int>(hull->vertices().size()), n);
    }
  }
}

TEST(ConvexHull, PrismHasTwoPolygonsAndASideEach) {
  std::vector<Vector3> points;
  for (int i = 0; i < 32; ++i) {
    const double angle = 2.0 * kPi * i / 32;
    for (const double y : {-0.5, 0.5}) {
      points.emplace_back(std::cos(angle), y, std::sin(angle));
    }
  }
  const ShapePointer hull = Shape::ConvexHull(points);
  EXPECT_EQ(hull->vertices().size(), 64u);
  EXPECT_EQ(hull->Faces().size(), 34u);
}

TEST(Shape, BoxAtHoldsTheShapeAndTouchesIt) {
  std::mt19937 random(9);
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule,
                               ShapeKind::kBox, ShapeKind::kConvexHull}) {
    for (int i = 0; i < 100; ++i) {
      const ShapePointer shape = scenes::RandomShape(kind, 1.0, random);
      const Transform X = {scenes::RandomRotation(random),
                           scenes::RandomUnit(random)};
      const BoundingBox box = shape->BoxAt(X);
      for (int axis = 0; axis < 3; ++axis) {
        // A plane at the box's side, solid beyond it, just touches.
        for (const double sign : {-1.0, 1.0}) {
          const Vector3 inward = -sign * Vector3::Unit(axis);
          Transform wall;
          wall.R = Quaternion::FromTwoVectors(Vector3::UnitY(), inward);
          wall.p[axis] = sign > 0.0 ? box.max[axis] : box.min[axis];
          EXPECT_NEAR(
              scenes::ReferenceDistance(*Shape::Plane(), wall, *shape, X), 0.0,
              1e-12);
        }
      }
    }
  }
}

TEST(Shape, MassComesFromTheMassProperties) {
  const double density = 900.0;
  EXPECT_DOUBLE_EQ(MassOf(*Shape::Sphere(0.2), density).mass,
                   MassOfSphere(0.2, Material::WithDensity(density)).mass);
  EXPECT_DOUBLE_EQ(
      MassOf(*Shape::Capsule(0.1, 0.3), density).mass,
      MassOfCapsule(0.1, 0.6, Material::WithDensity(density)).mass);
  const ShapePointer box = Shape::Box({0.1, 0.2, 0.3});
  const MassProperties solid = MassOf(*box, density);
  EXPECT_NEAR(solid.mass, density * 8 * 0.1 * 0.2 * 0.3, 1e-9);
  const MassProperties hull =
      MassOf(*Shape::ConvexHull(box->vertices()), density);
  EXPECT_NEAR(hull.mass, solid.mass, 1e-9);
  EXPECT_LT((hull.I_BC - solid.I_BC).norm(), 1e-9);
  // Two halves of the box.
  const ShapePointer half = Shape::Box({0.1, 0.1, 0.3});
  Transform up;
  up.p.y() = 0.1;
  Transform down;
  down.p.y() = -0.1;
  const MassProperties both =
      MassOf(*Shape::Compound({{half, up}, {half, down}}), density);
  EXPECT_NEAR(both.mass, solid.mass, 1e-9);
  EXPECT_LT((both.I_BC - solid.I_BC).norm(), 1e-9);
  EXPECT_REFUSED(MassOf(*Shape::Plane(), density), HasSubstr("a plane"));
  EXPECT_REFUSED(MassOf(*Shape::Sphere(0.0), density), HasSubstr("radius"));
}

TEST(Shape, CompoundOfCompoundsIsFlattened) {
  Transform right;
  right.p.x() = 1.0;
  const ShapePointer pair =
      Shape::Compound({{Shape::Sphere(0.1), {}}, {Shape::Sphere(0.2), right}});
  const ShapePointer twice = Shape::Compound({{pair, right}, {pair, {}}});
  ASSERT_EQ(twice->children().size(), 4u);
  EXPECT_DOUBLE_EQ(twice->children()[1].X_SC.p.x(), 2.0);
}

}  // namespace
}  // namespace limber::dynamics
