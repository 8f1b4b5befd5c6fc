// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/sweep.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "jobs/bad_call.h"
#include "jobs/event_words.h"

namespace limber::jobs {

namespace {

using figure::EditEvent;
using Kind = EditEvent::Kind;

/// More variations than this are a slip of the keyboard.
constexpr std::size_t kMostValues = 10000;

[[noreturn]] void Refuse(const std::string& text) {
  throw BadCall(
      "expected --sweep EVENT.FIELD=FROM..TO:STEP like push.x=-30..30:5, "
      "found \"" +
      text + "\"");
}

std::optional<double> Number(std::string_view text) {
  return NumberWithUnit(text, "");
}

double* NumberOf(EditEvent& event, std::string_view field) {
  constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (field == kAxes[axis]) return &event.vector[int(axis)];
    if (event.target && field == "target." + std::string(kAxes[axis])) {
      return &(*event.target)[int(axis)];
    }
  }
  if (field == "time") return &event.time;
  if (field == "duration") return &event.duration;
  if (field == "mass") return &event.mass;
  return nullptr;
}

}  // namespace

Sweep ParseSweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals);
  const std::size_t colon = text.find(':', dots);
  if (equals == std::string::npos || dots == std::string::npos ||
      colon == std::string::npos) {
    Refuse(text);
  }
  Sweep sweep;
  sweep.name = text.substr(0, equals);
  const std::size_t dot = sweep.name.find('.');
  if (dot == std::string::npos) {
    if (sweep.name != "strength") Refuse(text);
  } else {
    sweep.field = sweep.name.substr(dot + 1);
    sweep.kind = sweep.name.substr(0, dot);
    std::size_t digits = sweep.kind.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(
                             sweep.kind[digits - 1])) != 0) {
      --digits;
    }
    if (digits < sweep.kind.size()) {
      sweep.index = static_cast<int>(
          Number(std::string_view(sweep.kind).substr(digits)).value_or(0.0));
      sweep.kind.resize(digits);
    }
  }
  const std::string_view view = text;
  const auto from = Number(view.substr(equals + 1, dots - equals - 1));
  const auto to = Number(view.substr(dots + 2, colon - dots - 2));
  const auto step = Number(view.substr(colon + 1));
  if (!from || !to || !step || !(*step > 0.0) || *to < *from) Refuse(text);
  const double count = std::floor((*to - *from) / *step + 1e-9) + 1.0;
  if (count > static_cast<double>(kMostValues)) {
    throw BadCall("--sweep " + text + " has more than " +
                  std::to_string(kMostValues) + " values");
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    sweep.values.push_back(*from + i * *step);
  }
  return sweep;
}

std::vector<std::vector<double>> Combinations(
    const std::vector<Sweep>& sweeps) {
  std::vector<std::vector<double>> all = {{}};
  for (const Sweep& sweep : sweeps) {
    if (all.size() * sweep.values.size() > kMostValues) {
      throw BadCall("the sweeps together have more than " +
                    std::to_string(kMostValues) + " values");
    }
    std::vector<std::vector<double>> more;
    for (const std::vector<double>& values : all) {
      for (const double value : sweep.values) {
        more.push_back(values);
        more.back().push_back(value);
      }
    }
    all = std::move(more);
  }
  return all;
}

void ApplySweep(const Sweep& sweep, double value,
                std::vector<EditEvent>& events,
                figure::EditSettings& settings) {
  if (sweep.kind.empty()) {
    if (!(value > 0.0)) throw BadCall("--sweep strength: must be positive");
    settings.strength = figure::Strength::Powered(value);
    return;
  }
  const std::span<const EventKindWord> words = EventKindWords();
  const auto known = std::ranges::find(words, sweep.kind, &EventKindWord::word);
  if (known == words.end()) {
    throw BadCall("--sweep " + sweep.name + ": no kind of event is called \"" +
                  sweep.kind + "\"");
  }
  int count = 0;
  for (EditEvent& event : events) {
    if (event.kind != known->kind || ++count != sweep.index) continue;
    if (sweep.field == "size" && event.vector.norm() > 0.0) {
      event.vector *= value / event.vector.norm();
      return;
    }
    double* number = NumberOf(event, sweep.field);
    if (number == nullptr) {
      throw BadCall("--sweep " + sweep.name + ": a " + sweep.kind +
                    " has no number \"" + sweep.field + "\"");
    }
    *number = value;
    return;
  }
  throw BadCall(
      "--sweep " + sweep.name + ": there " +
      (count == 0 ? "is no " + sweep.kind
                  : "are only " + std::to_string(count) + " of " + sweep.kind));
}

}  // namespace limber::jobs
