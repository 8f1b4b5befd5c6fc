// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/mesh.h"

#include <cmath>

namespace limber::viewer::internal {

namespace {

constexpr int kAround = 24;
constexpr int kCapRings = 7;

/// A point of the outline that is turned about Y: distance from the axis,
/// height, and the normal in that plane.
struct Outline {
  double r = 0.0;
  double y = 0.0;
  double normal_r = 0.0;
  double normal_y = 0.0;
};

void Turn(const std::vector<Outline>& outline, Mesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  const int rings = static_cast<int>(outline.size());
  for (const Outline& point : outline) {
    for (int k = 0; k <= kAround; ++k) {
      const double angle = 2.0 * kPi * k / kAround;
      const double s = std::sin(angle);
      const double c = std::cos(angle);
      mesh.vertices.emplace_back(point.r * s, point.y, point.r * c);
      mesh.normals.emplace_back(point.normal_r * s, point.normal_y,
                                point.normal_r * c);
    }
  }
  for (int i = 0; i + 1 < rings; ++i) {
    for (int k = 0; k < kAround; ++k) {
      const int a = first + i * (kAround + 1) + k;
      const int b = a + kAround + 1;
      mesh.triangles.push_back({a, b + 1, b});
      mesh.triangles.push_back({a, a + 1, b + 1});
    }
  }
}

/// From the upper pole down, with the straight part between the caps.
std::vector<Outline> CapsuleOutline(double radius, double half_length) {
  std::vector<Outline> outline;
  for (int i = 0; i <= 2 * kCapRings + 1; ++i) {
    const bool upper = i <= kCapRings;
    const int ring = upper ? i : i - 1;
    const double angle = kPi * ring / (2.0 * kCapRings);
    const double r = std::sin(angle);
    const double y = std::cos(angle);
    outline.push_back(
        {radius * r, radius * y + (upper ? half_length : -half_length), r, y});
  }
  return outline;
}

void AddBox(const Vector3& half, Mesh& mesh) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    for (const double side : {1.0, -1.0}) {
      const int first = static_cast<int>(mesh.vertices.size());
      for (int corner = 0; corner < 4; ++corner) {
        Vector3 p;
        p[axis] = side * half[axis];
        p[u] = ((corner == 1 || corner == 2) ? side : -side) * half[u];
        p[v] = (corner >= 2 ? 1.0 : -1.0) * half[v];
        Vector3 n = Vector3::Zero();
        n[axis] = side;
        mesh.vertices.push_back(p);
        mesh.normals.push_back(n);
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
      mesh.triangles.push_back({first, first + 2, first + 3});
    }
  }
}

void AddCylinder(double radius, double half_length, Mesh& mesh) {
  Turn({{0.0, half_length, 0.0, 1.0}, {radius, half_length, 0.0, 1.0}}, mesh);
  Turn({{radius, half_length, 1.0, 0.0}, {radius, -half_length, 1.0, 0.0}},
       mesh);
  Turn({{radius, -half_length, 0.0, -1.0}, {0.0, -half_length, 0.0, -1.0}},
       mesh);
}

}  // namespace

Mesh MeshOf(const PartShape& shape) {
  Mesh mesh;
  switch (shape.kind) {
    case PartShape::Kind::kSphere:
      Turn(CapsuleOutline(shape.radius, 0.0), mesh);
      break;
    case PartShape::Kind::kCapsule:
      Turn(CapsuleOutline(shape.radius, 0.5 * shape.length), mesh);
      break;
    case PartShape::Kind::kCylinder:
      AddCylinder(shape.radius, 0.5 * shape.length, mesh);
      break;
    case PartShape::Kind::kBox:
      AddBox(0.5 * shape.size, mesh);
      break;
    case PartShape::Kind::kEllipsoid: {
      Turn(CapsuleOutline(1.0, 0.0), mesh);
      const Vector3 half = 0.5 * shape.size;
      for (Vector3& p : mesh.vertices) p = p.cwiseProduct(half);
      for (Vector3& n : mesh.normals) n = n.cwiseQuotient(half).normalized();
      break;
    }
  }
  return mesh;
}

}  // namespace limber::viewer::internal
