// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The criteria of a scene file: what is measured, when, and the bounds.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/angle.h"
#include "dynamics/scene/scene_parts.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"
#include "figure/dynamic/scene/simulate.h"

namespace limber::figure::internal {

using dynamics::BodyId;
using dynamics::World;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum Kind {
  kJointError,
  kLimitViolation,
  kJointGap,
  kSpeed,
  kPosition,
  kDistance,
  kTilt,
  kPenetration,
  kRootHelp,
  kTorque,
  kSaturation,
  kVelocityStep,
  kGoalDistance,
  kMarkerError,
  kHiddenMarkerError,
  kLetGone,
};
constexpr std::array<std::string_view, 16> kKinds = {"joint_error_deg",
                                                     "limit_violation_deg",
                                                     "joint_gap_mm",
                                                     "speed",
                                                     "position",
                                                     "distance",
                                                     "tilt_deg",
                                                     "penetration_mm",
                                                     "root_help",
                                                     "torque",
                                                     "saturation",
                                                     "velocity_step",
                                                     "goal_distance",
                                                     "marker_error_mm",
                                                     "hidden_marker_error_mm",
                                                     "let_go"};
constexpr std::array<std::string_view, 16> kUnits = {
    "deg", "deg", "mm", "m/s",   "m", "m",  "deg", "mm",
    "",    "N m", "",   "rad/s", "m", "mm", "mm",  ""};

// Largest of some segments' numbers.
template <typename Function>
double LargestOf(const std::vector<int>& segments, Function number) {
  double largest = 0.0;
  for (const int s : segments) largest = std::max(largest, number(s));
  return largest;
}

// Change of a joint's velocity from the last step but one to the last [rad/s].
double VelocityStep(const Recorder& recorder, int s) {
  const std::vector<SegmentPose>& poses = recorder.poses();
  if (poses.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t i = static_cast<std::size_t>(s);
  const std::size_t n = poses.size();
  const Quaternion& a = poses[n - 3][i].R;
  const Quaternion& b = poses[n - 2][i].R;
  const Quaternion& c = poses[n - 1][i].R;
  const Vector3 change =
      LogRotation(c * b.conjugate()) - LogRotation(b * a.conjugate());
  return change.norm() / recorder.steps().back().step;
}

// Root mean square of the distances of the markers that are seen, or of those
// that are not, from where they should be [m]; NaN if there are none.
double MarkerError(const SceneMarkers& goal, const Stage& stage, bool seen) {
  double squares = 0.0;
  double count = 0.0;
  for (int i = 0; i < goal.pull->num_markers(); ++i) {
    if (goal.seen(i, stage.time()) != seen) continue;
    const MarkerPull::Marker& marker =
        goal.markers[static_cast<std::size_t>(i)];
    squares += (stage.world().motion(marker.body).Point(marker.p_BA) -
                goal.position(i, stage.time()))
                   .squaredNorm();
    count += 1.0;
  }
  return std::sqrt(squares / count);
}

}  // namespace

std::function<double()> FigureSceneReader::ReadNow(JsonObject& object,
                                                   int kind) {
  const Stage* stage = scene_.stage.get();
  const World* world = &stage->world();
  const auto figure_and_segments =
      [&](const std::function<std::function<double()>(
              const Recorder*, const std::vector<int>&)>& make)
      -> std::function<double()> {
    const SceneFigure* figure = FigureNamed(object);
    if (figure == nullptr) return {};
    const ArticulatedFigure& body = figure->performer->figure();
    std::vector<int> joints;
    for (const int s : ReadSegments(object, body.model(), "all")) {
      if (!body.is_root(s)) joints.push_back(s);
    }
    return make(&stage->recorder(figure->index), joints);
  };
  switch (kind) {
    case kJointError:
      return figure_and_segments(
          [](const Recorder* recorder, const std::vector<int>& segments) {
            return [=] {
              return kDegreesPerRadian * LargestOf(segments, [&](int s) {
                       return recorder->steps()
                           .back()
                           .error[static_cast<std::size_t>(s)];
                     });
            };
          });
    case kTorque:
      return figure_and_segments(
          [](const Recorder* recorder, const std::vector<int>& segments) {
            return [=] {
              return LargestOf(segments, [&](int s) {
                return recorder->steps()
                    .back()
                    .motors[static_cast<std::size_t>(s)]
                    .torque.norm();
              });
            };
          });
    case kSaturation:
      return figure_and_segments([](const Recorder* recorder,
                                    const std::vector<int>& segments) {
        return [=] {
          double motors = 0.0, saturated = 0.0;
          for (const int s : segments) {
            const MotorReading& motor =
                recorder->steps().back().motors[static_cast<std::size_t>(s)];
            motors += motor.num_motors;
            saturated += motor.num_saturated;
          }
          return motors > 0.0 ? saturated / motors : 0.0;
        };
      });
    case kVelocityStep:
      return figure_and_segments(
          [](const Recorder* recorder, const std::vector<int>& segments) {
            return [=] {
              return LargestOf(
                  segments, [&](int s) { return VelocityStep(*recorder, s); });
            };
          });
    case kLimitViolation:
    case kJointGap:
    case kRootHelp: {
      const SceneFigure* figure = FigureNamed(object);
      if (figure == nullptr) return {};
      const Recorder* recorder = &stage->recorder(figure->index);
      return [=] {
        const StepRecord& step = recorder->steps().back();
        if (kind == kLimitViolation)
          return kDegreesPerRadian * step.limit_violation;
        return kind == kJointGap ? 1e3 * step.dislocation : step.root_help;
      };
    }
    case kLetGone: {
      const SceneFigure* figure = FigureNamed(object);
      if (figure == nullptr) return {};
      const auto animation = figure->animation;
      return [=] {
        return animation == nullptr || animation->let_go_time() ? 1.0 : 0.0;
      };
    }
    case kSpeed: {
      if (object.Has("body")) {
        const BodyId body = BodyNamed(object, "body");
        return [=] { return world->motion(body).v_WC.norm(); };
      }
      const SceneFigure* figure = FigureNamed(object);
      if (figure == nullptr) return {};
      const ArticulatedFigure* whole = &figure->performer->figure();
      return [=] {
        double largest = 0.0;
        for (int s = 0; s < whole->num_segments(); ++s) {
          largest =
              std::max(largest, world->motion(whole->body(s)).v_WC.norm());
        }
        return largest;
      };
    }
    case kPosition: {
      const BodyId body = BodyNamed(object, "body");
      const Vector3 axis = object.Has("axis")
                               ? dynamics::ReadDirection(object, "axis")
                               : Vector3(Vector3::UnitY());
      return [=] { return axis.dot(world->motion(body).p_WC); };
    }
    case kDistance: {
      const dynamics::BodyPoint a = ReadBodyPoint(object, "a");
      const dynamics::BodyPoint b = ReadBodyPoint(object, "b");
      return [=] {
        return (world->motion(a.body).Point(a.p_BA) -
                world->motion(b.body).Point(b.p_BA))
            .norm();
      };
    }
    case kTilt: {
      const BodyId body = BodyNamed(object, "body");
      const Vector3 up_B =
          world->X_WB(body).R.conjugate() * Vector3(Vector3::UnitY());
      return [=] {
        const double up = (world->motion(body).R_WB * up_B).y();
        return kDegreesPerRadian * std::acos(std::clamp(up, -1.0, 1.0));
      };
    }
    case kPenetration:
      return [=] { return 1e3 * DeepestOverlap(*world); };
    case kGoalDistance: {
      const PointAt* goal =
          dynamics::FindNamed(object, "goal", object.Text("goal"),
                              scene_.point_goals, "goal of kind point_at");
      if (goal == nullptr) return {};
      return [=] { return goal->Distance(*stage); };
    }
    default: {
      const SceneMarkers goal =
          dynamics::FindNamed(object, "goal", object.Text("goal"),
                              scene_.marker_goals, "goal of kind markers");
      if (goal.pull == nullptr) return {};
      const bool seen = kind == kMarkerError;
      return [=] { return 1e3 * MarkerError(goal, *stage, seen); };
    }
  }
}

FigureSceneReader::Named FigureSceneReader::ReadMeasure(JsonObject& object) {
  constexpr std::array<std::string_view, 5> kOf = {"largest", "smallest",
                                                   "mean", "rms", "last"};
  Named named;
  const int kind = object.Word("measure", kKinds);
  named.measure.of = static_cast<Measure::Of>(object.Word("of", kOf, 0));
  named.measure.from = object.Number("from", NumberRange::NotNegative(), 0.0);
  named.measure.to = object.Number("to", NumberRange::NotNegative(), kInfinity);
  if (!(named.measure.to >= named.measure.from)) {
    object.Error("to", "out-of-range", "\"to\" must not be before \"from\"");
  }
  if (kind < 0) return named;
  named.unit = kUnits[static_cast<std::size_t>(kind)];
  Try(object, [&] { named.measure.now = ReadNow(object, kind); });
  return named;
}

void FigureSceneReader::ReadCriteria(JsonObject& root) {
  const JsonValue* list = root.Array("criteria");
  if (list == nullptr) return;
  for (const JsonValue& item : list->items) {
    JsonObject object(item, "a criterion", diagnostics_);
    const std::size_t before = diagnostics_.all().size();
    Criterion criterion;
    criterion.name = object.Text("name");
    const Named named = ReadMeasure(object);
    criterion.measure = named.measure;
    criterion.unit = named.unit;
    criterion.above = object.Number("above", NumberRange::Any(), -kInfinity);
    const JsonValue* below = object.Value("below");
    if (below != nullptr && below->kind == JsonValue::Kind::kObject) {
      JsonObject other(*below, "\"below\"", diagnostics_);
      criterion.below_measure = ReadMeasure(other).measure;
      if (diagnostics_.all().size() == before) other.Finish();
    } else {
      criterion.below = object.Number("below", NumberRange::Any(), kInfinity);
    }
    if (!object.Has("above") && below == nullptr) {
      object.Error("", "missing-name",
                   "a criterion needs \"below\" or \"above\"");
    }
    if (diagnostics_.all().size() == before) object.Finish();
    if (criterion.measure.now) scene_.criteria.push_back(std::move(criterion));
  }
}

}  // namespace limber::figure::internal
