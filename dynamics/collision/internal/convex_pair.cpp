// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/convex_pair.h"

#include <algorithm>
#include <cmath>

#include "dynamics/collision/bounding_box.h"
#include "dynamics/collision/internal/gjk.h"
#include "dynamics/collision/internal/separating_axis.h"

namespace limber::dynamics::internal {
namespace {

// What a face may cost against the best axis, as a part of the smaller inner
// radius (collide.h).
constexpr double kFacePreference = 0.01;
// Depth below which points tie in the choice of four, as the same part.
constexpr double kDepthTie = 1e-4;
// A rounded segment lies on a face or along an edge, with two points, while the
// angle between them is below this (3 degrees, sine and cosine).
constexpr double kAlongSine = 0.05;
// and, along an edge, while it lies over the edge to this part of its radius.
constexpr double kOverEdge = 0.02;
constexpr double kOnFaceCosine = 0.99875;
// Two points of a capsule nearer to each other than this part of its size are
// one.
constexpr double kTwins = 1e-4;
// Cores nearer than this part of their size: the normal of the nearest points
// is lost in rounding, separating axes decide.
constexpr double kTouching = 1e-10;

// Above so many pairs of edges it pays to find out first whether the solids
// overlap at all.
constexpr std::size_t kManyEdgePairs = 400;

enum class AxisKind { kNone, kFaceA, kFaceB, kEdges };

struct ChosenAxis {
  AxisKind kind = AxisKind::kNone;
  double separation = kNoAxis;
  Vector3 normal = Vector3::UnitY();
  FaceAxis face;
  EdgeAxis edges;
};

// The axis of the greatest gap; faces are preferred by up to `preference`.
// `overlapped` says that the cores are known to overlap (BestEdges).
ChosenAxis BestAxis(const ConvexPair& pair, double preference,
                    double stop_beyond, bool overlapped) {
  const Polytope& a = pair.a;
  const Polytope& b = pair.b;
  ChosenAxis axis;
  Axes axes;
  if (pair.boxes) {
    axes = BestOfBoxes(a, b);
  } else {
    axes.face_a = BestFace(a, b);
  }
  const FaceAxis& face_a = axes.face_a;
  if (face_a.face >= 0) {
    axis = {AxisKind::kFaceA,
            face_a.separation,
            a.faces[face_a.face].normal,
            face_a,
            {}};
    if (axis.separation > stop_beyond) return axis;
  }
  if (!pair.boxes) axes.face_b = BestFace(b, a);
  const FaceAxis& face_b = axes.face_b;
  if (face_b.separation >
      axis.separation +
          (axis.kind == AxisKind::kFaceA ? 0.1 * preference : 0.0)) {
    axis = {AxisKind::kFaceB,
            face_b.separation,
            -b.faces[face_b.face].normal,
            face_b,
            {}};
    if (axis.separation > stop_beyond) return axis;
  }
  if (!pair.boxes) {
    const double depth = overlapped && axis.separation > kNoAxis
                             ? std::max(-axis.separation, 0.0)
                             : BoundingBox::kInfinity;
    axes.edges = BestEdges(a, b, depth);
  }
  const EdgeAxis& edges = axes.edges;
  if (edges.separation > axis.separation + preference) {
    axis.kind = AxisKind::kEdges;
    axis.separation = edges.separation;
    axis.normal = edges.normal;
    axis.edges = edges;
  }
  return axis;
}

double Size(const Polytope& p) {
  return (p.vertices.front() - p.centre).cwiseAbs().maxCoeff() + p.radius;
}

// The deepest points along an axis: the corner nearest to a face, or the
// nearest points of two edges.
PairDistance WitnessOf(const ConvexPair& pair, const ChosenAxis& axis) {
  PairDistance result;
  result.normal = axis.normal;
  Vector3 on_a = Vector3::Zero();
  Vector3 on_b = Vector3::Zero();
  switch (axis.kind) {
    case AxisKind::kFaceA:
      on_b = pair.b.vertices[axis.face.vertex];
      on_a = on_b - axis.separation * axis.normal;
      break;
    case AxisKind::kFaceB:
      on_a = pair.a.vertices[axis.face.vertex];
      on_b = on_a + axis.separation * axis.normal;
      break;
    case AxisKind::kEdges: {
      const Polytope::Edge& ea = pair.a.edges[axis.edges.a];
      const Polytope::Edge& eb = pair.b.edges[axis.edges.b];
      const Vector3& a0 = pair.a.vertices[ea.v0];
      const Vector3& b0 = pair.b.vertices[eb.v0];
      const Vector3& a1 = pair.a.vertices[ea.v1];
      const Vector3& b1 = pair.b.vertices[eb.v1];
      const EdgeParts at = NearestOnEdges(a0, a1, b0, b1);
      const Vector3 middle =
          0.5 * (a0 + at.a * (a1 - a0) + b0 + at.b * (b1 - b0));
      on_a = middle - 0.5 * axis.separation * axis.normal;
      on_b = middle + 0.5 * axis.separation * axis.normal;
      break;
    }
    case AxisKind::kNone: {
      // Two points, or two segments through each other: their edges meet.
      const Vector3& a0 = pair.a.vertices.front();
      const Vector3& a1 = pair.a.vertices.back();
      const Vector3& b0 = pair.b.vertices.front();
      const Vector3& b1 = pair.b.vertices.back();
      const EdgeParts at = NearestOnEdges(a0, a1, b0, b1);
      on_a = a0 + at.a * (a1 - a0);
      on_b = on_a;
      const Vector3 along = a1 - a0;
      const Vector3 other = b1 - b0;
      const Vector3 line =
          along.squaredNorm() >= other.squaredNorm() ? along : other;
      const double length = line.norm();
      result.normal =
          length > 0.0 ? AnyPerpendicular(line / length) : Vector3::UnitY();
      break;
    }
  }
  const double separation =
      axis.kind == AxisKind::kNone ? 0.0 : axis.separation;
  result.distance = separation - pair.a.radius - pair.b.radius;
  result.a = on_a + pair.a.radius * result.normal;
  result.b = on_b - pair.b.radius * result.normal;
  return result;
}

PairDistance FromCores(const ConvexPair& pair, const CoreDistance& core) {
  PairDistance result;
  result.normal = core.normal;
  result.distance = core.distance - pair.a.radius - pair.b.radius;
  result.a = core.a + pair.a.radius * core.normal;
  result.b = core.b - pair.b.radius * core.normal;
  return result;
}

void AddPoint(const PairDistance& at, std::uint64_t name_a,
              std::uint64_t name_b, Patch& out) {
  out.points.push_back({0.5 * (at.a + at.b), at.distance, name_a, name_b});
}

// The face of `solid` that looks along `normal` to within kOnFaceCosine, or -1.
int FaceAlong(const Polytope& solid, const Vector3& normal) {
  int best = -1;
  double most = kOnFaceCosine;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const double along = solid.faces[f].normal.dot(normal);
    if (along > most) {
      most = along;
      best = f;
    }
  }
  return best;
}

// A segment along an edge of `solid` that is extreme along `normal`: the two
// ends of their common stretch.
void AddAlongEdge(const Polytope& solid, const Polytope& segment,
                  const Vector3& normal, double margin, Patch& out) {
  const Vector3& s0 = segment.vertices[0];
  const Vector3 ds = segment.vertices[1] - s0;
  const double length = ds.norm();
  const double top = normal.dot(solid.vertices[solid.Support(normal)]);
  const double tolerance = 1e-9 * Size(solid);
  const double radii = solid.radius + segment.radius;
  for (const Polytope::Edge& edge : solid.edges) {
    const Vector3& e0 = solid.vertices[edge.v0];
    const Vector3& e1 = solid.vertices[edge.v1];
    if (normal.dot(e0) < top - tolerance || normal.dot(e1) < top - tolerance) {
      continue;
    }
    const Vector3 de = e1 - e0;
    if (ds.cross(de).norm() > kAlongSine * length * de.norm()) continue;
    // Part of the segment beside the edge, from the edge's parts 0 and 1.
    const double turn = ds.dot(de);
    const double at_start = (e0 - s0).dot(de) / turn;
    const double at_end = (e1 - s0).dot(de) / turn;
    const double from = std::max(std::min(at_start, at_end), 0.0);
    const double to = std::min(std::max(at_start, at_end), 1.0);
    if (to <= from) continue;
    const auto add = [&](double part) {
      const Vector3 p = s0 + part * ds;
      const double distance = normal.dot(p) - top - radii;
      if (distance > margin) return true;
      const Vector3 from_edge =
          p - e0 - (p - e0).dot(de) / de.squaredNorm() * de;
      if ((from_edge - normal.dot(from_edge) * normal).norm() >
          kOverEdge * segment.radius) {
        return false;
      }
      const Vector3 middle = p - (segment.radius + 0.5 * distance) * normal;
      out.points.push_back({middle, distance});
      return true;
    };
    if (!(add(from) && add(to))) out.points.clear();
    return;
  }
}

// A rounded point or segment with any solid. `round` is A if `swap` is false.
void CollideRound(const ConvexPair& pair, double margin, ClipScratch& scratch,
                  Patch& out) {
  const PairDistance nearest = DistanceOf(pair, margin);
  if (nearest.distance > margin) return;
  out.normal = nearest.normal;
  const bool solid_is_b = pair.a.faces.empty();
  const Polytope& solid = solid_is_b ? pair.b : pair.a;
  const Polytope& round = solid_is_b ? pair.a : pair.b;
  if (round.vertices.size() == 2) {
    const Vector3 outward = solid_is_b ? Vector3(-out.normal) : out.normal;
    const int face = FaceAlong(solid, outward);
    if (face >= 0) {
      ClipToFace(solid, face, round, outward, margin, solid_is_b, scratch, out);
    } else {
      AddAlongEdge(solid, round, outward, margin, out);
    }
  }
  // Two ends at one place, over a corner, are one point.
  if (out.points.size() == 2 &&
      (out.points[0].p - out.points[1].p).norm() < kTwins * Size(round)) {
    out.points.clear();
  }
  // The exact point unless a point as deep stands for it.
  if (!ReachesDepth(out, nearest.distance + 1e-7 * Size(solid))) {
    out.points.clear();
    AddPoint(nearest, FaceName(0), FaceName(0), out);
  }
  NameByEnds(round, solid_is_b, out);
}

// The points over the face of the axis, if it is one.
void ClipToAxis(const ConvexPair& pair, const ChosenAxis& axis, double margin,
                ClipScratch& scratch, Patch& out) {
  out.normal = axis.normal;
  if (axis.kind == AxisKind::kFaceA) {
    ClipToFace(pair.a, axis.face.face, pair.b, axis.normal, margin, false,
               scratch, out);
  } else if (axis.kind == AxisKind::kFaceB) {
    ClipToFace(pair.b, axis.face.face, pair.a, -axis.normal, margin, true,
               scratch, out);
  }
}

void CollideSolids(const ConvexPair& pair, double margin, ClipScratch& scratch,
                   Patch& out) {
  double inner = std::min(pair.a.inner_radius, pair.b.inner_radius);
  if (inner == 0.0) inner = std::max(pair.a.inner_radius, pair.b.inner_radius);
  const double preference = kFacePreference * inner;
  // Many edges: first the nearest points, which cost little, tell how many of
  // them count.
  bool overlapped = false;
  if (!pair.boxes &&
      pair.a.edges.size() * pair.b.edges.size() > kManyEdgePairs) {
    const CoreDistance core = Gjk(pair.a, pair.b, margin);
    if (core.distance > margin) return;
    overlapped = core.overlapped;
  }
  ChosenAxis axis = BestAxis(pair, preference, margin, overlapped);
  if (axis.separation > margin) return;
  ClipToAxis(pair, axis, margin, scratch, out);
  if (axis.separation > 0.0) {
    if (!ReachesDepth(out, axis.separation + preference)) {
      // Apart, and perhaps nearest by corners or edges beside the face.
      const PairDistance nearest = DistanceOf(pair, margin);
      if (!ReachesDepth(out, nearest.distance + preference)) {
        out.Clear();
        if (nearest.distance > margin) return;
        out.normal = nearest.normal;
        AddPoint(nearest, FaceName(0), FaceName(0), out);
        return;
      }
    }
  } else if (!ReachesDepth(out, axis.separation + preference)) {
    // The preferred face does not lie over the other: take the exact axis.
    axis = BestAxis(pair, 0.0, margin, overlapped);
    out.Clear();
    ClipToAxis(pair, axis, margin, scratch, out);
    if (!ReachesDepth(out, axis.separation + preference)) {
      out.Clear();
      const bool edges = axis.kind == AxisKind::kEdges;
      const Polytope::Edge* ea = edges ? &pair.a.edges[axis.edges.a] : nullptr;
      const Polytope::Edge* eb = edges ? &pair.b.edges[axis.edges.b] : nullptr;
      AddPoint(WitnessOf(pair, axis),
               edges ? EdgeName(ea->v0, ea->v1) : FaceName(axis.face.face),
               edges ? EdgeName(eb->v0, eb->v1) : VertexName(axis.face.vertex),
               out);
      return;
    }
  }
  ReduceToFour(kDepthTie * inner, kNearBand * inner, out);
}

// A rounded point or segment beside a solid of few faces whose nearest point
// lies over a face, or that is beyond one by more than `stop_beyond`: nothing
// is nearer than the plane of the face. False if neither is so. A triangle has
// no faces at its sides.
bool NearestOverFace(const ConvexPair& pair, double stop_beyond,
                     PairDistance& nearest) {
  constexpr std::size_t kClosed = 4;
  constexpr std::size_t kFewFaces = 8;
  const bool solid_is_b = pair.a.faces.empty();
  const Polytope& solid = solid_is_b ? pair.b : pair.a;
  const Polytope& round = solid_is_b ? pair.a : pair.b;
  if (solid.faces.size() < kClosed || solid.faces.size() > kFewFaces ||
      !round.faces.empty()) {
    return false;
  }
  const Vector3& first = round.vertices.front();
  const Vector3& last = round.vertices.back();
  const Polytope::Face* over = nullptr;
  double gap = 0.0;
  Vector3 on_round = first;
  for (const Polytope::Face& face : solid.faces) {
    const double at_first = face.normal.dot(first) - face.offset;
    const double at_last = face.normal.dot(last) - face.offset;
    const double least = std::min(at_first, at_last);
    if (least <= gap) continue;
    over = &face;
    gap = least;
    on_round = at_first <= at_last ? first : last;
  }
  if (over == nullptr) return false;
  const Vector3 on_solid = on_round - gap * over->normal;
  const double tolerance = kTouching * Size(solid);
  const double distance = gap - solid.radius - round.radius;
  const bool far = distance > stop_beyond;
  for (const Polytope::Face& face : solid.faces) {
    if (!far && &face != over &&
        face.normal.dot(on_solid) > face.offset + tolerance) {
      return false;
    }
  }
  if (!far && gap <= kTouching * (Size(pair.a) + Size(pair.b))) return false;
  nearest.distance = distance;
  nearest.normal = solid_is_b ? Vector3(-over->normal) : over->normal;
  const Vector3 surface = on_solid + solid.radius * over->normal;
  const Vector3 rounded = on_round - round.radius * over->normal;
  nearest.a = solid_is_b ? rounded : surface;
  nearest.b = solid_is_b ? surface : rounded;
  return true;
}

}  // namespace

PairDistance DistanceOf(const ConvexPair& pair, double stop_beyond) {
  PairDistance nearest;
  if (NearestOverFace(pair, stop_beyond, nearest)) return nearest;
  const double radii = pair.a.radius + pair.b.radius;
  const CoreDistance core = Gjk(pair.a, pair.b, stop_beyond + radii);
  if (core.distance > stop_beyond + radii) return FromCores(pair, core);
  const bool near = core.distance <= kTouching * (Size(pair.a) + Size(pair.b));
  if (!near && core.certain) return FromCores(pair, core);
  const ChosenAxis axis =
      BestAxis(pair, 0.0, BoundingBox::kInfinity, core.overlapped);
  if (!near && axis.separation > 0.0) {
    return FromCores(pair, NearestFeatures(pair.a, pair.b));
  }
  return WitnessOf(pair, axis);
}

void CollideConvex(const ConvexPair& pair, double margin, ClipScratch& scratch,
                   Patch& out) {
  out.Clear();
  if (pair.a.faces.empty() || pair.b.faces.empty()) {
    CollideRound(pair, margin, scratch, out);
  } else {
    CollideSolids(pair, margin, scratch, out);
  }
}

}  // namespace limber::dynamics::internal
