// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "dynamics/collision/internal/polytope.h"

namespace limber::dynamics::internal {

inline constexpr double kNoAxis = -std::numeric_limits<double>::infinity();

/// The best axis of one family: the gap it shows between the cores (radii not
/// counted), and the features that made it.
struct FaceAxis {
  double separation = kNoAxis;
  int face = -1;
  int vertex = -1;  ///< Of the other polytope, nearest to the face.
};
struct EdgeAxis {
  double separation = kNoAxis;
  int a = -1;  ///< Index into edges.
  int b = -1;
  Vector3 normal = Vector3::UnitY();  ///< Unit, from A to B.
};

/// The greatest gap of B's corners over the first `num_faces` faces of A.
FaceAxis BestFace(const Polytope& a, const Polytope& b, int num_faces);
inline FaceAxis BestFace(const Polytope& a, const Polytope& b) {
  return BestFace(a, b, static_cast<int>(a.faces.size()));
}

/// The greatest gap along the common normals of an edge of A and one of B,
/// over those pairs whose arcs on the Gauss map cross: the pairs that make a
/// face of the difference B - A. [Gregorius 2013]
///
/// `depth` is an upper bound of the depth of cores known to overlap, else
/// infinite. The points of two edges that part A and B by the least translation
/// are no further apart than that, so only edges that come so near to the other
/// set's box are tried: far fewer.
EdgeAxis BestEdges(const Polytope& a, const Polytope& b, double depth);

/// The same for two boxes, A along the axes of the frame at the origin, B
/// placed from a box: nine axes instead of 144 pairs.
EdgeAxis BestBoxEdges(const Polytope& a, const Polytope& b);

/// Nearest points of two edges, as parts 0 to 1 of each.
struct EdgeParts {
  double a;
  double b;
};
EdgeParts NearestOnEdges(const Vector3& a0, const Vector3& a1,
                         const Vector3& b0, const Vector3& b1);

}  // namespace limber::dynamics::internal
