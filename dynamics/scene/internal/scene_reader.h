// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "dynamics/constraints/body_point.h"
#include "dynamics/constraints/link.h"
#include "dynamics/constraints/turn_angle.h"
#include "dynamics/controllers/actuator.h"
#include "dynamics/controllers/sensor.h"
#include "dynamics/joint.h"
#include "dynamics/scene/scene.h"

namespace limber::dynamics::internal {

/// Fills a scene from a file's objects, list by list. While a repeated object
/// is read, `{i}` in names stands for its number and positions are shifted.
class SceneReader {
 public:
  SceneReader(Scene& scene, Diagnostics& diagnostics);

  void ReadSettings(JsonObject& root);
  void ReadCurves(JsonObject& root);
  void ReadBodies(JsonObject& root);
  void ReadJoints(JsonObject& root);
  void ReadLinks(JsonObject& root);
  void ReadForces(JsonObject& root);
  void ReadEvents(JsonObject& root);

 private:
  /// Calls `read_one` for each object of the list `name`, as often as its
  /// "repeat" says; stops repeating an object that has a mistake.
  void ForEach(JsonObject& root, std::string_view name, std::string_view what,
               const std::function<void(JsonObject&)>& read_one);

  // Parts that many objects share.
  std::string Name(JsonObject& object, std::string_view fallback);
  std::string Substituted(std::string text) const;
  /// [x, y, z], or {"near": "bar", "offset": [..]}: from the origin of a body
  /// that is there already, along the axes of the world.
  Vector3 Position(JsonObject& object, std::string_view name);
  Vector3 Position(JsonObject& object, std::string_view name,
                   const Vector3& fallback);
  BodyId BodyNamed(JsonObject& object, std::string_view name);
  /// "ground" where the name is missing.
  BodyId BodyOrGround(JsonObject& object, std::string_view name);
  /// {"body": "bar", "position": [..]}, the position in the world at the start.
  BodyPoint Point(JsonObject& object, std::string_view name);
  Vector3 InBody(BodyId body, const Vector3& direction_W) const;
  TurnAngle Turn(JsonObject& object, std::string_view name);
  /// A number under `name`, or in degrees under `name` + "_deg".
  double Measure(JsonObject& object, const std::string& name, double fallback);
  RowSettings Settings(JsonObject& object);
  Joint* JointNamed(JsonObject& object, std::string_view name);
  template <typename Map>
  typename Map::mapped_type Find(JsonObject& object, std::string_view key,
                                 const Map& map, std::string_view what);

  // One object of a list.
  void ReadBody(JsonObject& object);
  SceneShape ReadShape(const JsonValue& value, double* mass, double* density);
  void ReadJoint(JsonObject& object);
  void ReadAxes(JsonObject& object, Joint& joint);
  void ReadLink(JsonObject& object);
  void ReadForce(JsonObject& object);
  void ReadPid(JsonObject& object, const std::string& name);
  std::unique_ptr<Sensor> ReadSensor(JsonObject& object);
  std::unique_ptr<Actuator> ReadActuator(JsonObject& object);
  void ReadEvent(JsonObject& object);
  /// @param shown  gets what those see who show the scene.
  std::function<void(World&)> ReadAction(JsonObject& object, SceneEvent& shown);
  std::function<void(World&)> ReadDrive(JsonObject& object, SceneEvent& shown);

  /// Runs `make`; what it throws becomes an error at the object.
  void Try(JsonObject& object, const std::function<void()>& make);
  template <typename T>
  void AddConstraint(JsonObject& object, const std::string& name,
                     T constraint) {
    Constraint& added = scene_.world.Add(std::move(constraint));
    Register(object, name, scene_.constraints, &added);
  }
  template <typename T>
  void AddForce(JsonObject& object, const std::string& name, T force) {
    Force& added = scene_.world.Add(std::move(force));
    Register(object, name, scene_.forces, &added);
  }
  template <typename Map, typename Value>
  void Register(JsonObject& object, const std::string& name, Map& map,
                Value value) {
    if (!map.emplace(name, value).second) {
      object.Error("name", "duplicate-name",
                   "the name \"" + name + "\" is taken");
    }
  }

  /// What collides, the same object for shapes of one size that follow each
  /// other, as those of a repeated body do.
  ShapePointer SharedColliderOf(const SceneShape& shape);

  Scene& scene_;
  Diagnostics& diagnostics_;
  SceneShape last_shape_;
  ShapePointer last_collider_;
  int index_ = 0;
  Vector3 shift_ = Vector3::Zero();
  int num_parts_ = 0;
};

}  // namespace limber::dynamics::internal
