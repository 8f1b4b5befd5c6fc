// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/event_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/angle.h"
#include "jobs/bad_call.h"

namespace limber::jobs {

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
using figure::Strength;

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

Event ParsePush(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 2, 2);
  Push push{.segment = parts.who, .at = ParseTime(parts.when, text, flag)};
  std::string way = parts.how[1];
  push.in_body = way.starts_with("body");
  if (push.in_body) way.erase(0, 4);
  const std::optional<Vector3> direction = ParseDirection(way);
  if (!direction) Refuse(text, flag);
  const std::string& amount = parts.how[0];
  if (const auto impulse = NumberWithUnit(amount, "Ns")) {
    push.impulse = *impulse * *direction;
    return push;
  }
  const std::size_t slash = amount.find('/');
  if (slash == std::string::npos) Refuse(text, flag);
  const auto force =
      NumberWithUnit(std::string_view(amount).substr(0, slash), "N");
  const auto seconds =
      NumberWithUnit(std::string_view(amount).substr(slash + 1), "s");
  if (!force || !seconds || !(*seconds > 0.0)) Refuse(text, flag);
  push.duration = *seconds;
  push.impulse = *force * *seconds * *direction;
  return push;
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

Event ParseThrow(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 2, 2);
  return Throw{.segment = parts.who,
               .at = ParseTime(parts.when, text, flag),
               .velocity = VectorIn(parts.how[1], text, flag),
               .mass = Positive(parts.how[0], "kg", text, flag)};
}

Event ParseWall(const std::string& text, const EventFlag& flag) {
  return Wall{Positive(text, "m", text, flag)};
}

Event ParseObstacle(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, false, 2, 3);
  const Span span = ParseSpan(parts.when, text, flag);
  Obstacle box{.place = VectorIn(parts.how[0], text, flag),
               .size = VectorIn(parts.how[1], text, flag),
               .at = span.from,
               .until = span.to};
  if (!(box.size.minCoeff() > 0.0)) Refuse(text, flag);
  if (parts.how.size() > 2) {
    box.mass = Positive(parts.how[2], "kg", text, flag);
  }
  return box;
}

Event ParseCarry(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 1, 2);
  const Span span = ParseSpan(parts.when, text, flag);
  Carry carry{.segment = parts.who, .at = span.from, .until = span.to};
  carry.mass = Positive(parts.how[0], "kg", text, flag);
  if (parts.how.size() > 1) {
    carry.friction = Positive(parts.how[1], "Nm", text, flag);
  }
  return carry;
}

Event ParseUmbrella(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 0, 1);
  const Span span = ParseSpan(parts.when, text, flag);
  Umbrella umbrella{.segment = parts.who, .at = span.from, .until = span.to};
  if (!parts.how.empty()) {
    umbrella.mass = Positive(parts.how[0], "kg", text, flag);
  }
  return umbrella;
}

/// What points, reaches and looks have in common: a target that may move.
template <typename Goal>
Event ParseTarget(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 1, 2);
  const Span span = ParseSpan(parts.when, text, flag);
  Goal goal;
  goal.segment = parts.who;
  goal.at = span.from;
  goal.until = span.to;
  goal.target = VectorIn(parts.how[0], text, flag);
  if (parts.how.size() > 1) {
    goal.target_velocity = VectorIn(parts.how[1], text, flag);
  }
  return goal;
}

Event ParsePin(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 0, 1);
  const Span span = ParseSpan(parts.when, text, flag);
  Pin pin{.segment = parts.who, .at = span.from, .until = span.to};
  if (!parts.how.empty()) {
    const std::optional<Vector3> rail = ParseDirection(parts.how[0]);
    if (!rail) Refuse(text, flag);
    pin.rail = *rail;
  }
  return pin;
}

/// One or several segments and a time, nothing else.
template <typename Timed>
Event ParseTimed(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, true, 0, 0);
  const Span span = ParseSpan(parts.when, text, flag);
  return Timed{parts.who, span.from, span.to};
}

Event ParseRagDoll(const std::string& text, const EventFlag& flag) {
  const Span span = ParseSpan(text, text, flag);
  return RagDoll{span.from, span.to};
}

Event ParseRecover(const std::string& text, const EventFlag& flag) {
  return Recover{ParseTime(text, text, flag)};
}

Event ParseGravity(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, false, 1, 1);
  const Span span = ParseSpan(parts.when, text, flag);
  return Gravity{span.from, span.to, VectorIn(parts.how[0], text, flag)};
}

Event ParseFloor(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, false, 1, 1);
  std::string_view rise = parts.how[0];
  if (rise.starts_with('+')) rise.remove_prefix(1);
  const auto metres = NumberWithUnit(rise, "m");
  if (!metres) Refuse(text, flag);
  const Span span = ParseSpan(parts.when, text, flag);
  return Floor{span.from, span.to, *metres};
}

Event ParseSlope(const std::string& text, const EventFlag& flag) {
  const Parts parts = Split(text, flag, false, 2, 2);
  const auto degrees = NumberWithUnit(parts.how[0], "deg");
  std::optional<Vector3> uphill = ParseDirection(parts.how[1]);
  if (uphill) uphill->y() = 0.0;
  if (!degrees || std::abs(*degrees) > 45.0 || !uphill ||
      uphill->norm() < 1e-9) {
    Refuse(text, flag);
  }
  const Span span = ParseSpan(parts.when, text, flag);
  return Slope{span.from, span.to, Radians(*degrees), *uphill};
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
              ParseTarget<Reach>},
    EventFlag{"--reach", "SEGMENT@FROM..TO:PLACE[:VELOCITY]",
              "left-hand@1s..2s:0.4,1.2,1.5", "the same: reaches and holds",
              ParseTarget<Reach>},
    EventFlag{"--look", "SEGMENT@FROM..TO:PLACE[:VELOCITY]",
              "head@1s..3s:2,1.6,3", "turns the head towards a target",
              ParseTarget<Look>},
    EventFlag{"--pin", "SEGMENT@FROM..TO[:RAIL]", "left-hand@1s..2s:+z",
              "keeps a hand where it is, or on a rail along a direction",
              ParsePin},
    EventFlag{"--upright", "SEGMENT@FROM..TO", "head@0s..3s",
              "keeps a segment upright", ParseTimed<Upright>},
    EventFlag{"--loosen", "SEGMENTS@FROM..TO", "arms@0.5s..2s",
              "joints follow weakly and late", ParseTimed<Loosen>},
    EventFlag{"--stiffen", "SEGMENTS@FROM..TO", "legs@0.5s..2s",
              "joints follow with three times their strength",
              ParseTimed<Stiffen>},
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

std::span<const EventFlag> EventFlags() { return kFlags; }

std::vector<EditEvent> ParseEvents(std::string_view name,
                                   const std::string& text,
                                   const EditContext& context) {
  const auto flag = std::ranges::find(kFlags, name, &EventFlag::name);
  if (flag == kFlags.end()) {
    throw BadCall("no such event: " + std::string(name));
  }
  return Resolve(flag->parse(text, *flag), context);
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

}  // namespace limber::jobs
