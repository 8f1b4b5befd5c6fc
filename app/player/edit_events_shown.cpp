// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/edit_events_shown.h"

#include <algorithm>
#include <string>

#include "app/reports/describe.h"
#include "jobs/event_text.h"

namespace limber::app {

namespace {

using figure::EditEvent;
using viewer::Sign;
using EventKind = EditEvent::Kind;

/// An instant is shown for a moment, so that the eye catches it [s].
constexpr double kMoment = 0.25;
/// A push of 100 N s is drawn as long as `kPushLength`; no arrow of an event is
/// shorter or longer than the others [m].
constexpr double kPushLength = 0.8;
constexpr double kShortest = 0.35;
constexpr double kLongest = 1.5;
/// Of arrows that only tell a direction [m].
constexpr double kDirection = 0.5;

bool ChangesStrength(EventKind kind) {
  return kind == EventKind::kStrength || kind == EventKind::kRagDoll;
}

/// The names of the segments of an event; all of them where it says none.
std::vector<std::string> NamesOf(const std::vector<int>& segments,
                                 const figure::FigureModel& model) {
  std::vector<std::string> names;
  for (const int s : segments) {
    names.push_back(model.segments[static_cast<std::size_t>(s)].name);
  }
  if (!names.empty()) return names;
  for (const figure::FigureSegment& segment : model.segments) {
    names.push_back(segment.name);
  }
  return names;
}

/// As an arrow is drawn whose own length would be `vector`.
Vector3 Drawn(const Vector3& vector) {
  const double length = vector.norm();
  if (!(length > 0.0)) return Vector3::Zero();
  return vector * (std::clamp(length, kShortest, kLongest) / length);
}

}  // namespace

double LastsUntil(const EditEvent& event, const std::vector<EditEvent>& events,
                  double clip_end) {
  const bool is_strength = ChangesStrength(event.kind);
  const bool is_state =
      event.kind == EventKind::kGravity || event.kind == EventKind::kFloor;
  if (!is_strength && !is_state) return figure::EndOf(event, clip_end);
  double end = clip_end;
  for (const EditEvent& later : events) {
    if (later.time <= event.time) continue;
    const bool ends = is_strength ? later.kind == EventKind::kRecover
                                  : later.kind == event.kind;
    if (ends) end = std::min(end, later.time);
  }
  return end;
}

std::vector<PlayerEvent> EventsForPlayer(const std::vector<EditEvent>& events,
                                         const figure::FigureModel& model,
                                         double clip_end) {
  std::vector<PlayerEvent> shown;
  for (const EditEvent& event : events) {
    PlayerEvent& added = shown.emplace_back();
    added.from = event.time;
    added.to = std::max(event.time, LastsUntil(event, events, clip_end));
    added.text = jobs::WordOf(event.kind);
    const std::string details = jobs::DetailsOf(event, model);
    if (!details.empty()) added.text += " " + details;
    if (!ChangesStrength(event.kind)) continue;
    added.parts = NamesOf(event.segments, model);
    added.colour =
        event.kind == EventKind::kRagDoll || event.strength.torque < 1.0
            ? viewer::palette::kIdle
            : viewer::palette::kMassCentre;
  }
  return shown;
}

void EventSigns::Add(double time, const std::vector<Transform>& X_WB,
                     std::vector<Sign>& signs) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const double end = std::max(LastsUntil(events_[i], events_, clip_end_),
                                events_[i].time + kMoment);
    if (time >= events_[i].time && time <= end) {
      AddOne(i, time, X_WB, signs);
    }
  }
}

void EventSigns::AddOne(std::size_t index, double time,
                        const std::vector<Transform>& X_WB,
                        std::vector<Sign>& signs) {
  const EditEvent& event = events_[index];
  const Transform& X = X_WB[static_cast<std::size_t>(event.segment)];
  const Vector3 p_W = X * event.point_B;
  const auto add = [&](Sign::Kind kind, const Vector3& p,
                       const Vector3& vector) {
    signs.push_back({kind, p, vector, viewer::palette::kEvent, false,
                     static_cast<int>(index)});
  };
  const auto add_blow = [&](const Vector3& impulse) {
    const Vector3 arrow = Drawn(kPushLength / 100.0 * impulse);
    add(Sign::Kind::kArrow, p_W - arrow, arrow);
  };
  switch (event.kind) {
    case EventKind::kPush:
      add_blow(event.in_body ? Vector3(X.R * event.vector) : event.vector);
      break;
    case EventKind::kThrow:
      add_blow(event.mass * event.vector);
      break;
    case EventKind::kReach:
    case EventKind::kPin:
    case EventKind::kUmbrella: {
      std::optional<Vector3>& pinned = pinned_[index];
      if (!pinned) pinned = p_W;
      const bool has_target = event.target || !event.path.empty();
      add(Sign::Kind::kTarget,
          has_target ? figure::TargetAt(event, time) : *pinned,
          Vector3::Zero());
      break;
    }
    case EventKind::kLook: {
      const Vector3 target = figure::TargetAt(event, time);
      add(Sign::Kind::kTarget, target, Vector3::Zero());
      add(Sign::Kind::kArrow, p_W, kDirection * (target - p_W).normalized());
      break;
    }
    case EventKind::kUpright:
      add(Sign::Kind::kArrow, p_W, Vector3(0.0, kDirection, 0.0));
      break;
    case EventKind::kGravity:
      add(Sign::Kind::kArrow, X_WB.front().p,
          event.vector * (kDirection / kGravity));
      break;
    // Seen as boxes, colours and a floor that moves.
    case EventKind::kObstacle:
    case EventKind::kCarry:
    case EventKind::kStrength:
    case EventKind::kRagDoll:
    case EventKind::kRecover:
    case EventKind::kFloor:
      break;
  }
}

}  // namespace limber::app
