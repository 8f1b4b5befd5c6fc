// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// V-18, D-50: every pair of kinds on random placements, against a reference
// that tries everything, and the properties collide.h promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "dynamics/collision/collide.h"
#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

using scenes::RandomRotation;
using scenes::RandomShape;
using scenes::RandomUnit;
using scenes::ReferenceDistance;

constexpr int kPlacements = 10000;

struct Placement {
  ShapePointer a;
  ShapePointer b;
  Transform X_WA;
  Transform X_WB;
};

class Pair : public ::testing::TestWithParam<std::tuple<ShapeKind, ShapeKind>> {
 protected:
  // From deep inside each other to well apart; every fourth nearly touching.
  Placement Next(int i) {
    const auto [kind_a, kind_b] = GetParam();
    std::uniform_real_distribution<double> real(0.0, 1.0);
    Placement placement;
    if (i % 20 == 0) {
      a_ = RandomShape(kind_a, 0.5 + real(random_), random_);
      b_ = RandomShape(kind_b, 0.5 + real(random_), random_);
    }
    placement.a = a_;
    placement.b = b_;
    placement.X_WA = {RandomRotation(random_), 2.0 * RandomUnit(random_)};
    const Vector3 direction = RandomUnit(random_);
    placement.X_WB = {RandomRotation(random_),
                      placement.X_WA.p + 3.0 * real(random_) * direction};
    if (kind_a == ShapeKind::kPlane) {
      placement.X_WB.p = placement.X_WA.p + RandomUnit(random_) +
                         placement.X_WA.R * Vector3(0, real(random_), 0);
    }
    if (i % 4 == 0) {
      const SignedDistance d =
          Distance(*a_, placement.X_WA, *b_, placement.X_WB);
      const double gap = (i % 8 == 0 ? 1e-3 : -1e-3) * real(random_);
      placement.X_WB.p -= (d.distance - gap) * d.normal_W;
    }
    return placement;
  }

  double Inner(const Placement& p) const {
    const auto inner = [](const Shape& shape) {
      switch (shape.kind()) {
        case ShapeKind::kSphere:
        case ShapeKind::kCapsule:
          return shape.radius();
        case ShapeKind::kBox:
          return shape.half_extents().minCoeff();
        default:
          return 1.5;  // At most the size of a random shape.
      }
    };
    return std::min(inner(*p.a), inner(*p.b));
  }

  std::mt19937 random_{20261};
  ShapePointer a_;
  ShapePointer b_;
};

TEST_P(Pair, V18_D50_DistanceEqualsReferenceOnRandomPlacements) {
  double worst = 0.0;
  double worst_witness = 0.0;
  int overlapped = 0;
  for (int i = 0; i < kPlacements; ++i) {
    const Placement p = Next(i);
    const SignedDistance d = Distance(*p.a, p.X_WA, *p.b, p.X_WB);
    const double expected = ReferenceDistance(*p.a, p.X_WA, *p.b, p.X_WB);
    worst = std::max(worst, std::abs(d.distance - expected));
    ASSERT_NEAR(d.distance, expected, 1e-9) << "placement " << i;
    ASSERT_NEAR(d.normal_W.norm(), 1.0, 1e-12) << "placement " << i;
    worst_witness = std::max(
        worst_witness, (d.p_WB - d.p_WA - d.distance * d.normal_W).norm());
    // Moved along the normal by the distance, they just touch.
    if (i % 10 == 0) {
      Transform touching = p.X_WB;
      touching.p -= d.distance * d.normal_W;
      ASSERT_NEAR(ReferenceDistance(*p.a, p.X_WA, *p.b, touching), 0.0, 1e-9)
          << "placement " << i << ", distance " << d.distance;
    }
    if (expected < 0.0) ++overlapped;
  }
  EXPECT_LT(worst_witness, 1e-9);
  EXPECT_GT(overlapped, kPlacements / 20);
  EXPECT_LT(overlapped, kPlacements);
  RecordProperty("worst_error_m", std::to_string(worst));
}

TEST_P(Pair, V18_ManifoldAgreesWithTheDistance) {
  const double margin = 0.05;
  ManifoldList list;
  for (int i = 0; i < kPlacements; ++i) {
    const Placement p = Next(i);
    list.clear();
    Collide(*p.a, p.X_WA, *p.b, p.X_WB, margin, list);
    const SignedDistance d = Distance(*p.a, p.X_WA, *p.b, p.X_WB);
    if (d.distance > margin) {
      ASSERT_TRUE(list.empty()) << "placement " << i;
      continue;
    }
    ASSERT_EQ(list.size(), 1u) << "placement " << i << " at " << d.distance;
    const Manifold& m = list[0];
    ASSERT_NEAR(m.normal_W.norm(), 1.0, 1e-12);
    ASSERT_GE(m.num_points, 1);
    double least = margin;
    std::set<std::uint32_t> ids;
    for (const ContactPoint& point : m) {
      ASSERT_LE(point.distance, margin);
      least = std::min(least, point.distance);
      ids.insert(point.feature);
      // The ends of the point's gap lie on or in A and B.
      const ShapePointer probe = Shape::Sphere(0.0);
      const Vector3 half = 0.5 * point.distance * m.normal_W;
      const double in_a = Distance(*p.a, p.X_WA, *probe,
                                   {Quaternion::Identity(), point.p_W - half})
                              .distance;
      const double in_b =
          Distance(*probe, {Quaternion::Identity(), point.p_W + half}, *p.b,
                   p.X_WB)
              .distance;
      // (a capsule along an edge to 2 % of its radius).
      const double tolerance =
          0.01 * Inner(p) +
          0.02 * std::max(p.a->half_length() > 0.0 ? p.a->radius() : 0.0,
                          p.b->half_length() > 0.0 ? p.b->radius() : 0.0);
      ASSERT_LT(in_a, tolerance) << "placement " << i << " " << m.num_points;
      ASSERT_LT(in_b, tolerance) << "placement " << i << " " << m.num_points;
    }
    ASSERT_EQ(static_cast<int>(ids.size()), m.num_points);
    // Faces are preferred by up to 1 % of the inner radius.
    ASSERT_NEAR(least, d.distance, 0.0102 * Inner(p)) << "placement " << i;
  }
}

TEST_P(Pair, SwappedCallMirrorsTheResult) {
  ManifoldList forward, backward;
  for (int i = 0; i < kPlacements / 10; ++i) {
    const Placement p = Next(i);
    forward.clear();
    backward.clear();
    Collide(*p.a, p.X_WA, *p.b, p.X_WB, 0.1, forward);
    Collide(*p.b, p.X_WB, *p.a, p.X_WA, 0.1, backward);
    ASSERT_EQ(forward.size(), backward.size());
    for (std::size_t m = 0; m < forward.size(); ++m) {
      ASSERT_EQ(forward[m].normal_W, -backward[m].normal_W);
      ASSERT_EQ(forward[m].num_points, backward[m].num_points);
      for (int k = 0; k < forward[m].num_points; ++k) {
        ASSERT_EQ(forward[m].points[k].p_W, backward[m].points[k].p_W);
        ASSERT_EQ(forward[m].points[k].distance,
                  backward[m].points[k].distance);
      }
    }
  }
}

TEST_P(Pair, RigidMotionOfBothMovesTheResult) {
  ManifoldList here, there;
  int compared = 0;
  int different = 0;
  for (int i = 0; i < kPlacements / 10; ++i) {
    const Placement p = Next(i);
    const Transform X_VW = {RandomRotation(random_), 3.0 * RandomUnit(random_)};
    here.clear();
    there.clear();
    Collide(*p.a, p.X_WA, *p.b, p.X_WB, 0.1, here);
    Collide(*p.a, X_VW * p.X_WA, *p.b, X_VW * p.X_WB, 0.1, there);
    ASSERT_EQ(here.size(), there.size()) << "placement " << i;
    for (std::size_t m = 0; m < here.size(); ++m) {
      ++compared;
      bool same = here[m].num_points == there[m].num_points &&
                  (X_VW.R * here[m].normal_W - there[m].normal_W).norm() < 1e-6;
      for (int k = 0; same && k < here[m].num_points; ++k) {
        same = (X_VW * here[m].points[k].p_W - there[m].points[k].p_W).norm() <
                   1e-6 &&
               here[m].points[k].feature == there[m].points[k].feature;
      }
      if (!same) ++different;
    }
  }
  // Rounding may turn a decision that stands on the edge.
  EXPECT_GT(compared, 50);
  EXPECT_LE(different, compared / 200);
}

TEST_P(Pair, FeaturesPersistUnderSmallMotion) {
  ManifoldList before, after;
  int points = 0;
  int kept = 0;
  for (int i = 0; i < kPlacements / 10; ++i) {
    const Placement p = Next(i);
    Transform moved = p.X_WB;
    moved.p += 1e-6 * RandomUnit(random_);
    moved.R = ExpRotation(1e-6 * RandomUnit(random_)) * moved.R;
    before.clear();
    after.clear();
    Collide(*p.a, p.X_WA, *p.b, p.X_WB, 0.1, before);
    Collide(*p.a, p.X_WA, *p.b, moved, 0.1, after);
    std::set<std::uint32_t> ids;
    for (const Manifold& m : after) {
      for (const ContactPoint& point : m) ids.insert(point.feature);
    }
    for (const Manifold& m : before) {
      for (const ContactPoint& point : m) {
        ++points;
        if (ids.contains(point.feature)) ++kept;
      }
    }
  }
  EXPECT_GT(points, 100);
  EXPECT_GE(kept, points - points / 200);
}

std::string NameOf(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return "Sphere";
    case ShapeKind::kCapsule:
      return "Capsule";
    case ShapeKind::kBox:
      return "Box";
    case ShapeKind::kConvexHull:
      return "Hull";
    default:
      return "Plane";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Pair,
    ::testing::Combine(::testing::Values(ShapeKind::kPlane, ShapeKind::kSphere,
                                         ShapeKind::kCapsule, ShapeKind::kBox,
                                         ShapeKind::kConvexHull),
                       ::testing::Values(ShapeKind::kSphere,
                                         ShapeKind::kCapsule, ShapeKind::kBox,
                                         ShapeKind::kConvexHull)),
    [](const auto& info) {
      return NameOf(std::get<0>(info.param)) + NameOf(std::get<1>(info.param));
    });

}  // namespace
}  // namespace limber::dynamics
