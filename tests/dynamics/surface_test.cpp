// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/surface.h"

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

struct NamedSurface {
  std::string name;
  std::shared_ptr<const Surface> surface;
};

template <typename T>
NamedSurface Named(const std::string& name, T surface) {
  return {name, std::make_shared<const T>(std::move(surface))};
}

std::vector<NamedSurface> AllSurfaces() {
  const Transform X_AE{ExpRotation({0.5, -0.2, 0.9}), Vector3(0.3, 0.1, -0.5)};
  return {Named("plane", Plane({0, 1, 0}, {0.2, 1, -0.1})),
          Named("rectangle", Plane::Rectangle({0, 0, 1}, {2, 0, 0}, {0, 1, 1})),
          Named("sphere", Ellipsoid::Sphere({1, 0, 0}, 1.5)),
          Named("ellipsoid", Ellipsoid(X_AE, {0.5, 1.0, 2.0})),
          Named("flat ellipsoid", Ellipsoid(X_AE, {1.5, 0.3, 1.5})),
          Named("cylinder", Cylinder(X_AE, 0.7, 2.0)),
          Named("endless cylinder",
                Cylinder(X_AE, 0.7, std::numeric_limits<double>::infinity()))};
}

ParameterRange Shown(ParameterRange range) {
  range.min = std::max(range.min, -6.0);
  range.max = std::min(range.max, 6.0);
  return range;
}

double At(const ParameterRange& range, double share) {
  return range.min + share * (range.max - range.min);
}

// Dynamo-086
TEST(Surface, Dynamo086_DerivativesEqualCentralDifferences) {
  const double h = 1e-5;
  for (const NamedSurface& item : AllSurfaces()) {
    const Surface& surface = *item.surface;
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 20; ++j) {
        const double u = At(Shown(surface.domain_u()), (i + 0.5) / 20.0);
        const double v = At(Shown(surface.domain_v()), (j + 0.5) / 20.0);
        const SurfacePoint x = surface.Evaluate(u, v);
        const SurfacePoint up = surface.Evaluate(u + h, v);
        const SurfacePoint um = surface.Evaluate(u - h, v);
        const SurfacePoint vp = surface.Evaluate(u, v + h);
        const SurfacePoint vm = surface.Evaluate(u, v - h);
        const auto check = [&](const Vector3& exact, const Vector3& plus,
                               const Vector3& minus, const char* what) {
          EXPECT_LT((exact - (plus - minus) / (2.0 * h)).norm(), 1e-6)
              << item.name << " " << what << " at " << u << ", " << v;
        };
        check(x.d_u, up.position, um.position, "d_u");
        check(x.d_v, vp.position, vm.position, "d_v");
        check(x.d_uu, up.d_u, um.d_u, "d_uu");
        check(x.d_uv, vp.d_u, vm.d_u, "d_uv");
        check(x.d_vv, vp.d_v, vm.d_v, "d_vv");
        EXPECT_LT(
            (surface.Normal(u, v) - x.d_u.cross(x.d_v).normalized()).norm(),
            1e-12)
            << item.name;
      }
    }
  }
}

// Dynamo-086: never worse than the best of a fine grid, and the way to p is
// along the normal unless the edge of the domain stops it.
TEST(Surface, Dynamo086_ClosestBeatsSampling) {
  std::mt19937 random(86);
  std::normal_distribution<double> normal(0.0, 1.5);
  for (const NamedSurface& item : AllSurfaces()) {
    const Surface& surface = *item.surface;
    const ParameterRange range_u = Shown(surface.domain_u());
    const ParameterRange range_v = Shown(surface.domain_v());
    for (int trial = 0; trial < 60; ++trial) {
      const Vector3 p(normal(random), normal(random), normal(random));
      const Vector2 uv = surface.ClosestParameters(p);
      EXPECT_TRUE(surface.domain_u().Contains(uv.x())) << item.name;
      EXPECT_TRUE(surface.domain_v().Contains(uv.y())) << item.name;
      const Vector3 way = p - surface.Position(uv.x(), uv.y());
      double sampled = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= 60; ++i) {
        for (int j = 0; j <= 60; ++j) {
          const Vector3 x =
              surface.Position(At(range_u, i / 60.0), At(range_v, j / 60.0));
          sampled = std::min(sampled, (x - p).norm());
        }
      }
      EXPECT_LE(way.norm(), sampled + 1e-14) << item.name;
      const bool inner = (range_u.periodic ||
                          (uv.x() > range_u.min && uv.x() < range_u.max)) &&
                         uv.y() > range_v.min && uv.y() < range_v.max;
      if (inner) {
        EXPECT_LT(way.cross(surface.Normal(uv.x(), uv.y())).norm(), 1e-11)
            << item.name;
      }
    }
  }
}

// Dynamo-086: normal against the gradient of sum (x_i/a_i)^2.
TEST(Ellipsoid, Dynamo086_NormalIsTheGradient) {
  const Vector3 a(0.5, 1.0, 2.0);
  const Ellipsoid ellipsoid(Transform::Identity(), a);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j <= 20; ++j) {
      const double u = At(ellipsoid.domain_u(), i / 20.0);
      const double v = At(ellipsoid.domain_v(), j / 20.0);
      const Vector3 x = ellipsoid.Position(u, v);
      EXPECT_NEAR(x.cwiseQuotient(a).squaredNorm(), 1.0, 1e-14);
      const Vector3 gradient = x.cwiseQuotient(a.cwiseAbs2()).normalized();
      EXPECT_LT((ellipsoid.Normal(u, v) - gradient).norm(), 1e-6);
      EXPECT_GT(ellipsoid.Normal(u, v).dot(x), 0.0);  // outwards
    }
  }
}

// Centre, axes, planes of symmetry, poles, surface itself and near misses:
// where closest-point searches break.
TEST(Ellipsoid, ClosestHoldsAtDegeneratePoints) {
  for (const Vector3& a :
       {Vector3(0.5, 1.0, 2.0), Vector3(2.0, 0.5, 1.0), Vector3(1, 1, 1),
        Vector3(1, 1, 0.3), Vector3(1e-3, 1, 1)}) {
    const Ellipsoid ellipsoid(Transform::Identity(), a);
    for (const double x : {-3.0, -1.0, -1e-9, 0.0, 1e-300, 0.2, 1.0}) {
      for (const double y : {-0.5, 0.0, 1e-12, 1.0}) {
        for (const double z : {-2.0, 0.0, 1e-200, 0.7}) {
          const Vector3 p(x, y, z);
          const Vector2 uv = ellipsoid.ClosestParameters(p);
          ASSERT_TRUE(uv.allFinite()) << p.transpose();
          const double found = (ellipsoid.Position(uv.x(), uv.y()) - p).norm();
          double sampled = std::numeric_limits<double>::infinity();
          for (int i = 0; i < 80; ++i) {
            for (int j = 0; j <= 40; ++j) {
              sampled = std::min(
                  sampled,
                  (ellipsoid.Position(At(ellipsoid.domain_u(), i / 80.0),
                                      At(ellipsoid.domain_v(), j / 40.0)) -
                   p)
                      .norm());
            }
          }
          EXPECT_LE(found, sampled + 1e-12)
              << "a " << a.transpose() << " p " << p.transpose();
        }
      }
    }
  }
}

TEST(Plane, NormalIsTheOneGiven) {
  const Vector3 n = Vector3(0.2, 1, -0.1).normalized();
  EXPECT_LT((Plane({0, 1, 0}, 3.0 * n).Normal(0, 0) - n).norm(), 1e-15);
}

TEST(Surface, BadArgumentsAreNamed) {
  EXPECT_THAT(
      [] {
        Plane({0, 0, 0}, {0, 0, 0});
      },
      ThrowsMessage<std::invalid_argument>(
          "normal must be finite and not zero, found (0, 0, 0)"));
  EXPECT_THAT(
      [] {
        Plane::Rectangle({0, 0, 0}, {1, 0, 0}, {1, 1, 0});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("right angles")));
  EXPECT_THAT(
      [] {
        Ellipsoid(Transform::Identity(), {1, 0, 1});
      },
      ThrowsMessage<std::invalid_argument>(
          "half_axes.y must be finite and positive, found 0"));
  EXPECT_THAT([] { Cylinder(Transform::Identity(), 1.0, -2.0); },
              ThrowsMessage<std::invalid_argument>(
                  "height must be positive, found -2"));
}

}  // namespace
}  // namespace limber::dynamics
