// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/round_pair.h"

#include <algorithm>
#include <cmath>

#include "dynamics/collision/internal/separating_axis.h"

namespace limber::dynamics::internal {
namespace {

// Two capsules lie side by side and touch in two points while their axes are
// this far from parallel (sine, 3 degrees) and from lying over each other at
// both ends (part of the smaller radius; its square is the error of the gap).
constexpr double kParallelSine = 0.05;
constexpr double kOverEachOther = 0.05;
// Cores nearer than this part of their size cross: their difference no longer
// gives a direction.
constexpr double kCrossing = 1e-12;

// A direction in which cores that cross may part at no cost.
Vector3 NormalOfCrossing(const Vector3& da, const Vector3& db,
                         const Vector3& between) {
  const Vector3 cross = da.cross(db);
  const double length = cross.norm();
  if (length > 1e-9 * da.norm() * db.norm() && length > 0.0) {
    return (cross.dot(between) < 0.0 ? -cross : cross) / length;
  }
  const Vector3 line = da.squaredNorm() >= db.squaredNorm() ? da : db;
  const double along = line.norm();
  return along > 0.0 ? AnyPerpendicular(line / along) : Vector3::UnitY();
}

PairDistance Rounded(const Vector3& on_a, const Vector3& on_b,
                     const Vector3& normal, double gap, double radius_a,
                     double radius_b) {
  PairDistance result;
  result.normal = normal;
  result.distance = gap - radius_a - radius_b;
  result.a = on_a + radius_a * normal;
  result.b = on_b - radius_b * normal;
  return result;
}

}  // namespace

PairDistance DistanceOfRounds(const Polytope& a, const Polytope& b) {
  const Vector3& a0 = a.vertices.front();
  const Vector3& b0 = b.vertices.front();
  const Vector3 da = a.vertices.back() - a0;
  const Vector3 db = b.vertices.back() - b0;
  const EdgeParts at =
      NearestOnEdges(a0, a.vertices.back(), b0, b.vertices.back());
  const Vector3 on_a = a0 + at.a * da;
  const Vector3 on_b = b0 + at.b * db;
  const Vector3 ab = on_b - on_a;
  const double gap = ab.norm();
  const double size =
      da.cwiseAbs().maxCoeff() + db.cwiseAbs().maxCoeff() + a.radius + b.radius;
  if (gap <= kCrossing * size) {
    const Vector3 normal = NormalOfCrossing(da, db, b.centre - a.centre);
    return Rounded(on_a, on_b, normal, gap, a.radius, b.radius);
  }
  return Rounded(on_a, on_b, ab / gap, gap, a.radius, b.radius);
}

void CollideRounds(const Polytope& a, const Polytope& b, double margin,
                   Patch& out) {
  out.Clear();
  const PairDistance nearest = DistanceOfRounds(a, b);
  if (nearest.distance > margin) return;
  out.normal = nearest.normal;
  const auto add = [&](const Vector3& on_a, const Vector3& on_b) {
    const double gap = out.normal.dot(on_b - on_a);
    const double distance = gap - a.radius - b.radius;
    if (distance > margin) return true;
    const Vector3 aside = on_b - on_a - gap * out.normal;
    if (aside.norm() > kOverEachOther * std::min(a.radius, b.radius)) {
      return false;
    }
    const Vector3 middle =
        0.5 * (on_a + on_b + (a.radius - b.radius) * out.normal);
    out.points.push_back({middle, distance});
    return true;
  };
  if (a.vertices.size() == 2 && b.vertices.size() == 2) {
    const Vector3& a0 = a.vertices[0];
    const Vector3& b0 = b.vertices[0];
    const Vector3 da = a.vertices[1] - a0;
    const Vector3 db = b.vertices[1] - b0;
    const double turn = da.dot(db);
    if (da.cross(db).norm() <= kParallelSine * da.norm() * db.norm() &&
        std::abs(out.normal.dot(da)) <= kParallelSine * da.norm()) {
      // The stretch of b beside a, as parts of b at a's ends.
      const double at_start = (a0 - b0).dot(da) / turn;
      const double at_end = (a.vertices[1] - b0).dot(da) / turn;
      const double from = std::max(std::min(at_start, at_end), 0.0);
      const double to = std::min(std::max(at_start, at_end), 1.0);
      const auto add_part = [&](double part) {
        const Vector3 on_b = b0 + part * db;
        const double s = (on_b - a0).dot(da) / da.squaredNorm();
        return add(a0 + std::clamp(s, 0.0, 1.0) * da, on_b);
      };
      if (to > from && !(add_part(from) && add_part(to))) out.points.clear();
    }
  }
  const bool as_deep =
      std::ranges::any_of(out.points, [&](const PatchPoint& point) {
        return point.distance <= nearest.distance + 1e-12;
      });
  if (!as_deep) {
    out.points.clear();
    out.points.push_back({0.5 * (nearest.a + nearest.b), nearest.distance});
  }
  // The longer names them: a capsule where the other is a sphere.
  const bool by_a = b.vertices.size() == 1;
  NameByEnds(by_a ? a : b, by_a, out);
}

PairDistance DistanceBoxSphere(const Vector3& half_extents, const Vector3& p,
                               double radius) {
  const Vector3 on_box = p.cwiseMax(-half_extents).cwiseMin(half_extents);
  const Vector3 out = p - on_box;
  const double gap = out.norm();
  if (gap > kCrossing * half_extents.maxCoeff()) {
    return Rounded(on_box, p, out / gap, gap, 0.0, radius);
  }
  // Inside: through the nearest face.
  int axis = 0;
  const double depth = (half_extents - p.cwiseAbs()).minCoeff(&axis);
  const Vector3 normal = Vector3::Unit(axis) * (p[axis] < 0.0 ? -1.0 : 1.0);
  return Rounded(p + depth * normal, p, normal, -depth, 0.0, radius);
}

PairDistance DistancePlane(const Polytope& b) {
  const Vector3 normal = Vector3::UnitY();
  const Vector3& lowest = b.vertices[b.Support(-normal)];
  const Vector3 under(lowest.x(), 0.0, lowest.z());
  return Rounded(under, lowest, normal, lowest.y(), 0.0, b.radius);
}

void CollidePlane(const Polytope& b, double margin, Patch& out) {
  out.Clear();
  out.normal = Vector3::UnitY();
  for (int v = 0; v < static_cast<int>(b.vertices.size()); ++v) {
    const double distance = b.vertices[v].y() - b.radius;
    if (distance > margin) continue;
    Vector3 middle = b.vertices[v];
    middle.y() = 0.5 * distance;
    out.points.push_back({middle, distance, FaceName(0), VertexName(v)});
  }
  // A corner above another (the top of a box deep in the floor) holds nothing.
  if (out.points.size() > 4) {
    double least = out.points[0].distance;
    for (const PatchPoint& point : out.points) {
      least = std::min(least, point.distance);
    }
    const double band = std::max(margin, 0.0) + b.inner_radius;
    std::erase_if(out.points, [&](const PatchPoint& point) {
      return point.distance > least + band;
    });
  }
  ReduceToFour(1e-4 * b.inner_radius, kNearBand * b.inner_radius, out);
}

}  // namespace limber::dynamics::internal
