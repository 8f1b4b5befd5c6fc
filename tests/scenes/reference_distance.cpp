// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/reference_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace limber::scenes {
namespace {

using dynamics::Shape;
using dynamics::ShapeKind;
using Real = long double;
using Vec = Eigen::Matrix<Real, 3, 1>;

struct Solid {
  std::vector<Vec> corners;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec> normals;
  std::vector<std::pair<int, int>> edges;
  Real radius = 0;
};

Solid Placed(const Shape& shape, const Transform& X) {
  Solid solid;
  solid.radius = shape.radius();
  std::vector<Vector3> corners = shape.vertices();
  if (shape.kind() == ShapeKind::kSphere) corners = {Vector3::Zero()};
  if (shape.kind() == ShapeKind::kCapsule) {
    corners = {Vector3(0, -shape.half_length(), 0),
               Vector3(0, shape.half_length(), 0)};
    solid.edges = {{0, 1}};
  }
  const Eigen::Quaternion<Real> R = X.R.cast<Real>().normalized();
  for (const Vector3& c : corners) {
    solid.corners.push_back(R * c.cast<Real>() + X.p.cast<Real>());
  }
  for (const std::vector<int>& face : shape.Faces()) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      solid.triangles.push_back({face[0], face[i], face[i + 1]});
      const Vec& o = solid.corners[face[0]];
      solid.normals.push_back((solid.corners[face[i]] - o)
                                  .cross(solid.corners[face[i + 1]] - o)
                                  .normalized());
    }
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int v = face[i];
      const int w = face[(i + 1) % face.size()];
      if (v < w) solid.edges.emplace_back(v, w);
    }
  }
  return solid;
}

Real Clamp01(Real x) { return std::clamp<Real>(x, 0, 1); }

Real PointSegment(const Vec& p, const Vec& a, const Vec& b) {
  const Vec ab = b - a;
  const Real square = ab.squaredNorm();
  const Real t = square > 0 ? Clamp01((p - a).dot(ab) / square) : 0;
  return (a + t * ab - p).norm();
}

Real SegmentSegment(const Vec& a0, const Vec& a1, const Vec& b0,
                    const Vec& b1) {
  Real best = std::min({PointSegment(a0, b0, b1), PointSegment(a1, b0, b1),
                        PointSegment(b0, a0, a1), PointSegment(b1, a0, a1)});
  const Vec da = a1 - a0;
  const Vec db = b1 - b0;
  const Vec n = da.cross(db);
  const Real square = n.squaredNorm();
  if (square > 0) {
    const Real s = db.cross(a0 - b0).dot(n) / square;
    const Real t = da.cross(a0 - b0).dot(n) / square;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      best = std::min(best, (a0 + s * da - b0 - t * db).norm());
    }
  }
  return best;
}

// Only the inside of the triangle: its border is met as edges.
Real PointTriangle(const Vec& p, const Vec& a, const Vec& b, const Vec& c) {
  const Vec n = (b - a).cross(c - a);
  if ((b - a).cross(p - a).dot(n) < 0 || (c - b).cross(p - b).dot(n) < 0 ||
      (a - c).cross(p - c).dot(n) < 0) {
    return std::numeric_limits<Real>::infinity();
  }
  return std::abs((p - a).dot(n)) / n.norm();
}

Real Apart(const Solid& a, const Solid& b) {
  Real best = (a.corners[0] - b.corners[0]).norm();
  const auto corners_and_faces = [&best](const Solid& s, const Solid& t) {
    for (const Vec& p : s.corners) {
      for (const auto& [i, j, k] : t.triangles) {
        best = std::min(
            best, PointTriangle(p, t.corners[i], t.corners[j], t.corners[k]));
      }
      for (const auto& [i, j] : t.edges) {
        best = std::min(best, PointSegment(p, t.corners[i], t.corners[j]));
      }
    }
  };
  corners_and_faces(a, b);
  corners_and_faces(b, a);
  for (const auto& [i, j] : a.edges) {
    for (const auto& [k, l] : b.edges) {
      best = std::min(best, SegmentSegment(a.corners[i], a.corners[j],
                                           b.corners[k], b.corners[l]));
    }
  }
  return best;
}

// The gap between the cores along n or -n, whichever is greater.
Real Gap(const Solid& a, const Solid& b, const Vec& n) {
  const auto range = [&n](const Solid& s) {
    Real low = std::numeric_limits<Real>::infinity();
    Real high = -low;
    for (const Vec& p : s.corners) {
      low = std::min(low, n.dot(p));
      high = std::max(high, n.dot(p));
    }
    return std::pair(low, high);
  };
  const auto [low_a, high_a] = range(a);
  const auto [low_b, high_b] = range(b);
  return std::max(low_b - high_a, low_a - high_b);
}

Real Signed(const Solid& solid_a, const Solid& solid_b) {
  const Real radii = solid_a.radius + solid_b.radius;
  const bool cores_have_inside =
      !solid_a.triangles.empty() || !solid_b.triangles.empty();
  Real gap = -std::numeric_limits<Real>::infinity();
  for (const Vec& n : solid_a.normals)
    gap = std::max(gap, Gap(solid_a, solid_b, n));
  for (const Vec& n : solid_b.normals)
    gap = std::max(gap, Gap(solid_a, solid_b, n));
  for (const auto& [i, j] : solid_a.edges) {
    for (const auto& [k, l] : solid_b.edges) {
      const Vec n = (solid_a.corners[j] - solid_a.corners[i])
                        .cross(solid_b.corners[l] - solid_b.corners[k]);
      if (n.squaredNorm() > 1e-24L) {
        gap = std::max(gap, Gap(solid_a, solid_b, n.normalized()));
      }
    }
  }
  if (cores_have_inside && gap <= 0) return gap - radii;
  return Apart(solid_a, solid_b) - radii;
}

}  // namespace

double ReferenceDistance(const Shape& a, const Transform& X_WA, const Shape& b,
                         const Transform& X_WB) {
  const Solid solid_b = Placed(b, X_WB);
  if (a.kind() == ShapeKind::kPlane) {
    const Vec up =
        X_WA.R.cast<Real>().normalized() * Vec(Real{0}, Real{1}, Real{0});
    Real least = std::numeric_limits<Real>::infinity();
    for (const Vec& p : solid_b.corners) {
      least = std::min(least, up.dot(p - X_WA.p.cast<Real>()));
    }
    return static_cast<double>(least - solid_b.radius);
  }
  return static_cast<double>(Signed(Placed(a, X_WA), solid_b));
}

double ReferenceDistance(const std::array<Vector3, 3>& triangle_W,
                         const Shape& b, const Transform& X_WB) {
  Solid triangle;
  for (const Vector3& p : triangle_W) {
    triangle.corners.push_back(p.cast<Real>());
  }
  triangle.triangles = {{0, 1, 2}};
  triangle.edges = {{0, 1}, {1, 2}, {0, 2}};
  triangle.normals = {(triangle.corners[1] - triangle.corners[0])
                          .cross(triangle.corners[2] - triangle.corners[0])
                          .normalized()};
  return static_cast<double>(Signed(triangle, Placed(b, X_WB)));
}

Vector3 RandomUnit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vector3(normal(random), normal(random), normal(random)).normalized();
}

Quaternion RandomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Quaternion(normal(random), normal(random), normal(random),
                    normal(random))
      .normalized();
}

dynamics::ShapePointer RandomShape(ShapeKind kind, double size,
                                   std::mt19937& random) {
  std::uniform_real_distribution<double> part(0.2, 1.0);
  switch (kind) {
    case ShapeKind::kSphere:
      return Shape::Sphere(size * part(random));
    case ShapeKind::kCapsule:
      return Shape::Capsule(0.5 * size * part(random), size * part(random));
    case ShapeKind::kBox: {
      const double x = part(random);
      const double y = part(random);
      return Shape::Box(size * Vector3(x, y, part(random)));
    }
    case ShapeKind::kConvexHull: {
      std::vector<Vector3> points;
      std::uniform_int_distribution<int> count(5, 14);
      const int n = count(random);
      for (int i = 0; i < n; ++i) {
        points.push_back(size * part(random) * RandomUnit(random));
      }
      return Shape::ConvexHull(points);
    }
    default:
      return Shape::Plane();
  }
}

}  // namespace limber::scenes
