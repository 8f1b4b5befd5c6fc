// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/collision/internal/polytope.h"
#include "dynamics/collision/internal/triangle_set.h"
#include "dynamics/collision/query.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

constexpr double kInfinity = BoundingBox::kInfinity;

// A line o + t d in the frame of a shape, and where it is inside a solid.
struct Line {
  Vector3 o;
  Vector3 d;
};
struct Inside {
  double enter = -kInfinity;
  double leave = kInfinity;
  Vector3 enter_normal = Vector3::UnitY();
  Vector3 leave_normal = Vector3::UnitY();
};

// Each function returns whether the line meets the solid at all.

bool MeetSphere(const Line& line, const Vector3& centre, double radius,
                Inside& inside) {
  // |m + t d|^2 = r^2 with m = o - c; taken at the nearest point of the line,
  // so that a far origin costs no digits.
  const Vector3 m = line.o - centre;
  const double nearest = -m.dot(line.d);
  const Vector3 across = m + nearest * line.d;
  const double square = radius * radius - across.squaredNorm();
  if (square < 0.0) return false;
  const double half = std::sqrt(square);
  inside.enter = nearest - half;
  inside.leave = nearest + half;
  const auto normal_at = [&](double side) -> Vector3 {
    const Vector3 out = across + side * half * line.d;
    const double length = out.norm();
    return length > 0.0 ? Vector3(out / length) : Vector3(side * line.d);
  };
  inside.enter_normal = normal_at(-1.0);
  inside.leave_normal = normal_at(1.0);
  return true;
}

bool MeetCapsule(const Line& line, double radius, double half_length,
                 Inside& inside) {
  bool met = false;
  inside.enter = kInfinity;
  inside.leave = -kInfinity;
  const auto take = [&](double t, const Vector3& normal) {
    met = true;
    if (t < inside.enter) {
      inside.enter = t;
      inside.enter_normal = normal;
    }
    if (t > inside.leave) {
      inside.leave = t;
      inside.leave_normal = normal;
    }
  };
  for (const double y : {-half_length, half_length}) {
    Inside cap;
    if (!MeetSphere(line, Vector3(0.0, y, 0.0), radius, cap)) continue;
    take(cap.enter, cap.enter_normal);
    take(cap.leave, cap.leave_normal);
  }
  // The side: the same in the plane across Y, kept between the caps.
  const Vector3 across_d(line.d.x(), 0.0, line.d.z());
  const double speed = across_d.norm();
  if (speed > 0.0) {
    const Vector3 across_o(line.o.x(), 0.0, line.o.z());
    Inside side;
    if (MeetSphere({across_o, across_d / speed}, Vector3::Zero(), radius,
                   side)) {
      for (const auto& [t, normal] :
           {std::pair(side.enter / speed, side.enter_normal),
            std::pair(side.leave / speed, side.leave_normal)}) {
        if (std::abs(line.o.y() + t * line.d.y()) <= half_length) {
          take(t, normal);
        }
      }
    }
  }
  return met;
}

bool MeetFaces(const Line& line, const internal::Polytope& solid,
               Inside& inside) {
  for (const internal::Polytope::Face& face : solid.faces) {
    const double speed = face.normal.dot(line.d);
    const double height = face.normal.dot(line.o) - face.offset;
    if (speed == 0.0) {
      if (height > 0.0) return false;
      continue;
    }
    const double t = -height / speed;
    if (speed < 0.0 && t > inside.enter) {
      inside.enter = t;
      inside.enter_normal = face.normal;
    }
    if (speed > 0.0 && t < inside.leave) {
      inside.leave = t;
      inside.leave_normal = face.normal;
    }
  }
  return inside.enter <= inside.leave;
}

bool MeetSolid(const Shape& shape, const Line& line, Inside& inside) {
  switch (shape.kind()) {
    case ShapeKind::kSphere:
      return MeetSphere(line, Vector3::Zero(), shape.radius(), inside);
    case ShapeKind::kCapsule:
      return MeetCapsule(line, shape.radius(), shape.half_length(), inside);
    case ShapeKind::kPlane: {
      // One face without borders.
      if (line.d.y() == 0.0) return line.o.y() <= 0.0;
      const double t = -line.o.y() / line.d.y();
      (line.d.y() < 0.0 ? inside.enter : inside.leave) = t;
      return true;
    }
    default:
      return MeetFaces(line, *shape.core(), inside);
  }
}

// Whether the line passes the box between t = 0 and `length`.
bool PassesBox(const BoundingBox& box, const Line& line, double length) {
  double enter = 0.0;
  double leave = length;
  for (int i = 0; i < 3; ++i) {
    if (line.d[i] == 0.0) {
      if (line.o[i] < box.min[i] || line.o[i] > box.max[i]) return false;
      continue;
    }
    const double t0 = (box.min[i] - line.o[i]) / line.d[i];
    const double t1 = (box.max[i] - line.o[i]) / line.d[i];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  // A flat box must not lose its triangles to rounding.
  return enter <= leave + 1e-9 * (1.0 + std::abs(leave));
}

// Calls visit(t, triangle) for the triangles that the ray crosses. `length` may
// be shortened meanwhile.
template <typename Visit>
void ForEachCrossed(const internal::TriangleSet& surface, const Line& line,
                    const double& length, Visit&& visit) {
  std::array<int, 64> stack;
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const internal::TriangleSet::Node& node = surface.nodes[stack[--depth]];
    if (!PassesBox(node.box, line, length)) continue;
    if (node.left >= 0) {
      stack[depth++] = node.left + 1;
      stack[depth++] = node.left;
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      const int triangle = surface.order[i];
      const auto& [a, b, c] = surface.triangles[triangle];
      // Corners seen from the origin; the signs of the three volumes tell on
      // which side of each edge the line passes. Neighbours compute the same
      // number for a shared edge, so no ray slips between them.
      const Vector3 pa = surface.vertices[a] - line.o;
      const Vector3 pb = surface.vertices[b] - line.o;
      const Vector3 pc = surface.vertices[c] - line.o;
      const auto side = [&line](const Vector3& p, const Vector3& q, int ip,
                                int iq) {
        return ip < iq ? line.d.dot(p.cross(q)) : -line.d.dot(q.cross(p));
      };
      const double u = side(pb, pc, b, c);
      const double v = side(pc, pa, c, a);
      const double w = side(pa, pb, a, b);
      const bool from_front = u <= 0.0 && v <= 0.0 && w <= 0.0;
      const bool from_behind = u >= 0.0 && v >= 0.0 && w >= 0.0;
      if (!from_front && !from_behind) continue;
      const Vector3& normal = surface.normals[triangle];
      const double speed = normal.dot(line.d);
      if (speed == 0.0) continue;
      const double t = normal.dot(pa) / speed;
      if (t >= 0.0 && t <= length) visit(t, triangle);
    }
  }
}

void CheckRay(const Ray& ray) {
  internal::CheckFinite("ray.origin_W", ray.origin_W);
  if (!(std::abs(ray.direction_W.norm() - 1.0) < 1e-9)) {
    internal::ThrowBadValue("ray.direction_W", "a unit vector",
                            internal::ToText(ray.direction_W));
  }
  if (!(ray.length >= 0.0)) {
    internal::ThrowBadValue("ray.length", "zero or positive", ray.length);
  }
}

Line InFrame(const Transform& X_WS, const Ray& ray) {
  const Transform X_SW = X_WS.Inverse();
  return {X_SW * ray.origin_W, X_SW.R * ray.direction_W};
}

RayHit HitAt(const Transform& X_WS, const Ray& ray, double t,
             const Vector3& normal_S, int sub) {
  return {t, ray.origin_W + t * ray.direction_W, X_WS.R * normal_S, sub};
}

std::optional<RayHit> CastOnSimple(const Shape& shape, const Transform& X_WS,
                                   const Ray& ray, int sub) {
  const Line line = InFrame(X_WS, ray);
  if (const internal::TriangleSet* surface = shape.triangle_set()) {
    std::optional<RayHit> best;
    double length = ray.length;
    ForEachCrossed(*surface, line, length, [&](double t, int triangle) {
      Vector3 normal = surface->normals[triangle];
      const bool behind = normal.dot(line.d) > 0.0;
      if (behind && !surface->two_sided) return;
      if (behind) normal = -normal;
      // Of triangles that share the point, the first.
      if (best && (t > best->distance ||
                   (t == best->distance && triangle > best->sub))) {
        return;
      }
      best = HitAt(X_WS, ray, t, normal, triangle);
      length = t;
    });
    return best;
  }
  Inside inside;
  if (!MeetSolid(shape, line, inside)) return std::nullopt;
  if (inside.leave < 0.0 || inside.enter > ray.length) return std::nullopt;
  if (inside.enter < 0.0) return HitAt(X_WS, ray, 0.0, -line.d, sub);
  return HitAt(X_WS, ray, inside.enter, inside.enter_normal, sub);
}

void CastAllOnSimple(const Shape& shape, const Transform& X_WS, const Ray& ray,
                     int sub, std::vector<RayHit>& hits) {
  const Line line = InFrame(X_WS, ray);
  if (const internal::TriangleSet* surface = shape.triangle_set()) {
    ForEachCrossed(*surface, line, ray.length, [&](double t, int triangle) {
      hits.push_back(HitAt(X_WS, ray, t, surface->normals[triangle], triangle));
    });
    return;
  }
  Inside inside;
  if (!MeetSolid(shape, line, inside)) return;
  if (inside.enter >= 0.0 && inside.enter <= ray.length) {
    hits.push_back(HitAt(X_WS, ray, inside.enter, inside.enter_normal, sub));
  }
  if (inside.leave >= 0.0 && inside.leave <= ray.length &&
      inside.leave < kInfinity) {
    hits.push_back(HitAt(X_WS, ray, inside.leave, inside.leave_normal, sub));
  }
}

}  // namespace

std::optional<RayHit> CastRay(const Shape& shape, const Transform& X_WS,
                              const Ray& ray) {
  CheckRay(ray);
  if (shape.kind() != ShapeKind::kCompound) {
    return CastOnSimple(shape, X_WS, ray, 0);
  }
  std::optional<RayHit> best;
  for (std::size_t i = 0; i < shape.children().size(); ++i) {
    const CompoundChild& child = shape.children()[i];
    const std::optional<RayHit> hit =
        CastOnSimple(*child.shape, X_WS * child.X_SC, ray, static_cast<int>(i));
    if (hit && (!best || hit->distance < best->distance)) best = hit;
  }
  return best;
}

void CastRayAll(const Shape& shape, const Transform& X_WS, const Ray& ray,
                std::vector<RayHit>& hits) {
  CheckRay(ray);
  hits.clear();
  if (shape.kind() != ShapeKind::kCompound) {
    CastAllOnSimple(shape, X_WS, ray, 0, hits);
  }
  for (std::size_t i = 0; i < shape.children().size(); ++i) {
    const CompoundChild& child = shape.children()[i];
    CastAllOnSimple(*child.shape, X_WS * child.X_SC, ray, static_cast<int>(i),
                    hits);
  }
  std::ranges::sort(hits, [](const RayHit& a, const RayHit& b) {
    return a.distance < b.distance ||
           (a.distance == b.distance && a.sub < b.sub);
  });
}

}  // namespace limber::dynamics
