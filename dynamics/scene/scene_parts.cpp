// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/scene/scene_parts.h"

#include <algorithm>

namespace limber::dynamics {

ContactSurface ReadSurface(const JsonValue& value, Diagnostics& diagnostics) {
  const NumberRange not_negative = NumberRange::NotNegative();
  JsonObject object(value, "a surface", diagnostics);
  ContactSurface surface;
  surface.static_friction =
      object.Number("static_friction", not_negative, surface.static_friction);
  surface.dynamic_friction = object.Number(
      "dynamic_friction", NumberRange::Between(0.0, surface.static_friction),
      std::min(surface.dynamic_friction, surface.static_friction));
  surface.restitution = object.Number(
      "restitution", NumberRange::Between(0.0, 1.0), surface.restitution);
  surface.restitution_speed = object.Number("restitution_speed", not_negative,
                                            surface.restitution_speed);
  surface.torsional_radius =
      object.Number("torsional_radius", not_negative, 0.0);
  surface.rolling_radius = object.Number("rolling_radius", not_negative, 0.0);
  surface.surface_velocity = object.Vector("surface_velocity", Vector3::Zero());
  object.Finish();
  return surface;
}

Vector3 ReadDirection(JsonObject& object, std::string_view name) {
  const Vector3 direction = object.Vector(name);
  const double length = direction.norm();
  if (length > 0.0) return direction / length;
  if (object.Has(name)) {
    object.Error(name, "out-of-range",
                 "\"" + std::string(name) + "\" must not be zero");
  }
  return Vector3::UnitX();
}

Quaternion ReadRotation(JsonObject& object, Diagnostics& diagnostics) {
  const JsonValue* value = object.Object("rotation");
  if (value == nullptr) return Quaternion::Identity();
  JsonObject rotation(*value, "\"rotation\"", diagnostics);
  const Vector3 axis = ReadDirection(rotation, "axis");
  const double angle = rotation.Number("angle_deg") * kPi / 180.0;
  rotation.Finish();
  return ExpRotation(angle * axis);
}

}  // namespace limber::dynamics
