// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "dynamics/collision/internal/polytope.h"

namespace limber::dynamics::internal {

/// Names of features, 64 bits each, which a hash joins to the id of a point.
/// Those of A and of B are told apart by their place in the hash.
std::uint64_t VertexName(int v);
std::uint64_t EdgeName(int v0, int v1);
std::uint64_t FaceName(int f);
std::uint32_t JoinNames(std::uint64_t a, std::uint64_t b);

struct PatchPoint {
  Vector3 p = Vector3::Zero();  ///< Midway between the surfaces.
  double distance = 0.0;
  std::uint64_t name_a = 0;
  std::uint64_t name_b = 0;
};

/// A manifold before it is cut to four points, in the frame of the pair.
struct Patch {
  Vector3 normal = Vector3::UnitY();  ///< From A to B.
  std::vector<PatchPoint> points;

  void Clear() { points.clear(); }
};

/// A corner of a polygon that is being clipped, with the features it lies on;
/// `side` is that of the polygon's edge that leaves it.
struct ClipVertex {
  Vector3 p;
  int reference_side;      ///< -1: inside. Else on this side of the reference.
  int reference_vertex;    ///< -1, or the corner of the reference it is.
  std::uint64_t incident;  ///< Name of the incident vertex, edge or face.
  std::uint64_t side_incident;  ///< Name of the leaving edge, 0 if a cut.
  int side_reference;           ///< The cut it lies along, or -1.
};

struct ClipScratch {
  std::vector<ClipVertex> polygon;
  std::vector<ClipVertex> next;
};

/// The incident feature (the face of `other` most against `normal`, or its
/// segment, or its point) cut to the prism over face `face` of `reference`,
/// along `normal`: unit, outwards of the face and near its normal. Distances
/// are measured along it too; radii count. Points beyond
/// `margin` are left out. `swap` tells that `other` is A.
void ClipToFace(const Polytope& reference, int face, const Polytope& other,
                const Vector3& normal, double margin, bool swap,
                ClipScratch& scratch, Patch& out);

/// Whether some point is at `distance` or deeper.
bool ReachesDepth(const Patch& patch, double distance);

/// Names the one or two points of a capsule, or the point of a sphere, by its
/// own end alone: the nearer end for one point, the order along the axis for
/// two. So they persist while it slides from face to edge to face. `swap`
/// tells that `round` is A.
void NameByEnds(const Polytope& round, bool swap, Patch& patch);

/// Leaves at most four points, spread wide, the deepest (to `tie` [m]) among
/// them; of points in one line, the outer two. Which ones hardly depends on
/// rounding. What is farther than the deepest by more than `band` [m] comes
/// last: an edge that stands on something keeps both of its ends, however wide
/// the corners above it are.
void ReduceToFour(double tie, double band, Patch& patch);

/// `band` as a share of the solid's inner radius.
inline constexpr double kNearBand = 0.5;

}  // namespace limber::dynamics::internal
