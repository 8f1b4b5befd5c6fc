// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/c3d_update.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "mocap/io/internal/c3d_views.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

constexpr std::size_t kMaxDimension = 255;
constexpr std::int64_t kMaxShortCount = 65535;

std::int16_t AsInt16(std::int64_t count) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(count));
}

void SetCount(MetadataGroup& group, std::string_view name, std::int64_t count) {
  const MetadataParameter* known = group.Find(name);
  if (known != nullptr &&
      known->UnsignedNumber() == static_cast<double>(count)) {
    return;
  }
  group.FindOrAdd(name).SetInteger(AsInt16(count));
}

void SetNumber(MetadataGroup& group, std::string_view name, double value) {
  const float stored = static_cast<float>(value);
  const MetadataParameter* known = group.Find(name);
  if (known != nullptr && known->Number() == static_cast<double>(stored)) {
    return;
  }
  group.FindOrAdd(name).SetFloat(stored);
}

std::string PartName(std::string_view name, std::size_t part) {
  return std::string(name) + (part > 0 ? std::to_string(part + 1) : "");
}

// Spreads `count` values over NAME, NAME2, ...; `set` fills one parameter with
// the values [first, last). Parts left from before are removed.
void SetContinued(MetadataGroup& group, std::string_view name,
                  std::size_t count,
                  const std::function<void(MetadataParameter&, std::size_t,
                                           std::size_t)>& set) {
  std::size_t part = 0;
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(count, first + kMaxDimension);
    set(group.FindOrAdd(PartName(name, part)), first, last);
    first = last;
    ++part;
  } while (first < count);
  while (group.Find(PartName(name, part)) != nullptr) {
    group.Remove(PartName(name, part++));
  }
}

void SetContinuedStrings(MetadataGroup& group, std::string_view name,
                         const std::vector<std::string>& strings,
                         Diagnostics& diagnostics) {
  for (const std::string& string : strings) {
    if (string.size() > kMaxDimension) {
      std::string message = group.name;
      message.append(":").append(name).append(" cuts to 255 bytes: ");
      message += Excerpt(string);
      diagnostics.Warning("label-cut", {}, std::move(message));
    }
  }
  SetContinued(
      group, name, strings.size(),
      [&](MetadataParameter& parameter, std::size_t first, std::size_t last) {
        const auto begin = strings.begin();
        parameter.SetStrings({begin + static_cast<std::ptrdiff_t>(first),
                              begin + static_cast<std::ptrdiff_t>(last)});
      });
}

void SetContinuedFloats(MetadataGroup& group, std::string_view name,
                        const std::vector<double>& values) {
  SetContinued(
      group, name, values.size(),
      [&](MetadataParameter& parameter, std::size_t first, std::size_t last) {
        std::vector<float> part;
        for (std::size_t i = first; i < last; ++i) {
          part.push_back(static_cast<float>(values[i]));
        }
        parameter.SetFloats(std::move(part));
      });
}

void UpdateLabels(MetadataGroup& point, const Metadata& metadata,
                  const MarkerTake& take, Diagnostics& diagnostics) {
  const std::size_t count = take.labels().size();
  // Asked before the group changes: do the parameters say the same already?
  const bool same_labels = PointLabels(metadata, count) == take.labels() &&
                           CountNamedPoints(metadata, count) == count &&
                           metadata.Find("POINT", "LABELS") != nullptr;
  std::vector<PointKind> kinds;
  for (int i = 0; i < take.num_markers(); ++i) kinds.push_back(take.kind(i));
  const bool same_kinds = PointKinds(metadata, take.labels()) == kinds;
  if (!same_labels) {
    SetContinuedStrings(point, "LABELS", take.labels(), diagnostics);
  }
  if (same_kinds) return;
  for (const KindList& list : kKindLists) {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < count; ++i) {
      if (kinds[i] == list.kind) members.push_back(take.labels()[i]);
    }
    if (members.empty()) {
      point.Remove(list.parameter);
    } else {
      SetContinuedStrings(point, list.parameter, members, diagnostics);
    }
  }
}

void UpdatePoint(Metadata& metadata, const MarkerTake& take,
                 const C3dWriteLayout& layout, bool from_file,
                 Diagnostics& diagnostics) {
  const Metadata before = metadata;
  MetadataGroup& point = metadata.FindOrAdd("POINT");
  const std::int64_t frames = take.num_frames();
  SetCount(point, "USED", take.num_markers());
  // Long counts: 65535 in the short place, the truth in LONG_FRAMES and in the
  // group TRIAL. FRAMES stays an integer because old readers expect one.
  const MetadataParameter* known = point.Find("FRAMES");
  if (known == nullptr || known->Number() != static_cast<double>(frames)) {
    SetCount(point, "FRAMES", std::min(frames, kMaxShortCount));
  }
  if (frames > kMaxShortCount || point.Find("LONG_FRAMES") != nullptr) {
    SetNumber(point, "LONG_FRAMES", static_cast<double>(frames));
  }
  point.FindOrAdd("DATA_START").SetInteger(0);
  SetNumber(point, "SCALE", layout.is_float ? -layout.scale : layout.scale);
  SetNumber(point, "RATE", take.rate_hz());

  const std::optional<std::string> unit = UnitOf(before);
  const bool unit_was_guessed =
      from_file && take.origin.unit_decision == Decision::kDefault;
  if (unit != layout.unit.word && !(unit_was_guessed && !unit)) {
    point.FindOrAdd("UNITS").SetText(layout.unit.word);
  }
  const ScreenAxes screen = AxesOf(before);
  if (!from_file ||
      screen.axes.value_or(AxisConvention::ZUp()) != take.origin.axes) {
    point.FindOrAdd("X_SCREEN").SetText(ToString(take.origin.axes.right));
    point.FindOrAdd("Y_SCREEN").SetText(ToString(take.origin.axes.up));
  }
  UpdateLabels(point, before, take, diagnostics);
  if (!from_file) {
    SetContinuedStrings(point, "DESCRIPTIONS",
                        std::vector<std::string>(take.labels().size()),
                        diagnostics);
  }
}

void UpdateAnalog(Metadata& metadata, const MarkerTake& take,
                  Diagnostics& diagnostics) {
  const std::vector<AnalogChannel>& channels = take.analog.channels;
  const bool had_group = metadata.Find("ANALOG") != nullptr;
  const bool same =
      had_group && AnalogChannels(metadata, channels.size()) == channels;
  const bool is_unsigned = IsAnalogUnsigned(metadata);
  MetadataGroup& analog = metadata.FindOrAdd("ANALOG");
  SetCount(analog, "USED", static_cast<std::int64_t>(channels.size()));
  if (!channels.empty()) {
    SetNumber(analog, "RATE", take.rate_hz() * take.analog.samples_per_frame);
  } else if (analog.Find("RATE") == nullptr) {
    SetNumber(analog, "RATE", take.rate_hz());
  }
  if (same) return;

  std::vector<std::string> labels;
  std::vector<std::string> descriptions;
  std::vector<std::string> units;
  std::vector<double> scales;
  std::vector<double> offsets;
  bool whole = true;
  for (const AnalogChannel& channel : channels) {
    labels.push_back(channel.label);
    descriptions.push_back(channel.description);
    units.push_back(channel.unit);
    scales.push_back(channel.scale);
    offsets.push_back(channel.offset);
    const double low = is_unsigned ? 0.0 : INT16_MIN;
    const double high = is_unsigned ? UINT16_MAX : INT16_MAX;
    whole = whole && channel.offset == std::round(channel.offset) &&
            channel.offset >= low && channel.offset <= high;
  }
  analog.FindOrAdd("GEN_SCALE").SetFloat(1.0f);
  SetContinuedStrings(analog, "LABELS", labels, diagnostics);
  SetContinuedStrings(analog, "DESCRIPTIONS", descriptions, diagnostics);
  SetContinuedStrings(analog, "UNITS", units, diagnostics);
  SetContinuedFloats(analog, "SCALE", scales);
  if (!whole) {
    SetContinuedFloats(analog, "OFFSET", offsets);
    return;
  }
  SetContinued(
      analog, "OFFSET", offsets.size(),
      [&](MetadataParameter& parameter, std::size_t first, std::size_t last) {
        std::vector<std::int16_t> part;
        for (std::size_t i = first; i < last; ++i) {
          part.push_back(AsInt16(static_cast<std::int64_t>(offsets[i])));
        }
        parameter.SetIntegers(std::move(part));
      });
}

void UpdateEvents(Metadata& metadata, const MarkerTake& take,
                  Diagnostics& diagnostics) {
  std::vector<TakeEvent> events;
  for (const TakeEvent& event : take.events) {
    if (!event.in_header) events.push_back(event);
  }
  if (GroupEvents(metadata, take.first_frame, take.rate_hz()) == events) {
    return;
  }
  if (events.size() > kMaxDimension) {
    diagnostics.Error("c3d-limit", {},
                      std::to_string(events.size()) +
                          " events, the group EVENT holds at most 255");
    return;
  }
  std::vector<std::string> contexts, labels, descriptions, subjects;
  std::vector<float> times;
  std::vector<std::int16_t> icons;
  for (const TakeEvent& event : events) {
    contexts.push_back(event.context);
    labels.push_back(event.label);
    descriptions.push_back(event.description);
    subjects.push_back(event.subject);
    // The file counts from frame number 1, in minutes and seconds.
    const double time =
        event.time_s +
        static_cast<double>(take.first_frame - 1) / take.rate_hz();
    const double minutes = std::trunc(time / 60.0);
    times.push_back(static_cast<float>(minutes));
    times.push_back(static_cast<float>(time - 60.0 * minutes));
    icons.push_back(static_cast<std::int16_t>(event.icon_id));
  }
  const std::uint8_t count = static_cast<std::uint8_t>(events.size());
  MetadataGroup& group = metadata.FindOrAdd("EVENT");
  SetCount(group, "USED", count);
  SetContinuedStrings(group, "CONTEXTS", contexts, diagnostics);
  SetContinuedStrings(group, "LABELS", labels, diagnostics);
  SetContinuedStrings(group, "DESCRIPTIONS", descriptions, diagnostics);
  SetContinuedStrings(group, "SUBJECTS", subjects, diagnostics);
  MetadataParameter& time = group.FindOrAdd("TIMES");
  time.data = std::move(times);
  time.dimensions = {2, count};
  time.num_dimensions = 2;
  group.FindOrAdd("ICON_IDS").SetIntegers(std::move(icons));
  MetadataParameter& flags = group.FindOrAdd("GENERIC_FLAGS");
  flags.data = std::vector<std::uint8_t>(count, 0);
  flags.dimensions = {count};
  flags.num_dimensions = 1;
}

void UpdateTrial(Metadata& metadata, const MarkerTake& take, bool from_file) {
  const std::int64_t last = take.first_frame + take.num_frames() - 1;
  const bool has_fields =
      metadata.Find("TRIAL", "ACTUAL_START_FIELD") != nullptr ||
      metadata.Find("TRIAL", "ACTUAL_END_FIELD") != nullptr;
  if (take.num_frames() == 0 ||
      (from_file && !has_fields && last <= kMaxShortCount)) {
    return;
  }
  MetadataGroup& trial = metadata.FindOrAdd("TRIAL");
  const auto set = [&](std::string_view name, std::int64_t frame) {
    if (TrialField(metadata, name) == frame) return;
    trial.FindOrAdd(name).SetIntegers({AsInt16(frame), AsInt16(frame >> 16)});
  };
  set("ACTUAL_START_FIELD", take.first_frame);
  set("ACTUAL_END_FIELD", last);
}

}  // namespace

Metadata MetadataForWriting(const MarkerTake& take,
                            const C3dWriteLayout& layout,
                            Diagnostics& diagnostics) {
  Metadata metadata = take.metadata;
  const bool from_file = metadata.Find("POINT") != nullptr;
  UpdatePoint(metadata, take, layout, from_file, diagnostics);
  UpdateAnalog(metadata, take, diagnostics);
  UpdateEvents(metadata, take, diagnostics);
  UpdateTrial(metadata, take, from_file);
  if (!from_file) {
    if (metadata.Find("FORCE_PLATFORM") == nullptr) {
      MarkerTake without_plates;
      SetForcePlates(without_plates, {});
      metadata.groups.push_back(
          *without_plates.metadata.Find("FORCE_PLATFORM"));
    }
    metadata.FindOrAdd("MANUFACTURER").FindOrAdd("SOFTWARE").SetText("Limber");
  }
  return metadata;
}

}  // namespace limber::mocap::internal
