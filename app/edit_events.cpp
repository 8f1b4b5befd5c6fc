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

#include "app/exit_code.h"
#include "core/json_document.h"
#include "core/suggest.h"
#include "figure/segment_words.h"

namespace limber::app {

namespace {

using figure::EditEvent;
using figure::FigureModel;
using figure::SegmentsNamed;
using figure::Strength;

/// Time in which strengths change [s].
constexpr double kChange = 0.2;

[[noreturn]] void Refuse(const std::string& text, const std::string& expected) {
  throw BadCall("expected " + expected + ", found \"" + text + "\"");
}

/// The number at the start of `text`, which must go on with `unit`.
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

double ParseTime(std::string_view text, const std::string& whole,
                 const std::string& form) {
  if (const auto seconds = NumberWithUnit(text, "s")) return *seconds;
  if (const auto seconds = NumberWithUnit(text, "")) return *seconds;
  Refuse(whole, form);
}

/// "A@B:C" in its parts; missing ones are empty.
struct Parts {
  std::string who;
  std::string when;
  std::vector<std::string> how;
};

Parts Split(const std::string& text, const std::string& form) {
  Parts parts;
  const std::size_t at = text.find('@');
  if (at == std::string::npos || at == 0) Refuse(text, form);
  parts.who = text.substr(0, at);
  std::size_t begin = at + 1;
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
  return parts;
}

/// "1.2s" or "1.2s..3s".
struct Span {
  double from = 0.0;
  std::optional<double> to;
};

Span ParseSpan(const std::string& text, const std::string& whole,
               const std::string& form) {
  const std::size_t dots = text.find("..");
  Span span;
  span.from = ParseTime(std::string_view(text).substr(0, dots), whole, form);
  if (dots == std::string::npos) return span;
  span.to = ParseTime(std::string_view(text).substr(dots + 2), whole, form);
  if (*span.to <= span.from) {
    Refuse(whole, form + " with the second time after the first");
  }
  return span;
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
  Vector3 direction = Vector3::Zero();
  std::size_t begin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? text.find(',', begin) : text.size();
    if (end == std::string::npos) return std::nullopt;
    const auto number =
        NumberWithUnit(std::string_view(text).substr(begin, end - begin), "");
    if (!number) return std::nullopt;
    direction[axis] = *number;
    begin = end + 1;
  }
  if (direction.norm() < 1e-12) return std::nullopt;
  return direction.normalized();
}

int OneSegment(const std::string& word, const FigureModel& model) {
  const std::vector<int> found = SegmentsNamed(word, model);
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  for (const figure::FigureSegment& segment : model.segments) {
    names.push_back(segment.name);
  }
  std::string text = "no segment \"" + word + "\"";
  if (const std::optional<std::string> meant = Suggest(word, names)) {
    text += "; did you mean \"" + *meant + "\"?";
  }
  text += " (the figure has:";
  for (const std::string& name : names) text += " " + name;
  throw BadCall(text + ")");
}

/// Where a segment is pushed: at its mass centre.
EditEvent At(int segment, double time, const FigureModel& model) {
  EditEvent event;
  event.time = time;
  event.segment = segment;
  event.point_B = model.segments[std::size_t(segment)].p_JC;
  return event;
}

}  // namespace

std::vector<EditEvent> ParsePush(const std::string& text,
                                 const FigureModel& model) {
  const std::string form =
      "--push SEGMENT@TIME:IMPULSE:DIRECTION like "
      "left-forearm@1.2s:10Ns:+x or chest@1s:200N/0.3s:0,0,1";
  const Parts parts = Split(text, form);
  if (parts.how.size() != 2) Refuse(text, form);
  EditEvent event = At(OneSegment(parts.who, model),
                       ParseTime(parts.when, text, form), model);
  const std::optional<Vector3> direction = ParseDirection(parts.how[1]);
  if (!direction) Refuse(text, form);
  const std::string& amount = parts.how[0];
  if (const auto impulse = NumberWithUnit(amount, "Ns")) {
    event.vector = *impulse * *direction;
    return {event};
  }
  const std::size_t slash = amount.find('/');
  if (slash == std::string::npos) Refuse(text, form);
  const auto force =
      NumberWithUnit(std::string_view(amount).substr(0, slash), "N");
  const auto seconds =
      NumberWithUnit(std::string_view(amount).substr(slash + 1), "s");
  if (!force || !seconds || !(*seconds > 0.0)) Refuse(text, form);
  event.duration = *seconds;
  event.vector = *force * *seconds * *direction;
  return {event};
}

std::vector<EditEvent> ParseLoosen(const std::string& text,
                                   const FigureModel& model) {
  const std::string form = "--loosen SEGMENTS@FROM..TO like arms@0.5s..2s";
  const Parts parts = Split(text, form);
  if (!parts.how.empty()) Refuse(text, form);
  const Span span = ParseSpan(parts.when, text, form);
  EditEvent event;
  event.kind = EditEvent::Kind::kLoosen;
  event.time = span.from;
  event.duration = kChange;
  event.segments = SegmentsNamed(parts.who, model);
  if (event.segments.empty()) {
    event.segments = {OneSegment(parts.who, model)};
  }
  event.strength = Strength::Loose();
  std::vector<EditEvent> events = {event};
  if (span.to) {
    event.time = *span.to;
    event.strength = Strength::Powered();
    events.push_back(event);
  }
  return events;
}

std::vector<EditEvent> ParseCarry(const std::string& text,
                                  const FigureModel& model) {
  const std::string form =
      "--carry SEGMENT@FROM..TO:MASS like right-hand@0s..3s:5kg";
  const Parts parts = Split(text, form);
  if (parts.how.size() != 1) Refuse(text, form);
  const Span span = ParseSpan(parts.when, text, form);
  const auto mass = NumberWithUnit(parts.how[0], "kg");
  if (!mass || !(*mass > 0.0)) Refuse(text, form);
  EditEvent event = At(OneSegment(parts.who, model), span.from, model);
  event.kind = EditEvent::Kind::kCarry;
  event.mass = *mass;
  if (span.to) event.duration = *span.to - span.from;
  return {event};
}

std::vector<EditEvent> ParseRagDoll(const std::string& text) {
  const std::string form = "--rag-doll TIME or FROM..TO like 1.5s..3s";
  const Span span = ParseSpan(text, text, form);
  EditEvent event;
  event.kind = EditEvent::Kind::kRagDoll;
  event.time = span.from;
  event.duration = 0.1;
  std::vector<EditEvent> events = {event};
  if (span.to) {
    event.kind = EditEvent::Kind::kRecover;
    event.time = *span.to;
    event.duration = 0.5;
    events.push_back(event);
  }
  return events;
}

Result<std::vector<EditEvent>> ReadEvents(const std::filesystem::path& path,
                                          const FigureModel& model) {
  constexpr std::array<std::string_view, 7> kKinds = {
      "push", "loosen", "rag_doll", "recover", "throw", "carry", "gravity"};
  using Read = Result<std::vector<EditEvent>>;
  const Result<JsonValue> json = ReadJson(path);
  if (!json) return Read(json.diagnostics());
  Diagnostics diagnostics = json.diagnostics();
  JsonObject root(*json, "an events file", diagnostics);
  const auto version = root.Integer("limber_events", 1, 1);
  static_cast<void>(version);
  std::vector<EditEvent> events;
  const JsonValue* list = root.Array("events", true);
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    JsonObject object(list->items[i], "an event", diagnostics);
    EditEvent event;
    event.kind = static_cast<EditEvent::Kind>(object.Word("kind", kKinds));
    event.time = object.Number("at", NumberRange::NotNegative());
    event.duration = object.Number("duration", NumberRange::NotNegative(), 0.0);
    const bool on_segment = event.kind == EditEvent::Kind::kPush ||
                            event.kind == EditEvent::Kind::kThrow ||
                            event.kind == EditEvent::Kind::kCarry;
    const auto named = [&](const std::string& word) {
      const std::vector<int> segments = SegmentsNamed(word, model);
      if (segments.empty()) {
        object.Error("segment", "unknown-name",
                     "no segment \"" + word + "\" in the figure");
      }
      return segments;
    };
    if (on_segment) {
      const std::vector<int> segments = named(object.Text("segment"));
      if (!segments.empty()) {
        event.segment = segments.front();
        event.point_B = object.Vector(
            "point", model.segments[std::size_t(event.segment)].p_JC);
      }
    }
    switch (event.kind) {
      case EditEvent::Kind::kPush:
        event.vector = object.Vector("impulse");
        break;
      case EditEvent::Kind::kThrow:
        event.vector = object.Vector("velocity");
        event.mass = object.Number("mass", NumberRange::Positive(), 1.0);
        break;
      case EditEvent::Kind::kCarry:
        event.mass = object.Number("mass", NumberRange::Positive());
        break;
      case EditEvent::Kind::kGravity:
        event.vector = object.Vector("gravity");
        break;
      case EditEvent::Kind::kLoosen:
        event.segments = named(object.Text("segment", "all"));
        event.strength = Strength::Loose();
        event.strength.torque = object.Number(
            "torque", NumberRange::NotNegative(), event.strength.torque);
        break;
      case EditEvent::Kind::kRagDoll:
      case EditEvent::Kind::kRecover:
        break;
    }
    object.Finish();
    events.push_back(std::move(event));
  }
  root.Finish();
  return {std::move(events), std::move(diagnostics)};
}

}  // namespace limber::app
