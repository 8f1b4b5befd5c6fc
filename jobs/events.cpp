// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/events.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/suggest.h"
#include "figure/dynamic/colliders.h"
#include "figure/segment_words.h"
#include "figure/smooth_motion.h"
#include "jobs/bad_call.h"
#include "jobs/words.h"

namespace limber::jobs {

namespace {

using figure::EditEvent;
using figure::FigureModel;
using figure::SegmentsNamed;
using figure::Strength;
using Kind = EditEvent::Kind;
using Events = std::vector<EditEvent>;

[[noreturn]] void RefuseSegment(const std::string& word,
                                const FigureModel& model) {
  std::vector<std::string> names;
  for (const figure::FigureSegment& segment : model.segments) {
    names.push_back(segment.name);
  }
  std::vector<std::string> words = names;
  for (const figure::FigureSegment& segment : model.segments) {
    words.emplace_back(
        figure::ToString(model.roles[std::size_t(segment.joint)]));
  }
  std::string text = "no segment \"" + word + "\"";
  if (const std::optional<std::string> meant = Suggest(word, words)) {
    text += "; did you mean \"" + *meant + "\"?";
  }
  text += " (the figure has:";
  for (const std::string& name : names) text += " " + name;
  throw BadCall(text + ")");
}

int OneSegment(const std::string& word, const FigureModel& model) {
  const std::vector<int> found = SegmentsNamed(word, model);
  // "head" is neck and head: the last one is meant.
  if (found.size() == 1 || word == "head") {
    if (!found.empty()) return found.back();
  }
  RefuseSegment(word, model);
}

void CheckSpan(double at, const std::optional<double>& until) {
  if (until && !(*until > at)) {
    throw BadCall("an event that begins at " + Rounded(at, 3) +
                  " s cannot end at " + Rounded(*until, 3) + " s");
  }
}

EditEvent Begin(Kind kind, double at, const std::optional<double>& until) {
  CheckSpan(at, until);
  EditEvent event;
  event.kind = kind;
  event.time = at;
  if (until) event.duration = *until - at;
  return event;
}

/// At the mass centre of the segment.
EditEvent At(Kind kind, const std::string& segment, double at,
             const std::optional<double>& until, const EditContext& context) {
  EditEvent event = Begin(kind, at, until);
  event.segment = OneSegment(segment, *context.model);
  event.point_B = context.model->segments[std::size_t(event.segment)].p_JC;
  return event;
}

/// Turns each kind into the figure's events.
struct Resolver {
  const EditContext& context;

  Events operator()(const EditEvent& event) const { return {event}; }

  Events operator()(const Push& push) const {
    EditEvent event =
        At(Kind::kPush, push.segment, push.at, std::nullopt, context);
    event.duration = push.duration;
    event.vector = push.impulse;
    event.in_body = push.in_body;
    return {event};
  }

  Events operator()(const Throw& ball) const {
    EditEvent event =
        At(Kind::kThrow, ball.segment, ball.at, std::nullopt, context);
    event.mass = ball.mass;
    event.vector = ball.velocity;
    return {event};
  }

  Events operator()(const Wall& wall) const;

  Events operator()(const Obstacle& box) const {
    EditEvent event = Begin(Kind::kObstacle, box.at, box.until);
    event.target = box.place;
    event.size = box.size;
    event.mass = box.mass;
    event.heading = box.heading;
    return {event};
  }

  Events operator()(const Carry& carry) const {
    EditEvent event =
        At(Kind::kCarry, carry.segment, carry.at, carry.until, context);
    event.mass = carry.mass;
    event.friction = carry.friction;
    return {event};
  }

  Events operator()(const Umbrella& umbrella) const {
    EditEvent event = At(Kind::kUmbrella, umbrella.segment, umbrella.at,
                         umbrella.until, context);
    event.mass = umbrella.mass;
    event.length = 0.3;
    event.max_force = 100.0;
    return {event};
  }

  Events operator()(const Reach& reach) const {
    return Towards(Kind::kReach, reach);
  }
  Events operator()(const Look& look) const {
    return Towards(Kind::kLook, look);
  }

  Events operator()(const Pin& pin) const {
    EditEvent event = At(Kind::kPin, pin.segment, pin.at, pin.until, context);
    event.vector = pin.rail;
    return {event};
  }

  Events operator()(const Upright& upright) const {
    return {At(Kind::kUpright, upright.segment, upright.at, upright.until,
               context)};
  }

  Events operator()(const Loosen& loosen) const {
    return Change(loosen, Strength::Loose());
  }
  Events operator()(const Stiffen& stiffen) const {
    return Change(stiffen, Strength::Stiff());
  }

  Events operator()(const RagDoll& doll) const {
    EditEvent event = Begin(Kind::kRagDoll, doll.at, doll.until);
    event.duration = kLetGo;
    if (!doll.until) return {event};
    return {event, GetUp(*doll.until)};
  }

  Events operator()(const Recover& recover) const {
    return {GetUp(recover.at)};
  }

  Events operator()(const Gravity& gravity) const {
    EditEvent event = Begin(Kind::kGravity, gravity.at, gravity.until);
    event.duration = 0.0;
    event.vector = gravity.gravity;
    if (!gravity.until) return {event};
    EditEvent back = event;
    back.time = *gravity.until;
    back.vector = Vector3(0.0, -kGravity, 0.0);
    return {event, back};
  }

  Events operator()(const Floor& floor) const {
    return MoveFloor(floor.at, floor.until, Vector3::UnitY(), floor.rise);
  }
  Events operator()(const Slope& slope) const {
    const Vector3 level(slope.uphill.x(), 0.0, slope.uphill.z());
    if (!(level.norm() > 1e-9) || !(std::abs(slope.angle) <= kPi / 4.0)) {
      throw BadCall(
          "a slope rises by at most 45 degrees, towards a direction over the "
          "ground");
    }
    return MoveFloor(slope.at, slope.until, SlopeNormal(slope.angle, level),
                     0.0);
  }

 private:
  template <typename Goal>
  Events Towards(Kind kind, const Goal& goal) const {
    EditEvent event = At(kind, goal.segment, goal.at, goal.until, context);
    event.target = goal.target;
    event.target_velocity = goal.target_velocity;
    return {event};
  }

  template <typename Changed>
  Events Change(const Changed& change, const Strength& strength) const {
    EditEvent event = Begin(Kind::kStrength, change.at, change.until);
    event.duration = kStrengthChange;
    event.segments = SegmentsOfList(change.segments, *context.model);
    event.strength = strength;
    if (!change.until) return {event};
    EditEvent back = event;
    back.kind = Kind::kRecover;
    back.time = *change.until;
    return {event, back};
  }

  static EditEvent GetUp(double at) {
    EditEvent event;
    event.kind = Kind::kRecover;
    event.time = at;
    event.duration = kGetUp;
    return event;
  }

  /// The floor moves in a fifth of a second, and back if there is an end.
  static Events MoveFloor(double at, const std::optional<double>& until,
                          const Vector3& normal, double rise) {
    EditEvent event = Begin(Kind::kFloor, at, until);
    event.duration = kStrengthChange;
    event.vector = normal;
    event.rise = rise;
    if (!until) return {event};
    EditEvent back = event;
    back.time = *until;
    back.vector = Vector3::UnitY();
    back.rise = 0.0;
    return {event, back};
  }
};

Events Resolver::operator()(const Wall& wall) const {
  constexpr double kThickness = 0.2;
  const figure::Motion& clip = *context.clip;
  const int root = context.model->segments.front().joint;
  const auto place = [&clip, root](std::int64_t f) {
    return Vector3(figure::WorldTransforms(clip.skeleton(),
                                           clip.pose(f))[std::size_t(root)]
                       .p);
  };
  const int lead_in = figure::NumLeadInFrames(clip);
  Vector3 last = place(lead_in);
  double gone = 0.0;
  for (std::int64_t f = lead_in + 1; f < clip.num_frames(); ++f) {
    const Vector3 here = place(f);
    Vector3 way = here - last;
    way.y() = 0.0;
    gone += way.norm();
    last = here;
    if (gone < wall.distance || way.norm() < 1e-9) continue;
    EditEvent event;
    event.kind = Kind::kObstacle;
    event.mass = 0.0;
    event.size = Vector3(3.0, 2.4, kThickness);
    event.heading = std::atan2(way.x(), way.z());
    const Vector3 middle = here + 0.5 * kThickness * way.normalized();
    event.target = Vector3(
        middle.x(),
        figure::FloorHeight(*context.model, clip) + 0.5 * event.size.y(),
        middle.z());
    return {event};
  }
  throw BadCall("--wall " + Rounded(wall.distance, 6) +
                "m: the clip's root goes only " + Rounded(gone, 2) + " m");
}

}  // namespace

std::vector<EditEvent> Resolve(const Event& event, const EditContext& context) {
  return std::visit(Resolver{context}, event);
}

std::vector<EditEvent> Resolve(std::span<const Event> events,
                               const EditContext& context) {
  std::vector<EditEvent> all;
  for (const Event& event : events) {
    const std::vector<EditEvent> resolved = Resolve(event, context);
    all.insert(all.end(), resolved.begin(), resolved.end());
  }
  return all;
}

std::vector<int> SegmentsOfList(const std::string& words,
                                const FigureModel& model) {
  std::vector<int> segments;
  std::size_t begin = 0;
  while (begin <= words.size()) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    const std::vector<int> found = SegmentsNamed(word, model);
    if (found.empty()) RefuseSegment(word, model);
    for (const int s : found) {
      if (std::ranges::find(segments, s) == segments.end()) {
        segments.push_back(s);
      }
    }
    begin = end + 1;
  }
  return segments;
}

Vector3 SlopeNormal(double angle, const Vector3& uphill) {
  return std::cos(angle) * Vector3::UnitY() -
         std::sin(angle) * uphill.normalized();
}

}  // namespace limber::jobs
