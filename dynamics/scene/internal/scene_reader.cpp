// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What the lists of a scene file have in common: names, places, repetition.
#include "dynamics/scene/internal/scene_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "core/angle.h"
#include "dynamics/scene/scene_parts.h"

namespace limber::dynamics::internal {

SceneReader::SceneReader(Scene& scene, Diagnostics& diagnostics)
    : scene_(scene), diagnostics_(diagnostics) {
  scene_.bodies.emplace("ground", kGround);
  scene_.shapes.resize(1);
}

void SceneReader::ForEach(JsonObject& root, std::string_view name,
                          std::string_view what,
                          const std::function<void(JsonObject&)>& read_one) {
  const JsonValue* list = root.Array(name);
  if (list == nullptr) return;
  for (const JsonValue& item : list->items) {
    JsonObject object(item, what, diagnostics_);
    int count = 1;
    Vector3 step = Vector3::Zero();
    if (const JsonValue* repeat = object.Object("repeat")) {
      JsonObject repetition(*repeat, "\"repeat\"", diagnostics_);
      count = static_cast<int>(repetition.Integer("count", 1, kMostSceneParts));
      step = repetition.Vector("shift", Vector3::Zero());
      repetition.Finish();
    }
    if (num_parts_ > kMostSceneParts - count) {
      object.Error(
          "repeat", "too-many",
          "a scene has at most " + std::to_string(kMostSceneParts) + " parts");
      return;
    }
    num_parts_ += count;
    for (index_ = 0; index_ < count; ++index_) {
      if (index_ > 0 && diagnostics_.has_errors()) break;
      shift_ = index_ * step;
      read_one(object);
    }
    index_ = 0;
    shift_.setZero();
    object.Finish();
  }
}

std::string SceneReader::Substituted(std::string text) const {
  // "{i}", "{i+1}" and "{i-1}" stand for the number of the repetition.
  for (std::size_t begin = text.find("{i"); begin != std::string::npos;
       begin = text.find("{i", begin)) {
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos) break;
    int offset = 0;
    std::size_t digits = begin + 2;
    if (text[digits] == '+') ++digits;
    const auto parsed =
        std::from_chars(text.data() + digits, text.data() + end, offset);
    const bool plain = digits == end && begin + 2 == end;
    if (!plain && (parsed.ec != std::errc() || parsed.ptr != &text[end])) {
      begin = end;
      continue;
    }
    text.replace(begin, end + 1 - begin, std::to_string(index_ + offset));
  }
  return text;
}

std::string SceneReader::Name(JsonObject& object, std::string_view fallback) {
  return Substituted(object.Text("name", fallback));
}

Vector3 SceneReader::Position(JsonObject& object, std::string_view name) {
  const JsonValue* value = object.Value(name);
  if (value == nullptr || value->kind != JsonValue::Kind::kObject) {
    return object.Vector(name) + shift_;
  }
  JsonObject place(*value, "\"" + std::string(name) + "\"", diagnostics_);
  const BodyId body = BodyNamed(place, "near");
  const Vector3 offset = place.Vector("offset", Vector3::Zero());
  place.Finish();
  return scene_.world.X_WB(body).p + offset + shift_;
}

Vector3 SceneReader::Position(JsonObject& object, std::string_view name,
                              const Vector3& fallback) {
  return object.Has(name) ? Position(object, name) : fallback + shift_;
}

template <typename Map>
typename Map::mapped_type SceneReader::Find(JsonObject& object,
                                            std::string_view key,
                                            const Map& map,
                                            std::string_view what) {
  if (object.Value(key) == nullptr) {
    object.Text(key);  // Reports that it is missing.
    return {};
  }
  return FindNamed(object, key, Substituted(object.Text(key)), map, what);
}

BodyId SceneReader::BodyNamed(JsonObject& object, std::string_view name) {
  return Find(object, name, scene_.bodies, "body");
}

BodyId SceneReader::BodyOrGround(JsonObject& object, std::string_view name) {
  return object.Has(name) ? BodyNamed(object, name) : kGround;
}

Vector3 SceneReader::InBody(BodyId body, const Vector3& direction_W) const {
  return scene_.world.X_WB(body).R.conjugate() * direction_W;
}

BodyPoint SceneReader::Point(JsonObject& object, std::string_view name) {
  const JsonValue* value = object.Object(name, true);
  if (value == nullptr) return {};
  JsonObject point(*value, "\"" + std::string(name) + "\"", diagnostics_);
  const BodyId body = BodyOrGround(point, "body");
  const Vector3 p_WA = Position(point, "position");
  point.Finish();
  return {body, scene_.world.X_WB(body).Inverse() * p_WA};
}

TurnAngle SceneReader::Turn(JsonObject& object, std::string_view name) {
  const JsonValue* value = object.Object(name, true);
  if (value == nullptr) throw std::invalid_argument("no turning angle");
  JsonObject turn(*value, "\"" + std::string(name) + "\"", diagnostics_);
  const BodyId carrier = BodyOrGround(turn, "carrier");
  const BodyId body = BodyNamed(turn, "body");
  const Vector3 axis_W = ReadDirection(turn, "axis");
  turn.Finish();
  return TurnAngle::FromNow(scene_.world.motions(), carrier,
                            InBody(carrier, axis_W), body);
}

double SceneReader::Measure(JsonObject& object, const std::string& name,
                            double fallback) {
  const std::string in_degrees = name + "_deg";
  if (!object.Has(in_degrees)) {
    return object.Number(name, NumberRange::Any(), fallback);
  }
  if (object.Has(name)) {
    object.Error(name, "twice",
                 "either \"" + name + "\" or \"" + in_degrees + "\", not both");
  }
  return object.Number(in_degrees) * kRadiansPerDegree;
}

RowSettings SceneReader::Settings(JsonObject& object) {
  RowSettings settings;
  settings.softness =
      object.Number("softness", NumberRange::NotNegative(), 0.0);
  if (const double bound =
          object.Number("max_force", NumberRange::NotNegative(), kInfinity);
      bound < kInfinity) {
    settings.lo = -bound;
    settings.hi = bound;
  }
  const bool spring = object.Has("stiffness") || object.Has("damping");
  const double stiffness =
      object.Number("stiffness", NumberRange::NotNegative(), 0.0);
  const double damping =
      object.Number("damping", NumberRange::NotNegative(), 0.0);
  if (spring) {
    settings.stabilisation = Stabilisation::Spring(stiffness, damping);
  }
  if (object.Has("time_constant")) {
    settings.stabilisation = Stabilisation::CriticallyDamped(
        object.Number("time_constant", NumberRange::Positive()));
  }
  return settings;
}

Joint* SceneReader::JointNamed(JsonObject& object, std::string_view name) {
  Constraint* found = Find(object, name, scene_.constraints, "joint or link");
  Joint* joint = dynamic_cast<Joint*>(found);
  if (found != nullptr && joint == nullptr) {
    object.Error(name, "wrong-kind", "must be a joint, found a link");
  }
  return joint;
}

void SceneReader::Try(JsonObject& object, const std::function<void()>& make) {
  // A part made from wrong words would only add a second message.
  const std::size_t before = diagnostics_.all().size();
  try {
    make();
  } catch (const std::invalid_argument& refused) {
    if (diagnostics_.all().size() == before) {
      object.Error("", "refused", refused.what());
    }
  }
}

void SceneReader::ReadSettings(JsonObject& root) {
  constexpr std::array<std::string_view, 4> kSchemes = {
      "leapfrog", "euler", "improved_implicit", "acceleration"};
  constexpr std::array<std::string_view, 7> kMethods = {
      "euler",         "double_euler",   "midpoint",         "heun",
      "runge_kutta_4", "dormand_prince", "adams_bashforth_2"};
  constexpr std::array<std::string_view, 4> kSolvers = {"automatic", "dense",
                                                        "tree", "gauss_seidel"};
  const auto version = root.Integer("limber_scene", 1, 1);
  static_cast<void>(version);
  scene_.name = root.Text("name", "");
  scene_.description = root.Text("description", "");
  // After an error the defaults stay, so that reading can go on.
  const double step = root.Number(
      "step", NumberRange::Between(kShortestSceneStep, kLongestSceneStep),
      scene_.step);
  if (step > 0.0) scene_.step = step;
  scene_.duration =
      root.Number("duration", NumberRange::NotNegative(), scene_.duration);
  const std::string wrong = WrongLength(scene_.duration, scene_.step);
  if (!wrong.empty()) root.Error("duration", "out-of-range", wrong);
  WorldSettings settings;
  settings.gravity = root.Vector("gravity", settings.gravity);
  settings.scheme = static_cast<Scheme>(root.Word("scheme", kSchemes, 0));
  settings.ode_method = static_cast<OdeMethod>(
      root.Word("ode_method", kMethods, static_cast<int>(settings.ode_method)));
  settings.solver = static_cast<SolverKind>(root.Word("solver", kSolvers, 0));
  scene_.world = World(settings);
}

void SceneReader::ReadCurves(JsonObject& root) {
  constexpr std::array<std::string_view, 4> kKinds = {
      "line_segment", "circle", "b_spline", "catmull_rom"};
  ForEach(root, "curves", "a curve", [&](JsonObject& object) {
    const std::string name = Substituted(object.Text("name"));
    const int kind = object.Word("kind", kKinds);
    std::vector<Vector3> points;
    if (kind != 1) {
      const JsonValue* list = object.Array("points", true);
      for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        points.push_back(VectorOf(list->items[i], "points", diagnostics_) +
                         shift_);
      }
    }
    const bool closed = kind >= 2 && object.Flag("closed", false);
    Try(object, [&] {
      std::shared_ptr<const Curve> curve;
      switch (kind) {
        case 0:
          if (points.size() != 2) {
            throw std::invalid_argument("a line segment has 2 points, found " +
                                        std::to_string(points.size()));
          }
          curve = std::make_shared<LineSegment>(points[0], points[1]);
          break;
        case 1: {
          const Vector3 normal = ReadDirection(object, "normal");
          curve = std::make_shared<Circle>(
              Position(object, "centre"), normal, AnyPerpendicular(normal),
              object.Number("radius", NumberRange::Positive()));
          break;
        }
        case 2:
          curve = std::make_shared<CubicSpline>(
              CubicSpline::BSpline(points, closed));
          break;
        default:
          curve = std::make_shared<CubicSpline>(
              CubicSpline::CatmullRom(points, closed));
      }
      Register(object, name, scene_.curves, curve);
    });
  });
}

template BodyId SceneReader::Find(
    JsonObject&, std::string_view,
    const std::map<std::string, BodyId, std::less<>>&, std::string_view);
template Constraint* SceneReader::Find(
    JsonObject&, std::string_view,
    const std::map<std::string, Constraint*, std::less<>>&, std::string_view);
template Force* SceneReader::Find(
    JsonObject&, std::string_view,
    const std::map<std::string, Force*, std::less<>>&, std::string_view);
template std::shared_ptr<const Curve> SceneReader::Find(
    JsonObject&, std::string_view,
    const std::map<std::string, std::shared_ptr<const Curve>, std::less<>>&,
    std::string_view);

}  // namespace limber::dynamics::internal
