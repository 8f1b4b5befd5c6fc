// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/scene/scene.h"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/file.h"
#include "dynamics/scene/internal/scene_reader.h"

namespace limber::dynamics {

namespace {

template <typename Map>
typename Map::mapped_type Lookup(const Map& map, std::string_view name,
                                 const char* what) {
  const auto found = map.find(name);
  if (found == map.end()) {
    throw std::invalid_argument(std::string("no ") + what + " \"" +
                                std::string(name) + "\" in the scene");
  }
  return found->second;
}

}  // namespace

BodyId Scene::Body(std::string_view body) const {
  return Lookup(bodies, body, "body");
}

Constraint& Scene::ConstraintNamed(std::string_view constraint) const {
  return *Lookup(constraints, constraint, "joint or link");
}

std::string WrongLength(double seconds, double step) {
  const auto text = [](double number) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), number);
    return std::string(buffer, end.ptr);
  };
  if (!(seconds <= kLongestScene)) {
    return "a scene plays for at most " + text(kLongestScene) +
           " s (a day), found " + text(seconds) + " s";
  }
  if (!(seconds / step <= kMostSceneSteps)) {
    return text(seconds) + " s in steps of " + text(step) + " s are " +
           text(std::ceil(seconds / step)) + " steps, at most " +
           text(kMostSceneSteps) + " are allowed";
  }
  return "";
}

void ReadSceneWorld(JsonObject& root, Scene& scene, Diagnostics& diagnostics,
                    const std::function<bool()>& add_first) {
  internal::SceneReader reader(scene, diagnostics);
  reader.ReadSettings(root);
  if (add_first && !add_first()) return;
  reader.ReadCurves(root);
  reader.ReadBodies(root);
  reader.ReadJoints(root);
  reader.ReadLinks(root);
  reader.ReadForces(root);
  reader.ReadEvents(root);
}

Result<Scene> ParseScene(std::string_view text, const std::string& file) {
  const Result<JsonValue> json = ParseJson(text, file);
  if (!json) return Result<Scene>(json.diagnostics());
  Diagnostics diagnostics(file);
  Scene scene;
  JsonObject root(*json, "a scene", diagnostics);
  ReadSceneWorld(root, scene, diagnostics);
  root.Finish();
  return {std::move(scene), std::move(diagnostics)};
}

Result<Scene> ReadScene(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<Scene>(text.diagnostics());
  return ParseScene(*text, PathText(path));
}

}  // namespace limber::dynamics
