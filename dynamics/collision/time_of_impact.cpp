// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/collision/collide.h"
#include "dynamics/collision/internal/convex_pair.h"
#include "dynamics/collision/internal/round_pair.h"
#include "dynamics/collision/internal/triangle_set.h"
#include "dynamics/collision/query.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

using internal::PairDistance;
using internal::Polytope;

// Shapes this near touch [m].
constexpr double kTouching = 1e-9;
// A grazing motion advances slowly; after so many steps it counts as a contact
// at the gap it has reached.
constexpr int kMaxAdvances = 20000;

// One convex part of a moving shape, given in the frame of the whole shape.
struct Part {
  Polytope core;
  bool plane = false;
  int sub = 0;
  bool one_sided = false;  // A triangle that stops from its face 0 only.
  double reach = 0.0;      // Furthest point from the frame's origin [m].
};

// The motion of a shape over the whole sweep.
struct Mover {
  const PoseSweep& sweep;
  Vector3 v;  // Translation [m].
  Vector3 w;  // Rotation vector [rad].
};

Mover MoverOf(const PoseSweep& sweep) {
  return {sweep, sweep.end.p - sweep.start.p,
          LogRotation(sweep.end.R * sweep.start.R.conjugate())};
}

void SetReach(Part& part) {
  for (const Vector3& v : part.core.vertices) {
    part.reach = std::max(part.reach, v.norm());
  }
  part.reach += part.core.radius;
}

Part PartOf(const Shape& shape, const Transform& X_SC, int sub) {
  Part part;
  internal::Place(*shape.core(), X_SC.R.toRotationMatrix(), X_SC.p, part.core);
  part.sub = sub;
  SetReach(part);
  return part;
}

// The convex parts of `shape`; of a surface, the triangles near `box_S`.
std::vector<Part> PartsOf(const Shape& shape, const BoundingBox& box_S) {
  std::vector<Part> parts;
  if (shape.kind() == ShapeKind::kPlane) {
    parts.emplace_back();
    parts.back().plane = true;
  } else if (const internal::TriangleSet* surface = shape.triangle_set()) {
    surface->ForEachIn(box_S, [&](int t) {
      Part part;
      const auto& [a, b, c] = surface->triangles[t];
      internal::SetTriangle(surface->vertices[a], surface->vertices[b],
                            surface->vertices[c], surface->normals[t],
                            part.core);
      part.sub = t;
      part.one_sided = !surface->two_sided;
      SetReach(part);
      parts.push_back(std::move(part));
    });
  } else if (shape.kind() == ShapeKind::kCompound) {
    for (std::size_t i = 0; i < shape.children().size(); ++i) {
      const CompoundChild& child = shape.children()[i];
      parts.push_back(PartOf(*child.shape, child.X_SC, static_cast<int>(i)));
    }
  } else {
    parts.push_back(PartOf(shape, Transform::Identity(), 0));
  }
  return parts;
}

// Nearest points in the world of two parts at their poses.
PairDistance NearestAt(const Part& a, const Transform& X_WA, const Part& b,
                       const Transform& X_WB, Polytope& scratch) {
  const Part& first = b.plane ? b : a;
  const Part& second = b.plane ? a : b;
  const Transform& X_WF = b.plane ? X_WB : X_WA;
  const Transform X_FS = X_WF.Inverse() * (b.plane ? X_WA : X_WB);
  internal::Place(second.core, X_FS.R.toRotationMatrix(), X_FS.p, scratch);
  PairDistance nearest =
      first.plane
          ? internal::DistancePlane(scratch)
          : internal::DistanceOf({first.core, scratch}, BoundingBox::kInfinity);
  nearest.a = X_WF * nearest.a;
  nearest.b = X_WF * nearest.b;
  nearest.normal = X_WF.R * nearest.normal;
  if (b.plane) {
    std::swap(nearest.a, nearest.b);
    nearest.normal = -nearest.normal;
  }
  return nearest;
}

// Conservative advancement [Mirtich 1996]. With the gap d along the unit n, no
// point of A gains on one of B along n faster than
//
//     mu = n . (v_A - v_B) + |w_A x n| r_A + |w_B x n| r_B
//
// so A and B stay apart until the fraction has grown by d / mu.
std::optional<ImpactHit> Advance(const Part& a, const Mover& mover_a,
                                 const Part& b, const Mover& mover_b,
                                 double stop_at, Polytope& scratch) {
  double fraction = 0.0;
  for (int i = 0; i < kMaxAdvances; ++i) {
    const Transform X_WA = mover_a.sweep.At(fraction);
    const Transform X_WB = mover_b.sweep.At(fraction);
    const PairDistance nearest = NearestAt(a, X_WA, b, X_WB, scratch);
    const Vector3& n = nearest.normal;
    if (nearest.distance <= kTouching || i + 1 == kMaxAdvances) {
      // A gain of the touching points themselves, not of any two.
      const Vector3 v_a = mover_a.v + mover_a.w.cross(nearest.a - X_WA.p);
      const Vector3 v_b = mover_b.v + mover_b.w.cross(nearest.b - X_WB.p);
      if (n.dot(v_a - v_b) <= 0.0) return std::nullopt;
      if (b.one_sided && n.dot(X_WB.R * b.core.faces[0].normal) > 0.0) {
        return std::nullopt;
      }
      return ImpactHit{fraction, 0.5 * (nearest.a + nearest.b), n, a.sub,
                       b.sub};
    }
    const double mu = n.dot(mover_a.v - mover_b.v) +
                      mover_a.w.cross(n).norm() * a.reach +
                      mover_b.w.cross(n).norm() * b.reach;
    if (mu <= 0.0) return std::nullopt;
    fraction += nearest.distance / mu;
    if (fraction > stop_at) return std::nullopt;
  }
  return std::nullopt;
}

BoundingBox SweptBox(const Shape& shape, const PoseSweep& sweep) {
  BoundingBox box = shape.BoxAt(sweep.start);
  box.Extend(shape.BoxAt(sweep.end));
  // Between the ends a corner may bulge out by its way on the arc.
  const double angle = AngleBetween(sweep.start.R, sweep.end.R);
  if (angle == 0.0) return box;
  double reach = 0.0;
  for (const Part& part : PartsOf(shape, {})) {
    reach = std::max(reach, part.reach);
  }
  return box.Grown(reach * angle);
}

}  // namespace

Transform PoseSweep::At(double fraction) const {
  const Vector3 w = LogRotation(end.R * start.R.conjugate());
  return {ExpRotation(fraction * w) * start.R,
          start.p + fraction * (end.p - start.p)};
}

std::optional<ImpactHit> TimeOfImpact(const Shape& a, const PoseSweep& sweep_a,
                                      const Shape& b,
                                      const PoseSweep& sweep_b) {
  if (a.is_static()) {
    if (b.is_static()) return std::nullopt;
    std::optional<ImpactHit> hit = TimeOfImpact(b, sweep_b, a, sweep_a);
    if (hit) {
      hit->normal_W = -hit->normal_W;
      std::swap(hit->sub_a, hit->sub_b);
    }
    return hit;
  }
  // The triangles of a surface that A may meet, in the surface's frame at the
  // start; seen from there A moves by both motions.
  BoundingBox near_B{Vector3::Constant(-BoundingBox::kInfinity),
                     Vector3::Constant(BoundingBox::kInfinity)};
  const bool b_rests = sweep_b.start.p == sweep_b.end.p &&
                       sweep_b.start.R.coeffs() == sweep_b.end.R.coeffs();
  if (b.triangle_set() != nullptr && b_rests) {
    const Transform X_BW = sweep_b.start.Inverse();
    near_B = SweptBox(a, {X_BW * sweep_a.start, X_BW * sweep_a.end});
  }
  const Mover mover_a = MoverOf(sweep_a);
  const Mover mover_b = MoverOf(sweep_b);
  std::optional<ImpactHit> first;
  Polytope scratch;
  const std::vector<Part> parts_b = PartsOf(b, near_B);
  for (const Part& part_a : PartsOf(a, {})) {
    for (const Part& part_b : parts_b) {
      const std::optional<ImpactHit> hit =
          Advance(part_a, mover_a, part_b, mover_b,
                  first ? first->fraction : 1.0, scratch);
      if (hit && (!first || hit->fraction < first->fraction)) first = hit;
    }
  }
  return first;
}

std::optional<ImpactHit> CastShape(const Shape& a, const Transform& X_WA,
                                   const Vector3& translation_W, const Shape& b,
                                   const Transform& X_WB) {
  internal::CheckFinite("translation_W", translation_W);
  const Transform end = {X_WA.R, X_WA.p + translation_W};
  return TimeOfImpact(a, {X_WA, end}, b, {X_WB, X_WB});
}

bool Overlaps(const Shape& a, const Transform& X_WA, const Shape& b,
              const Transform& X_WB, double gap) {
  ManifoldList list;
  Collide(a, X_WA, b, X_WB, gap, list);
  return !list.empty();
}

}  // namespace limber::dynamics
