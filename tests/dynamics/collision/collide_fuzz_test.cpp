// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Many shapes of all proportions in all placements: nothing breaks, and what
// is measured equals the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "dynamics/collision/collide.h"
#include "dynamics/collision/query.h"
#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

using scenes::RandomRotation;
using scenes::RandomUnit;

class Fuzz : public ::testing::Test {
 protected:
  double Real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int Whole(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }
  // A length from a tenth of a millimetre to ten metres.
  double Length() { return std::pow(10.0, Real(-4.0, 1.0)); }

  ShapePointer Solid() {
    switch (Whole(0, 5)) {
      case 0:
        return Shape::Sphere(Length());
      case 1:
        return Shape::Capsule(Length(), Length());
      case 2: {
        const double x = Length();
        const double y = Length();
        return Shape::Box({x, y, Length()});
      }
      case 3: {
        // Corners on a coarse lattice: many in one plane.
        for (;;) {
          std::vector<Vector3> points;
          const double cell = std::pow(10.0, Real(-2.0, 0.0));
          const int n = Whole(6, 30);
          for (int i = 0; i < n; ++i) {
            const int x = Whole(0, 3);
            const int y = Whole(0, 3);
            points.push_back(cell * Vector3(x, y, Whole(0, 3)));
          }
          try {
            return Shape::ConvexHull(points);
          } catch (const std::invalid_argument&) {
            // All in one plane; another try.
          }
        }
      }
      case 4: {
        // A needle or a plate.
        std::vector<Vector3> points;
        const Vector3 scale(Length(), Length(), Length());
        for (int i = 0; i < 12; ++i) {
          points.push_back(RandomUnit(random_).cwiseProduct(scale));
        }
        return Shape::ConvexHull(points);
      }
      default:
        return Shape::ConvexHull(Prism(Whole(3, 24), Length(), Length()));
    }
  }

  static std::vector<Vector3> Prism(int n, double radius, double height) {
    std::vector<Vector3> points;
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * kPi * i / n;
      for (const double y : {-height, height}) {
        points.emplace_back(radius * std::cos(angle), y,
                            radius * std::sin(angle));
      }
    }
    return points;
  }

  // Turned freely, by right angles, or nearly so.
  Quaternion Rotation() {
    const int kind = Whole(0, 2);
    if (kind == 0) return RandomRotation(random_);
    Quaternion R =
        ExpRotation(0.5 * kPi * Whole(0, 3) * Vector3::Unit(Whole(0, 2)));
    if (kind == 2) {
      R = ExpRotation(std::pow(10.0, Real(-12.0, -2.0)) * RandomUnit(random_)) *
          R;
    }
    return R;
  }

  static double SizeOf(const Shape& shape) {
    const BoundingBox box = shape.BoxAt({});
    return (box.max - box.min).norm();
  }

  std::mt19937 random_{61};
};

TEST_F(Fuzz, SolidsOfAllProportionsEqualTheReference) {
  ManifoldList list;
  double worst = 0.0;
  for (int i = 0; i < 60000; ++i) {
    const ShapePointer a = Solid();
    const ShapePointer b = Solid();
    const double size = SizeOf(*a) + SizeOf(*b);
    const Transform X_WA = {Rotation(), Vector3::Zero()};
    Transform X_WB = {Rotation(), size * Real(0.0, 0.7) * RandomUnit(random_)};
    if (Whole(0, 1) == 0) {
      const SignedDistance d = Distance(*a, X_WA, *b, X_WB);
      X_WB.p -= (d.distance - 1e-3 * size * Real(-1.0, 1.0)) * d.normal_W;
    }
    const SignedDistance d = Distance(*a, X_WA, *b, X_WB);
    const double expected = scenes::ReferenceDistance(*a, X_WA, *b, X_WB);
    worst = std::max(worst, std::abs(d.distance - expected) / size);
    ASSERT_NEAR(d.distance, expected, 1e-8 * size) << "case " << i;
    ASSERT_NEAR(d.normal_W.norm(), 1.0, 1e-9) << "case " << i;
    const double margin = 0.01 * size;
    list.clear();
    Collide(*a, X_WA, *b, X_WB, margin, list);
    ASSERT_EQ(list.empty(), d.distance > margin) << "case " << i;
    if (list.empty()) continue;
    ASSERT_EQ(list.size(), 1u);
    ASSERT_NEAR(list[0].normal_W.norm(), 1.0, 1e-9);
    std::set<std::uint32_t> ids;
    double least = margin;
    for (const ContactPoint& point : list[0]) {
      ASSERT_TRUE(point.p_W.allFinite());
      least = std::min(least, point.distance);
      ids.insert(point.feature);
    }
    ASSERT_EQ(static_cast<int>(ids.size()), list[0].num_points);
    ASSERT_NEAR(least, d.distance, 0.011 * size) << "case " << i;
  }
  RecordProperty("worst_error_of_size", std::to_string(worst));
}

TEST_F(Fuzz, SurfacesNeverBreak) {
  ManifoldList list;
  std::vector<RayHit> hits;
  for (int i = 0; i < 3000; ++i) {
    // Triangles without order, sharing corners at will.
    std::vector<Vector3> vertices;
    const int n = Whole(3, 20);
    for (int k = 0; k < n; ++k) vertices.push_back(RandomUnit(random_));
    std::vector<std::array<int, 3>> triangles;
    for (int k = 0; k < 30; ++k) {
      const std::array<int, 3> t = {Whole(0, n - 1), Whole(0, n - 1),
                                    Whole(0, n - 1)};
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
    }
    if (triangles.empty()) continue;
    const ShapePointer mesh = Shape::TriangleMesh(
        vertices, triangles,
        Whole(0, 1) == 0 ? MeshSides::kOne : MeshSides::kTwo);
    for (int k = 0; k < 20; ++k) {
      const ShapePointer b = Solid();
      const Transform X_WB = {Rotation(), Real(0.0, 1.5) * RandomUnit(random_)};
      list.clear();
      Collide(*mesh, {}, *b, X_WB, 0.02, list);
      std::set<std::uint32_t> ids;
      int points = 0;
      for (const Manifold& m : list) {
        ASSERT_NEAR(m.normal_W.norm(), 1.0, 1e-9);
        ASSERT_GE(m.num_points, 1);
        ASSERT_LT(m.sub_a, static_cast<int>(triangles.size()));
        for (const ContactPoint& point : m) {
          ASSERT_TRUE(point.p_W.allFinite());
          ASSERT_LE(point.distance, 0.02);
          ids.insert(point.feature);
          ++points;
        }
      }
      ASSERT_EQ(static_cast<int>(ids.size()), points) << i << " " << k;
      Ray ray;
      ray.origin_W = 2.0 * RandomUnit(random_);
      ray.direction_W = RandomUnit(random_);
      CastRayAll(*mesh, {}, ray, hits);
      const std::optional<RayHit> first = CastRay(*mesh, {}, ray);
      ASSERT_TRUE(!first || first->distance >= hits.at(0).distance - 1e-12)
          << first->distance - hits.at(0).distance << " of " << hits.size();
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
