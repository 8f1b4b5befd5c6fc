// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/angle.h"
#include "figure/segment_words.h"
#include "jobs/event_words.h"

namespace limber::jobs {

namespace {

using figure::EditEvent;
using figure::FigureModel;
using figure::Strength;
using nlohmann::ordered_json;
using Kind = EditEvent::Kind;

ordered_json Json(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

/// Writes one event, in the words that `EventReader` knows.
class EventFormatter {
 public:
  EventFormatter(const EditEvent& event, const FigureModel& model)
      : event_(event), model_(model) {}

  ordered_json Format(bool is_on) {
    json_["kind"] = Word();
    if (!is_on) json_["off"] = true;
    json_["at"] = event_.time;
    // What lasts to the end has no duration; a change says how long it takes.
    const bool is_change =
        event_.kind == Kind::kStrength || event_.kind == Kind::kFloor ||
        event_.kind == Kind::kRagDoll || event_.kind == Kind::kRecover;
    if (is_change || event_.duration != 0.0) {
      json_["duration"] = event_.duration;
    }
    AddFields();
    return json_;
  }

 private:
  std::string Word() const {
    if (event_.kind == Kind::kStrength) {
      return event_.strength.time_constant == Strength::Stiff().time_constant
                 ? "stiffen"
                 : "loosen";
    }
    if (event_.kind == Kind::kReach) return "reach";
    if (event_.kind == Kind::kFloor) {
      return event_.vector == Vector3::UnitY() ? "floor" : "slope";
    }
    for (const EventKindWord& known : EventKindWords()) {
      if (known.kind == event_.kind) return std::string(known.word);
    }
    throw std::invalid_argument("an event of no kind");
  }

  void AddFields() {
    switch (event_.kind) {
      case Kind::kPush:
        AddSegment();
        json_["impulse"] = Json(event_.vector);
        if (event_.in_body) json_["axes"] = "body";
        return;
      case Kind::kThrow:
        AddSegment();
        json_["velocity"] = Json(event_.vector);
        json_["mass"] = event_.mass;
        return;
      case Kind::kObstacle:
        json_["place"] = Json(event_.target.value_or(Vector3::Zero()));
        json_["size"] = Json(event_.size);
        json_["heading"] = Degrees(event_.heading);
        json_["mass"] = event_.mass;
        return;
      case Kind::kCarry:
      case Kind::kUmbrella:
        AddSegment();
        json_["mass"] = event_.mass;
        json_["length"] = event_.length;
        json_["friction"] = event_.friction;
        if (event_.kind == Kind::kUmbrella) {
          json_["max_force"] = event_.max_force;
        }
        return;
      case Kind::kReach:
      case Kind::kLook:
      case Kind::kPin:
        AddSegment();
        return AddTarget();
      case Kind::kUpright:
        return AddSegment();
      case Kind::kStrength:
        return AddStrength();
      case Kind::kRecover:
        return AddSegments();
      case Kind::kRagDoll:
        return;
      case Kind::kGravity:
        json_["gravity"] = Json(event_.vector);
        return;
      case Kind::kFloor:
        return AddFloor();
    }
  }

  const std::string& NameOf(int segment) const {
    const std::string& name =
        model_.segments[static_cast<std::size_t>(segment)].name;
    if (figure::SegmentsNamed(name, model_) != std::vector<int>{segment}) {
      throw std::invalid_argument("two segments are called \"" + name + "\"");
    }
    return name;
  }

  void AddSegment() {
    json_["segment"] = NameOf(event_.segment);
    const Vector3& centre =
        model_.segments[static_cast<std::size_t>(event_.segment)].p_JC;
    if (event_.point_B != centre) json_["point"] = Json(event_.point_B);
  }

  void AddSegments() {
    if (event_.segments.empty()) return;
    json_["segments"] = ordered_json::array();
    for (const int segment : event_.segments) {
      json_["segments"].push_back(NameOf(segment));
    }
  }

  void AddTarget() {
    if (event_.kind == Kind::kPin && event_.vector != Vector3::Zero()) {
      json_["rail"] = Json(event_.vector);
    }
    if (event_.kind != Kind::kLook) json_["max_force"] = event_.max_force;
    if (!event_.path.empty()) {
      json_["path"] = ordered_json::array();
      for (const EditEvent::Waypoint& point : event_.path) {
        json_["path"].push_back(
            {point.time, point.p_WT.x(), point.p_WT.y(), point.p_WT.z()});
      }
      return;
    }
    if (!event_.target) return;
    json_["target"] = Json(*event_.target);
    if (event_.target_velocity != Vector3::Zero()) {
      json_["target_velocity"] = Json(event_.target_velocity);
    }
  }

  void AddStrength() {
    Strength usual =
        Word() == "stiffen" ? Strength::Stiff() : Strength::Loose();
    usual.torque = event_.strength.torque;
    const bool is_usual =
        usual.time_constant == event_.strength.time_constant &&
        usual.friction == event_.strength.friction &&
        usual.damping == event_.strength.damping;
    if (!is_usual) {
      throw std::invalid_argument(
          "a strength that is neither loose nor stiff has no words");
    }
    json_["torque"] = event_.strength.torque;
    AddSegments();
  }

  void AddFloor() {
    if (event_.vector == Vector3::UnitY()) {
      json_["rise"] = event_.rise;
      return;
    }
    if (event_.rise != 0.0) {
      throw std::invalid_argument("a floor that rises and tilts has no words");
    }
    json_["normal"] = Json(event_.vector);
  }

  const EditEvent& event_;
  const FigureModel& model_;
  ordered_json json_;
};

}  // namespace

std::string FormatEvents(std::span<const ListedEvent> events,
                         const FigureModel& model) {
  // One event a line, so that people can read and change them.
  std::string text = "{\n  \"limber_events\": 1,\n  \"events\": [";
  for (std::size_t i = 0; i < events.size(); ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    text += EventFormatter(events[i].event, model)
                .Format(events[i].is_on)
                .dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  return text + (events.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace limber::jobs
