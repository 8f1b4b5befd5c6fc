// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/file.h"
#include "mocap/io/c3d.h"
#include "mocap/io/internal/c3d_codec.h"
#include "mocap/io/internal/c3d_layout.h"
#include "mocap/io/internal/c3d_parameters.h"
#include "mocap/io/internal/c3d_views.h"
#include "mocap/io/internal/length_unit.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

Place At(std::size_t byte) {
  return Place::AtByte(static_cast<std::int64_t>(byte));
}

void CheckOptions(const C3dReadOptions& options) {
  if (options.axes) MakePermutation(*options.axes);
  if (options.metres_per_unit && (!(*options.metres_per_unit > 0.0) ||
                                  !std::isfinite(*options.metres_per_unit))) {
    throw std::invalid_argument(
        "metres_per_unit must be positive and finite, is " +
        std::to_string(*options.metres_per_unit));
  }
}

struct ParameterSection {
  std::size_t begin = 0;
  C3dByteOrder order = C3dByteOrder::kPc;
};

std::optional<C3dByteOrder> OrderOfProcessor(int processor) {
  switch (processor - kC3dProcessorBase) {
    case 1:
      return C3dByteOrder::kPc;
    case 2:
      return C3dByteOrder::kDec;
    case 3:
      return C3dByteOrder::kSgi;
    default:
      return std::nullopt;
  }
}

// Byte 0 of the file is the block of the parameters, whose fourth byte is the
// processor: without it no number of the file can be read.
std::optional<ParameterSection> FindParameters(std::string_view file,
                                               Diagnostics& diagnostics) {
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned char>(file[at]);
  };
  if (file.size() < 2) {
    diagnostics.Error(
        "too-short", At(file.size()),
        "expected a header of 512 bytes, found " + std::to_string(file.size()));
    return std::nullopt;
  }
  if (byte(1) != kC3dKey) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    diagnostics.Error("bad-key", At(1),
                      std::string("expected key 0x50, found 0x") +
                          kDigits[byte(1) >> 4] + kDigits[byte(1) & 15]);
    return std::nullopt;
  }
  const std::size_t block = byte(0);
  const std::size_t begin = block > 0 ? (block - 1) * kC3dBlock : 0;
  if (block < 2 || begin + 4 > file.size()) {
    diagnostics.Error("bad-parameter-start", At(0),
                      "expected the parameters in a block from 2 to " +
                          std::to_string(file.size() / kC3dBlock + 1) +
                          ", found block " + std::to_string(block) +
                          " in a file of " + std::to_string(file.size()) +
                          " bytes");
    return std::nullopt;
  }
  const std::optional<C3dByteOrder> order = OrderOfProcessor(byte(begin + 3));
  if (!order) {
    diagnostics.Error("bad-processor", At(begin + 3),
                      "expected processor 84 (PC), 85 (DEC) or 86 (SGI), "
                      "found " +
                          std::to_string(byte(begin + 3)));
    return std::nullopt;
  }
  return ParameterSection{begin, *order};
}

Metadata ReadMetadata(std::string_view file, const ParameterSection& section,
                      const C3dHeader& header, Diagnostics& diagnostics) {
  // The chain ends before the data, whatever its block count says.
  std::size_t end = file.size();
  const std::size_t data_begin =
      header.data_start > 0 ? (header.data_start - 1) * kC3dBlock : 0;
  if (data_begin > section.begin) end = std::min(end, data_begin);
  const std::size_t first = std::min(section.begin + 4, end);
  std::size_t chain_end = first;
  Metadata metadata = ParseC3dParameters(file, first, end, section.order,
                                         diagnostics, &chain_end);
  if (metadata.groups.empty()) {
    diagnostics.Warning("no-parameters", At(first),
                        "the file has no parameters: no labels, no unit");
    return metadata;
  }
  const std::size_t blocks =
      static_cast<unsigned char>(file[section.begin + 2]);
  const std::size_t declared_end = section.begin + blocks * kC3dBlock;
  if (declared_end < chain_end || declared_end > end) {
    diagnostics.Warning(
        "parameter-blocks", At(section.begin + 2),
        std::to_string(blocks) + " blocks of parameters declared, they take " +
            std::to_string((chain_end - section.begin + kC3dBlock - 1) /
                           kC3dBlock) +
            " and the data begin after " +
            std::to_string((end - section.begin) / kC3dBlock));
  }
  return metadata;
}

TakeOrigin FindOrigin(const Metadata& metadata, const C3dReadOptions& options,
                      bool has_points, Diagnostics& diagnostics) {
  TakeOrigin origin;
  const std::optional<std::string> unit = UnitOf(metadata);
  if (unit) origin.unit = *unit;
  const std::optional<double> metres =
      unit ? MetresPerUnit(*unit) : std::nullopt;
  if (options.metres_per_unit) {
    origin.metres_per_unit = *options.metres_per_unit;
    origin.unit_decision = Decision::kCaller;
  } else if (metres) {
    origin.metres_per_unit = *metres;
    origin.unit_decision = Decision::kFile;
  } else if (has_points) {
    diagnostics.Warning(
        unit ? "unknown-unit" : "no-unit", {},
        unit ? "POINT:UNITS is \"" + Excerpt(*unit) + "\"; using mm"
             : std::string("the file does not say its unit (POINT:UNITS); "
                           "using mm"));
  }

  const ScreenAxes screen = AxesOf(metadata);
  if (options.axes) {
    origin.axes = *options.axes;
    origin.axes_decision = Decision::kCaller;
  } else if (screen.axes) {
    origin.axes = *screen.axes;
    origin.axes_decision = Decision::kFile;
  } else {
    origin.axes = AxisConvention::ZUp();
    if (screen.present) {
      diagnostics.Warning("axes", {},
                          "POINT:X_SCREEN and Y_SCREEN are not two axes at "
                          "right angles; using Z up");
    }
  }
  return origin;
}

// How the numbers of one point, in file units, become a position:
//     p_inside[i] = factor[i] * stored[index[i]]
struct PointMap {
  int index[3];
  double factor[3];
  bool zero_is_missing;
};

std::vector<PointMap> MakePointMaps(const std::vector<PointKind>& kinds,
                                    const TakeOrigin& origin,
                                    bool zero_is_missing) {
  const AxisPermutation axes = MakePermutation(origin.axes);
  PointMap marker{};
  PointMap other{};
  for (int i = 0; i < 3; ++i) {
    const std::size_t axis = static_cast<std::size_t>(i);
    marker.index[i] = axes.index[axis];
    marker.factor[i] = axes.sign[axis] * origin.metres_per_unit;
    other.index[i] = i;
    other.factor[i] = 1.0;
  }
  marker.zero_is_missing = zero_is_missing;
  std::vector<PointMap> maps;
  const bool all_markers = std::ranges::all_of(
      kinds, [](PointKind kind) { return kind == PointKind::kMarker; });
  if (all_markers) {
    maps.push_back(marker);
    return maps;
  }
  maps.reserve(kinds.size());
  for (PointKind kind : kinds) {
    maps.push_back(kind == PointKind::kMarker ? marker : other);
  }
  return maps;
}

struct Samples {
  std::vector<double> positions;
  std::vector<float> residuals;
  std::vector<std::uint8_t> camera_masks;
  std::vector<double> analog;
  std::int64_t num_zero_positions = 0;
  std::size_t first_without_place = 0;
  std::int64_t num_without_place = 0;  ///< Beyond what files hold.
  std::size_t first_zero_at = 0;       // byte
};

// Appends one frame of per-sample values that are mostly zero: `target` stays
// empty until the first one that is not.
template <typename T>
void AppendSparse(std::vector<T>& target, const std::vector<T>& row,
                  std::size_t done, std::size_t total) {
  if (target.empty()) {
    if (std::ranges::all_of(row, [](T value) { return value == T{}; })) return;
    target.reserve(total);
    target.resize(done);
  }
  target.insert(target.end(), row.begin(), row.end());
}

template <C3dByteOrder kOrder, bool kFloat>
Samples DecodeSamples(std::string_view file, const C3dLayout& layout,
                      const std::vector<PointMap>& maps, double metres_per_unit,
                      const std::vector<AnalogChannel>& channels,
                      bool analog_is_unsigned) {
  constexpr std::size_t kWidth = kFloat ? 4 : 2;
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const auto load = [](const char* p) -> double {
    if constexpr (kFloat) {
      return LoadFloat<kOrder>(p);
    } else {
      return static_cast<std::int16_t>(LoadU16<kOrder>(p));
    }
  };
  // Counts are multiplied in single precision, as the programs do that turn
  // integer files into float files: then both kinds agree, and a float file
  // written from integers gives back the same positions bit for bit.
  const float scale = static_cast<float>(layout.scale);
  const auto coordinate = [&](const char* q) -> double {
    return kFloat ? load(q) : static_cast<float>(load(q)) * scale;
  };
  const std::size_t points = layout.num_points;
  const std::size_t frames = static_cast<std::size_t>(layout.num_frames);
  const double residual_unit = layout.scale * metres_per_unit;
  const std::size_t map_step = maps.size() > 1 ? 1 : 0;

  Samples samples;
  // Nothing vouches for the sizes of a frame that is not there.
  if (frames == 0) return samples;
  samples.positions.reserve(3 * points * frames);
  samples.analog.reserve(channels.size() * layout.analog_per_frame * frames);
  std::vector<double> row(3 * points);
  std::vector<float> residual_row(points);
  std::vector<std::uint8_t> mask_row(points);
  std::vector<double> analog_row(channels.size() * layout.analog_per_frame);

  const char* p = file.data() + layout.data_begin;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const PointMap* map = maps.data();
    float any_word = 0.0f;
    for (std::size_t i = 0; i < points; ++i, p += 4 * kWidth, map += map_step) {
      const double stored[3] = {coordinate(p), coordinate(p + kWidth),
                                coordinate(p + 2 * kWidth)};
      const double word = load(p + 3 * kWidth);
      // A float word is a 16-bit integer in disguise, with or without sign:
      // -1 and 65535 both say "not seen". NaN does so too.
      bool visible = word >= 0.0 && word < 32768.0;
      if constexpr (kFloat) {
        const double finite =
            stored[0] * 0.0 + stored[1] * 0.0 + stored[2] * 0.0;
        visible = visible && finite == 0.0;
      }
      if (visible && !IsWritable(Vector3(stored[0], stored[1], stored[2]))) {
        visible = false;
        if (samples.num_without_place++ == 0) {
          samples.first_without_place =
              static_cast<std::size_t>(p - file.data());
        }
      }
      if (visible && stored[0] == 0.0 && stored[1] == 0.0 && stored[2] == 0.0 &&
          map->zero_is_missing) {
        visible = false;
        if (samples.num_zero_positions++ == 0) {
          samples.first_zero_at = static_cast<std::size_t>(p - file.data());
        }
      }
      double* out = &row[3 * i];
      if (!visible) {
        out[0] = out[1] = out[2] = kMissing;
        residual_row[i] = 0.0f;
        mask_row[i] = 0;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        out[k] = map->factor[k] * stored[map->index[k]];
      }
      // word = 256 * mask + residual; a fraction belongs to the residual.
      const int mask = static_cast<int>(word) >> 8;
      mask_row[i] = static_cast<std::uint8_t>(mask);
      residual_row[i] =
          static_cast<float>((word - 256.0 * mask) * residual_unit);
      any_word += static_cast<float>(word);
    }
    samples.positions.insert(samples.positions.end(), row.begin(), row.end());
    if (any_word > 0.0f || !samples.residuals.empty() ||
        !samples.camera_masks.empty()) {
      AppendSparse(samples.residuals, residual_row, points * frame,
                   points * frames);
      AppendSparse(samples.camera_masks, mask_row, points * frame,
                   points * frames);
    }
    double* out = analog_row.data();
    for (std::size_t s = 0; s < layout.analog_per_frame; ++s) {
      for (const AnalogChannel& channel : channels) {
        double value = load(p);
        if constexpr (!kFloat) {
          if (analog_is_unsigned) value = LoadU16<kOrder>(p);
        }
        *out++ = (value - channel.offset) * channel.scale;
        p += kWidth;
      }
    }
    samples.analog.insert(samples.analog.end(), analog_row.begin(),
                          analog_row.end());
  }
  return samples;
}

std::vector<TakeEvent> HeaderEvents(std::string_view file, C3dByteOrder order,
                                    Diagnostics& diagnostics) {
  std::vector<TakeEvent> events;
  const char* p = file.data();
  if (LoadU16(p + C3dHeader::kEventKeyAt, order) != C3dHeader::kEventKey) {
    return events;
  }
  std::size_t count = LoadU16(p + C3dHeader::kEventCountAt, order);
  if (count > C3dHeader::kMaxEvents) {
    diagnostics.Warning("event-count", At(C3dHeader::kEventCountAt),
                        std::to_string(count) +
                            " header events declared, the header holds at "
                            "most 18; using none");
    count = 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    TakeEvent event;
    event.time_s = LoadFloat(p + C3dHeader::kEventTimesAt + 4 * i, order);
    if (!std::isfinite(event.time_s)) {
      diagnostics.Warning("event-time", At(C3dHeader::kEventTimesAt + 4 * i),
                          "the time of a header event is not a number; left "
                          "out");
      continue;
    }
    std::string_view label = file.substr(C3dHeader::kEventLabelsAt + 4 * i, 4);
    label = Trim(label.substr(0, label.find('\0')));
    event.label = label;
    event.hidden = file[C3dHeader::kEventFlagsAt + i] != 0;
    event.in_header = true;
    events.push_back(std::move(event));
  }
  return events;
}

void CheckGroupEvents(const Metadata& metadata, std::size_t found,
                      Diagnostics& diagnostics) {
  const std::vector<double> used =
      ContinuedNumbers(metadata, "EVENT", "USED", 1, true);
  if (used.empty() || !(used[0] > static_cast<double>(found))) return;
  std::string wanted;
  AppendNumber(wanted, used[0]);
  diagnostics.Warning("event-count", {},
                      wanted + " events declared in EVENT:USED, " +
                          std::to_string(found) + " have a time; using " +
                          std::to_string(found));
}

}  // namespace

Result<MarkerTake> ReadC3d(std::string_view bytes, std::string name,
                           const C3dReadOptions& options) {
  CheckOptions(options);
  Diagnostics diagnostics(std::move(name), options.strict);
  const std::optional<ParameterSection> section =
      FindParameters(bytes, diagnostics);
  if (!section) return Result<MarkerTake>(std::move(diagnostics));

  const C3dHeader header = ReadC3dHeader(bytes, section->order);
  Metadata metadata = ReadMetadata(bytes, *section, header, diagnostics);
  const C3dLayout layout = FindC3dLayout(bytes, header, metadata, diagnostics);
  TakeOrigin origin =
      FindOrigin(metadata, options, layout.num_points > 0, diagnostics);
  origin.interpolation_gap = static_cast<int>(header.interpolation_gap);
  origin.point_scale = layout.scale;
  if (diagnostics.has_errors()) {
    return Result<MarkerTake>(std::move(diagnostics));
  }

  std::vector<std::string> labels = PointLabels(metadata, layout.num_points);
  const std::size_t named = CountNamedPoints(metadata, layout.num_points);
  if (named < layout.num_points) {
    diagnostics.Warning("no-labels", {},
                        std::to_string(layout.num_points) + " points, " +
                            std::to_string(named) +
                            " labels; the others are called *1, *2, ... by "
                            "their place");
  }
  const std::vector<PointKind> kinds = PointKinds(metadata, labels);
  AnalogData analog;
  analog.samples_per_frame = static_cast<int>(layout.analog_per_frame);
  analog.rate_hz =
      layout.rate_hz * static_cast<double>(layout.analog_per_frame);
  analog.channels = AnalogChannels(metadata, layout.num_channels);

  Samples samples = WithByteOrder(section->order, [&]<C3dByteOrder kOrder>() {
    const std::vector<PointMap> maps =
        MakePointMaps(kinds, origin, options.zero_is_missing);
    const bool is_unsigned = IsAnalogUnsigned(metadata);
    return layout.is_float
               ? DecodeSamples<kOrder, true>(bytes, layout, maps,
                                             origin.metres_per_unit,
                                             analog.channels, is_unsigned)
               : DecodeSamples<kOrder, false>(bytes, layout, maps,
                                              origin.metres_per_unit,
                                              analog.channels, is_unsigned);
  });
  if (samples.num_without_place > 0) {
    diagnostics.Warning("no-place", At(samples.first_without_place),
                        std::to_string(samples.num_without_place) +
                            " samples have a coordinate beyond 1000000000; "
                            "taken as missing");
  }
  if (samples.num_zero_positions > 0) {
    diagnostics.Warning("zero-position", At(samples.first_zero_at),
                        std::to_string(samples.num_zero_positions) +
                            " samples are exactly (0, 0, 0) though marked as "
                            "seen; taken as missing");
  }
  analog.samples = std::move(samples.analog);

  MarkerTake take(std::move(labels), layout.num_frames, layout.rate_hz,
                  std::move(samples.positions), std::move(samples.residuals),
                  std::move(samples.camera_masks));
  for (int i = 0; i < take.num_markers(); ++i) {
    take.SetKind(i, kinds[static_cast<std::size_t>(i)]);
  }
  take.first_frame = layout.first_frame;
  take.start_time_s =
      static_cast<double>(layout.first_frame - 1) / layout.rate_hz;
  take.origin = std::move(origin);
  take.analog = std::move(analog);
  take.events = HeaderEvents(bytes, section->order, diagnostics);
  std::vector<TakeEvent> group_events =
      GroupEvents(metadata, layout.first_frame, layout.rate_hz);
  CheckGroupEvents(metadata, group_events.size(), diagnostics);
  take.events.insert(take.events.end(),
                     std::make_move_iterator(group_events.begin()),
                     std::make_move_iterator(group_events.end()));
  take.metadata = std::move(metadata);
  return Result<MarkerTake>(std::move(take), std::move(diagnostics));
}

Result<MarkerTake> ReadC3d(const std::filesystem::path& path,
                           const C3dReadOptions& options) {
  CheckOptions(options);
  const Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes.ok()) return Result<MarkerTake>(bytes.diagnostics());
  return ReadC3d(*bytes, PathText(path), options);
}

}  // namespace limber::mocap
