// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/math.h"

namespace limber::dynamics::internal {

/// A convex set of corners, faces and edges, rounded by `radius`: all convex
/// shapes in one form. A sphere is a rounded point, a capsule a rounded
/// segment, a triangle of a mesh a flat polytope with two faces.
///
/// An edge carries two outward normals: it is extreme in the directions of the
/// arc between them (its piece of the Gauss map), n0 x n1 along +(v1 - v0).
/// Arcs are shorter than half a turn, so the edges of flat sets appear more
/// than once: a triangle's twice, a segment's three times.
struct Polytope {
  struct Face {
    Vector3 normal;  ///< Outward unit.
    double offset;   ///< normal . corner.
    int begin;       ///< Corners loop[begin .. end), anticlockwise.
    int end;
  };
  struct Edge {
    int v0;
    int v1;
    Vector3 n0;
    Vector3 n1;
    int id;  ///< The same for all arcs of one edge.
  };

  std::vector<Vector3> vertices;
  std::vector<Face> faces;
  std::vector<int> loop;
  std::vector<Edge> edges;
  Vector3 centre = Vector3::Zero();  ///< A point inside.
  double radius = 0.0;
  double inner_radius = 0.0;  ///< Of a ball inside the set, radius counted.

  /// Index of the corner furthest along `direction`; the first of equals.
  int Support(const Vector3& direction) const {
    int best = 0;
    double most = direction.dot(vertices[0]);
    const int n = static_cast<int>(vertices.size());
    for (int i = 1; i < n; ++i) {
      const double along = direction.dot(vertices[i]);
      if (along > most) {
        most = along;
        best = i;
      }
    }
    return best;
  }
};

Polytope PointPolytope(double radius);
Polytope SegmentPolytope(double radius, double half_length);
Polytope BoxPolytope(const Vector3& half_extents);
/// From polygons that close a convex solid; fills planes, edges and centre.
/// @throws std::invalid_argument naming field and value if they do not.
Polytope SolidPolytope(std::vector<Vector3> vertices,
                       const std::vector<std::vector<int>>& faces);

/// Makes `out` the flat triangle a, b, c with unit normal `normal`, keeping
/// out's memory. Its face 0 looks along the normal, face 1 against it.
void SetTriangle(const Vector3& a, const Vector3& b, const Vector3& c,
                 const Vector3& normal, Polytope& out);

/// `out` is `in` carried by x -> R x + p, in out's memory.
void Place(const Polytope& in, const Matrix3& R, const Vector3& p,
           Polytope& out);

/// Convex hull of points; the corners of the result are those of `points`
/// that are corners of the hull, in their order.
/// @throws std::invalid_argument if all points lie in one plane.
struct HullFaces {
  std::vector<Vector3> vertices;
  std::vector<std::vector<int>> faces;
};
HullFaces HullOf(const std::vector<Vector3>& points);

}  // namespace limber::dynamics::internal
