// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/shape.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "dynamics/collision/internal/polytope.h"
#include "dynamics/collision/internal/triangle_set.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

using internal::CheckFinite;
using internal::ThrowBadValue;
using internal::ToText;

// So that a hull by mistake (a whole scan) is refused instead of slow.
constexpr std::size_t kMaxHullPoints = 4096;
// Four times the figure a foot of 1 mm cells on 4 m needs; a file that asks for
// more is broken.
constexpr std::int64_t kMaxHeights = std::int64_t{1} << 26;

void CheckNotNegative(const char* field, double value) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    ThrowBadValue(field, "zero or positive and finite", value);
  }
}

void CheckPoints(const std::vector<Vector3>& points, const char* field) {
  if (points.size() < 4 || points.size() > kMaxHullPoints) {
    ThrowBadValue(field, "4 to " + std::to_string(kMaxHullPoints) + " points",
                  std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    CheckFinite(std::string(field) + "[" + std::to_string(i) + "]", points[i]);
  }
}

bool IsUnit(const Quaternion& q) {
  return std::abs(q.norm() - 1.0) < 1e-6;  // False for NaN.
}

// Triangles of the polygons of a solid.
std::vector<std::array<int, 3>> Fans(
    const std::vector<std::vector<int>>& faces) {
  std::vector<std::array<int, 3>> triangles;
  for (const std::vector<int>& face : faces) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      triangles.push_back({face[0], face[i], face[i + 1]});
    }
  }
  return triangles;
}

}  // namespace

Shape::Shape(ShapeKind kind) : kind_(kind) {}
Shape::~Shape() = default;

std::shared_ptr<Shape> Shape::Make(ShapeKind kind) {
  return std::shared_ptr<Shape>(new Shape(kind));
}

ShapePointer Shape::Sphere(double radius) {
  CheckNotNegative("radius", radius);
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kSphere);
  shape->radius_ = radius;
  shape->core_ =
      std::make_unique<internal::Polytope>(internal::PointPolytope(radius));
  return shape;
}

ShapePointer Shape::Capsule(double radius, double half_length) {
  CheckNotNegative("radius", radius);
  CheckNotNegative("half_length", half_length);
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kCapsule);
  shape->radius_ = radius;
  shape->half_length_ = half_length;
  shape->core_ = std::make_unique<internal::Polytope>(
      half_length > 0.0 ? internal::SegmentPolytope(radius, half_length)
                        : internal::PointPolytope(radius));
  return shape;
}

ShapePointer Shape::Box(const Vector3& half_extents) {
  CheckFinite("half_extents", half_extents);
  if (!(half_extents.minCoeff() > 0.0)) {
    ThrowBadValue("half_extents", "positive", ToText(half_extents));
  }
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kBox);
  shape->half_extents_ = half_extents;
  shape->core_ =
      std::make_unique<internal::Polytope>(internal::BoxPolytope(half_extents));
  return shape;
}

ShapePointer Shape::Plane() { return Make(ShapeKind::kPlane); }

ShapePointer Shape::ConvexHull(std::vector<Vector3> points) {
  CheckPoints(points, "points");
  internal::HullFaces hull = internal::HullOf(points);
  return ConvexHull(std::move(hull.vertices), std::move(hull.faces));
}

ShapePointer Shape::ConvexHull(std::vector<Vector3> vertices,
                               std::vector<std::vector<int>> faces) {
  CheckPoints(vertices, "vertices");
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kConvexHull);
  shape->core_ = std::make_unique<internal::Polytope>(
      internal::SolidPolytope(std::move(vertices), faces));
  return shape;
}

ShapePointer Shape::Compound(std::vector<CompoundChild> children) {
  if (children.empty()) ThrowBadValue("children", "at least 1", "0");
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kCompound);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::string name = "children[" + std::to_string(i) + "]";
    const CompoundChild& child = children[i];
    if (child.shape == nullptr) ThrowBadValue(name, "a shape", "none");
    if (child.shape->is_static()) {
      ThrowBadValue(
          name, "a sphere, capsule, box, convex hull or compound",
          child.shape->kind() == ShapeKind::kPlane ? "a plane" : "a surface");
    }
    CheckFinite(name + ".X_SC.p", child.X_SC.p);
    if (!IsUnit(child.X_SC.R)) {
      ThrowBadValue(name + ".X_SC.R", "of unit length", child.X_SC.R.norm());
    }
    if (child.shape->kind() == ShapeKind::kCompound) {
      for (const CompoundChild& inner : child.shape->children()) {
        shape->children_.push_back({inner.shape, child.X_SC * inner.X_SC});
      }
    } else {
      shape->children_.push_back(child);
    }
  }
  return shape;
}

ShapePointer Shape::TriangleMesh(std::vector<Vector3> vertices,
                                 std::vector<std::array<int, 3>> triangles,
                                 MeshSides sides) {
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kTriangleMesh);
  shape->surface_ = std::make_unique<internal::TriangleSet>();
  shape->surface_->vertices = std::move(vertices);
  shape->surface_->triangles = std::move(triangles);
  shape->surface_->two_sided = sides == MeshSides::kTwo;
  shape->surface_->Finish();
  return shape;
}

ShapePointer Shape::HeightField(int num_x, int num_z, double spacing,
                                std::vector<double> heights) {
  if (num_x < 2) ThrowBadValue("num_x", "at least 2", std::to_string(num_x));
  if (num_z < 2) ThrowBadValue("num_z", "at least 2", std::to_string(num_z));
  internal::CheckPositive("spacing", spacing);
  const std::int64_t count = std::int64_t{num_x} * num_z;
  if (count > kMaxHeights ||
      count != static_cast<std::int64_t>(heights.size())) {
    ThrowBadValue("heights",
                  "num_x num_z = " + std::to_string(count) + " (at most " +
                      std::to_string(kMaxHeights) + ") numbers",
                  std::to_string(heights.size()));
  }
  const std::shared_ptr<Shape> shape = Make(ShapeKind::kHeightField);
  shape->num_x_ = num_x;
  shape->num_z_ = num_z;
  shape->spacing_ = spacing;
  shape->surface_ = std::make_unique<internal::TriangleSet>();
  internal::TriangleSet& surface = *shape->surface_;
  surface.solid_below = true;
  surface.vertices.reserve(heights.size());
  for (int k = 0; k < num_z; ++k) {
    for (int i = 0; i < num_x; ++i) {
      const double y = heights[static_cast<std::size_t>(k) * num_x + i];
      if (!std::isfinite(y)) {
        ThrowBadValue("heights[" + std::to_string(k * num_x + i) + "]",
                      "finite", y);
      }
      surface.vertices.emplace_back(i * spacing, y, k * spacing);
    }
  }
  for (int k = 0; k + 1 < num_z; ++k) {
    for (int i = 0; i + 1 < num_x; ++i) {
      const int a = k * num_x + i;
      surface.triangles.push_back({a, a + num_x, a + num_x + 1});
      surface.triangles.push_back({a, a + num_x + 1, a + 1});
    }
  }
  surface.Finish();
  return shape;
}

const std::vector<Vector3>& Shape::vertices() const {
  static const std::vector<Vector3> none;
  if (surface_ != nullptr) return surface_->vertices;
  if (core_ != nullptr && !core_->faces.empty()) return core_->vertices;
  return none;
}

const std::vector<std::array<int, 3>>& Shape::triangles() const {
  static const std::vector<std::array<int, 3>> none;
  return surface_ != nullptr ? surface_->triangles : none;
}

std::vector<std::vector<int>> Shape::Faces() const {
  std::vector<std::vector<int>> faces;
  if (core_ == nullptr) return faces;
  for (const internal::Polytope::Face& face : core_->faces) {
    faces.emplace_back(core_->loop.begin() + face.begin,
                       core_->loop.begin() + face.end);
  }
  return faces;
}

BoundingBox Shape::BoxAt(const Transform& X_WS) const {
  BoundingBox box;
  const Matrix3 R_WS = X_WS.R.toRotationMatrix();
  switch (kind_) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
    case ShapeKind::kBox: {
      // |R| h: the reach of a box, or of the segment along Y.
      const Vector3 reach =
          R_WS.cwiseAbs() * (half_extents_ + Vector3(0.0, half_length_, 0.0)) +
          Vector3::Constant(radius_);
      box = {X_WS.p - reach, X_WS.p + reach};
      break;
    }
    case ShapeKind::kConvexHull:
      for (const Vector3& v : core_->vertices) box.Extend(R_WS * v + X_WS.p);
      break;
    case ShapeKind::kPlane: {
      // Bounded only along an axis of the world that is its normal.
      box = {Vector3::Constant(-BoundingBox::kInfinity),
             Vector3::Constant(BoundingBox::kInfinity)};
      for (int i = 0; i < 3; ++i) {
        if (R_WS(i, 1) == 1.0) box.max[i] = X_WS.p[i];
        if (R_WS(i, 1) == -1.0) box.min[i] = X_WS.p[i];
      }
      break;
    }
    case ShapeKind::kTriangleMesh:
    case ShapeKind::kHeightField: {
      const BoundingBox& own = surface_->box;
      const Vector3 centre = R_WS * (0.5 * (own.min + own.max)) + X_WS.p;
      const Vector3 reach = R_WS.cwiseAbs() * (0.5 * (own.max - own.min));
      box = {centre - reach, centre + reach};
      break;
    }
    case ShapeKind::kCompound:
      for (const CompoundChild& child : children_) {
        box.Extend(child.shape->BoxAt(X_WS * child.X_SC));
      }
      break;
  }
  return box;
}

MassProperties MassOf(const Shape& shape, double density) {
  const Material material = Material::WithDensity(density);
  switch (shape.kind()) {
    case ShapeKind::kSphere:
      return MassOfSphere(shape.radius(), material);
    case ShapeKind::kCapsule:
      return MassOfCapsule(shape.radius(), 2.0 * shape.half_length(), material);
    case ShapeKind::kBox:
      return MassOfBox(2.0 * shape.half_extents(), material);
    case ShapeKind::kConvexHull:
      return MassOfMesh(shape.vertices(), Fans(shape.Faces()), material);
    case ShapeKind::kTriangleMesh:
      return MassOfMesh(shape.vertices(), shape.triangles(), material);
    case ShapeKind::kCompound: {
      std::vector<MassProperties> parts;
      for (const CompoundChild& child : shape.children()) {
        parts.push_back(Transformed(child.X_SC, MassOf(*child.shape, density)));
      }
      return Combined(parts);
    }
    case ShapeKind::kPlane:
    case ShapeKind::kHeightField:
      break;
  }
  ThrowBadValue(
      "shape", "a solid with volume",
      shape.kind() == ShapeKind::kPlane ? "a plane" : "a height field");
}

}  // namespace limber::dynamics
