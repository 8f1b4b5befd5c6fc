// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/edit_event.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/clip_time.h"

namespace limber::figure {

namespace {

using Kind = EditEvent::Kind;

[[noreturn]] void Refuse(const std::string& what) {
  throw std::invalid_argument("EditEvent: " + what);
}

void CheckNotNegative(const char* field, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  Refuse(std::string(field) + " must be zero or positive, found " +
         std::to_string(value));
}

void CheckPositive(const char* field, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  Refuse(std::string(field) + " must be positive, found " +
         std::to_string(value));
}

bool IsGoal(Kind kind) {
  return kind == Kind::kReach || kind == Kind::kPin || kind == Kind::kLook ||
         kind == Kind::kUpright || kind == Kind::kUmbrella;
}

bool NeedsTarget(Kind kind) {
  return kind == Kind::kReach || kind == Kind::kLook || kind == Kind::kObstacle;
}

/// Slope at waypoint i, from its neighbours.
Vector3 SlopeAt(const std::vector<EditEvent::Waypoint>& path, std::size_t i) {
  const std::size_t a = i > 0 ? i - 1 : i;
  const std::size_t b = std::min(i + 1, path.size() - 1);
  if (a == b) return Vector3::Zero();
  return (path[b].p_WT - path[a].p_WT) / (path[b].time - path[a].time);
}

}  // namespace

double EndOf(const EditEvent& event, double clip_end) {
  switch (event.kind) {
    case Kind::kCarry:
    case Kind::kUmbrella:
    case Kind::kReach:
    case Kind::kPin:
    case Kind::kLook:
    case Kind::kUpright:
    case Kind::kObstacle:
      return event.duration > 0.0 ? event.time + event.duration : clip_end;
    default:
      return event.time + event.duration;
  }
}

Vector3 TargetAt(const EditEvent& event, double time) {
  if (event.path.empty()) {
    return event.target.value_or(Vector3::Zero()) +
           (time - event.time) * event.target_velocity;
  }
  const std::vector<EditEvent::Waypoint>& path = event.path;
  if (time <= path.front().time) return path.front().p_WT;
  if (time >= path.back().time) return path.back().p_WT;
  std::size_t i = 0;
  while (path[i + 1].time < time) ++i;
  // Cubic with the slopes of the waypoints' neighbours.
  const double length = path[i + 1].time - path[i].time;
  const double u = (time - path[i].time) / length;
  const double v = 1.0 - u;
  return v * v * (1.0 + 2.0 * u) * path[i].p_WT +
         u * u * (3.0 - 2.0 * u) * path[i + 1].p_WT +
         length * u * v * (v * SlopeAt(path, i) - u * SlopeAt(path, i + 1));
}

void CheckEvent(const EditEvent& event, const FigureModel& model) {
  if (!std::isfinite(event.time)) Refuse("time must be finite");
  CheckNotNegative("duration", event.duration);
  if (event.duration > kLongestClip) {
    Refuse("duration must be at most " + TimeText(kLongestClip) + ", is " +
           TimeText(event.duration));
  }
  CheckNotNegative("friction", event.friction);
  CheckNotNegative("max_force", event.max_force);
  if (event.kind == Kind::kObstacle) {
    CheckNotNegative("mass", event.mass);
    if (!(event.size.minCoeff() > 0.0)) {
      Refuse("size must be positive, its smallest extent is " +
             std::to_string(event.size.minCoeff()));
    }
  } else {
    CheckPositive("mass", event.mass);
  }
  CheckPositive("length", event.length);
  bool finite = event.vector.allFinite() && event.point_B.allFinite() &&
                event.target_velocity.allFinite() && event.size.allFinite() &&
                std::isfinite(event.rise) && std::isfinite(event.heading) &&
                (!event.target || event.target->allFinite());
  for (std::size_t i = 0; i < event.path.size(); ++i) {
    finite = finite && event.path[i].p_WT.allFinite() &&
             std::isfinite(event.path[i].time);
    if (i > 0 && !(event.path[i].time > event.path[i - 1].time)) {
      Refuse("the times of a path must rise, one is " +
             std::to_string(event.path[i].time));
    }
  }
  if (!finite) Refuse("vectors must be finite");
  if (NeedsTarget(event.kind) && !event.target && event.path.empty()) {
    Refuse("there is no target");
  }
  const auto exists = [&model](int s) {
    return s >= 0 && s < model.num_segments();
  };
  bool good = exists(event.segment);
  for (const int s : event.segments) good = good && exists(s);
  if (!good) Refuse("there is no such segment");
  if (event.kind == Kind::kStrength) Validate(event.strength);
  const FigureSegment& segment = model.segments[std::size_t(event.segment)];
  if (IsGoal(event.kind) && segment.parent < 0) {
    Refuse("segment \"" + segment.name + "\" is a root, which has no joint");
  }
  if ((event.kind == Kind::kLook || event.kind == Kind::kUpright) &&
      segment.anchor.kind != AnchorKind::kBall) {
    Refuse("segment \"" + segment.name +
           "\" cannot be turned: its joint is no ball");
  }
  if (event.kind == Kind::kFloor && event.vector.y() < 0.5) {
    Refuse("the floor's normal must rise by 30 degrees at least, found y = " +
           std::to_string(event.vector.y()));
  }
}

}  // namespace limber::figure
