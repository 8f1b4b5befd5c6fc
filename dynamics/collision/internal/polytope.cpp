// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/polytope.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "dynamics/internal/check.h"

namespace limber::dynamics::internal {
namespace {

// How far, as part of its size, a given solid may be from convex.
constexpr double kConvexTolerance = 1e-6;

std::string FaceName(std::size_t face) {
  return "faces[" + std::to_string(face) + "]";
}

// Newell's normal, whose length is twice the area of the polygon.
Vector3 AreaNormal(const std::vector<Vector3>& vertices,
                   const std::vector<int>& face) {
  Vector3 normal = Vector3::Zero();
  const Vector3& o = vertices[face[0]];
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    normal += (vertices[face[i]] - o).cross(vertices[face[i + 1]] - o);
  }
  return normal;
}

void CheckFaceIndices(const std::vector<Vector3>& vertices,
                      const std::vector<std::vector<int>>& faces) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (faces[f].size() < 3) {
      ThrowBadValue(FaceName(f), "a polygon of at least 3 corners",
                    std::to_string(faces[f].size()) + " corners");
    }
    for (const int v : faces[f]) {
      if (v < 0 || v >= static_cast<int>(vertices.size())) {
        ThrowBadValue(
            FaceName(f),
            "indices from 0 to " + std::to_string(vertices.size() - 1),
            std::to_string(v));
      }
    }
  }
}

double SizeOf(const std::vector<Vector3>& vertices) {
  Vector3 low = vertices[0];
  Vector3 high = vertices[0];
  for (const Vector3& v : vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return (high - low).norm();
}

}  // namespace

Polytope PointPolytope(double radius) {
  Polytope point;
  point.vertices = {Vector3::Zero()};
  point.radius = radius;
  point.inner_radius = radius;
  return point;
}

Polytope SegmentPolytope(double radius, double half_length) {
  Polytope segment;
  segment.vertices = {Vector3(0, -half_length, 0), Vector3(0, half_length, 0)};
  segment.radius = radius;
  segment.inner_radius = radius;
  // The whole circle about Y in three arcs; Z x X = Y, so angles grow from Z
  // to X.
  for (int i = 0; i < 3; ++i) {
    const double from = 2.0 * kPi / 3.0 * i;
    const double to = 2.0 * kPi / 3.0 * (i + 1);
    segment.edges.push_back({0, 1, Vector3(std::sin(from), 0.0, std::cos(from)),
                             Vector3(std::sin(to), 0.0, std::cos(to)), 0});
  }
  return segment;
}

Polytope BoxPolytope(const Vector3& half_extents) {
  std::vector<Vector3> vertices;
  for (int i = 0; i < 8; ++i) {
    vertices.emplace_back((i & 1 ? 1.0 : -1.0) * half_extents.x(),
                          (i & 2 ? 1.0 : -1.0) * half_extents.y(),
                          (i & 4 ? 1.0 : -1.0) * half_extents.z());
  }
  // Faces -x, +x, -y, +y, -z, +z: face 2 axis + (sign > 0).
  return SolidPolytope(std::move(vertices), {{0, 4, 6, 2},
                                             {1, 3, 7, 5},
                                             {0, 1, 5, 4},
                                             {2, 6, 7, 3},
                                             {0, 2, 3, 1},
                                             {4, 5, 7, 6}});
}

Polytope SolidPolytope(std::vector<Vector3> vertices,
                       const std::vector<std::vector<int>>& faces) {
  if (faces.size() < 4) {
    ThrowBadValue("faces", "at least 4", std::to_string(faces.size()));
  }
  CheckFaceIndices(vertices, faces);
  Polytope solid;
  const double size = SizeOf(vertices);
  solid.centre = Vector3::Zero();
  for (const Vector3& v : vertices) solid.centre += v;
  solid.centre /= static_cast<double>(vertices.size());
  solid.inner_radius = size;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vector3 area = AreaNormal(vertices, faces[f]);
    if (!(area.norm() > 1e-14 * size * size)) {
      ThrowBadValue(FaceName(f), "a polygon with area", ToText(area));
    }
    Polytope::Face face;
    face.normal = area.normalized();
    face.offset = -size;
    face.begin = static_cast<int>(solid.loop.size());
    // The plane through the outermost corner holds all of the others.
    double inner = size;
    face.offset = face.normal.dot(vertices[faces[f][0]]);
    for (const int v : faces[f]) {
      solid.loop.push_back(v);
      const double along = face.normal.dot(vertices[v]);
      face.offset = std::max(face.offset, along);
      inner = std::min(inner, along);
    }
    face.end = static_cast<int>(solid.loop.size());
    double most = face.offset;
    for (const Vector3& v : vertices) {
      most = std::max(most, face.normal.dot(v));
    }
    const double lack = std::max(most - face.offset, face.offset - inner);
    if (lack > kConvexTolerance * size) {
      ThrowBadValue(FaceName(f), "flat and on the hull",
                    "a corner " + ToText(lack) + " m off its plane");
    }
    face.offset = most;
    const double depth = face.offset - face.normal.dot(solid.centre);
    if (!(depth > 0.0)) {
      ThrowBadValue(FaceName(f), "anticlockwise seen from outside",
                    "normal " + ToText(face.normal));
    }
    solid.inner_radius = std::min(solid.inner_radius, depth);
    solid.faces.push_back(face);
  }
  // Each edge must be walked once each way.
  std::map<std::pair<int, int>, int> walked;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const int from = faces[f][i];
      const int to = faces[f][(i + 1) % faces[f].size()];
      if (!walked.emplace(std::pair(from, to), static_cast<int>(f)).second ||
          from == to) {
        ThrowBadValue(FaceName(f), "the only face along its edges",
                      "edge " + std::to_string(from) + "-" +
                          std::to_string(to) + " again");
      }
    }
  }
  for (const auto& [ends, face] : walked) {
    const auto other = walked.find({ends.second, ends.first});
    if (other == walked.end()) {
      ThrowBadValue(FaceName(face), "closed with its neighbours",
                    "open edge " + std::to_string(ends.first) + "-" +
                        std::to_string(ends.second));
    }
    if (ends.first < ends.second) {
      solid.edges.push_back({ends.first, ends.second, solid.faces[face].normal,
                             solid.faces[other->second].normal,
                             static_cast<int>(solid.edges.size())});
    }
  }
  solid.vertices = std::move(vertices);
  return solid;
}

void SetTriangle(const Vector3& a, const Vector3& b, const Vector3& c,
                 const Vector3& normal, Polytope& out) {
  out.vertices.resize(3);
  out.vertices[0] = a;
  out.vertices[1] = b;
  out.vertices[2] = c;
  out.loop.resize(6);
  for (int i = 0; i < 3; ++i) {
    out.loop[i] = i;
    out.loop[3 + i] = 2 - i;
  }
  const double offset = normal.dot(a);
  out.faces.resize(2);
  out.faces[0] = {normal, offset, 0, 3};
  out.faces[1] = {-normal, -offset, 3, 6};
  out.edges.resize(6);
  for (int i = 0; i < 3; ++i) {
    const int j = i == 2 ? 0 : i + 1;
    const Vector3 side =
        (out.vertices[j] - out.vertices[i]).cross(normal).normalized();
    out.edges[2 * i] = {i, j, normal, side, i};
    out.edges[2 * i + 1] = {i, j, side, -normal, i};
  }
  out.centre = (a + b + c) / 3.0;
  out.radius = 0.0;
  out.inner_radius = 0.0;
}

void Place(const Polytope& in, const Matrix3& R, const Vector3& p,
           Polytope& out) {
  out.vertices.resize(in.vertices.size());
  for (std::size_t i = 0; i < in.vertices.size(); ++i) {
    out.vertices[i] = R * in.vertices[i] + p;
  }
  out.faces.resize(in.faces.size());
  for (std::size_t i = 0; i < in.faces.size(); ++i) {
    const Polytope::Face& face = in.faces[i];
    const Vector3 normal = R * face.normal;
    out.faces[i] = {normal, face.offset + normal.dot(p), face.begin, face.end};
  }
  out.loop = in.loop;
  out.edges.resize(in.edges.size());
  for (std::size_t i = 0; i < in.edges.size(); ++i) {
    const Polytope::Edge& edge = in.edges[i];
    out.edges[i] = {edge.v0, edge.v1, R * edge.n0, R * edge.n1, edge.id};
  }
  out.centre = R * in.centre + p;
  out.radius = in.radius;
  out.inner_radius = in.inner_radius;
}

}  // namespace limber::dynamics::internal
