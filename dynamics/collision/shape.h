// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/math.h"
#include "dynamics/collision/bounding_box.h"
#include "dynamics/mass_properties.h"

namespace limber::dynamics {

class Shape;
/// Shapes are immutable, so bodies and threads may share them.
using ShapePointer = std::shared_ptr<const Shape>;

namespace internal {
struct Polytope;
struct TriangleSet;
}  // namespace internal

enum class ShapeKind {
  kSphere,
  kCapsule,
  kBox,
  kConvexHull,
  kPlane,
  kTriangleMesh,
  kHeightField,
  kCompound,
};

/// A part of a compound: the child's frame C in the compound's frame S.
struct CompoundChild {
  ShapePointer shape;  ///< Sphere, capsule, box, convex hull or compound.
  Transform X_SC;
};

/// Which sides of a mesh's triangles stop other shapes.
enum class MeshSides {
  kOne,  ///< The side from which the corners count anticlockwise.
  kTwo,
};

/// What collides: a solid, or a static surface, in its own frame S [m].
///
/// Everything is checked when the shape is made: the factories throw
/// std::invalid_argument naming the field and its value when a number is not
/// finite or out of range.
class Shape {
 public:
  /// @param radius  zero or positive; zero is a point.
  static ShapePointer Sphere(double radius);
  /// All points within `radius` of the segment from (0, -half_length, 0) to
  /// (0, half_length, 0). Both zero or positive.
  static ShapePointer Capsule(double radius, double half_length);
  /// @param half_extents  positive.
  static ShapePointer Box(const Vector3& half_extents);
  /// The half space y <= 0 is solid; the normal is +Y.
  static ShapePointer Plane();
  /// The smallest convex solid around the points; faces within 1e-9 of their
  /// size of one plane are one polygon. At most 4096 points, not all in one
  /// plane.
  static ShapePointer ConvexHull(std::vector<Vector3> points);
  /// With the faces given, each a convex polygon whose corners count
  /// anticlockwise seen from outside. Refused unless they close a convex solid
  /// to 1e-6 of its size.
  static ShapePointer ConvexHull(std::vector<Vector3> vertices,
                                 std::vector<std::vector<int>> faces);
  /// At least one child; compounds of compounds are flattened, in order.
  static ShapePointer Compound(std::vector<CompoundChild> children);
  /// A static surface. Triangles without area are refused.
  static ShapePointer TriangleMesh(std::vector<Vector3> vertices,
                                   std::vector<std::array<int, 3>> triangles,
                                   MeshSides sides = MeshSides::kOne);
  /// A static surface over the x-z plane, solid below: the height at
  /// x = i spacing, z = k spacing is heights[k num_x + i]. Each cell is cut
  /// along the diagonal from its (i, k) to its (i + 1, k + 1) corner.
  /// @param num_x, num_z  corners per side, at least 2.
  static ShapePointer HeightField(int num_x, int num_z, double spacing,
                                  std::vector<double> heights);

  ~Shape();
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  ShapeKind kind() const { return kind_; }
  /// Sphere, capsule, box or convex hull.
  bool is_convex() const { return kind_ <= ShapeKind::kConvexHull; }
  /// Has no inside: plane, mesh and height field never move by forces.
  bool is_static() const {
    return kind_ >= ShapeKind::kPlane && kind_ <= ShapeKind::kHeightField;
  }

  double radius() const { return radius_; }            ///< Sphere, capsule.
  double half_length() const { return half_length_; }  ///< Capsule.
  const Vector3& half_extents() const { return half_extents_; }  ///< Box.
  /// Box and convex hull: the corners. Mesh and height field: all vertices.
  const std::vector<Vector3>& vertices() const;
  /// Box and convex hull: polygons of vertex indices, anticlockwise seen from
  /// outside. Empty for other kinds.
  std::vector<std::vector<int>> Faces() const;
  /// Mesh and height field.
  const std::vector<std::array<int, 3>>& triangles() const;
  const std::vector<CompoundChild>& children() const { return children_; }
  int num_x() const { return num_x_; }         ///< Height field.
  int num_z() const { return num_z_; }         ///< Height field.
  double spacing() const { return spacing_; }  ///< Height field.

  /// The smallest box along the world's axes (smallest of the vertices' for
  /// solids with corners; a plane's has infinite sides).
  BoundingBox BoxAt(const Transform& X_WS) const;

  // For the code of this folder.
  const internal::Polytope* core() const { return core_.get(); }
  const internal::TriangleSet* triangle_set() const { return surface_.get(); }

 private:
  explicit Shape(ShapeKind kind);
  static std::shared_ptr<Shape> Make(ShapeKind kind);

  ShapeKind kind_;
  double radius_ = 0.0;
  double half_length_ = 0.0;
  Vector3 half_extents_ = Vector3::Zero();
  std::vector<CompoundChild> children_;
  int num_x_ = 0;
  int num_z_ = 0;
  double spacing_ = 0.0;
  std::unique_ptr<internal::Polytope> core_;        // Convex kinds.
  std::unique_ptr<internal::TriangleSet> surface_;  // Mesh, height field.
};

/// Mass properties of a solid of uniform `density` [kg/m^3], in S. Children of
/// a compound that overlap count twice.
/// @throws std::invalid_argument for a shape without volume: plane, mesh that
///         is not closed, height field, sphere or capsule of radius zero.
MassProperties MassOf(const Shape& shape, double density);

}  // namespace limber::dynamics
