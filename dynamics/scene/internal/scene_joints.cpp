// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The joints of a scene file and what drives them.
#include <array>
#include <stdexcept>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/free_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/planar_joint.h"
#include "dynamics/joints/screw_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "dynamics/scene/internal/scene_reader.h"
#include "dynamics/scene/scene_parts.h"

namespace limber::dynamics::internal {

namespace {

enum Kind {
  kBall,
  kHinge,
  kUniversal,
  kSlider,
  kScrew,
  kCylindrical,
  kPlanar,
  kWeld,
  kFree
};
constexpr std::array<std::string_view, 9> kKinds = {
    "ball",        "hinge",  "universal", "slider", "screw",
    "cylindrical", "planar", "weld",      "free"};

bool HasAxis(int kind) { return kind >= kHinge && kind <= kPlanar; }

Quaternion FromColumns(const Vector3& x, const Vector3& y, const Vector3& z) {
  Matrix3 R;
  R.col(0) = x;
  R.col(1) = y;
  R.col(2) = z;
  return Quaternion(R);
}

}  // namespace

void SceneReader::ReadAxes(JsonObject& object, Joint& joint) {
  constexpr std::array<std::string_view, 4> kDrives = {"none", "speed",
                                                       "position", "spring"};
  const JsonValue* list = object.Array("axes");
  if (list == nullptr) return;
  if (list->items.size() > static_cast<std::size_t>(joint.num_free())) {
    throw std::invalid_argument(
        "this joint has " + std::to_string(joint.num_free()) +
        " free directions, \"axes\" has " + std::to_string(list->items.size()));
  }
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    JsonObject item(list->items[k], "an axis", diagnostics_);
    PoweredAxis axis;
    axis.drive =
        static_cast<PoweredAxis::Drive>(item.Word("drive", kDrives, 0));
    axis.target_position = Measure(item, "target", 0.0);
    axis.target_speed = Measure(item, "target_speed", 0.0);
    axis.max_force =
        item.Number("max_force", NumberRange::NotNegative(), kInfinity);
    axis.softness = item.Number("softness", NumberRange::NotNegative(), 0.0);
    axis.stiffness = item.Number("stiffness", NumberRange::NotNegative(), 0.0);
    axis.damping = item.Number("damping", NumberRange::NotNegative(), 0.0);
    axis.friction = item.Number("friction", NumberRange::NotNegative(), 0.0);
    axis.lower = Measure(item, "lower", -kInfinity);
    axis.upper = Measure(item, "upper", kInfinity);
    axis.limit_softness =
        item.Number("limit_softness", NumberRange::NotNegative(), 0.0);
    item.Finish();
    Validate(axis);
    joint.axis(static_cast<int>(k)) = axis;
  }
}

void SceneReader::ReadJoint(JsonObject& object) {
  const std::string name =
      Name(object, "joint " + std::to_string(scene_.constraints.size() + 1));
  const int kind = object.Word("kind", kKinds);
  const BodyId parent = BodyOrGround(object, "parent");
  const BodyId child = BodyNamed(object, "child");
  Transform X_WF;
  X_WF.p = Position(object, "position");
  if (HasAxis(kind)) {
    const Vector3 axis = ReadDirection(object, "axis");
    if (kind == kUniversal) {
      // F turns about its x axis in the parent, M about its y axis.
      const Vector3 second = ReadDirection(object, "second_axis");
      const Vector3 z = axis.cross(second);
      if (z.norm() < 1e-6) {
        object.Error("second_axis", "out-of-range",
                     "\"second_axis\" must not lie along \"axis\"");
        return;
      }
      X_WF.R = FromColumns(axis, z.normalized().cross(axis), z.normalized());
    } else {
      const Vector3 x = AnyPerpendicular(axis);
      X_WF.R = FromColumns(x, axis.cross(x), axis);
    }
  }
  const double lead =
      kind == kScrew ? object.Number("lead", NumberRange::Any()) : 0.0;
  constexpr std::array<std::string_view, 2> kTurning = {"parent_axes",
                                                        "euler_xyz"};
  const auto axes = static_cast<FreeRotationJoint::Axes>(
      kind == kBall || kind == kFree ? object.Word("turning", kTurning, 0) : 0);
  const Transform X_PF = scene_.world.X_WB(parent).Inverse() * X_WF;
  const Transform X_BM = scene_.world.X_WB(child).Inverse() * X_WF;
  const double break_force =
      object.Number("break_force", NumberRange::Positive(), kInfinity);
  const double break_torque =
      object.Number("break_torque", NumberRange::Positive(), kInfinity);
  const double softness =
      object.Number("softness", NumberRange::NotNegative(), 0.0);

  const auto add = [&](auto joint) {
    ReadAxes(object, joint);
    RowSettings locked = joint.locked_settings();
    locked.softness = softness;
    joint.set_locked_settings(locked);
    joint.set_breaking(break_force, break_torque);
    AddConstraint(object, name, std::move(joint));
  };
  Try(object, [&] {
    switch (kind) {
      case kBall:
        return add(BallJoint(parent, X_PF, child, X_BM, axes));
      case kHinge:
        return add(HingeJoint(parent, X_PF, child, X_BM));
      case kUniversal:
        return add(UniversalJoint(parent, X_PF, child, X_BM));
      case kSlider:
        return add(SliderJoint(parent, X_PF, child, X_BM));
      case kScrew:
        return add(ScrewJoint(parent, X_PF, child, X_BM, lead));
      case kCylindrical:
        return add(CylindricalJoint(parent, X_PF, child, X_BM));
      case kPlanar:
        return add(PlanarJoint(parent, X_PF, child, X_BM));
      case kWeld:
        return add(WeldJoint(parent, X_PF, child, X_BM));
      default:
        return add(FreeJoint(parent, X_PF, child, X_BM, axes));
    }
  });
}

void SceneReader::ReadJoints(JsonObject& root) {
  ForEach(root, "joints", "a joint",
          [this](JsonObject& object) { ReadJoint(object); });
}

}  // namespace limber::dynamics::internal
