// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "dynamics/collision/collide.h"
#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

using scenes::RandomRotation;
using scenes::RandomShape;
using scenes::RandomUnit;
using scenes::ReferenceDistance;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr ShapeKind kSolids[] = {ShapeKind::kSphere, ShapeKind::kCapsule,
                                 ShapeKind::kBox, ShapeKind::kConvexHull};

// Where a ray first comes nearer than 1e-11 m to a solid, by steps of the
// distance, which can never jump over it; -1 if it does not.
double MarchedHit(const Shape& shape, const Transform& X_WS, const Ray& ray) {
  const ShapePointer point = Shape::Sphere(0.0);
  double t = 0.0;
  for (int i = 0; i < 20000 && t <= ray.length; ++i) {
    const Transform at = {Quaternion::Identity(),
                          ray.origin_W + t * ray.direction_W};
    const double gap = ReferenceDistance(shape, X_WS, *point, at);
    if (gap < 1e-11) return t;
    t += gap;
  }
  return -1.0;
}

TEST(CastRay, EqualsTheMarchedRayOnRandomSolids) {
  std::mt19937 random(21);
  for (const ShapeKind kind : kSolids) {
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
      const ShapePointer shape = RandomShape(kind, 1.0, random);
      const Transform X_WS = {RandomRotation(random), RandomUnit(random)};
      Ray ray;
      ray.origin_W = 3.0 * RandomUnit(random);
      ray.direction_W =
          (X_WS.p + 0.9 * RandomUnit(random) - ray.origin_W).normalized();
      ray.length = 6.0;
      const std::optional<RayHit> hit = CastRay(*shape, X_WS, ray);
      const double expected = MarchedHit(*shape, X_WS, ray);
      // A ray that grazes to 1e-11 m may be told either way.
      ASSERT_EQ(hit.has_value(), expected >= 0.0) << "ray " << i;
      if (!hit) continue;
      ++hits;
      const double slope = -hit->normal_W.dot(ray.direction_W);
      ASSERT_GE(slope, 0.0);
      ASSERT_NEAR(hit->distance, expected, 1e-10 / std::max(slope, 1e-3));
      ASSERT_NEAR(hit->normal_W.norm(), 1.0, 1e-12);
    }
    EXPECT_GT(hits, 50);
    EXPECT_LT(hits, 500);
  }
}

TEST(CastRay, MeetsClosedForms) {
  Ray ray;
  ray.origin_W = {0, 5, 0};
  ASSERT_TRUE(CastRay(*Shape::Sphere(1.0), {}, ray));
  EXPECT_DOUBLE_EQ(CastRay(*Shape::Sphere(1.0), {}, ray)->distance, 4.0);
  EXPECT_DOUBLE_EQ(CastRay(*Shape::Capsule(0.5, 1.0), {}, ray)->distance, 3.5);
  EXPECT_DOUBLE_EQ(CastRay(*Shape::Plane(), {}, ray)->distance, 5.0);
  EXPECT_DOUBLE_EQ(CastRay(*Shape::Box({1, 2, 1}), {}, ray)->distance, 3.0);
  ray.origin_W.x() = 0.6;
  const std::optional<RayHit> side = CastRay(*Shape::Sphere(1.0), {}, ray);
  EXPECT_NEAR(side->distance, 5.0 - 0.8, 1e-12);
  EXPECT_LT((side->normal_W - Vector3(0.6, 0.8, 0.0)).norm(), 1e-12);
  // The digits survive a far origin.
  ray.origin_W = {0.6, 1e6, 0.0};
  EXPECT_NEAR(CastRay(*Shape::Sphere(1.0), {}, ray)->distance, 1e6 - 0.8, 1e-9);
  ray.length = 1e6 - 1.0;
  EXPECT_FALSE(CastRay(*Shape::Sphere(1.0), {}, ray));
}

TEST(CastRay, InsideASolidHitsAtOnce) {
  Ray ray;
  ray.direction_W = Vector3::UnitX();
  for (const ShapePointer& shape :
       {Shape::Sphere(1.0), Shape::Capsule(0.5, 1.0), Shape::Box({1, 1, 1})}) {
    const std::optional<RayHit> hit = CastRay(*shape, {}, ray);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->distance, 0.0);
    EXPECT_EQ(hit->normal_W, -Vector3::UnitX());
  }
}

TEST(CastRayAll, EntersAndLeavesEveryChild) {
  Transform right;
  right.p.x() = 3.0;
  const ShapePointer both = Shape::Compound(
      {{Shape::Box({1, 1, 1}), right}, {Shape::Sphere(1.0), {}}});
  Ray ray;
  ray.origin_W = {-5, 0, 0};
  ray.direction_W = Vector3::UnitX();
  std::vector<RayHit> hits;
  CastRayAll(*both, {}, ray, hits);
  ASSERT_EQ(hits.size(), 4u);
  const double expected[] = {4, 6, 7, 9};
  const int subs[] = {1, 1, 0, 0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(hits[i].distance, expected[i], 1e-12);
    EXPECT_EQ(hits[i].sub, subs[i]);
    EXPECT_NEAR(hits[i].normal_W.x(), i % 2 == 0 ? -1.0 : 1.0, 1e-12);
  }
  EXPECT_NEAR(CastRay(*both, {}, ray)->distance, 4.0, 1e-12);
}

// A wavy sheet; brute force over its triangles by solving for the corner
// weights.
TEST(CastRay, EqualsBruteForceOnSurfaces) {
  std::mt19937 random(22);
  std::uniform_real_distribution<double> real(-1.0, 1.0);
  std::vector<double> heights;
  const int n = 24;
  for (int i = 0; i < n * n; ++i) heights.push_back(0.3 * real(random));
  const ShapePointer field = Shape::HeightField(n, n, 0.1, heights);
  const ShapePointer mesh = Shape::TriangleMesh(
      field->vertices(), field->triangles(), MeshSides::kTwo);
  const Transform X_WS = {RandomRotation(random), RandomUnit(random)};
  int hits = 0;
  std::vector<RayHit> all;
  for (int i = 0; i < 2000; ++i) {
    Ray ray;
    const Vector3 target =
        X_WS * Vector3(1.2 + 1.3 * real(random), 0, 1.2 + 1.3 * real(random));
    ray.origin_W = target + 2.0 * RandomUnit(random);
    ray.direction_W = (target - ray.origin_W).normalized();
    const Vector3 o = X_WS.Inverse() * ray.origin_W;
    const Vector3 d = X_WS.R.conjugate() * ray.direction_W;
    double nearest = BoundingBox::kInfinity;
    double nearest_front = nearest;
    int count = 0;
    for (const auto& [a, b, c] : mesh->triangles()) {
      const Vector3& pa = mesh->vertices()[a];
      Matrix3 m;
      m << mesh->vertices()[b] - pa, mesh->vertices()[c] - pa, -d;
      const Vector3 x = m.inverse() * (o - pa);
      if (x[0] < 0 || x[1] < 0 || x[0] + x[1] > 1 || x[2] < 0) continue;
      ++count;
      nearest = std::min(nearest, x[2]);
      if (m.col(0).cross(m.col(1)).dot(d) < 0) {
        nearest_front = std::min(nearest_front, x[2]);
      }
    }
    const std::optional<RayHit> hit = CastRay(*mesh, X_WS, ray);
    ASSERT_EQ(hit.has_value(), std::isfinite(nearest));
    if (hit) {
      ASSERT_NEAR(hit->distance, nearest, 1e-9);
    }
    const std::optional<RayHit> front = CastRay(*field, X_WS, ray);
    ASSERT_EQ(front.has_value(), std::isfinite(nearest_front));
    if (front) {
      ++hits;
      ASSERT_NEAR(front->distance, nearest_front, 1e-9);
      ASSERT_LT(front->normal_W.dot(ray.direction_W), 0.0);
    }
    CastRayAll(*mesh, X_WS, ray, all);
    ASSERT_EQ(static_cast<int>(all.size()), count);
  }
  EXPECT_GT(hits, 500);
}

TEST(CastRay, NoRaySlipsThroughTheEdgesOfAFloor) {
  const ShapePointer floor =
      Shape::HeightField(11, 11, 0.1, std::vector<double>(121, 0.25));
  Ray ray;
  for (int i = 0; i <= 40; ++i) {
    for (int k = 0; k <= 40; ++k) {
      ray.origin_W = {0.025 * i, 1.0, 0.025 * k};
      const std::optional<RayHit> hit = CastRay(*floor, {}, ray);
      ASSERT_TRUE(hit) << i << " " << k;
      ASSERT_NEAR(hit->distance, 0.75, 1e-12);
    }
  }
}

TEST(CastRay, BadRaysAreRefused) {
  Ray ray;
  ray.direction_W = {0, 2, 0};
  EXPECT_THAT([&] { CastRay(*Shape::Plane(), {}, ray); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("ray.direction_W must be a unit vector")));
  ray.direction_W = Vector3::UnitX();
  ray.length = -1.0;
  EXPECT_THAT([&] { CastRay(*Shape::Plane(), {}, ray); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("ray.length")));
  ray.length = 1.0;
  ray.origin_W.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { CastRay(*Shape::Plane(), {}, ray); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("ray.origin_W")));
}

TEST(CastShape, SpheresMeetTheQuadratic) {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> real(0.1, 0.5);
  int hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const double ra = real(random);
    const double rb = real(random);
    const Transform X_WA = {RandomRotation(random), 2.0 * RandomUnit(random)};
    const Vector3 way = -X_WA.p * 2.0 + 0.8 * RandomUnit(random);
    const std::optional<ImpactHit> hit = CastShape(
        *Shape::Sphere(ra), X_WA, way, *Shape::Sphere(rb), Transform());
    // |p + f w| = ra + rb.
    const double a = way.squaredNorm();
    const double b = X_WA.p.dot(way);
    const double c = X_WA.p.squaredNorm() - (ra + rb) * (ra + rb);
    const double root = b * b - a * c;
    ASSERT_EQ(hit.has_value(), root > 0.0) << "cast " << i;
    if (!hit) continue;
    ++hits;
    const double fraction = (-b - std::sqrt(root)) / a;
    // 1e-9 m of gap, over the speed along the normal.
    const double speed = std::abs(hit->normal_W.dot(way));
    ASSERT_NEAR(hit->fraction, fraction, 2e-9 / speed + 1e-12);
    ASSERT_LE(hit->fraction, fraction + 1e-12);
  }
  EXPECT_GT(hits, 300);
}

// V-83: no contact before the time found, a contact at it; none found, none
// there.
TEST(TimeOfImpact, V83_TurningSolidsTouchThenAndNotBefore) {
  std::mt19937 random(24);
  int hits = 0;
  for (int i = 0; i < 400; ++i) {
    const ShapeKind kind_a = kSolids[i % 4];
    const ShapeKind kind_b = kSolids[(i / 4) % 4];
    const ShapePointer a = RandomShape(kind_a, 0.5, random);
    const ShapePointer b = RandomShape(kind_b, 0.5, random);
    PoseSweep sweep_a, sweep_b;
    sweep_a.start = {RandomRotation(random), 3.0 * RandomUnit(random)};
    sweep_a.end = {ExpRotation(2.5 * RandomUnit(random)) * sweep_a.start.R,
                   -sweep_a.start.p + 1.2 * RandomUnit(random)};
    sweep_b.start = {RandomRotation(random), 0.2 * RandomUnit(random)};
    sweep_b.end = {ExpRotation(1.0 * RandomUnit(random)) * sweep_b.start.R,
                   0.2 * RandomUnit(random)};
    const std::optional<ImpactHit> hit = TimeOfImpact(*a, sweep_a, *b, sweep_b);
    const double end = hit ? hit->fraction : 1.0;
    for (int k = 0; k < 200; ++k) {
      const double f = end * k / 200;
      ASSERT_GT(Distance(*a, sweep_a.At(f), *b, sweep_b.At(f)).distance, 0.0)
          << "sweep " << i << " at " << f << " of " << end;
    }
    if (!hit) continue;
    ++hits;
    const SignedDistance at =
        Distance(*a, sweep_a.At(end), *b, sweep_b.At(end));
    ASSERT_LT(at.distance, 2e-9);
    ASSERT_LT((at.normal_W - hit->normal_W).norm(), 1e-5);
  }
  EXPECT_GT(hits, 100);
  EXPECT_LT(hits, 400);
}

// V-83: a rod of half length l turns about its middle, D from a wall, until
// l sin(angle) + r = D.
TEST(TimeOfImpact, V83_TurningRodMeetsTheWall) {
  const double l = 0.5;
  const double r = 0.05;
  const double d = 0.4;
  PoseSweep rod;
  rod.start = {ExpRotation(0.5 * kPi * Vector3::UnitZ()), Vector3(0, d, 0)};
  rod.end = {ExpRotation(kPi * Vector3::UnitZ()), Vector3(0, d, 0)};
  const std::optional<ImpactHit> hit =
      TimeOfImpact(*Shape::Capsule(r, l), rod, *Shape::Plane(), {});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, std::asin((d - r) / l) / (0.5 * kPi), 1e-8);
  EXPECT_LT((hit->normal_W + Vector3::UnitY()).norm(), 1e-12);
}

// A ball of 5 cm at 30 m/s, one step of 1/240 s = 12.5 cm, against a board of
// 2 cm: found wherever the step begins, although it may end on the other side.
TEST(CastShape, ThrownBallNeverPassesABoardOfTwoCentimetres) {
  const ShapePointer board = Shape::Box({1.0, 0.01, 1.0});
  const ShapePointer sheet = Shape::TriangleMesh(
      {{-1, 0.01, -1}, {-1, 0.01, 1}, {1, 0.01, 1}, {1, 0.01, -1}},
      {{0, 1, 2}, {0, 2, 3}});
  const ShapePointer ball = Shape::Sphere(0.05);
  for (int i = 0; i < 100; ++i) {
    const double height = 0.0601 + 0.00124 * i;
    const Transform start = {Quaternion::Identity(), Vector3(0.3, height, 0.2)};
    const Vector3 step(0.0, -30.0 / 240, 0.0);
    for (const ShapePointer& target : {board, sheet}) {
      const std::optional<ImpactHit> hit =
          CastShape(*ball, start, step, *target, {});
      ASSERT_TRUE(hit) << height;
      ASSERT_NEAR(hit->fraction, (height - 0.06) / 0.125, 1e-7);
      ASSERT_LT((hit->normal_W + Vector3::UnitY()).norm(), 1e-6);
    }
    // From behind the one-sided sheet nothing stops it.
    const Transform below = {Quaternion::Identity(), Vector3(0.3, -height, 0)};
    EXPECT_FALSE(CastShape(*ball, below, -step, *sheet, {}));
    EXPECT_TRUE(CastShape(*ball, below, -step, *board, {}));
  }
}

TEST(CastShape, PartingOrMissingShapesDoNotHit) {
  Transform X_WA;
  X_WA.p.y() = 0.9;
  const ShapePointer ball = Shape::Sphere(1.0);
  EXPECT_FALSE(CastShape(*ball, X_WA, Vector3(0, 1, 0), *Shape::Plane(), {}));
  const std::optional<ImpactHit> deeper =
      CastShape(*ball, X_WA, Vector3(0, -1, 0), *Shape::Plane(), {});
  ASSERT_TRUE(deeper);
  EXPECT_EQ(deeper->fraction, 0.0);
  X_WA.p.y() = 3.0;
  EXPECT_FALSE(
      CastShape(*ball, X_WA, Vector3(0, -1.9, 0), *Shape::Plane(), {}));
  EXPECT_TRUE(CastShape(*ball, X_WA, Vector3(0, -2.1, 0), *Shape::Plane(), {}));
}

TEST(Overlaps, FollowsTheDistance) {
  Transform X_WB;
  X_WB.p = {1.5, 0.0, 0.0};
  const ShapePointer box = Shape::Box({1, 1, 1});
  const ShapePointer ball = Shape::Sphere(0.4);
  EXPECT_FALSE(Overlaps(*box, {}, *ball, X_WB));
  EXPECT_TRUE(Overlaps(*box, {}, *ball, X_WB, 0.11));
  X_WB.p.x() = 1.3;
  EXPECT_TRUE(Overlaps(*box, {}, *ball, X_WB));
}

}  // namespace
}  // namespace limber::dynamics
