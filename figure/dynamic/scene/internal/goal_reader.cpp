// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The goals of a scene file: hands led to points, figures led by markers.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/suggest.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"
#include "figure/figure_model.h"

namespace limber::figure::internal {

using dynamics::BodyId;
using dynamics::World;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Markers that are not seen from `from` to `to` of every `every` seconds.
struct Hidden {
  std::vector<int> markers;
  double from = 0.0;
  double to = 0.0;
  double every = kInfinity;

  bool Hides(int index, double time) const {
    const double t = std::isfinite(every) ? std::fmod(time, every) : time;
    return t >= from && t < to &&
           std::ranges::find(markers, index) != markers.end();
  }
};

}  // namespace

void FigureSceneReader::ReadPointGoal(JsonObject& object,
                                      const std::string& name) {
  const NumberRange not_negative = NumberRange::NotNegative();
  const BodyId body = BodyNamed(object, "body");
  const Vector3 point = object.Vector("point", Vector3::Zero());
  std::function<Vector3(double)> target;
  const JsonValue* value = object.Value("target");
  const bool rides = value != nullptr && value->Find("on") != nullptr;
  if (rides) {
    JsonObject place(*value, "\"target\"", diagnostics_);
    const BodyId carrier = BodyNamed(place, "on");
    const Vector3 p_BT = place.Vector("offset", Vector3::Zero());
    place.Finish();
    const World* world = &scene_.stage->world();
    target = [=](double) { return world->motion(carrier).Point(p_BT); };
  } else {
    const Vector3 p_WT = ReadPosition(object, "target");
    target = [=](double) { return p_WT; };
  }
  const double max_force = object.Number("max_force", not_negative, 200.0);
  const double time_constant =
      object.Number("time_constant", not_negative, 0.05);
  const double max_pull =
      object.Number("max_pull", NumberRange::Positive(), 0.2);
  const double from = object.Number("from", not_negative, 0.0);
  const double to = object.Number("to", NumberRange::Positive(), kInfinity);
  if (diagnostics_.has_errors()) return;
  PointAt* goal = &scene_.stage->AddGoal(
      std::make_unique<PointAt>(*scene_.stage, body, point, target));
  goal->time_constant = time_constant;
  goal->max_pull = max_pull;
  goal->set_max_force(from > 0.0 ? 0.0 : max_force);
  if (from > 0.0) {
    scene_.stage->At(from, [=](Stage&) { goal->set_max_force(max_force); });
  }
  if (to < kInfinity) {
    scene_.stage->At(to, [=](Stage&) { goal->set_max_force(0.0); });
  }
  scene_.point_goals.emplace(name, goal);
  scene_.scene->events.push_back({from, to, "goal " + name, body, point});
}

void FigureSceneReader::ReadMarkerGoal(JsonObject& object,
                                       const std::string& name) {
  const SceneFigure* figure = FigureNamed(object);
  const double stiffness =
      object.Number("stiffness", NumberRange::Positive(), 2e4);
  const double mass =
      object.Number("carried_mass", NumberRange::Positive(), 1.0);
  if (figure == nullptr) return;
  const auto model = figure->performer->figure().shared_model();
  const auto animation = figure->animation;
  if (animation == nullptr) {
    object.Error("figure", "wrong-kind",
                 "a rag doll has no clip whose markers could lead it");
    return;
  }
  if (model->markers.empty()) {
    object.Error("figure", "no-markers",
                 "the figure has no marker sites: it is not of human form");
    return;
  }
  std::vector<std::string> labels;
  for (const FigureSite& site : model->markers) labels.push_back(site.name);
  std::vector<Hidden> hidden;
  if (const JsonValue* list = object.Array("hidden")) {
    for (const JsonValue& item : list->items) {
      JsonObject own(item, "a hidden span", diagnostics_);
      Hidden& span = hidden.emplace_back();
      span.from = own.Number("from", NumberRange::NotNegative());
      span.to = own.Number("to", NumberRange::Positive());
      span.every = own.Number("every", NumberRange::Positive(), kInfinity);
      const JsonValue* names = own.Array("markers", true);
      for (std::size_t i = 0; names != nullptr && i < names->items.size();
           ++i) {
        const JsonValue& label = names->items[i];
        if (!CheckKind(label, "markers", JsonValue::Kind::kText,
                       diagnostics_)) {
          continue;
        }
        const auto found = std::ranges::find(labels, label.text);
        if (found != labels.end()) {
          span.markers.push_back(static_cast<int>(found - labels.begin()));
          continue;
        }
        std::string message = "no marker \"" + label.text + "\"";
        if (const auto meant = Suggest(label.text, labels)) {
          message += "; did you mean \"" + *meant + "\"?";
        }
        message += " (there are:";
        for (const std::string& known : labels) message += " " + known;
        diagnostics_.Error("unknown-name", label.place, message + ")");
      }
      own.Finish();
    }
  }
  if (diagnostics_.has_errors()) return;

  SceneMarkers goal;
  for (const FigureSite& site : model->markers) {
    const int s = model->segment_of_joint[static_cast<std::size_t>(site.joint)];
    goal.markers.push_back({figure->performer->figure().body(s),
                            PlaceInSegment(*model, site.joint) + site.offset});
  }
  // All markers of one time come from one pose.
  struct Known {
    double time = -kInfinity;
    std::vector<Transform> X_WJ;
  };
  const auto last = std::make_shared<std::array<Known, 2>>();
  goal.position = [model, animation, last](int index, double time) {
    Known* known = &(*last)[0];
    if (known->time != time) {
      std::swap((*last)[0], (*last)[1]);
      known = &(*last)[0];
    }
    if (known->time != time) {
      known->X_WJ = WorldTransforms(*model->skeleton, animation->PoseAt(time));
      known->time = time;
    }
    const FigureSite& site = model->markers[static_cast<std::size_t>(index)];
    return Vector3(known->X_WJ[static_cast<std::size_t>(site.joint)] *
                   site.offset);
  };
  goal.seen = [hidden](int index, double time) {
    return std::ranges::none_of(
        hidden, [=](const Hidden& span) { return span.Hides(index, time); });
  };
  goal.pull = &scene_.stage->AddGoal(std::make_unique<MarkerPull>(
      *scene_.stage, goal.markers,
      [position = goal.position, seen = goal.seen](
          int index, double time) -> std::optional<Vector3> {
        if (!seen(index, time)) return std::nullopt;
        return position(index, time);
      },
      stiffness, mass));
  scene_.marker_goals.emplace(name, std::move(goal));
}

void FigureSceneReader::ReadGoals(JsonObject& root) {
  constexpr std::array<std::string_view, 2> kKinds = {"point_at", "markers"};
  const JsonValue* list = root.Array("goals");
  if (list == nullptr) return;
  for (const JsonValue& item : list->items) {
    JsonObject object(item, "a goal", diagnostics_);
    const std::string name = object.Text("name");
    if (scene_.point_goals.contains(name) ||
        scene_.marker_goals.contains(name)) {
      object.Error("name", "duplicate-name",
                   "the name \"" + name + "\" is taken");
    }
    const int kind = object.Word("kind", kKinds);
    const std::size_t before = diagnostics_.all().size();
    Try(object, [&] {
      if (kind == 0) ReadPointGoal(object, name);
      if (kind == 1) ReadMarkerGoal(object, name);
    });
    if (diagnostics_.all().size() == before) object.Finish();
  }
}

}  // namespace limber::figure::internal
