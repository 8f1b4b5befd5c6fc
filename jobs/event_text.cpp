// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/event_text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "jobs/event_words.h"
#include "jobs/words.h"

namespace limber::jobs {

namespace {

using figure::EditEvent;
using Kind = EditEvent::Kind;

constexpr std::size_t kMostNames = 3;

/// The segments that are named, or "all".
std::string NamesOf(const std::vector<int>& segments,
                    const figure::FigureModel& model) {
  std::vector<std::string> names;
  for (const int s : segments) {
    names.push_back(model.segments[static_cast<std::size_t>(s)].name);
  }
  if (names.empty()) names.emplace_back("all");
  return Join(names, kMostNames);
}

Vector3 WithLength(const Vector3& vector, double length) {
  const double now = vector.norm();
  return now > 0.0 ? Vector3(vector * (length / now))
                   : Vector3(0.0, 0.0, length);
}

}  // namespace

std::string_view WordOf(Kind kind) {
  const auto words = EventKindWords();
  const auto word = std::ranges::find(words, kind, &EventKindWord::kind);
  return word == words.end() ? "event" : word->word;
}

std::string DetailsOf(const EditEvent& event,
                      const figure::FigureModel& model) {
  const std::string& segment =
      model.segments[static_cast<std::size_t>(event.segment)].name;
  switch (event.kind) {
    case Kind::kPush:
      return segment + ", " + Rounded(event.vector.norm(), 1) + " N s";
    case Kind::kThrow:
      return segment + ", " + Rounded(event.mass, 2) + " kg at " +
             Rounded(event.vector.norm(), 1) + " m/s";
    case Kind::kCarry:
    case Kind::kUmbrella:
      return segment + ", " + Rounded(event.mass, 2) + " kg";
    case Kind::kReach:
    case Kind::kPin:
    case Kind::kLook:
    case Kind::kUpright:
      return segment;
    case Kind::kStrength:
      return NamesOf(event.segments, model);
    case Kind::kRecover:
      return event.segments.empty() ? "" : NamesOf(event.segments, model);
    case Kind::kGravity:
      return Rounded(event.vector.norm(), 2) + " m/s^2";
    case Kind::kFloor:
      return event.rise == 0.0 ? "" : Rounded(100.0 * event.rise, 0) + " cm";
    case Kind::kObstacle:
    case Kind::kRagDoll:
      return "";
  }
  return "";
}

std::optional<EventSize> SizeOf(const EditEvent& event) {
  switch (event.kind) {
    case Kind::kPush:
      return EventSize{event.vector.norm(), "N s"};
    case Kind::kThrow:
      return EventSize{event.vector.norm(), "m/s"};
    case Kind::kGravity:
      return EventSize{event.vector.norm(), "m/s^2"};
    case Kind::kObstacle:
    case Kind::kCarry:
    case Kind::kUmbrella:
      return EventSize{event.mass, "kg"};
    case Kind::kReach:
    case Kind::kPin:
      return EventSize{event.max_force, "N"};
    case Kind::kStrength:
      return EventSize{event.strength.torque, "of its strength"};
    case Kind::kLook:
    case Kind::kUpright:
    case Kind::kRagDoll:
    case Kind::kRecover:
    case Kind::kFloor:
      return std::nullopt;
  }
  return std::nullopt;
}

EditEvent WithSize(EditEvent event, double value) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument("a size is zero or positive");
  }
  switch (event.kind) {
    case Kind::kPush:
    case Kind::kThrow:
    case Kind::kGravity:
      event.vector = WithLength(event.vector, value);
      return event;
    case Kind::kObstacle:
    case Kind::kCarry:
    case Kind::kUmbrella:
      event.mass = value;
      return event;
    case Kind::kReach:
    case Kind::kPin:
      event.max_force = value;
      return event;
    case Kind::kStrength:
      event.strength.torque = value;
      return event;
    default:
      throw std::invalid_argument(std::string(WordOf(event.kind)) +
                                  " has no size");
  }
}

EditEvent MovedTo(EditEvent event, double time) {
  const double by = time - event.time;
  event.time = time;
  for (EditEvent::Waypoint& point : event.path) point.time += by;
  return event;
}

}  // namespace limber::jobs
