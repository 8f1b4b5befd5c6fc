// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/c3d_views.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mocap/io/internal/text.h"
#include "mocap/io/internal/unnamed_label.h"

namespace limber::mocap::internal {

namespace {

// Calls `use` with GROUP:NAME, NAME2, ... until one is missing or `use`
// returns false.
template <typename Use>
void ForEachContinuation(const Metadata& metadata, std::string_view group,
                         std::string_view name, Use use) {
  for (int part = 1;; ++part) {
    const std::string part_name =
        std::string(name) + (part > 1 ? std::to_string(part) : "");
    const MetadataParameter* parameter = metadata.Find(group, part_name);
    if (parameter == nullptr || !use(*parameter)) return;
  }
}

double FiniteOr(const std::vector<double>& values, std::size_t i,
                double fallback) {
  return i < values.size() && std::isfinite(values[i]) ? values[i] : fallback;
}

std::string StringOr(const std::vector<std::string>& strings, std::size_t i) {
  return i < strings.size() ? strings[i] : std::string();
}

}  // namespace

std::vector<std::string> ContinuedStrings(const Metadata& metadata,
                                          std::string_view group,
                                          std::string_view name,
                                          std::size_t limit) {
  std::vector<std::string> result;
  ForEachContinuation(metadata, group, name,
                      [&](const MetadataParameter& parameter) {
                        for (std::string& string : parameter.Strings()) {
                          if (result.size() == limit) return false;
                          result.push_back(std::move(string));
                        }
                        return true;
                      });
  return result;
}

std::vector<double> ContinuedNumbers(const Metadata& metadata,
                                     std::string_view group,
                                     std::string_view name, std::size_t limit,
                                     bool as_unsigned) {
  std::vector<double> result;
  ForEachContinuation(
      metadata, group, name, [&](const MetadataParameter& parameter) {
        for (std::size_t i = 0; i < parameter.size(); ++i) {
          if (result.size() == limit) return false;
          const std::optional<double> value =
              as_unsigned ? parameter.UnsignedNumber(i) : parameter.Number(i);
          if (!value) return false;
          result.push_back(*value);
        }
        return true;
      });
  return result;
}

std::vector<std::string> PointLabels(const Metadata& metadata,
                                     std::size_t count) {
  std::vector<std::string> labels =
      ContinuedStrings(metadata, "POINT", "LABELS", count);
  labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (labels[i].empty()) labels[i] = UnnamedLabel(i + 1);
  }
  return labels;
}

std::size_t CountNamedPoints(const Metadata& metadata, std::size_t count) {
  const std::vector<std::string> labels =
      ContinuedStrings(metadata, "POINT", "LABELS", count);
  return static_cast<std::size_t>(
      std::count_if(labels.begin(), labels.end(),
                    [](const std::string& label) { return !label.empty(); }));
}

std::vector<PointKind> PointKinds(const Metadata& metadata,
                                  const std::vector<std::string>& labels) {
  std::vector<PointKind> kinds(labels.size(), PointKind::kMarker);
  std::unordered_map<std::string, PointKind> kind_of;
  for (const KindList& list : kKindLists) {
    for (std::string& label :
         ContinuedStrings(metadata, "POINT", list.parameter, labels.size())) {
      if (!label.empty()) kind_of.emplace(std::move(label), list.kind);
    }
  }
  if (kind_of.empty()) return kinds;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = kind_of.find(labels[i]);
    if (found != kind_of.end()) kinds[i] = found->second;
  }
  return kinds;
}

ScreenAxes AxesOf(const Metadata& metadata) {
  ScreenAxes result;
  const auto axis = [&](std::string_view name) -> std::optional<SignedAxis> {
    const MetadataParameter* parameter = metadata.Find("POINT", name);
    if (parameter == nullptr) return std::nullopt;
    const std::vector<std::string> strings = parameter->Strings();
    if (strings.empty() || strings.front().empty()) return std::nullopt;
    result.present = true;
    return ParseSignedAxis(strings.front());
  };
  const std::optional<SignedAxis> right = axis("X_SCREEN");
  const std::optional<SignedAxis> up = axis("Y_SCREEN");
  if (right && up) {
    const AxisConvention axes{*right, *up};
    if (axes.IsValid()) result.axes = axes;
  }
  return result;
}

std::optional<std::string> UnitOf(const Metadata& metadata) {
  const MetadataParameter* parameter = metadata.Find("POINT", "UNITS");
  if (parameter == nullptr) return std::nullopt;
  const std::vector<std::string> strings = parameter->Strings();
  if (strings.empty()) return std::nullopt;
  // Some files put the padding in front or a NUL inside.
  std::string_view word = strings.front();
  word = Trim(word.substr(0, word.find('\0')));
  if (word.empty()) return std::nullopt;
  return std::string(word);
}

bool IsAnalogUnsigned(const Metadata& metadata) {
  const MetadataParameter* format = metadata.Find("ANALOG", "FORMAT");
  if (format == nullptr) return false;
  const std::vector<std::string> strings = format->Strings();
  return !strings.empty() &&
         EqualIgnoringCase(Trim(strings.front()), "UNSIGNED");
}

std::vector<AnalogChannel> AnalogChannels(const Metadata& metadata,
                                          std::size_t count) {
  std::vector<AnalogChannel> channels(count);
  if (count == 0) return channels;
  const auto strings = [&](std::string_view name) {
    return ContinuedStrings(metadata, "ANALOG", name, count);
  };
  const std::vector<std::string> labels = strings("LABELS");
  const std::vector<std::string> descriptions = strings("DESCRIPTIONS");
  const std::vector<std::string> units = strings("UNITS");
  const std::vector<double> scales =
      ContinuedNumbers(metadata, "ANALOG", "SCALE", count);
  const bool is_unsigned = IsAnalogUnsigned(metadata);
  // Old Motion Analysis files say OFFSETS.
  const bool plural = metadata.Find("ANALOG", "OFFSET") == nullptr;
  const std::vector<double> offsets = ContinuedNumbers(
      metadata, "ANALOG", plural ? "OFFSETS" : "OFFSET", count, is_unsigned);
  const double general =
      FiniteOr(ContinuedNumbers(metadata, "ANALOG", "GEN_SCALE", 1), 0, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    AnalogChannel& channel = channels[i];
    channel.label = StringOr(labels, i);
    channel.description = StringOr(descriptions, i);
    channel.unit = StringOr(units, i);
    channel.scale = FiniteOr(scales, i, 1.0) * general;
    if (channel.scale == 0.0) channel.scale = 1.0;
    channel.offset = FiniteOr(offsets, i, 0.0);
  }
  return channels;
}

std::vector<TakeEvent> GroupEvents(const Metadata& metadata,
                                   std::int64_t first_frame, double rate_hz) {
  std::vector<TakeEvent> events;
  const std::vector<double> used =
      ContinuedNumbers(metadata, "EVENT", "USED", 1, true);
  if (used.empty() || !(used[0] >= 1.0)) return events;
  const std::size_t wanted = static_cast<std::size_t>(used[0]);
  const std::vector<double> times =
      ContinuedNumbers(metadata, "EVENT", "TIMES", 2 * wanted);
  const std::size_t count = std::min(wanted, times.size() / 2);
  const auto strings = [&](std::string_view name) {
    return ContinuedStrings(metadata, "EVENT", name, count);
  };
  const std::vector<std::string> labels = strings("LABELS");
  const std::vector<std::string> contexts = strings("CONTEXTS");
  const std::vector<std::string> subjects = strings("SUBJECTS");
  const std::vector<std::string> descriptions = strings("DESCRIPTIONS");
  const std::vector<double> icons =
      ContinuedNumbers(metadata, "EVENT", "ICON_IDS", count);
  events.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double time = 60.0 * times[2 * i] + times[2 * i + 1];
    if (!std::isfinite(time)) continue;
    TakeEvent& event = events.emplace_back();
    event.time_s = time - static_cast<double>(first_frame - 1) / rate_hz;
    event.label = StringOr(labels, i);
    event.context = StringOr(contexts, i);
    event.subject = StringOr(subjects, i);
    event.description = StringOr(descriptions, i);
    event.icon_id = static_cast<int>(std::clamp(
        FiniteOr(icons, i, 0.0), double{INT16_MIN}, double{INT16_MAX}));
  }
  return events;
}

std::optional<std::int64_t> TrialField(const Metadata& metadata,
                                       std::string_view name) {
  const std::vector<double> halves =
      ContinuedNumbers(metadata, "TRIAL", name, 2, true);
  if (halves.empty()) return std::nullopt;
  const double high = halves.size() > 1 ? halves[1] : 0.0;
  const double value = halves[0] + 65536.0 * high;
  constexpr double kLargest = 2147483647.0;
  if (!(value >= 0.0) || value > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace limber::mocap::internal
