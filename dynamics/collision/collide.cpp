// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/collide.h"

#include <algorithm>
#include <utility>

#include "dynamics/collision/internal/convex_pair.h"
#include "dynamics/collision/internal/round_pair.h"
#include "dynamics/collision/internal/surface_pair.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics {

namespace internal {

struct CollideScratch {
  Polytope placed;
  ClipScratch clip;
  Patch patch;
  SurfaceScratch surface;
};

}  // namespace internal

ManifoldList::ManifoldList()
    : scratch_(std::make_unique<internal::CollideScratch>()) {}
ManifoldList::~ManifoldList() = default;
ManifoldList::ManifoldList(ManifoldList&&) noexcept = default;
ManifoldList& ManifoldList::operator=(ManifoldList&&) noexcept = default;

namespace {

using internal::CollideScratch;
using internal::ConvexPair;
using internal::PairDistance;
using internal::Patch;
using internal::PatchPoint;
using internal::Polytope;

// One pair of simple shapes: which of the caller's it is.
struct Sub {
  const Shape& shape;
  const Transform& X_W;
  int index = 0;
};

// The order in which a pair is computed: the kind first, then the relative
// pose, so that the order depends neither on the call nor on where the world's
// origin is. The direction is general, so that shapes that rest on each other
// do not sit at the turning point.
bool InOrder(const Sub& a, const Sub& b) {
  if (a.shape.kind() != b.shape.kind()) return a.shape.kind() > b.shape.kind();
  const Vector3 general(0.48, 0.71, 0.51);
  // Along `general` of A to B, and along that of B to A.
  const Vector3 p_AB_W = b.X_W.p - a.X_W.p;
  const double forward = (a.X_W.R * general).dot(p_AB_W);
  const double backward = -(b.X_W.R * general).dot(p_AB_W);
  return forward >= backward;
}

bool IsRound(const Shape& shape) {
  return shape.kind() == ShapeKind::kSphere ||
         shape.kind() == ShapeKind::kCapsule;
}

// Carries a patch in the frame of the first shape to the world. `swapped`
// tells that the first shape is the caller's B.
void Append(const Patch& patch, const Sub& first, const Sub& second,
            bool swapped, ManifoldList& out) {
  if (patch.points.empty()) return;
  Manifold manifold;
  const Matrix3 R_WF = first.X_W.R.toRotationMatrix();
  const Vector3 normal_W = R_WF * patch.normal;
  manifold.normal_W = swapped ? Vector3(-normal_W) : normal_W;
  for (const PatchPoint& from : patch.points) {
    ContactPoint& to = manifold.points[manifold.num_points++];
    to.p_W = R_WF * from.p + first.X_W.p;
    to.distance = from.distance;
    to.feature = swapped ? internal::JoinNames(from.name_b, from.name_a)
                         : internal::JoinNames(from.name_a, from.name_b);
  }
  manifold.sub_a = swapped ? second.index : first.index;
  manifold.sub_b = swapped ? first.index : second.index;
  out.push_back(manifold);
}

// Only the corners, and a centre, of a shape that needs nothing else.
void PlaceCorners(const Polytope& in, const Matrix3& R, const Vector3& p,
                  Polytope& out) {
  out.vertices.resize(in.vertices.size());
  for (std::size_t i = 0; i < in.vertices.size(); ++i) {
    out.vertices[i] = R * in.vertices[i] + p;
  }
  out.faces.clear();
  out.edges.clear();
  out.loop.clear();
  out.centre = R * in.centre + p;
  out.radius = in.radius;
  out.inner_radius = in.inner_radius;
}

void CollideOrdered(const Sub& first, const Sub& second, bool swapped,
                    double margin, ManifoldList& out) {
  if (!second.shape.is_convex()) return;  // Two surfaces.
  CollideScratch& scratch = out.scratch();
  const Transform X_FS = first.X_W.Inverse() * second.X_W;
  const Matrix3 R_FS = X_FS.R.toRotationMatrix();
  const Polytope& core = *second.shape.core();
  Polytope& placed = scratch.placed;
  Patch& patch = scratch.patch;
  patch.Clear();
  if (first.shape.triangle_set() != nullptr) {
    internal::Place(core, R_FS, X_FS.p, placed);
    CollideSurface(*first.shape.triangle_set(), placed,
                   second.shape.BoxAt(X_FS), margin, scratch.surface);
    const internal::SurfacePatches& patches = scratch.surface.patches;
    for (int g = 0; g < patches.num_groups; ++g) {
      const Sub triangle{first.shape, first.X_W, patches.groups[g].triangle};
      Append(patches.groups[g].patch, triangle, second, swapped, out);
    }
    return;
  }
  if (first.shape.kind() == ShapeKind::kPlane) {
    PlaceCorners(core, R_FS, X_FS.p, placed);
    internal::CollidePlane(placed, margin, patch);
  } else if (IsRound(first.shape)) {
    PlaceCorners(core, R_FS, X_FS.p, placed);
    internal::CollideRounds(*first.shape.core(), placed, margin, patch);
  } else if (first.shape.kind() == ShapeKind::kBox &&
             second.shape.kind() == ShapeKind::kSphere) {
    const PairDistance nearest = internal::DistanceBoxSphere(
        first.shape.half_extents(), X_FS.p, second.shape.radius());
    if (nearest.distance <= margin) {
      patch.normal = nearest.normal;
      patch.points.push_back({0.5 * (nearest.a + nearest.b), nearest.distance,
                              internal::FaceName(0), internal::FaceName(0)});
    }
  } else {
    internal::Place(core, R_FS, X_FS.p, placed);
    const bool boxes = first.shape.kind() == ShapeKind::kBox &&
                       second.shape.kind() == ShapeKind::kBox;
    internal::CollideConvex({*first.shape.core(), placed, boxes}, margin,
                            scratch.clip, patch);
  }
  Append(patch, first, second, swapped, out);
}

void CollideSimple(const Sub& a, const Sub& b, double margin,
                   ManifoldList& out) {
  if (InOrder(a, b)) {
    CollideOrdered(a, b, false, margin, out);
  } else {
    CollideOrdered(b, a, true, margin, out);
  }
}

// Makes the ids of the manifolds from `begin` on those of children i and k.
void NameByChildren(std::size_t begin, int i, int k, ManifoldList& out) {
  for (std::size_t m = begin; m < out.size(); ++m) {
    for (ContactPoint& point : out[m].points) {
      point.feature = internal::JoinNames(
          internal::JoinNames(internal::VertexName(i), internal::VertexName(k)),
          point.feature);
    }
  }
}

// A shape may meet a surface in several patches, or one merged from several
// triangles, by the same features: later ones are renamed by their triangle.
void MakeIdsUnique(std::size_t begin, ManifoldList& out) {
  const auto is_used = [&](std::size_t i, int k) {
    for (std::size_t j = begin; j <= i; ++j) {
      const int count = j < i ? out[j].num_points : k;
      for (int m = 0; m < count; ++m) {
        if (out[j].points[m].feature == out[i].points[k].feature) return true;
      }
    }
    return false;
  };
  for (std::size_t i = begin; i < out.size(); ++i) {
    for (int k = 0; k < out[i].num_points; ++k) {
      while (is_used(i, k)) {
        ContactPoint& point = out[i].points[k];
        point.feature = internal::JoinNames(
            point.feature, internal::EdgeName(out[i].sub_a, out[i].sub_b));
      }
    }
  }
}

}  // namespace

void Collide(const Shape& a, const Transform& X_WA, const Shape& b,
             const Transform& X_WB, double margin, ManifoldList& out) {
  const std::size_t begin = out.size();
  const bool many_a = a.kind() == ShapeKind::kCompound;
  const bool many_b = b.kind() == ShapeKind::kCompound;
  if (!many_a && !many_b) {
    CollideSimple({a, X_WA}, {b, X_WB}, margin, out);
    if (a.is_static() || b.is_static()) MakeIdsUnique(begin, out);
    return;
  }
  const int num_a = many_a ? static_cast<int>(a.children().size()) : 1;
  const int num_b = many_b ? static_cast<int>(b.children().size()) : 1;
  const BoundingBox box_b = b.BoxAt(X_WB).Grown(margin);
  for (int i = 0; i < num_a; ++i) {
    const Shape& part_a = many_a ? *a.children()[i].shape : a;
    const Transform X_Wi = many_a ? X_WA * a.children()[i].X_SC : X_WA;
    const BoundingBox box_i = part_a.BoxAt(X_Wi).Grown(margin);
    if (part_a.is_convex() && !b.is_static() && !box_i.Overlaps(box_b)) {
      continue;
    }
    for (int k = 0; k < num_b; ++k) {
      const Shape& part_b = many_b ? *b.children()[k].shape : b;
      const Transform X_Wk = many_b ? X_WB * b.children()[k].X_SC : X_WB;
      if (many_b && part_a.is_convex() && !box_i.Overlaps(part_b.BoxAt(X_Wk))) {
        continue;
      }
      const std::size_t before = out.size();
      CollideSimple({part_a, X_Wi, i}, {part_b, X_Wk, k}, margin, out);
      NameByChildren(before, i, k, out);
    }
  }
  MakeIdsUnique(begin, out);
}

SignedDistance Distance(const Shape& a, const Transform& X_WA, const Shape& b,
                        const Transform& X_WB) {
  const Sub sub_a{a, X_WA};
  const Sub sub_b{b, X_WB};
  const bool swapped = !InOrder(sub_a, sub_b);
  const Sub& first = swapped ? sub_b : sub_a;
  const Sub& second = swapped ? sub_a : sub_b;
  const bool plane = first.shape.kind() == ShapeKind::kPlane;
  if (!second.shape.is_convex() || !(first.shape.is_convex() || plane)) {
    internal::ThrowBadValue("shapes", "convex, or one convex and one plane",
                            "a surface or a compound");
  }
  const Transform X_FS = first.X_W.Inverse() * second.X_W;
  Polytope placed;
  internal::Place(*second.shape.core(), X_FS.R.toRotationMatrix(), X_FS.p,
                  placed);
  PairDistance nearest;
  if (plane) {
    nearest = internal::DistancePlane(placed);
  } else if (IsRound(first.shape)) {
    nearest = internal::DistanceOfRounds(*first.shape.core(), placed);
  } else if (first.shape.kind() == ShapeKind::kBox &&
             second.shape.kind() == ShapeKind::kSphere) {
    nearest = internal::DistanceBoxSphere(first.shape.half_extents(), X_FS.p,
                                          second.shape.radius());
  } else {
    const bool boxes = first.shape.kind() == ShapeKind::kBox &&
                       second.shape.kind() == ShapeKind::kBox;
    nearest = internal::DistanceOf({*first.shape.core(), placed, boxes},
                                   BoundingBox::kInfinity);
  }
  SignedDistance result;
  result.distance = nearest.distance;
  result.normal_W = first.X_W.R * nearest.normal;
  result.p_WA = first.X_W * nearest.a;
  result.p_WB = first.X_W * nearest.b;
  if (swapped) {
    result.normal_W = -result.normal_W;
    std::swap(result.p_WA, result.p_WB);
  }
  return result;
}

}  // namespace limber::dynamics
