// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The forces and controllers of a scene file.
#include <array>
#include <stdexcept>

#include "dynamics/controllers/controller.h"
#include "dynamics/forces/drag.h"
#include "dynamics/forces/load.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/forces/torque_spring.h"
#include "dynamics/scene/internal/scene_reader.h"
#include "dynamics/scene/scene_parts.h"

namespace limber::dynamics::internal {

namespace {

enum Kind { kSpring, kTorqueSpring, kDrag, kLoad, kPid };
constexpr std::array<std::string_view, 5> kKinds = {"spring", "torque_spring",
                                                    "drag", "load", "pid"};

}  // namespace

std::unique_ptr<Sensor> SceneReader::ReadSensor(JsonObject& object) {
  constexpr std::array<std::string_view, 7> kSensors = {
      "distance",      "position",       "velocity",   "angle",
      "angular_speed", "joint_position", "joint_speed"};
  const JsonValue* value = object.Object("sensor", true);
  if (value == nullptr) throw std::invalid_argument("no sensor");
  JsonObject sensor(*value, "\"sensor\"", diagnostics_);
  const int kind = sensor.Word("kind", kSensors);
  std::unique_ptr<Sensor> made;
  switch (kind) {
    case 0: {
      const BodyPoint a = Point(sensor, "a");
      made = std::make_unique<DistanceSensor>(a, Point(sensor, "b"));
      break;
    }
    case 1: {
      const BodyPoint point = Point(sensor, "point");
      const BodyPoint origin = Point(sensor, "origin");
      made = std::make_unique<PositionSensor>(
          point, origin, InBody(origin.body, ReadDirection(sensor, "axis")));
      break;
    }
    case 2: {
      const BodyPoint point = Point(sensor, "point");
      const BodyId frame = BodyOrGround(sensor, "frame");
      made = std::make_unique<VelocitySensor>(
          point, frame, InBody(frame, ReadDirection(sensor, "axis")));
      break;
    }
    case 3:
      made = std::make_unique<AngleSensor>(Turn(sensor, "turn"));
      break;
    case 4:
      made = std::make_unique<AngularSpeedSensor>(Turn(sensor, "turn"));
      break;
    default: {
      const Joint* joint = JointNamed(sensor, "joint");
      if (joint == nullptr) throw std::invalid_argument("no joint");
      const int k =
          static_cast<int>(sensor.Integer("axis", 0, joint->num_free() - 1, 0));
      if (kind == 5) {
        made = std::make_unique<JointPositionSensor>(*joint, k);
      } else {
        made = std::make_unique<JointSpeedSensor>(*joint, k);
      }
    }
  }
  sensor.Finish();
  return made;
}

std::unique_ptr<Actuator> SceneReader::ReadActuator(JsonObject& object) {
  constexpr std::array<std::string_view, 4> kActuators = {"line", "axis_force",
                                                          "torque", "joint"};
  const JsonValue* value = object.Object("actuator", true);
  if (value == nullptr) throw std::invalid_argument("no actuator");
  JsonObject actuator(*value, "\"actuator\"", diagnostics_);
  std::unique_ptr<Actuator> made;
  switch (actuator.Word("kind", kActuators)) {
    case 0: {
      const BodyPoint a = Point(actuator, "a");
      made = std::make_unique<LineActuator>(a, Point(actuator, "b"));
      break;
    }
    case 1: {
      const BodyPoint point = Point(actuator, "point");
      const BodyId frame = BodyOrGround(actuator, "frame");
      made = std::make_unique<AxisForceActuator>(
          point, frame, InBody(frame, ReadDirection(actuator, "axis")));
      break;
    }
    case 2:
      made = std::make_unique<TorqueActuator>(Turn(actuator, "turn"));
      break;
    default: {
      const Joint* joint = JointNamed(actuator, "joint");
      if (joint == nullptr) throw std::invalid_argument("no joint");
      made = std::make_unique<JointActuator>(
          *joint, static_cast<int>(
                      actuator.Integer("axis", 0, joint->num_free() - 1, 0)));
    }
  }
  made->set_limit(
      actuator.Number("limit", NumberRange::NotNegative(), kInfinity));
  actuator.Finish();
  return made;
}

void SceneReader::ReadPid(JsonObject& object, const std::string& name) {
  PidGains gains;
  gains.proportional = object.Number("proportional", NumberRange::Any(), 0.0);
  gains.integral = object.Number("integral", NumberRange::Any(), 0.0);
  gains.derivative = object.Number("derivative", NumberRange::Any(), 0.0);
  const double reference = Measure(object, "reference", 0.0);
  std::unique_ptr<Sensor> sensor = ReadSensor(object);
  std::unique_ptr<Actuator> actuator = ReadActuator(object);
  AddForce(object, name,
           PidController([reference](double) { return reference; },
                         std::move(sensor), gains, std::move(actuator)));
}

void SceneReader::ReadForce(JsonObject& object) {
  const std::string name =
      Name(object, "force " + std::to_string(scene_.forces.size() + 1));
  const int kind = object.Word("kind", kKinds);
  const NumberRange not_negative = NumberRange::NotNegative();
  Try(object, [&] {
    switch (kind) {
      case kSpring: {
        const BodyPoint a = Point(object, "a");
        const BodyPoint b = Point(object, "b");
        const BodyMotions motions = scene_.world.motions();
        const double now = (MotionOf(motions, a.body).Point(a.p_BA) -
                            MotionOf(motions, b.body).Point(b.p_BA))
                               .norm();
        SpringDamperSettings settings;
        settings.stiffness = object.Number("stiffness", not_negative);
        settings.damping = object.Number("damping", not_negative, 0.0);
        settings.rest_length = object.Number("rest_length", not_negative, now);
        AddForce(object, name, SpringDamper(a, b, settings));
        break;
      }
      case kTorqueSpring: {
        TorqueSpringSettings settings;
        settings.stiffness = object.Number("stiffness", not_negative);
        settings.damping = object.Number("damping", not_negative, 0.0);
        settings.rest_angle = Measure(object, "rest_angle", 0.0);
        AddForce(object, name, TorqueSpring(Turn(object, "turn"), settings));
        break;
      }
      case kDrag: {
        DragSettings settings;
        settings.linear = object.Number("linear", not_negative, 0.0);
        settings.quadratic = object.Number("quadratic", not_negative, 0.0);
        settings.angular = object.Number("angular", not_negative, 0.0);
        settings.wind = object.Vector("wind", Vector3::Zero());
        AddForce(object, name, Drag(Point(object, "point"), settings));
        break;
      }
      case kLoad: {
        const Vector3 force = object.Vector("force", Vector3::Zero());
        const Vector3 torque = object.Vector("torque", Vector3::Zero());
        AddForce(object, name, Load(Point(object, "point"), force, torque));
        break;
      }
      default:
        ReadPid(object, name);
    }
    const auto added = scene_.forces.find(name);
    if (added != scene_.forces.end()) {
      added->second->set_enabled(object.Flag("enabled", true));
    }
  });
}

void SceneReader::ReadForces(JsonObject& root) {
  ForEach(root, "forces", "a force",
          [this](JsonObject& object) { ReadForce(object); });
}

}  // namespace limber::dynamics::internal
