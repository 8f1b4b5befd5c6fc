// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What happens at given times of a scene.
#include <array>

#include "dynamics/scene/internal/scene_reader.h"

namespace limber::dynamics::internal {

namespace {

enum Action { kEnable, kDisable, kImpulse, kPush, kVelocity, kGravity, kDrive };
constexpr std::array<std::string_view, 7> kActions = {
    "enable", "disable", "impulse", "push", "velocity", "gravity", "drive"};

}  // namespace

std::function<void(World&)> SceneReader::ReadAction(JsonObject& object,
                                                    SceneEvent& shown) {
  const int action = object.Word("do", kActions);
  // What it is done to, in the words of the file.
  const auto show = [&](std::string_view name) {
    shown.text = object.Text("do") + " " + object.Text(name);
  };
  switch (action) {
    case kEnable:
    case kDisable: {
      const bool on = action == kEnable;
      if (object.Has("force")) {
        Force* force = Find(object, "force", scene_.forces, "force");
        if (force == nullptr) return {};
        show("force");
        return [force, on](World&) { force->set_enabled(on); };
      }
      Constraint* constraint =
          Find(object, "constraint", scene_.constraints, "joint or link");
      if (constraint == nullptr) return {};
      show("constraint");
      return [constraint, on](World&) { constraint->set_enabled(on); };
    }
    case kImpulse: {
      const BodyId body = BodyNamed(object, "body");
      const Vector3 p_BA = object.Vector("point", Vector3::Zero());
      const Vector3 impulse = object.Vector("impulse");
      show("body");
      shown.body = body;
      shown.p_BA = p_BA;
      shown.impulse = impulse;
      return [=](World& world) { world.ApplyImpulse(body, p_BA, impulse); };
    }
    case kPush: {
      const BodyId body = BodyNamed(object, "body");
      const Vector3 p_BA = object.Vector("point", Vector3::Zero());
      const Vector3 force = object.Vector("impulse") / scene_.step;
      if (!force.allFinite()) {
        object.Error("impulse", "out-of-range",
                     "\"impulse\" over one step is not a finite force");
        return {};
      }
      show("body");
      shown.body = body;
      shown.p_BA = p_BA;
      shown.impulse = scene_.step * force;
      return [=](World& world) { world.ApplyForce(body, p_BA, force); };
    }
    case kVelocity: {
      const BodyId body = BodyNamed(object, "body");
      const Vector3 velocity = object.Vector("velocity", Vector3::Zero());
      const Vector3 spin = object.Vector("spin", Vector3::Zero());
      show("body");
      return [=](World& world) { world.SetVelocity(body, velocity, spin); };
    }
    case kGravity: {
      const Vector3 gravity = object.Vector("gravity");
      shown.text = "gravity";
      return [gravity](World& world) {
        WorldSettings settings = world.settings();
        settings.gravity = gravity;
        world.set_settings(settings);
      };
    }
    default:
      return ReadDrive(object, shown);
  }
}

std::function<void(World&)> SceneReader::ReadDrive(JsonObject& object,
                                                   SceneEvent& shown) {
  Joint* joint = JointNamed(object, "constraint");
  if (joint == nullptr) return {};
  shown.text = "drive " + object.Text("constraint");
  const int k =
      static_cast<int>(object.Integer("axis", 0, joint->num_free() - 1, 0));
  const bool has_target = object.Has("target") || object.Has("target_deg");
  const bool has_speed =
      object.Has("target_speed") || object.Has("target_speed_deg");
  const double target = Measure(object, "target", 0.0);
  const double speed = Measure(object, "target_speed", 0.0);
  const double max_force =
      object.Number("max_force", NumberRange::NotNegative(), -1.0);
  return [=](World&) {
    PoweredAxis& axis = joint->axis(k);
    if (has_target) axis.target_position = target;
    if (has_speed) axis.target_speed = speed;
    if (max_force >= 0.0) axis.max_force = max_force;
  };
}

void SceneReader::ReadEvent(JsonObject& object) {
  const double time = object.Number("at", NumberRange::NotNegative());
  SceneEvent shown;
  shown.from = shown.to = time;
  std::function<void(World&)> action = ReadAction(object, shown);
  if (!action) return;
  scene_.world.At(time, std::move(action));
  scene_.events.push_back(std::move(shown));
}

void SceneReader::ReadEvents(JsonObject& root) {
  ForEach(root, "events", "an event",
          [this](JsonObject& object) { ReadEvent(object); });
}

}  // namespace limber::dynamics::internal
