// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/edit_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "app/describe.h"
#include "app/exit_code.h"
#include "core/suggest.h"
#include "figure/dynamic/colliders.h"
#include "figure/segment_words.h"
#include "figure/smooth_motion.h"

namespace limber::app {

std::optional<double> NumberWithUnit(std::string_view text,
                                     std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  double number = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

namespace {

using figure::EditEvent;
using figure::FigureModel;
using figure::SegmentsNamed;
using figure::Strength;
using Kind = EditEvent::Kind;
using Events = std::vector<EditEvent>;

[[noreturn]] void Refuse(const std::string& text, const EventFlag& flag) {
  throw BadCall("expected " + std::string(flag.name) + " " +
                std::string(flag.form) + " like " + std::string(flag.example) +
                ", found \"" + text + "\"");
}

double ParseTime(std::string_view text, const std::string& whole,
                 const EventFlag& flag) {
  if (const auto seconds = NumberWithUnit(text, "s")) return *seconds;
  if (const auto seconds = NumberWithUnit(text, "")) return *seconds;
  Refuse(whole, flag);
}

/// "A@B:C" in its parts; missing ones are empty.
struct Parts {
  std::string who;
  std::string when;
  std::vector<std::string> how;
};

/// @param num_how  how many parts may follow the time, at least and at most.
Parts Split(const std::string& text, const EventFlag& flag, bool has_who,
            std::size_t least, std::size_t most) {
  Parts parts;
  std::size_t begin = 0;
  if (has_who) {
    const std::size_t at = text.find('@');
    if (at == std::string::npos || at == 0) Refuse(text, flag);
    parts.who = text.substr(0, at);
    begin = at + 1;
  }
  bool first = true;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (first) {
      parts.when = part;
    } else {
      parts.how.push_back(part);
    }
    first = false;
    begin = end + 1;
  }
  if (parts.how.size() < least || parts.how.size() > most) Refuse(text, flag);
  return parts;
}

/// "1.2s" or "1.2s..3s".
struct Span {
  double from = 0.0;
  std::optional<double> to;
};

Span ParseSpan(const std::string& text, const std::string& whole,
               const EventFlag& flag) {
  const std::size_t dots = text.find("..");
  Span span;
  span.from = ParseTime(std::string_view(text).substr(0, dots), whole, flag);
  if (dots == std::string::npos) return span;
  span.to = ParseTime(std::string_view(text).substr(dots + 2), whole, flag);
  if (*span.to <= span.from) {
    throw BadCall("the second time must be after the first in \"" + whole +
                  "\"");
  }
  return span;
}

/// "1,0.5,-2".
std::optional<Vector3> ParseVector(const std::string& text) {
  Vector3 vector = Vector3::Zero();
  std::size_t begin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? text.find(',', begin) : text.size();
    if (end == std::string::npos) return std::nullopt;
    const auto number =
        NumberWithUnit(std::string_view(text).substr(begin, end - begin), "");
    if (!number) return std::nullopt;
    vector[axis] = *number;
    begin = end + 1;
  }
  return vector;
}

std::optional<Vector3> ParseDirection(const std::string& text) {
  constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const std::string name =
          (sign > 0 ? "+" : "-") + std::string(kAxes[std::size_t(axis)]);
      if (text == name || (sign > 0 && text == kAxes[std::size_t(axis)])) {
        return sign * Vector3::Unit(axis);
      }
    }
  }
  const std::optional<Vector3> direction = ParseVector(text);
  if (!direction || direction->norm() < 1e-12) return std::nullopt;
  return direction->normalized();
}

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
  if (found.size() == 1 || word == "head") return found.back();
  RefuseSegment(word, model);
}

Events Both(const EditEvent& a, const EditEvent& b) { return {a, b}; }

/// At the mass centre of the segment.
EditEvent At(Kind kind, const std::string& who, const Span& span,
             const FigureModel& model) {
  EditEvent event;
  event.kind = kind;
  event.time = span.from;
  if (span.to) event.duration = *span.to - span.from;
  event.segment = OneSegment(who, model);
  event.point_B = model.segments[std::size_t(event.segment)].p_JC;
  return event;
}

Events ParsePush(const std::string& text, const EventFlag& flag,
                 const EditContext& context) {
  const Parts parts = Split(text, flag, true, 2, 2);
  EditEvent event =
      At(Kind::kPush, parts.who,
         {ParseTime(parts.when, text, flag), std::nullopt}, *context.model);
  std::string way = parts.how[1];
  event.in_body = way.starts_with("body");
  if (event.in_body) way.erase(0, 4);
  const std::optional<Vector3> direction = ParseDirection(way);
  if (!direction) Refuse(text, flag);
  const std::string& amount = parts.how[0];
  if (const auto impulse = NumberWithUnit(amount, "Ns")) {
    event.vector = *impulse * *direction;
    return {event};
  }
  const std::size_t slash = amount.find('/');
  if (slash == std::string::npos) Refuse(text, flag);
  const auto force =
      NumberWithUnit(std::string_view(amount).substr(0, slash), "N");
  const auto seconds =
      NumberWithUnit(std::string_view(amount).substr(slash + 1), "s");
  if (!force || !seconds || !(*seconds > 0.0)) Refuse(text, flag);
  event.duration = *seconds;
  event.vector = *force * *seconds * *direction;
  return {event};
}

double Positive(const std::string& text, std::string_view unit,
                const std::string& whole, const EventFlag& flag) {
  const auto number = NumberWithUnit(text, unit);
  if (!number || !(*number > 0.0)) Refuse(whole, flag);
  return *number;
}

Vector3 VectorIn(const std::string& text, const std::string& whole,
                 const EventFlag& flag) {
  const std::optional<Vector3> vector = ParseVector(text);
  if (!vector) Refuse(whole, flag);
  return *vector;
}

Events ParseThrow(const std::string& text, const EventFlag& flag,
                  const EditContext& context) {
  const Parts parts = Split(text, flag, true, 2, 2);
  EditEvent event =
      At(Kind::kThrow, parts.who,
         {ParseTime(parts.when, text, flag), std::nullopt}, *context.model);
  event.mass = Positive(parts.how[0], "kg", text, flag);
  event.vector = VectorIn(parts.how[1], text, flag);
  return {event};
}

/// A wall across the way, where the root has gone so far.
Events ParseWall(const std::string& text, const EventFlag& flag,
                 const EditContext& context) {
  constexpr double kThickness = 0.2;
  const double distance = Positive(text, "m", text, flag);
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
    if (gone < distance || way.norm() < 1e-9) continue;
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
  throw BadCall("--wall " + text + ": the clip's root goes only " +
                Rounded(gone, 2) + " m");
}

Events ParseObstacle(const std::string& text, const EventFlag& flag,
                     const EditContext&) {
  const Parts parts = Split(text, flag, false, 2, 3);
  const Span span = ParseSpan(parts.when, text, flag);
  EditEvent event;
  event.kind = Kind::kObstacle;
  event.time = span.from;
  if (span.to) event.duration = *span.to - span.from;
  event.target = VectorIn(parts.how[0], text, flag);
  event.size = VectorIn(parts.how[1], text, flag);
  if (!(event.size.minCoeff() > 0.0)) Refuse(text, flag);
  event.mass =
      parts.how.size() > 2 ? Positive(parts.how[2], "kg", text, flag) : 0.0;
  return {event};
}

Events ParseCarry(const std::string& text, const EventFlag& flag,
                  const EditContext& context) {
  const Parts parts = Split(text, flag, true, 1, 2);
  EditEvent event = At(Kind::kCarry, parts.who,
                       ParseSpan(parts.when, text, flag), *context.model);
  event.mass = Positive(parts.how[0], "kg", text, flag);
  if (parts.how.size() > 1) {
    event.friction = Positive(parts.how[1], "Nm", text, flag);
  }
  return {event};
}

Events ParseUmbrella(const std::string& text, const EventFlag& flag,
                     const EditContext& context) {
  const Parts parts = Split(text, flag, true, 0, 1);
  EditEvent event = At(Kind::kUmbrella, parts.who,
                       ParseSpan(parts.when, text, flag), *context.model);
  event.mass =
      parts.how.empty() ? 0.5 : Positive(parts.how[0], "kg", text, flag);
  event.length = 0.3;
  event.max_force = 100.0;
  return {event};
}

/// What points, reaches and looks have in common: a target that may move.
Events ParseTarget(Kind kind, const std::string& text, const EventFlag& flag,
                   const EditContext& context) {
  const Parts parts = Split(text, flag, true, 1, 2);
  EditEvent event =
      At(kind, parts.who, ParseSpan(parts.when, text, flag), *context.model);
  event.target = VectorIn(parts.how[0], text, flag);
  if (parts.how.size() > 1) {
    event.target_velocity = VectorIn(parts.how[1], text, flag);
  }
  return {event};
}

Events ParseReach(const std::string& text, const EventFlag& flag,
                  const EditContext& context) {
  return ParseTarget(Kind::kReach, text, flag, context);
}

Events ParseLook(const std::string& text, const EventFlag& flag,
                 const EditContext& context) {
  return ParseTarget(Kind::kLook, text, flag, context);
}

Events ParsePin(const std::string& text, const EventFlag& flag,
                const EditContext& context) {
  const Parts parts = Split(text, flag, true, 0, 1);
  EditEvent event = At(Kind::kPin, parts.who, ParseSpan(parts.when, text, flag),
                       *context.model);
  if (!parts.how.empty()) {
    const std::optional<Vector3> rail = ParseDirection(parts.how[0]);
    if (!rail) Refuse(text, flag);
    event.vector = *rail;
  }
  return {event};
}

Events ParseUpright(const std::string& text, const EventFlag& flag,
                    const EditContext& context) {
  const Parts parts = Split(text, flag, true, 0, 0);
  return {At(Kind::kUpright, parts.who, ParseSpan(parts.when, text, flag),
             *context.model)};
}

Events ParseChange(const std::string& text, const EventFlag& flag,
                   const EditContext& context, const Strength& strength) {
  const Parts parts = Split(text, flag, true, 0, 0);
  const Span span = ParseSpan(parts.when, text, flag);
  EditEvent event;
  event.kind = Kind::kStrength;
  event.time = span.from;
  event.duration = kStrengthChange;
  event.segments = SegmentsOfList(parts.who, *context.model);
  event.strength = strength;
  if (!span.to) return {event};
  EditEvent back = event;
  back.kind = Kind::kRecover;
  back.time = *span.to;
  return Both(event, back);
}

Events ParseLoosen(const std::string& text, const EventFlag& flag,
                   const EditContext& context) {
  return ParseChange(text, flag, context, Strength::Loose());
}

Events ParseStiffen(const std::string& text, const EventFlag& flag,
                    const EditContext& context) {
  return ParseChange(text, flag, context, Strength::Stiff());
}

Events ParseRagDoll(const std::string& text, const EventFlag& flag,
                    const EditContext&) {
  const Span span = ParseSpan(text, text, flag);
  EditEvent event;
  event.kind = Kind::kRagDoll;
  event.time = span.from;
  event.duration = kLetGo;
  if (!span.to) return {event};
  EditEvent back = event;
  back.kind = Kind::kRecover;
  back.time = *span.to;
  back.duration = kGetUp;
  return Both(event, back);
}

Events ParseRecover(const std::string& text, const EventFlag& flag,
                    const EditContext&) {
  EditEvent event;
  event.kind = Kind::kRecover;
  event.time = ParseTime(text, text, flag);
  event.duration = kGetUp;
  return {event};
}

Events ParseGravity(const std::string& text, const EventFlag& flag,
                    const EditContext&) {
  const Parts parts = Split(text, flag, false, 1, 1);
  const Span span = ParseSpan(parts.when, text, flag);
  EditEvent event;
  event.kind = Kind::kGravity;
  event.time = span.from;
  event.vector = VectorIn(parts.how[0], text, flag);
  if (!span.to) return {event};
  EditEvent back = event;
  back.time = *span.to;
  back.vector = Vector3(0.0, -kGravity, 0.0);
  return Both(event, back);
}

/// The floor moves in a fifth of a second, and back if there is a second time.
Events MoveFloor(const Span& span, const Vector3& normal, double rise) {
  EditEvent event;
  event.kind = Kind::kFloor;
  event.time = span.from;
  event.duration = kStrengthChange;
  event.vector = normal;
  event.rise = rise;
  if (!span.to) return {event};
  EditEvent back = event;
  back.time = *span.to;
  back.vector = Vector3::UnitY();
  back.rise = 0.0;
  return Both(event, back);
}

Events ParseFloor(const std::string& text, const EventFlag& flag,
                  const EditContext&) {
  const Parts parts = Split(text, flag, false, 1, 1);
  std::string_view rise = parts.how[0];
  if (rise.starts_with('+')) rise.remove_prefix(1);
  const auto metres = NumberWithUnit(rise, "m");
  if (!metres) Refuse(text, flag);
  return MoveFloor(ParseSpan(parts.when, text, flag), Vector3::UnitY(),
                   *metres);
}

Events ParseSlope(const std::string& text, const EventFlag& flag,
                  const EditContext&) {
  const Parts parts = Split(text, flag, false, 2, 2);
  const auto degrees = NumberWithUnit(parts.how[0], "deg");
  std::optional<Vector3> uphill = ParseDirection(parts.how[1]);
  if (uphill) uphill->y() = 0.0;
  if (!degrees || std::abs(*degrees) > 45.0 || !uphill ||
      uphill->norm() < 1e-9) {
    Refuse(text, flag);
  }
  return MoveFloor(ParseSpan(parts.when, text, flag),
                   SlopeNormal(*degrees * kPi / 180.0, *uphill), 0.0);
}

constexpr std::array kFlags = {
    EventFlag{"--push", "SEGMENT@TIME:IMPULSE:DIRECTION",
              "left-forearm@1.2s:10Ns:+x or chest@1s:200N/0.3s:body+z",
              "an impulse, or a force over time, at a segment's mass centre",
              ParsePush},
    EventFlag{"--throw", "SEGMENT@TIME:MASS:VELOCITY", "chest@1s:2kg:0,0,-8",
              "a ball that meets the segment", ParseThrow},
    EventFlag{"--wall", "DISTANCE", "2m",
              "a wall across the way, where the root has gone so far",
              ParseWall},
    EventFlag{"--obstacle", "FROM..TO:CENTRE:SIZE[:MASS]",
              "0s:0,0.2,2:0.4,0.4,0.4:5kg", "a box, fixed unless it has a mass",
              ParseObstacle},
    EventFlag{"--carry", "SEGMENT@FROM..TO:MASS[:FRICTION]",
              "right-hand@0s..3s:5kg:0.3Nm", "a basket on a hand", ParseCarry},
    EventFlag{"--umbrella", "SEGMENT@FROM..TO[:MASS]",
              "right-hand@0s..3s:0.5kg",
              "an umbrella, upright, held before the head", ParseUmbrella},
    EventFlag{"--point", "SEGMENT@FROM..TO:PLACE[:VELOCITY]",
              "right-hand@1s..3s:0.3,1.4,2:0,0,1.2",
              "leads a hand to a target that may move; out of reach the arm is "
              "stretched at it",
              ParseReach},
    EventFlag{"--reach", "SEGMENT@FROM..TO:PLACE[:VELOCITY]",
              "left-hand@1s..2s:0.4,1.2,1.5", "the same: reaches and holds",
              ParseReach},
    EventFlag{"--look", "SEGMENT@FROM..TO:PLACE[:VELOCITY]",
              "head@1s..3s:2,1.6,3", "turns the head towards a target",
              ParseLook},
    EventFlag{"--pin", "SEGMENT@FROM..TO[:RAIL]", "left-hand@1s..2s:+z",
              "keeps a hand where it is, or on a rail along a direction",
              ParsePin},
    EventFlag{"--upright", "SEGMENT@FROM..TO", "head@0s..3s",
              "keeps a segment upright", ParseUpright},
    EventFlag{"--loosen", "SEGMENTS@FROM..TO", "arms@0.5s..2s",
              "joints follow weakly and late", ParseLoosen},
    EventFlag{"--stiffen", "SEGMENTS@FROM..TO", "legs@0.5s..2s",
              "joints follow with three times their strength", ParseStiffen},
    EventFlag{"--rag-doll", "TIME or FROM..TO", "1.5s..3s",
              "lets go, and recovers at TO", ParseRagDoll},
    EventFlag{"--recover", "TIME", "2.5s", "gets up", ParseRecover},
    EventFlag{"--gravity", "FROM..TO:VECTOR", "1s..2s:0,-3.7,0",
              "another gravity [m/s^2]", ParseGravity},
    EventFlag{"--floor", "FROM..TO:RISE", "1s:+0.05m",
              "the floor rises or sinks", ParseFloor},
    EventFlag{"--slope", "FROM..TO:ANGLE:UPHILL", "1s:5deg:+z",
              "the floor tilts where the figure stands", ParseSlope},
};

}  // namespace

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

std::span<const EventFlag> EventFlags() { return kFlags; }

std::vector<EditEvent> ParseEvents(std::string_view name,
                                   const std::string& text,
                                   const EditContext& context) {
  const auto flag = std::ranges::find(kFlags, name, &EventFlag::name);
  if (flag == kFlags.end()) {
    throw BadCall("no such event: " + std::string(name));
  }
  return flag->parse(text, *flag, context);
}

std::vector<EditEvent> PresetEvents(const std::string& name,
                                    const EditContext& context) {
  if (name == "loose-arm") return ParseEvents("--loosen", "arms@0s", context);
  if (name == "loose-head") return ParseEvents("--loosen", "head@0s", context);
  if (name == "carried-weight") {
    return ParseEvents("--carry", "right-hand@0s:5kg", context);
  }
  throw BadCall(
      "expected --preset loose-arm, loose-head or carried-weight, "
      "found \"" +
      name + "\"");
}

Strength ParseStrength(const std::string& text) {
  if (text == "weak") return Strength::Powered(0.5);
  if (text == "normal") return Strength::Powered();
  if (text == "strong") return Strength::Powered(2.0);
  const auto share = NumberWithUnit(text, "");
  if (!share || !(*share > 0.0)) {
    throw BadCall(
        "expected --strength weak, normal, strong or a positive "
        "number, found \"" +
        text + "\"");
  }
  return Strength::Powered(*share);
}

Vector3 SlopeNormal(double angle, const Vector3& uphill) {
  return std::cos(angle) * Vector3::UnitY() -
         std::sin(angle) * uphill.normalized();
}

}  // namespace limber::app
