// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "core/angle.h"
#include "core/json_document.h"
#include "figure/segment_words.h"
#include "jobs/event_words.h"

namespace limber::jobs {

namespace {

using figure::EditEvent;
using figure::FigureModel;
using figure::SegmentsNamed;
using figure::Strength;
using Kind = EditEvent::Kind;

constexpr std::array<EventKindWord, 17> kKindWords = {
    {{"push", Kind::kPush},
     {"throw", Kind::kThrow},
     {"obstacle", Kind::kObstacle},
     {"carry", Kind::kCarry},
     {"umbrella", Kind::kUmbrella},
     {"point", Kind::kReach},
     {"reach", Kind::kReach},
     {"pin", Kind::kPin},
     {"look", Kind::kLook},
     {"upright", Kind::kUpright},
     {"loosen", Kind::kStrength},
     {"stiffen", Kind::kStrength},
     {"rag_doll", Kind::kRagDoll},
     {"recover", Kind::kRecover},
     {"gravity", Kind::kGravity},
     {"floor", Kind::kFloor},
     {"slope", Kind::kFloor}}};

/// Reads one event, name by name.
class EventReader {
 public:
  EventReader(const JsonValue& value, const FigureModel& model,
              Diagnostics& diagnostics)
      : object_(value, "an event", diagnostics),
        model_(model),
        diagnostics_(diagnostics) {}

  EditEvent Read() {
    std::array<std::string_view, kKindWords.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = kKindWords[i].word;
    }
    const int index = std::max(0, object_.Word("kind", words));
    const EventKindWord& known = kKindWords[static_cast<std::size_t>(index)];
    event_.kind = known.kind;
    event_.time = object_.Number("at", NumberRange::NotNegative());
    event_.duration = object_.Number("duration", NumberRange::NotNegative(),
                                     UsualDuration(known.kind));
    ReadFields(known);
    object_.Finish();
    return event_;
  }

 private:
  static double UsualDuration(Kind kind) {
    switch (kind) {
      case Kind::kStrength:
      case Kind::kFloor:
        return kStrengthChange;
      case Kind::kRagDoll:
        return kLetGo;
      case Kind::kRecover:
        return kGetUp;
      default:
        return 0.0;
    }
  }

  void ReadFields(const EventKindWord& known) {
    switch (known.kind) {
      case Kind::kPush:
        ReadSegment();
        return ReadPush();
      case Kind::kThrow:
        ReadSegment();
        event_.vector = object_.Vector("velocity");
        event_.mass = object_.Number("mass", NumberRange::Positive(), 1.0);
        return;
      case Kind::kObstacle:
        event_.target = object_.Vector("place");
        event_.size = object_.Vector("size");
        if (!(event_.size.minCoeff() > 0.0)) {
          object_.Error("size", "range", "a size has three positive numbers");
        }
        event_.heading =
            Radians(object_.Number("heading", NumberRange::Any(), 0.0));
        event_.mass = object_.Number("mass", NumberRange::NotNegative(), 0.0);
        return;
      case Kind::kCarry:
      case Kind::kUmbrella:
        ReadSegment();
        return ReadProp();
      case Kind::kReach:
      case Kind::kLook:
        ReadSegment();
        return ReadTarget(true);
      case Kind::kPin:
        ReadSegment();
        event_.vector = object_.Vector("rail", Vector3::Zero());
        return ReadTarget(false);
      case Kind::kUpright:
        return ReadSegment();
      case Kind::kStrength:
        event_.strength =
            known.word == "stiffen" ? Strength::Stiff() : Strength::Loose();
        event_.strength.torque = object_.Number(
            "torque", NumberRange::NotNegative(), event_.strength.torque);
        event_.segments = ReadSegments();
        return;
      case Kind::kRecover:
        event_.segments = ReadSegments();
        return;
      case Kind::kRagDoll:
        return;
      case Kind::kGravity:
        event_.vector = object_.Vector("gravity");
        return;
      case Kind::kFloor:
        return ReadFloor(known.word == "slope");
    }
  }

  std::vector<int> Named(std::string_view field, const std::string& word) {
    std::vector<int> segments = SegmentsNamed(word, model_);
    if (segments.empty()) {
      object_.Error(field, "unknown-name",
                    "no segment \"" + word + "\" in the figure");
    }
    return segments;
  }

  void ReadSegment() {
    const std::vector<int> segments = Named("segment", object_.Text("segment"));
    if (segments.empty()) return;
    event_.segment = segments.back();
    event_.point_B = object_.Vector(
        "point", model_.segments[std::size_t(event_.segment)].p_JC);
  }

  std::vector<int> ReadSegments() {
    const std::string word = object_.Text("segment", "all");
    return word == "all" ? std::vector<int>{} : Named("segment", word);
  }

  void ReadPush() {
    constexpr std::array<std::string_view, 2> kAxes = {"world", "body"};
    event_.in_body = object_.Word("axes", kAxes, 0) == 1;
    if (object_.Has("force")) {
      event_.vector = event_.duration * object_.Vector("force");
      if (!(event_.duration > 0.0)) {
        object_.Error("force", "range",
                      "a force needs a \"duration\" for which it acts");
      }
    } else {
      event_.vector = object_.Vector("impulse");
    }
  }

  void ReadProp() {
    const bool umbrella = event_.kind == Kind::kUmbrella;
    event_.mass = umbrella
                      ? object_.Number("mass", NumberRange::Positive(), 0.5)
                      : object_.Number("mass", NumberRange::Positive());
    event_.length = object_.Number("length", NumberRange::Positive(),
                                   umbrella ? 0.3 : event_.length);
    event_.friction =
        object_.Number("friction", NumberRange::NotNegative(), event_.friction);
    if (umbrella) {
      event_.max_force =
          object_.Number("max_force", NumberRange::NotNegative(), 100.0);
    }
  }

  void ReadTarget(bool required) {
    if (event_.kind != Kind::kLook) {
      event_.max_force = object_.Number("max_force", NumberRange::NotNegative(),
                                        event_.max_force);
    }
    if (const JsonValue* path = object_.Array("path")) {
      for (const JsonValue& item : path->items) ReadWaypoint(item);
      return;
    }
    if (!required && !object_.Has("target")) return;
    event_.target = object_.Vector("target");
    event_.target_velocity = object_.Vector("target_velocity", Vector3::Zero());
  }

  void ReadWaypoint(const JsonValue& item) {
    if (!CheckKind(item, "path", JsonValue::Kind::kArray, diagnostics_)) return;
    if (item.items.size() != 4) {
      object_.Error("path", "count",
                    "a waypoint has a time and three coordinates");
      return;
    }
    std::array<double, 4> numbers = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < 4; ++i) {
      numbers[i] =
          NumberOf(item.items[i], "path", NumberRange::Any(), diagnostics_);
    }
    if (!event_.path.empty() && !(numbers[0] > event_.path.back().time)) {
      object_.Error("path", "order", "the times of a path must rise");
      return;
    }
    event_.path.push_back(
        {numbers[0], Vector3(numbers[1], numbers[2], numbers[3])});
  }

  void ReadFloor(bool slope) {
    event_.vector = Vector3::UnitY();
    if (!slope) {
      event_.rise = object_.Number("rise", NumberRange::Between(-2.0, 2.0));
      return;
    }
    const double angle =
        object_.Number("angle", NumberRange::Between(-45.0, 45.0)) * kPi /
        180.0;
    Vector3 uphill = object_.Vector("uphill");
    uphill.y() = 0.0;
    if (!(uphill.norm() > 1e-9)) {
      object_.Error("uphill", "range",
                    "uphill is a direction over the ground, not straight up");
      return;
    }
    event_.vector = SlopeNormal(angle, uphill);
  }

  JsonObject object_;
  const FigureModel& model_;
  Diagnostics& diagnostics_;
  EditEvent event_;
};

}  // namespace

std::span<const EventKindWord> EventKindWords() { return kKindWords; }

Result<std::vector<EditEvent>> ReadEvents(const std::filesystem::path& path,
                                          const EditContext& context) {
  using Read = Result<std::vector<EditEvent>>;
  const Result<JsonValue> json = ReadJson(path);
  if (!json) return Read(json.diagnostics());
  Diagnostics diagnostics = json.diagnostics();
  JsonObject root(*json, "an events file", diagnostics);
  static_cast<void>(root.Integer("limber_events", 1, 1));
  std::vector<EditEvent> events;
  const JsonValue* list = root.Array("events", true);
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    events.push_back(
        EventReader(list->items[i], *context.model, diagnostics).Read());
  }
  root.Finish();
  return {std::move(events), std::move(diagnostics)};
}

}  // namespace limber::jobs
