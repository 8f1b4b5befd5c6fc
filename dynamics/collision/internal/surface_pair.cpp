// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/surface_pair.h"

#include <algorithm>
#include <cmath>

#include "dynamics/collision/internal/separating_axis.h"

namespace limber::dynamics::internal {
namespace {

// What the triangle's own face may cost against the best axis, as a part of the
// other shape's inner radius.
constexpr double kFacePreference = 0.01;
constexpr double kDepthTie = 1e-4;
// Patches whose normals agree to this cosine (0.8 degrees) are one.
constexpr double kOnePatch = 0.9999;
// A direction nearer than this to the triangle's normal is the face's.
constexpr double kFaceCosine = 1.0 - 1e-9;

// One triangle, turned so that its face 0 looks at the other shape.
struct TriangleSide {
  const Polytope& shape;
  std::array<int, 3> vertex;  // Ids in the surface, in the order of `shape`.
  std::array<bool, 3> edge_active;
  std::array<bool, 3> vertex_active;
  bool two_sided;
  bool behind_is_solid;  // And the middle of the other shape is there.
};

// Whether the part of the triangle furthest along `direction` may be touched
// on its own.
bool MayTouch(const TriangleSide& side, const Vector3& direction) {
  const Vector3& normal = side.shape.faces[0].normal;
  const double along = normal.dot(direction);
  if (along >= kFaceCosine) return true;
  if (along < 0.0 && !side.two_sided) return false;
  std::array<double, 3> reach;
  for (int i = 0; i < 3; ++i) {
    reach[i] = direction.dot(side.shape.vertices[i] - side.shape.centre);
  }
  const auto [low, high] = std::ranges::minmax(reach);
  const double tie = high - 1e-6 * (high - low);
  int count = 0;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (reach[i] >= tie) {
      ++count;
      sum += i;
    }
  }
  if (count == 1) return side.vertex_active[sum];
  // Corners 0-1, 1-2, 2-0 have sums 1, 3, 2 and edges 0, 1, 2.
  if (count == 2) return side.edge_active[sum == 1 ? 0 : sum == 3 ? 1 : 2];
  return true;
}

// Gives local corner numbers of A their ids in the surface.
void NameByVertex(const TriangleSide& side, Patch& patch) {
  // What lies on the face is named by the main direction of the face, so that
  // a corner keeps its id when it slides to the next triangle.
  int axis = 0;
  patch.normal.cwiseAbs().maxCoeff(&axis);
  const int direction = 2 * axis + (patch.normal[axis] > 0.0 ? 1 : 0);
  for (PatchPoint& point : patch.points) {
    std::uint64_t name = FaceName(direction);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      if (point.name_a == VertexName(i)) name = VertexName(side.vertex[i]);
      if (point.name_a == EdgeName(i, j)) {
        name = EdgeName(side.vertex[i], side.vertex[j]);
      }
    }
    point.name_a = name;
  }
}

void AddNearest(const PairDistance& nearest, Patch& out) {
  out.normal = nearest.normal;
  out.points.push_back({0.5 * (nearest.a + nearest.b), nearest.distance,
                        FaceName(0), FaceName(0)});
}

void CollideOnFace(const TriangleSide& side, const Polytope& b, double margin,
                   ClipScratch& clip, Patch& out) {
  out.normal = side.shape.faces[0].normal;
  ClipToFace(side.shape, 0, b, out.normal, margin, false, clip, out);
}

void CollideRoundTriangle(const TriangleSide& side, const Polytope& b,
                          double margin, ClipScratch& clip, Patch& out) {
  const ConvexPair pair{side.shape, b};
  const PairDistance nearest = DistanceOf(pair, margin);
  if (nearest.distance > margin) return;
  if (!MayTouch(side, nearest.normal)) {
    CollideOnFace(side, b, margin, clip, out);
    NameByEnds(b, false, out);
    return;
  }
  CollideConvex(pair, margin, clip, out);
}

struct TriangleAxes {
  FaceAxis own;     // The triangle's face.
  FaceAxis theirs;  // A face of the solid.
  EdgeAxis edges;
};

// The patch along the axis that shows the greatest gap, where the triangle's
// face, then the solid's, may cost `preference`. An axis on which the triangle
// may not be touched gives way to its face. Returns the gap that the patch
// should show.
double CollideAlongBest(const TriangleSide& side, const Polytope& b,
                        const TriangleAxes& axes, double preference,
                        double margin, ClipScratch& clip, Patch& out) {
  const Polytope& a = side.shape;
  const double other = std::max(axes.theirs.separation, axes.edges.separation);
  out.Clear();
  if (axes.own.separation < other - preference) {
    if (axes.theirs.separation >= axes.edges.separation - preference) {
      const Vector3 normal = -b.faces[axes.theirs.face].normal;
      if (MayTouch(side, normal)) {
        out.normal = normal;
        ClipToFace(b, axes.theirs.face, a, -normal, margin, true, clip, out);
        return axes.theirs.separation;
      }
    } else if (MayTouch(side, axes.edges.normal)) {
      const Polytope::Edge& ea = a.edges[axes.edges.a];
      const Polytope::Edge& eb = b.edges[axes.edges.b];
      const Vector3& a0 = a.vertices[ea.v0];
      const Vector3& a1 = a.vertices[ea.v1];
      const EdgeParts at =
          NearestOnEdges(a0, a1, b.vertices[eb.v0], b.vertices[eb.v1]);
      const double gap = axes.edges.separation;
      out.normal = axes.edges.normal;
      // Apart, the caller takes the nearest points instead.
      if (gap <= 0.0) {
        out.points.push_back({a0 + at.a * (a1 - a0) + 0.5 * gap * out.normal,
                              gap, EdgeName(ea.v0, ea.v1),
                              EdgeName(eb.v0, eb.v1)});
      }
      return gap;
    }
  }
  CollideOnFace(side, b, margin, clip, out);
  return axes.own.separation;
}

void CollideSolidTriangle(const TriangleSide& side, const Polytope& b,
                          double margin, ClipScratch& clip, Patch& out) {
  const Polytope& a = side.shape;
  TriangleAxes axes;
  axes.own = BestFace(a, b, 1);
  if (axes.own.separation > margin) return;
  axes.theirs = BestFace(b, a);
  if (axes.theirs.separation > margin) return;
  axes.edges = BestEdges(a, b, BoundingBox::kInfinity);
  if (axes.edges.separation > margin) return;
  const double preference = kFacePreference * b.inner_radius;
  const double gap =
      CollideAlongBest(side, b, axes, preference, margin, clip, out);
  if (ReachesDepth(out, gap + preference)) return;
  const double greatest = std::max(
      {axes.own.separation, axes.theirs.separation, axes.edges.separation});
  if (greatest <= 0.0) {
    // The preferred face does not lie over the other: the exact axis.
    CollideAlongBest(side, b, axes, 0.0, margin, clip, out);
    return;
  }
  // Apart: perhaps corners or edges beside the face are nearer.
  const PairDistance nearest = DistanceOf({a, b}, margin);
  if (nearest.distance > margin ||
      ReachesDepth(out, nearest.distance + preference) ||
      !MayTouch(side, nearest.normal)) {
    return;
  }
  out.Clear();
  AddNearest(nearest, out);
}

SurfacePatches::Group& GroupFor(const Vector3& normal, int triangle,
                                SurfacePatches& patches) {
  for (int g = 0; g < patches.num_groups; ++g) {
    if (patches.groups[g].patch.normal.dot(normal) > kOnePatch) {
      return patches.groups[g];
    }
  }
  if (patches.num_groups == static_cast<int>(patches.groups.size())) {
    patches.groups.emplace_back();
  }
  SurfacePatches::Group& group = patches.groups[patches.num_groups++];
  group.patch.Clear();
  group.patch.normal = normal;
  group.triangle = triangle;
  return group;
}

// Two triangles at an edge or corner give its points twice: keeps the deeper.
void DropTwins(double size, Patch& patch) {
  std::vector<PatchPoint>& points = patch.points;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool twin = false;
    for (std::size_t k = 0; k < kept && !twin; ++k) {
      if ((points[k].p - points[i].p).norm() > 1e-6 * size) continue;
      twin = true;
      if (points[i].distance < points[k].distance) points[k] = points[i];
    }
    if (!twin) points[kept++] = points[i];
  }
  points.resize(kept);
}

// Points of several triangles are in order only now. Keeps the surface's name.
void RenameByEnds(const Polytope& round, Patch& patch) {
  if (patch.points.empty()) return;
  const std::uint64_t name = patch.points[0].name_a;
  NameByEnds(round, false, patch);
  for (PatchPoint& point : patch.points) point.name_a = name;
}

}  // namespace

void CollideSurface(const TriangleSet& surface, const Polytope& b,
                    const BoundingBox& box, double margin,
                    SurfaceScratch& scratch) {
  SurfacePatches& patches = scratch.patches;
  patches.num_groups = 0;
  BoundingBox query = box.Grown(margin);
  if (surface.solid_below) query.max.y() = BoundingBox::kInfinity;
  const bool is_round = b.faces.empty();
  surface.ForEachIn(query, [&](int t) {
    const std::array<int, 3>& corner = surface.triangles[t];
    const Vector3& v0 = surface.vertices[corner[0]];
    const double height = surface.normals[t].dot(b.centre - v0);
    const bool from_behind = surface.two_sided && height < 0.0;
    // A one-sided surface stops what has sunk in, not what comes from behind.
    if (!surface.two_sided && !surface.solid_below &&
        height < -b.inner_radius) {
      return;
    }
    TriangleSide side{scratch.triangle,
                      corner,
                      {},
                      {},
                      surface.two_sided,
                      surface.solid_below && height < 0.0};
    if (from_behind) std::swap(side.vertex[1], side.vertex[2]);
    const std::uint8_t bits = surface.active[t];
    for (int i = 0; i < 3; ++i) {
      // Turned over, edges 0, 1, 2 are the old 2, 1, 0; corners 0, 2, 1.
      const int e = from_behind ? 2 - i : i;
      const int v = from_behind ? (3 - i) % 3 : i;
      side.edge_active[i] = (bits & (1 << e)) != 0;
      side.vertex_active[i] = (bits & (8 << v)) != 0;
    }
    const Vector3 normal =
        from_behind ? Vector3(-surface.normals[t]) : surface.normals[t];
    SetTriangle(v0, surface.vertices[side.vertex[1]],
                surface.vertices[side.vertex[2]], normal, scratch.triangle);
    Patch& patch = scratch.patch;
    patch.Clear();
    if (side.behind_is_solid) {
      CollideOnFace(side, b, margin, scratch.clip, patch);
    } else if (is_round) {
      CollideRoundTriangle(side, b, margin, scratch.clip, patch);
    } else {
      CollideSolidTriangle(side, b, margin, scratch.clip, patch);
    }
    if (patch.points.empty()) return;
    NameByVertex(side, patch);
    SurfacePatches::Group& group = GroupFor(patch.normal, t, patches);
    group.triangle = std::min(group.triangle, t);
    group.patch.points.insert(group.patch.points.end(), patch.points.begin(),
                              patch.points.end());
  });
  const double size = (box.max - box.min).maxCoeff();
  for (int g = 0; g < patches.num_groups; ++g) {
    Patch& patch = patches.groups[g].patch;
    ReduceToFour(kDepthTie * b.inner_radius, kNearBand * b.inner_radius, patch);
    DropTwins(size, patch);
    if (is_round) RenameByEnds(b, patch);
  }
}

}  // namespace limber::dynamics::internal
