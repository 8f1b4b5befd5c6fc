// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The constraints of a scene file that are not joints.
#include <array>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/gear.h"
#include "dynamics/constraints/point_on_curve.h"
#include "dynamics/constraints/point_on_line.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rolling_wheel.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/scene/internal/scene_reader.h"
#include "dynamics/scene/scene_parts.h"

namespace limber::dynamics::internal {

namespace {

enum Kind {
  kPointToPoint,
  kDistance,
  kRope,
  kPointOnLine,
  kPointOnPlane,
  kPointOnCurve,
  kAlignAxis,
  kAlignOrientation,
  kGear,
  kRollingWheel
};
constexpr std::array<std::string_view, 10> kKinds = {
    "point_to_point", "distance",       "rope",       "point_on_line",
    "point_on_plane", "point_on_curve", "align_axis", "align_orientation",
    "gear",           "rolling_wheel"};

}  // namespace

void SceneReader::ReadLink(JsonObject& object) {
  const std::string name =
      Name(object, "link " + std::to_string(scene_.constraints.size() + 1));
  const int kind = object.Word("kind", kKinds);
  const RowSettings settings = Settings(object);
  const double break_force =
      object.Number("break_force", NumberRange::Positive(), kInfinity);
  const double break_torque =
      object.Number("break_torque", NumberRange::Positive(), kInfinity);
  const BodyMotions motions = scene_.world.motions();
  const auto where = [&](const BodyPoint& point) {
    return MotionOf(motions, point.body).Point(point.p_BA);
  };
  const auto add = [&](auto link) {
    link.set_settings(settings);
    link.set_breaking(break_force, break_torque);
    AddConstraint(object, name, std::move(link));
  };
  Try(object, [&] {
    switch (kind) {
      case kPointToPoint: {
        const BodyPoint a = Point(object, "a");
        return add(PointToPoint(a, Point(object, "b")));
      }
      case kDistance: {
        const BodyPoint a = Point(object, "a");
        const BodyPoint b = Point(object, "b");
        return add(
            DistanceRod(a, b,
                        object.Number("length", NumberRange::NotNegative(),
                                      (where(a) - where(b)).norm())));
      }
      case kRope: {
        std::vector<BodyPoint> points;
        double length = 0.0;
        if (const JsonValue* list = object.Array("points", true)) {
          for (const JsonValue& item : list->items) {
            JsonObject point(item, "a point of a rope", diagnostics_);
            const BodyId body = BodyOrGround(point, "body");
            const Vector3 p_WA = Position(point, "position");
            point.Finish();
            if (!points.empty()) length += (where(points.back()) - p_WA).norm();
            points.push_back({body, scene_.world.X_WB(body).Inverse() * p_WA});
          }
        }
        return add(Rope(
            points, object.Number("length", NumberRange::Positive(), length)));
      }
      case kPointOnLine:
      case kPointOnPlane: {
        const BodyPoint point = Point(object, "point");
        const BodyPoint through = Point(object, "through");
        const Vector3 direction =
            InBody(through.body,
                   ReadDirection(
                       object, kind == kPointOnLine ? "direction" : "normal"));
        if (kind == kPointOnLine) {
          return add(PointOnLine(point, through, direction));
        }
        return add(PointOnPlane(point, through, direction));
      }
      case kPointOnCurve: {
        const BodyPoint point = Point(object, "point");
        const BodyId owner = BodyOrGround(object, "owner");
        const std::shared_ptr<const Curve> curve =
            Find(object, "curve", scene_.curves, "curve");
        if (curve == nullptr) return;
        return add(PointOnCurve(
            point, owner, curve,
            PointOnCurve::ClosestStart(motions, point, owner, *curve)));
      }
      case kAlignAxis: {
        const BodyId body = BodyNamed(object, "body");
        const BodyId reference = BodyOrGround(object, "reference");
        const Vector3 axis = InBody(body, ReadDirection(object, "axis"));
        return add(AlignAxis(
            body, axis, reference,
            InBody(reference, ReadDirection(object, "reference_axis"))));
      }
      case kAlignOrientation: {
        const BodyId body = BodyNamed(object, "body");
        const BodyId reference = BodyOrGround(object, "reference");
        return add(AlignOrientation(body, reference,
                                    scene_.world.X_WB(reference).R.conjugate() *
                                        scene_.world.X_WB(body).R));
      }
      case kGear: {
        const TurnAngle first = Turn(object, "first");
        const TurnAngle second = Turn(object, "second");
        return add(Gear(first, second, object.Number("ratio"),
                        Measure(object, "phase", 0.0)));
      }
      default: {
        const BodyPoint centre = Point(object, "centre");
        RollingWheel wheel(centre,
                           InBody(centre.body, ReadDirection(object, "axle")),
                           object.Number("radius", NumberRange::Positive()),
                           object.Vector("plane", Vector3::Zero()),
                           object.Vector("normal", Vector3::UnitY()));
        wheel.set_two_sided(object.Flag("two_sided", true));
        return add(std::move(wheel));
      }
    }
  });
}

void SceneReader::ReadLinks(JsonObject& root) {
  ForEach(root, "links", "a link",
          [this](JsonObject& object) { ReadLink(object); });
}

}  // namespace limber::dynamics::internal
