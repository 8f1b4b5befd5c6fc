// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The bodies of a scene file.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "dynamics/scene/internal/scene_reader.h"
#include "dynamics/scene/scene_parts.h"

namespace limber::dynamics::internal {

namespace {

MassProperties MassOf(const SceneShape& shape, const Material& material) {
  switch (shape.kind) {
    case SceneShape::Kind::kSphere:
      return MassOfSphere(shape.radius, material);
    case SceneShape::Kind::kBox:
      return MassOfBox(shape.size, material);
    case SceneShape::Kind::kCapsule:
      return MassOfCapsule(shape.radius, shape.length, material);
    case SceneShape::Kind::kCylinder:
      return MassOfCylinder(shape.radius, shape.length, material);
    case SceneShape::Kind::kRod:
      return MassOfThinRod(shape.length, material);
  }
  return {};
}

/// What collides: the shape itself, a cylinder as a prism of 32 sides.
ShapePointer ColliderOf(const SceneShape& shape) {
  switch (shape.kind) {
    case SceneShape::Kind::kSphere:
      return Shape::Sphere(shape.radius);
    case SceneShape::Kind::kBox:
      return Shape::Box(0.5 * shape.size);
    case SceneShape::Kind::kCapsule:
      return Shape::Capsule(shape.radius, 0.5 * shape.length);
    case SceneShape::Kind::kCylinder: {
      constexpr int kSides = 32;
      std::vector<Vector3> corners;
      for (int i = 0; i < kSides; ++i) {
        const double angle = 2.0 * kPi * i / kSides;
        for (const double end : {-0.5, 0.5}) {
          corners.emplace_back(shape.radius * std::sin(angle),
                               end * shape.length,
                               shape.radius * std::cos(angle));
        }
      }
      return Shape::ConvexHull(std::move(corners));
    }
    case SceneShape::Kind::kRod:
      break;
  }
  throw std::invalid_argument(
      "a rod has no thickness to touch with; take a capsule");
}

}  // namespace

SceneShape SceneReader::ReadShape(const JsonValue& value, double* mass,
                                  double* density) {
  constexpr std::array<std::string_view, 5> kKinds = {
      "sphere", "box", "capsule", "cylinder", "rod"};
  JsonObject object(value, "a shape", diagnostics_);
  SceneShape shape;
  shape.kind = static_cast<SceneShape::Kind>(object.Word("kind", kKinds));
  const bool is_box = shape.kind == SceneShape::Kind::kBox;
  const bool is_sphere = shape.kind == SceneShape::Kind::kSphere;
  const bool is_rod = shape.kind == SceneShape::Kind::kRod;
  if (is_box) {
    const std::vector<double> size =
        object.Numbers("size", 3, NumberRange::Positive());
    shape.size = Vector3(size[0], size[1], size[2]);
  }
  if (!is_box && !is_rod) {
    shape.radius = object.Number("radius", NumberRange::Positive());
  }
  if (!is_box && !is_sphere) {
    shape.length = object.Number("length", NumberRange::Positive());
  }
  shape.X_BS.p = object.Vector("position", Vector3::Zero());
  shape.X_BS.R = ReadRotation(object, diagnostics_);
  if (object.Has("colour")) {
    const std::vector<double> colour =
        object.Numbers("colour", 3, NumberRange::Between(0.0, 1.0));
    shape.colour = Vector3(colour[0], colour[1], colour[2]);
  }
  *mass = object.Number("mass", NumberRange::Positive(), 0.0);
  *density = object.Number("density", NumberRange::Positive(), 0.0);
  if (*mass > 0.0 && *density > 0.0) {
    object.Error("density", "twice",
                 "either \"mass\" or \"density\", not both");
  }
  object.Finish();
  return shape;
}

void SceneReader::ReadBody(JsonObject& object) {
  constexpr std::array<std::string_view, 3> kKinds = {"dynamic", "kinematic",
                                                      "fixed"};
  const std::size_t mistakes_before = diagnostics_.all().size();
  BodySpec spec;
  spec.name = Substituted(object.Text("name"));
  spec.kind = static_cast<BodyKind>(object.Word("kind", kKinds, 0));
  spec.X_WB.p = Position(object, "position", Vector3::Zero());
  spec.X_WB.R = ReadRotation(object, diagnostics_);
  spec.v_WC = object.Vector("velocity", Vector3::Zero());
  spec.w_WB = object.Vector("spin", Vector3::Zero());
  spec.linear_damping =
      object.Number("linear_damping", NumberRange::NotNegative(), 0.0);
  spec.angular_damping =
      object.Number("angular_damping", NumberRange::NotNegative(), 0.0);
  spec.point_mass = object.Flag("point_mass", false);

  std::vector<SceneShape> shapes;
  std::vector<MassProperties> parts;
  if (const JsonValue* list = object.Array("shapes")) {
    for (const JsonValue& item : list->items) {
      double mass = 0.0;
      double density = 0.0;
      const std::size_t before = diagnostics_.all().size();
      shapes.push_back(ReadShape(item, &mass, &density));
      if (diagnostics_.all().size() > before) continue;
      if (mass == 0.0 && density == 0.0) continue;
      Try(object, [&] {
        parts.push_back(Transformed(
            shapes.back().X_BS,
            MassOf(shapes.back(), mass > 0.0
                                      ? Material::WithMass(mass)
                                      : Material::WithDensity(density))));
      });
    }
  }
  const bool whole_given = object.Has("mass");
  const double whole_mass = object.Number("mass", NumberRange::Positive(), 1.0);
  const bool has_inertia = object.Has("inertia");
  // Ixx, Iyy, Izz and, where the axes of B are not principal, Ixy, Ixz, Iyz.
  std::vector<double> inertia(6, 0.0);
  if (const JsonValue* list = object.Array("inertia")) {
    inertia = object.Numbers("inertia", list->items.size() == 6 ? 6 : 3);
    inertia.resize(6, 0.0);
    // A rod has none about its axis; without any at all nothing could turn it.
    if (!spec.point_mass &&
        std::ranges::all_of(inertia, [](double I) { return I == 0.0; })) {
      object.Error("inertia", "zero-inertia",
                   "\"inertia\" must not be zero about every axis; for a "
                   "particle say \"point_mass\": true");
    }
  }
  const Vector3 mass_centre = object.Vector("mass_centre", Vector3::Zero());
  const JsonValue* contact = object.Object("contact");
  const bool touches = contact != nullptr;
  const ContactSurface surface =
      touches ? ReadSurface(*contact, diagnostics_) : ContactSurface{};
  // A body made from wrong numbers would only add a second message.
  if (diagnostics_.all().size() > mistakes_before) return;
  Try(object, [&] {
    if (whole_given || has_inertia) {
      // The body's own numbers stand for all its shapes.
      spec.mass.mass = whole_mass;
      spec.mass.p_BC = mass_centre;
      if (has_inertia) {
        spec.mass.I_BC << inertia[0], inertia[3], inertia[4],  //
            inertia[3], inertia[1], inertia[5],                //
            inertia[4], inertia[5], inertia[2];
      } else if (shapes.size() == 1 && !spec.point_mass) {
        spec.mass = Transformed(
            shapes[0].X_BS, MassOf(shapes[0], Material::WithMass(whole_mass)));
      } else if (!spec.point_mass) {
        throw std::invalid_argument(
            "a body with \"mass\" needs \"inertia\" or exactly one shape, "
            "found " +
            std::to_string(shapes.size()) + " shapes");
      }
    } else if (!parts.empty()) {
      spec.mass = Combined(parts);
    } else if (spec.kind == BodyKind::kDynamic) {
      throw std::invalid_argument(
          "a dynamic body needs \"mass\", or shapes with \"mass\" or "
          "\"density\"");
    }
    const BodyId id = scene_.world.AddBody(spec);
    scene_.shapes.resize(static_cast<std::size_t>(id.value) + 1);
    scene_.shapes[static_cast<std::size_t>(id.value)] = shapes;
    Register(object, spec.name, scene_.bodies, id);
    if (!touches) return;
    for (const SceneShape& shape : shapes) {
      ColliderSpec collider;
      collider.shape = SharedColliderOf(shape);
      collider.X_BS = shape.X_BS;
      collider.surface = surface;
      scene_.world.AddCollider(id, collider);
    }
  });
}

ShapePointer SceneReader::SharedColliderOf(const SceneShape& shape) {
  if (last_collider_ == nullptr || shape.kind != last_shape_.kind ||
      shape.radius != last_shape_.radius ||
      shape.length != last_shape_.length || shape.size != last_shape_.size) {
    last_collider_ = ColliderOf(shape);
    last_shape_ = shape;
  }
  return last_collider_;
}

void SceneReader::ReadBodies(JsonObject& root) {
  if (const JsonValue* floor = root.Object("floor")) {
    ColliderSpec collider;
    collider.shape = Shape::Plane();
    collider.surface = ReadSurface(*floor, diagnostics_);
    scene_.world.AddCollider(kGround, collider);
  }
  ForEach(root, "bodies", "a body",
          [this](JsonObject& object) { ReadBody(object); });
}

}  // namespace limber::dynamics::internal
