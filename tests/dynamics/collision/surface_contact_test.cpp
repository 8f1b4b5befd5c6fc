// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields.
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

using scenes::RandomRotation;
using scenes::RandomShape;
using scenes::RandomUnit;

// n x n corners, 0.2 m apart, from the origin.
ShapePointer FlatField(int n) {
  return Shape::HeightField(
      n, n, 0.2, std::vector<double>(static_cast<std::size_t>(n * n)));
}

ShapePointer FlatMesh(int n, MeshSides sides) {
  const ShapePointer field = FlatField(n);
  return Shape::TriangleMesh(field->vertices(), field->triangles(), sides);
}

struct Slider {
  ShapePointer shape;
  Quaternion R;
  double height;  // Of the origin when it just touches.
  int num_points;
};

std::vector<Slider> Sliders() {
  const Quaternion none = Quaternion::Identity();
  const Quaternion turned = ExpRotation(0.7 * Vector3::UnitY());
  return {
      {Shape::Sphere(0.15), none, 0.15, 1},
      {Shape::Capsule(0.1, 0.3), none, 0.4, 1},
      {Shape::Capsule(0.1, 0.3),
       turned * ExpRotation(0.5 * kPi * Vector3::UnitX()), 0.1, 2},
      {Shape::Box({0.25, 0.1, 0.15}), none, 0.1, 4},
      {Shape::Box({0.25, 0.1, 0.15}), turned, 0.1, 4},
      {Shape::Box({0.02, 0.02, 0.02}), turned, 0.02, 4},
      {Shape::ConvexHull({{-0.2, -0.1, -0.2},
                          {0.2, -0.1, -0.2},
                          {0.0, -0.1, 0.25},
                          {0.0, 0.2, 0.0}}),
       turned, 0.1, 3},
  };
}

// No bumps at the edges between triangles: everywhere on the floor, sunk in or
// just above, one patch with the floor's normal, the right depth, and ids that
// stay the same all the way.
TEST(FlatFloor, SlidingMeetsNoInnerEdge) {
  for (const ShapePointer& floor :
       {FlatField(16), FlatMesh(16, MeshSides::kOne),
        FlatMesh(16, MeshSides::kTwo)}) {
    for (const Slider& slider : Sliders()) {
      for (const double depth : {0.008, 1e-4, -1e-4, -0.005}) {
        std::set<std::uint32_t> ids;
        ManifoldList list;
        for (int i = 0; i < 400; ++i) {
          const Transform X_WB = {
              slider.R, Vector3(0.6 + 0.004 * i, slider.height - depth,
                                1.2 + 0.0031 * (i % 170))};
          list.clear();
          Collide(*floor, {}, *slider.shape, X_WB, 0.01, list);
          ASSERT_EQ(list.size(), 1u) << "step " << i << " depth " << depth;
          ASSERT_LT((list[0].normal_W - Vector3::UnitY()).norm(), 1e-9)
              << "step " << i << " depth " << depth;
          ASSERT_EQ(list[0].num_points, slider.num_points)
              << "step " << i << " depth " << depth;
          for (const ContactPoint& point : list[0]) {
            ASSERT_NEAR(point.distance, -depth, 1e-9) << "step " << i;
            ids.insert(point.feature);
          }
        }
        EXPECT_EQ(static_cast<int>(ids.size()), slider.num_points);
      }
    }
  }
}

TEST(FlatFloor, SwappedCallMirrors) {
  const ShapePointer floor = FlatField(8);
  const ShapePointer box = Shape::Box({0.25, 0.1, 0.15});
  const Transform X_WB = {ExpRotation(0.1 * Vector3::UnitZ()),
                          Vector3(0.7, 0.1, 0.7)};
  ManifoldList forward, backward;
  Collide(*floor, {}, *box, X_WB, 0.01, forward);
  Collide(*box, X_WB, *floor, {}, 0.01, backward);
  ASSERT_EQ(forward.size(), 1u);
  ASSERT_EQ(backward.size(), 1u);
  EXPECT_EQ(forward[0].normal_W, -backward[0].normal_W);
  EXPECT_EQ(forward[0].sub_a, backward[0].sub_b);
  EXPECT_EQ(forward[0].points[0].p_W, backward[0].points[0].p_W);
}

// A lone triangle has only edges that may be touched: contact equals the
// reference, apart and shallow.
TEST(LoneTriangle, V18_EqualsTheReference) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> real(0.0, 1.0);
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule,
                               ShapeKind::kBox, ShapeKind::kConvexHull}) {
    int touched = 0;
    ManifoldList list;
    for (int i = 0; i < 10000; ++i) {
      const std::array<Vector3, 3> corner = {
          RandomUnit(random), RandomUnit(random), RandomUnit(random)};
      if ((corner[1] - corner[0]).cross(corner[2] - corner[0]).norm() < 0.1) {
        continue;
      }
      const ShapePointer mesh = Shape::TriangleMesh(
          {corner[0], corner[1], corner[2]}, {{0, 1, 2}}, MeshSides::kTwo);
      const ShapePointer shape = RandomShape(kind, 0.3, random);
      const Transform X_WB = {RandomRotation(random),
                              1.5 * real(random) * RandomUnit(random)};
      const double expected = scenes::ReferenceDistance(corner, *shape, X_WB);
      const double margin = 0.05;
      list.clear();
      Collide(*mesh, {}, *shape, X_WB, margin, list);
      if (expected > margin) {
        ASSERT_TRUE(list.empty()) << i << " at " << expected;
        continue;
      }
      // Deep in, the side of the middle decides, not the least way out.
      if (expected < -0.02) continue;
      ++touched;
      ASSERT_EQ(list.size(), 1u) << i << " at " << expected;
      double least = margin;
      for (const ContactPoint& point : list[0]) {
        least = std::min(least, point.distance);
      }
      ASSERT_NEAR(least, expected, 0.003) << i;
      if (kind == ShapeKind::kSphere) {
        ASSERT_NEAR(least, expected, 1e-9) << i;
      }
    }
    EXPECT_GT(touched, 300);
  }
}

// A stair: the floor at 0, the riser at x = 0 looking along -x, the tread at
// 0.2. The nosing sticks out, the inner corner does not.
ShapePointer Stair() {
  return Shape::TriangleMesh(
      {{-1, 0, -1},
       {-1, 0, 1},
       {0, 0, 1},
       {0, 0, -1},
       {0, 0.2, 1},
       {0, 0.2, -1},
       {1, 0.2, 1},
       {1, 0.2, -1}},
      {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}, {5, 4, 6}, {5, 6, 7}});
}

TEST(StairMesh, BoxInTheCornerTouchesFloorAndRiser) {
  ManifoldList list;
  Transform X_WB;
  X_WB.p = {-0.098, 0.099, 0.0};
  Collide(*Stair(), {}, *Shape::Box({0.1, 0.1, 0.1}), X_WB, 0.0, list);
  ASSERT_EQ(list.size(), 2u);
  for (const Manifold& m : list) {
    EXPECT_EQ(m.num_points, 4);
    if (m.normal_W.y() > 0.5) {
      EXPECT_LT((m.normal_W - Vector3::UnitY()).norm(), 1e-9);
      for (const ContactPoint& point : m) {
        EXPECT_NEAR(point.distance, -0.001, 1e-9);
      }
    } else {
      EXPECT_LT((m.normal_W + Vector3::UnitX()).norm(), 1e-9);
      for (const ContactPoint& point : m) {
        EXPECT_NEAR(point.distance, -0.002, 1e-9);
      }
    }
  }
  std::set<std::uint32_t> ids;
  for (const Manifold& m : list) {
    for (const ContactPoint& point : m) ids.insert(point.feature);
  }
  EXPECT_EQ(ids.size(), 8u);
}

TEST(StairMesh, BallOnTheNosingHasTheSlantedNormal) {
  ManifoldList list;
  Transform X_WB;
  const Vector3 slanted = Vector3(-1, 1, 0).normalized();
  X_WB.p = Vector3(0.0, 0.2, 0.3) + 0.099 * slanted;
  Collide(*Stair(), {}, *Shape::Sphere(0.1), X_WB, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].num_points, 1);
  EXPECT_LT((list[0].normal_W - slanted).norm(), 1e-9);
  EXPECT_NEAR(list[0].points[0].distance, -0.001, 1e-9);
}

TEST(StairMesh, BoxTiltedOverTheNosingTouchesIt) {
  ManifoldList list;
  const Vector3 slanted = Vector3(-1, 1, 0).normalized();
  const Transform X_WB = {ExpRotation(0.25 * kPi * Vector3::UnitZ()),
                          Vector3(0.0, 0.2, 0.0) + 0.099 * slanted};
  Collide(*Stair(), {}, *Shape::Box({0.15, 0.1, 0.2}), X_WB, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_LT((list[0].normal_W - slanted).norm(), 1e-9);
  EXPECT_EQ(list[0].num_points, 2);
  for (const ContactPoint& point : list[0]) {
    EXPECT_NEAR(point.distance, -0.001, 1e-9);
    EXPECT_NEAR(std::abs(point.p_W.z()), 0.2, 1e-9);
  }
}

TEST(Mesh, SidesDecideWhatIsStopped) {
  const ShapePointer ball = Shape::Sphere(0.1);
  Transform below;
  below.p = {0.7, -0.095, 0.7};
  ManifoldList list;
  Collide(*FlatMesh(8, MeshSides::kTwo), {}, *ball, below, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_LT((list[0].normal_W + Vector3::UnitY()).norm(), 1e-9);
  // Sunk in by less than its radius below the floor it is lifted.
  list.clear();
  below.p.y() = -0.05;
  Collide(*FlatMesh(8, MeshSides::kOne), {}, *ball, below, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_LT((list[0].normal_W - Vector3::UnitY()).norm(), 1e-9);
  EXPECT_NEAR(list[0].points[0].distance, -0.15, 1e-9);
  // Behind it, it is free.
  list.clear();
  below.p.y() = -0.11;
  Collide(*FlatMesh(8, MeshSides::kOne), {}, *ball, below, 0.02, list);
  EXPECT_TRUE(list.empty());
  // A height field is solid all the way down.
  list.clear();
  below.p.y() = -3.0;
  Collide(*FlatField(8), {}, *ball, below, 0.0, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].points[0].distance, -3.1, 1e-9);
}

TEST(HeightField, HillHasItsHeightAndSlope) {
  // y = 0.5 x exactly: one plane.
  std::vector<double> heights;
  for (int k = 0; k < 10; ++k) {
    for (int i = 0; i < 10; ++i) heights.push_back(0.05 * i);
  }
  const ShapePointer hill = Shape::HeightField(10, 10, 0.1, heights);
  const Vector3 up = Vector3(-0.5, 1.0, 0.0).normalized();
  const ShapePointer ball = Shape::Sphere(0.05);
  std::mt19937 random(33);
  std::uniform_real_distribution<double> real(0.2, 0.7);
  ManifoldList list;
  for (int i = 0; i < 500; ++i) {
    const double x = real(random);
    Transform X_WB;
    X_WB.p = Vector3(x, 0.5 * x, real(random)) + 0.049 * up;
    list.clear();
    Collide(*hill, {}, *ball, X_WB, 0.01, list);
    ASSERT_EQ(list.size(), 1u);
    ASSERT_EQ(list[0].num_points, 1);
    ASSERT_LT((list[0].normal_W - up).norm(), 1e-9);
    ASSERT_NEAR(list[0].points[0].distance, -0.001, 1e-9);
  }
}

TEST(Surfaces, DoNotMeetEachOther) {
  ManifoldList list;
  Collide(*FlatField(4), {}, *Shape::Plane(), {}, 1.0, list);
  Collide(*Shape::Plane(), {}, *Shape::Plane(), {}, 1.0, list);
  Collide(*FlatMesh(4, MeshSides::kTwo), {}, *FlatField(4), {}, 1.0, list);
  EXPECT_TRUE(list.empty());
}

TEST(Compound, OnAMeshKeepsItsIdsWhileSliding) {
  Transform left, right;
  left.p.x() = -0.2;
  right.p.x() = 0.2;
  const ShapePointer table =
      Shape::Compound({{Shape::Box({0.05, 0.1, 0.05}), left},
                       {Shape::Box({0.05, 0.1, 0.05}), right}});
  const ShapePointer floor = FlatMesh(16, MeshSides::kOne);
  std::set<std::uint32_t> ids;
  ManifoldList list;
  for (int i = 0; i < 300; ++i) {
    Transform X_WB;
    X_WB.p = {0.5 + 0.005 * i, 0.099, 1.0 + 0.003 * i};
    list.clear();
    Collide(*floor, {}, *table, X_WB, 0.01, list);
    ASSERT_EQ(list.size(), 2u);
    for (const Manifold& m : list) {
      for (const ContactPoint& point : m) ids.insert(point.feature);
    }
  }
  EXPECT_EQ(ids.size(), 8u);
}

}  // namespace
}  // namespace limber::dynamics
