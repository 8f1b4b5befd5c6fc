// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "app/reports/describe.h"

namespace limber::app {

namespace {

using mocap::Gap;
using mocap::MarkerTake;
using mocap::PointKind;
using mocap::TakeEvent;

std::string Percent(double fraction) {
  // A tiny share is not none at all.
  if (fraction > 0.0 && fraction < 0.0005) return "less than 0.1 %";
  return Rounded(100.0 * fraction, 1) + " %";
}

std::string_view KindWord(PointKind kind) {
  switch (kind) {
    case PointKind::kMarker:
      return "marker";
    case PointKind::kAngle:
      return "angle";
    case PointKind::kForce:
      return "force";
    case PointKind::kMoment:
      return "moment";
    case PointKind::kPower:
      return "power";
    case PointKind::kScalar:
      return "scalar";
  }
  return "marker";
}

void DescribePoints(Description& description, const MarkerTake& take) {
  std::map<PointKind, int> counts;
  nlohmann::ordered_json labels = nlohmann::ordered_json::array();
  nlohmann::ordered_json others = nlohmann::ordered_json::array();
  std::vector<std::string> names;
  for (int marker = 0; marker < take.num_markers(); ++marker) {
    const PointKind kind = take.kind(marker);
    const std::string& label = take.labels()[static_cast<std::size_t>(marker)];
    ++counts[kind];
    if (kind == PointKind::kMarker) {
      labels.push_back(label);
      names.push_back(label);
    } else {
      others.push_back({{"label", label}, {"kind", KindWord(kind)}});
    }
  }
  constexpr std::size_t kLabelsShown = 8;
  std::string text = std::to_string(counts[PointKind::kMarker]);
  if (!names.empty()) text += ": " + Join(names, kLabelsShown);
  description.Add("markers", text);
  description.json["markers"] = counts[PointKind::kMarker];
  description.json["points"] = take.num_markers();
  description.json["marker_labels"] = std::move(labels);
  if (!others.empty()) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : counts) {
      if (kind != PointKind::kMarker && count > 0) {
        kinds.push_back(Count(count, std::string(KindWord(kind))));
      }
    }
    description.Add("beside", Join(kinds, kinds.size()));
    description.json["other_points"] = std::move(others);
  }
}

/// What is missing of one marker.
struct MarkerGaps {
  int marker = 0;
  std::int64_t missing = 0;
  std::int64_t num_gaps = 0;
  Gap longest;
};

std::vector<MarkerGaps> GapsByMarker(const MarkerTake& take) {
  std::vector<MarkerGaps> all;
  for (const Gap& gap : take.Gaps()) {
    if (all.empty() || all.back().marker != gap.marker) {
      all.push_back({gap.marker, 0, 0, gap});
    }
    MarkerGaps& one = all.back();
    one.missing += gap.num_frames;
    ++one.num_gaps;
    if (gap.num_frames > one.longest.num_frames) one.longest = gap;
  }
  return all;
}

void DescribeGaps(Description& description, const MarkerTake& take) {
  std::vector<MarkerGaps> gaps = GapsByMarker(take);
  const auto label = [&take](int marker) {
    return take.labels()[static_cast<std::size_t>(marker)];
  };
  description.json["gap_fraction"] = take.gap_fraction();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const MarkerGaps& gap : gaps) {
    list.push_back({{"label", label(gap.marker)},
                    {"missing_frames", gap.missing},
                    {"gaps", gap.num_gaps},
                    {"longest_gap_frames", gap.longest.num_frames},
                    {"longest_gap_first_frame",
                     take.first_frame + gap.longest.first_frame}});
  }
  description.json["gaps"] = std::move(list);
  if (gaps.empty()) {
    description.Add("gaps", "none");
    return;
  }
  description.Add("gaps", Percent(take.gap_fraction()) +
                              " of the samples, in " +
                              std::to_string(gaps.size()) + " of " +
                              Count(take.num_markers(), "point"));
  std::ranges::stable_sort(gaps, std::ranges::greater{}, &MarkerGaps::missing);
  constexpr std::size_t kMarkersShown = 8;
  for (std::size_t i = 0; i < std::min(gaps.size(), kMarkersShown); ++i) {
    const MarkerGaps& gap = gaps[i];
    std::string text = label(gap.marker) + ": ";
    if (gap.missing == take.num_frames()) {
      text += "never seen";
    } else {
      const std::int64_t first = take.first_frame + gap.longest.first_frame;
      text += Count(gap.missing, "frame") + " in " +
              Count(gap.num_gaps, "gap") +
              (gap.num_gaps == 1 ? ", " : ", the longest in frames ") +
              std::to_string(first) + " to " +
              std::to_string(first + gap.longest.num_frames - 1);
    }
    description.Add("", text);
  }
  if (gaps.size() > kMarkersShown) {
    description.Add("", "and " + std::to_string(gaps.size() - kMarkersShown) +
                            " more; --json has them all");
  }
}

void DescribeAnalog(Description& description, const MarkerTake& take) {
  const mocap::AnalogData& analog = take.analog;
  nlohmann::ordered_json channels = nlohmann::ordered_json::array();
  std::vector<std::string> names;
  for (const mocap::AnalogChannel& channel : analog.channels) {
    channels.push_back({{"label", channel.label}, {"unit", channel.unit}});
    names.push_back(channel.label);
  }
  if (!names.empty()) {
    constexpr std::size_t kChannelsShown = 8;
    description.Add("analog",
                    Count(static_cast<std::int64_t>(names.size()), "channel") +
                        " at " + Rounded(analog.rate_hz, 3) +
                        " Hz: " + Join(names, kChannelsShown));
    description.json["analog_rate_hz"] = analog.rate_hz;
  }
  description.json["analog_channels"] = std::move(channels);
  const std::size_t plates = mocap::ForcePlates(take).size();
  if (plates > 0) description.Add("plates", std::to_string(plates));
  description.json["force_plates"] = plates;
}

void DescribeEvents(Description& description, const MarkerTake& take) {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  std::vector<std::string> texts;
  for (const TakeEvent& event : take.events) {
    events.push_back({{"label", event.label},
                      {"context", event.context},
                      {"time_s", event.time_s}});
    texts.push_back((event.context.empty() ? "" : event.context + " ") +
                    event.label + " " + Rounded(event.time_s, 3) + " s");
  }
  constexpr std::size_t kEventsShown = 6;
  if (!texts.empty()) {
    description.Add("events", std::to_string(texts.size()) + ": " +
                                  Join(texts, kEventsShown));
  }
  description.json["events"] = std::move(events);
}

}  // namespace

void DescribeTake(const LoadedFile& file, const MarkerTake& take,
                  Description& description) {
  DescribePoints(description, take);
  DescribeTime(take.num_frames(), take.rate_hz(), take.first_frame,
               description);
  const mocap::TakeOrigin& origin = take.origin;
  DescribeUnits(
      file, {origin.unit, origin.metres_per_unit},
      origin.unit_decision == mocap::Decision::kFile ? "said by the file"
                                                     : "said by --unit",
      std::string(mocap::ToString(origin.axes.up)),
      origin.axes_decision == mocap::Decision::kFile ? "said by the file"
                                                     : "said by --up",
      description);
  DescribeGaps(description, take);
  DescribeAnalog(description, take);
  DescribeEvents(description, take);
}

}  // namespace limber::app
