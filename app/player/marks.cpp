// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "app/player/tracks.h"
#include "app/reports/describe.h"

namespace limber::app {

namespace {

using nlohmann::ordered_json;
using viewer::Sign;

/// Steps from the middle of a picture to its edge: about a pixel each.
constexpr double kFine = 1000.0;

const char* Name(Sign::Kind kind) {
  return kind == Sign::Kind::kArrow   ? "arrow"
         : kind == Sign::Kind::kTouch ? "touch"
                                      : "target";
}

ordered_json Json(const viewer::Colour& c) { return {c.x(), c.y(), c.z()}; }

/// The signs of one frame, with one for all contacts of a pair of bodies.
std::vector<Sign> Merged(const std::vector<Sign>& signs) {
  struct Sum {
    Sign sign;
    double weight = 0.0;
    double largest = 0.0;
  };
  std::map<std::tuple<Sign::Kind, int, int>, Sum> pairs;
  std::vector<Sign> merged;
  for (const Sign& sign : signs) {
    if (!sign.is_force || sign.other < 0) {
      merged.push_back(sign);
      continue;
    }
    Sum& sum = pairs[{sign.kind, sign.body, sign.other}];
    const double weight = sign.vector.norm();
    if (sum.weight == 0.0) sum.sign = sign;
    if (weight > sum.largest) {
      sum.sign.colour = sign.colour;
      sum.largest = weight;
    }
    if (sum.weight > 0.0) {
      const double share = weight / (sum.weight + weight);
      sum.sign.point += share * (sign.point - sum.sign.point);
      sum.sign.vector += sign.vector;
    }
    sum.weight += weight;
  }
  for (const auto& [key, sum] : pairs) merged.push_back(sum.sign);
  return merged;
}

/// The n-th sign of one look on one pair of bodies, seen in some frames.
struct Slot {
  std::vector<std::size_t> frames;
  std::vector<Sign> signs;
  double weight = 0.0;
};

using Look = std::tuple<Sign::Kind, bool, double, double, double, int, int>;
Look LookOf(const Sign& sign) {
  return {sign.kind,       sign.is_force, sign.colour.x(), sign.colour.y(),
          sign.colour.z(), sign.body,     sign.other};
}

std::vector<Slot> SlotsOf(const ShowSamples& samples) {
  std::map<std::pair<Look, int>, Slot> slots;
  for (std::size_t k = 0; k < samples.signs.size(); ++k) {
    std::map<Look, int> counts;
    for (const Sign& sign : Merged(samples.signs[k])) {
      Slot& slot = slots[{LookOf(sign), counts[LookOf(sign)]++}];
      slot.frames.push_back(k);
      slot.signs.push_back(sign);
      slot.weight += sign.vector.norm();
    }
  }
  std::vector<Slot> all;
  for (auto& [key, slot] : slots) all.push_back(std::move(slot));
  return all;
}

/// Leaves out the smallest forces where there are more than `most`. Returns how
/// many.
std::size_t LeaveOutSmallest(std::size_t most, std::vector<Slot>& slots) {
  std::vector<double> weights;
  for (const Slot& slot : slots) {
    if (slot.signs.front().is_force) weights.push_back(slot.weight);
  }
  if (weights.size() <= most) return 0;
  std::ranges::sort(weights, std::greater<>());
  const double least =
      most == 0 ? std::numeric_limits<double>::infinity() : weights[most - 1];
  return std::erase_if(slots, [least](const Slot& slot) {
    return slot.signs.front().is_force && slot.weight < least;
  });
}

/// Adds a channel of one number a frame; where a sign is not seen it keeps the
/// number it had.
template <typename Number>
void AddChannel(const Slot& slot, std::size_t num_frames, Number number,
                PackedChannels& packed) {
  std::vector<std::int16_t> channel;
  std::size_t next = 0;
  for (std::size_t k = 0; k < num_frames; ++k) {
    if (next + 1 < slot.frames.size() && slot.frames[next + 1] <= k) ++next;
    const double v = std::round(number(slot.signs[next]));
    channel.push_back(
        static_cast<std::int16_t>(std::clamp(v, -32768.0, 32767.0)));
  }
  packed.Add(channel);
}

/// What a sign means on a page whose forces have arrows of `force_scale`.
std::string MeaningOf(const Sign& sign, double force_scale) {
  if (!sign.is_force) return "event";
  if (sign.colour == viewer::palette::kRootHelp) return "help of the root";
  if (sign.kind == Sign::Kind::kArrow) {
    return "force, 1 m is " + Rounded(1.0 / force_scale, 6) + " N";
  }
  if (force_scale <= 0.0) return "stands";
  return sign.colour == viewer::palette::kSliding ? "slides" : "touches";
}

}  // namespace

ordered_json PackMarks(const ShowSamples& samples, std::size_t most,
                       PackedChannels& packed) {
  std::vector<Slot> slots = SlotsOf(samples);
  const std::size_t left_out = LeaveOutSmallest(most, slots);
  constexpr double kMost = std::numeric_limits<double>::max();
  Vector3 low = Vector3::Constant(kMost);
  Vector3 high = Vector3::Constant(-kMost);
  for (const Slot& slot : slots) {
    for (const Sign& sign : slot.signs) {
      low = low.cwiseMin(sign.point);
      high = high.cwiseMax(sign.point);
    }
  }
  if (slots.empty()) low = high = Vector3::Zero();
  const double reach = samples.radius / kFine;
  const double step = std::max(reach, (high - low).maxCoeff() / 65535.0);
  ordered_json json = {{"low", {low.x(), low.y(), low.z()}},
                       {"step", step},
                       {"reach", reach},
                       {"left_out", left_out}};
  json["slots"] = ordered_json::array();
  for (const Slot& slot : slots) {
    const Sign& first = slot.signs.front();
    json["slots"].push_back(
        {{"kind", Name(first.kind)},
         {"colour", Json(first.colour)},
         {"force", first.is_force},
         {"hidden", SpansWithout(slot.frames, samples.num_frames)}});
    for (int axis = 0; axis < 3; ++axis) {
      AddChannel(
          slot, samples.num_frames,
          [&](const Sign& sign) {
            return (sign.point[axis] - low[axis]) / step - 32768.0;
          },
          packed);
    }
    if (first.kind != Sign::Kind::kArrow) continue;
    for (int axis = 0; axis < 3; ++axis) {
      AddChannel(
          slot, samples.num_frames,
          [&](const Sign& sign) { return sign.vector[axis] / reach; }, packed);
    }
  }
  return json;
}

ordered_json MarksLegend(const std::vector<PlayerActor>& actors,
                         std::size_t left_out) {
  ordered_json legend = ordered_json::array();
  std::vector<std::string> told;
  for (const PlayerActor& actor : actors) {
    for (const std::vector<Sign>& signs : actor.samples.signs) {
      for (const Sign& sign : signs) {
        const std::string text = MeaningOf(sign, actor.samples.force_scale);
        if (std::ranges::find(told, text) != told.end()) continue;
        told.push_back(text);
        legend.push_back({{"kind", Name(sign.kind)},
                          {"colour", Json(sign.colour)},
                          {"text", text}});
      }
    }
  }
  if (left_out > 0) {
    legend.push_back(
        {{"kind", "arrow"},
         {"colour", Json(viewer::palette::kIdle)},
         {"text", Count(static_cast<std::int64_t>(left_out), "smaller force") +
                      " left out"}});
  }
  return legend;
}

}  // namespace limber::app
