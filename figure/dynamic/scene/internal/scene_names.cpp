// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures, bodies and places that goals and criteria name.
#include "dynamics/scene/scene_parts.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"

namespace limber::figure::internal {

const SceneFigure* FigureSceneReader::FigureNamed(JsonObject& object) {
  if (!object.Has("figure") && scene_.figures.size() == 1) {
    return scene_.figures.data();
  }
  const std::string name = object.Text("figure");
  if (name.empty()) return nullptr;
  if (!figure_index_.contains(name)) {
    dynamics::FindNamed(object, "figure", name, figure_index_, "figure");
    return nullptr;
  }
  return &scene_.figures[static_cast<std::size_t>(
      figure_index_.find(name)->second)];
}

dynamics::BodyId FigureSceneReader::BodyNamed(JsonObject& object,
                                              std::string_view name) {
  const std::string text = object.Text(name);
  if (text.empty()) return dynamics::kGround;
  return dynamics::FindNamed(object, name, text, scene_.scene->bodies, "body");
}

dynamics::BodyPoint FigureSceneReader::ReadBodyPoint(JsonObject& object,
                                                     std::string_view name) {
  const JsonValue* value = object.Object(name, true);
  if (value == nullptr) return {};
  JsonObject point(*value, "\"" + std::string(name) + "\"", diagnostics_);
  const dynamics::BodyId body =
      point.Has("body") ? BodyNamed(point, "body") : dynamics::kGround;
  const Transform X_WB = scene_.scene->world.X_WB(body);
  const Vector3 p_WA =
      point.Has("position") ? ReadPosition(point, "position") : X_WB.p;
  point.Finish();
  return {body, X_WB.Inverse() * p_WA};
}

Vector3 FigureSceneReader::ReadPosition(JsonObject& object,
                                        std::string_view name) {
  const JsonValue* value = object.Value(name);
  if (value == nullptr || value->kind != JsonValue::Kind::kObject) {
    return object.Vector(name);
  }
  JsonObject place(*value, "\"" + std::string(name) + "\"", diagnostics_);
  const dynamics::BodyId body = BodyNamed(place, "near");
  const Vector3 offset = place.Vector("offset", Vector3::Zero());
  place.Finish();
  return scene_.scene->world.X_WB(body).p + offset;
}

}  // namespace limber::figure::internal
