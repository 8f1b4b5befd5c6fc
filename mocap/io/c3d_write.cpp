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
#include "mocap/io/internal/c3d_update.h"
#include "mocap/io/internal/c3d_views.h"
#include "mocap/io/internal/take_check.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

constexpr std::int64_t kMaxShortCount = 65535;
/// By the format's custom the largest coordinate becomes this count.
constexpr double kFullScale = 32000.0;
constexpr double kLargestCount = 32767.0;
constexpr double kLargestResidual = 255.0;

void CheckTake(const MarkerTake& take, Diagnostics& diagnostics) {
  const AnalogData& analog = take.analog;
  const std::size_t expected =
      analog.channels.size() *
      static_cast<std::size_t>(std::max(0, analog.samples_per_frame)) *
      static_cast<std::size_t>(take.num_frames());
  if (analog.samples.size() != expected) {
    throw std::invalid_argument(
        "analog.samples has " + std::to_string(analog.samples.size()) +
        " values, channels times samples_per_frame times frames is " +
        std::to_string(expected));
  }
  const std::int64_t analog_values =
      static_cast<std::int64_t>(analog.channels.size()) *
      analog.samples_per_frame;
  if (take.num_markers() > kMaxShortCount || analog_values > kMaxShortCount) {
    diagnostics.Error("c3d-limit", {},
                      std::to_string(take.num_markers()) + " points and " +
                          std::to_string(analog_values) +
                          " analog values per frame, C3D holds at most 65535 "
                          "of each");
  }
  if (take.first_frame < 0 ||
      take.first_frame + take.num_frames() > INT64_C(0x7FFFFFFF)) {
    diagnostics.Error("c3d-limit", {},
                      "frames " + std::to_string(take.first_frame) + " and " +
                          std::to_string(take.num_frames()) +
                          " after it, C3D counts from 0 to 2147483647");
  }
}

// The numbers of the file for the samples of a take.
struct PointMap {
  int index[3];
  double factor[3];
};

std::vector<PointMap> MakePointMaps(const MarkerTake& take, double metres) {
  const AxisPermutation axes = MakePermutation(take.origin.axes);
  std::vector<PointMap> maps(static_cast<std::size_t>(take.num_markers()));
  for (int marker = 0; marker < take.num_markers(); ++marker) {
    PointMap& map = maps[static_cast<std::size_t>(marker)];
    const bool is_position = take.kind(marker) == PointKind::kMarker;
    for (int i = 0; i < 3; ++i) {
      const std::size_t axis = static_cast<std::size_t>(i);
      // Inside axis i comes from file axis index[i].
      map.index[i] = is_position ? axes.index[axis] : i;
      map.factor[i] = is_position ? axes.sign[axis] / metres : 1.0;
    }
  }
  return maps;
}

double ChooseScale(const MarkerTake& take, bool is_float, double metres) {
  double largest = 0.0;
  double largest_residual = 0.0;
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      if (!take.IsVisible(frame, marker)) continue;
      const double unit =
          take.kind(marker) == PointKind::kMarker ? metres : 1.0;
      largest = std::max(
          largest, take.Position(frame, marker).cwiseAbs().maxCoeff() / unit);
      largest_residual =
          std::max(largest_residual, take.Residual(frame, marker) / metres);
    }
  }
  double scale = take.origin.point_scale;
  const bool usable = scale > 0.0 && std::isfinite(scale);
  // Almost half a count of grace: what was read from counts must fit again.
  if (!usable || (!is_float && largest > (kLargestCount + 0.49) * scale)) {
    scale = largest > 0.0 ? largest / kFullScale : 1.0;
  }
  constexpr double kRoundingGrace = 1.0 + 1e-6;
  if (largest_residual > kLargestResidual * kRoundingGrace * scale) {
    scale = largest_residual / kLargestResidual;
  }
  return static_cast<double>(static_cast<float>(scale));
}

// The numbers that C3D keeps in single precision.
void CheckFloats(const MarkerTake& take, double scale,
                 Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& what, double value) {
    std::string text;
    AppendNumber(text, value);
    diagnostics.Error(
        "c3d-limit", {},
        "C3D cannot hold " + what + " of " + text + " in single precision");
  };
  const auto fits = [](double value) {
    // Below and above, the floats of one of the byte orders are 0 or infinite.
    constexpr double kLeast = 1e-37;
    constexpr double kMost = 1e38;
    return value >= kLeast && value <= kMost;
  };
  if (!fits(take.rate_hz())) refuse("a rate", take.rate_hz());
  if (!fits(scale)) refuse("a scale", scale);
  for (const TakeEvent& event : take.events) {
    if (std::isfinite(static_cast<float>(event.time_s))) continue;
    refuse("an event's time", event.time_s);
    return;
  }
}

// word = 256 * mask + residual in counts. Whole counts came from whole counts:
// the float that held the residual must not turn them into fractions.
double ResidualWord(const MarkerTake& take, std::int64_t frame, int marker,
                    double residual_unit, bool is_float) {
  double counts = take.Residual(frame, marker) / residual_unit;
  constexpr double kWholeTolerance = 1e-4;
  const double whole = std::round(counts);
  if (std::fabs(counts - whole) < kWholeTolerance) counts = whole;
  // Only a float has room for a fraction above the largest whole count.
  const double largest = is_float ? kLargestResidual + 0.99 : kLargestResidual;
  return 256.0 * (take.CameraMask(frame, marker) & 0x7F) +
         std::clamp(counts, 0.0, largest);
}

template <C3dByteOrder kOrder, bool kFloat>
void StoreNumber(char* p, double value) {
  if constexpr (kFloat) {
    StoreFloat<kOrder>(p, static_cast<float>(value));
  } else {
    StoreU16<kOrder>(p, static_cast<std::uint16_t>(
                            static_cast<std::int16_t>(std::lround(value))));
  }
}

template <C3dByteOrder kOrder, bool kFloat>
void AppendSamples(std::string& bytes, const MarkerTake& take,
                   const C3dWriteLayout& layout, Diagnostics& diagnostics) {
  constexpr std::size_t kWidth = kFloat ? 4 : 2;
  const std::vector<PointMap> maps = MakePointMaps(take, layout.unit.metres);
  const double count = kFloat ? 1.0 : layout.scale;
  const double residual_unit = layout.scale * layout.unit.metres;
  const bool is_unsigned = IsAnalogUnsigned(take.metadata);
  const double analog_low = is_unsigned ? 0.0 : INT16_MIN;
  const double analog_high = is_unsigned ? UINT16_MAX : INT16_MAX;
  const std::size_t channels = take.analog.channels.size();
  const std::size_t values = channels * static_cast<std::size_t>(std::max(
                                            0, take.analog.samples_per_frame));
  const std::size_t frame_bytes = (4 * maps.size() + values) * kWidth;
  const std::size_t begin = bytes.size();
  bytes.resize(begin +
               frame_bytes * static_cast<std::size_t>(take.num_frames()));
  char* p = bytes.data() + begin;
  std::size_t sample = 0;
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      double stored[4] = {0.0, 0.0, 0.0, -1.0};
      if (take.IsVisible(frame, marker)) {
        const PointMap& map = maps[static_cast<std::size_t>(marker)];
        const Vector3 position = take.Position(frame, marker);
        for (int i = 0; i < 3; ++i) {
          stored[map.index[i]] = position[i] * map.factor[i] / count;
        }
        stored[3] = ResidualWord(take, frame, marker, residual_unit, kFloat);
      }
      for (double value : stored) {
        StoreNumber<kOrder, kFloat>(p, value);
        p += kWidth;
      }
    }
    for (std::size_t i = 0; i < values; ++i, ++sample) {
      const AnalogChannel& channel = take.analog.channels[i % channels];
      double value =
          take.analog.samples[sample] / channel.scale + channel.offset;
      if constexpr (!kFloat) {
        const double rounded = std::round(value);
        if (!(rounded >= analog_low && rounded <= analog_high)) {
          diagnostics.Warning("analog-range", {},
                              "a sample of analog channel \"" + channel.label +
                                  "\" does not fit 16 bits; clamped");
        }
        value = std::isnan(value)
                    ? 0.0
                    : std::clamp(rounded, analog_low, analog_high);
        if (value > INT16_MAX) value -= 65536.0;
      } else if (std::abs(value) > std::numeric_limits<float>::max()) {
        diagnostics.Warning("analog-range", {},
                            "a sample of analog channel \"" + channel.label +
                                "\" does not fit single precision; clamped");
        value = std::copysign(double{std::numeric_limits<float>::max()}, value);
      }
      StoreNumber<kOrder, kFloat>(p, value);
      p += kWidth;
    }
  }
}

void StoreHeaderEvents(std::string& header, const MarkerTake& take,
                       C3dByteOrder order, Diagnostics& diagnostics) {
  char* p = header.data();
  StoreU16(p + C3dHeader::kEventKeyAt, C3dHeader::kEventKey, order);
  std::size_t count = 0;
  for (const TakeEvent& event : take.events) {
    if (!event.in_header) continue;
    if (count == C3dHeader::kMaxEvents) {
      diagnostics.Error("c3d-limit", {},
                        "more than 18 events in the header; move them to the "
                        "group EVENT (in_header = false)");
      return;
    }
    StoreFloat(p + C3dHeader::kEventTimesAt + 4 * count,
               static_cast<float>(event.time_s), order);
    p[C3dHeader::kEventFlagsAt + count] = event.hidden ? 1 : 0;
    std::string label = event.label.substr(0, 4);
    label.resize(4, ' ');
    label.copy(p + C3dHeader::kEventLabelsAt + 4 * count, 4);
    ++count;
  }
  StoreU16(p + C3dHeader::kEventCountAt, static_cast<std::uint16_t>(count),
           order);
}

std::string MakeHeader(const MarkerTake& take, const C3dWriteLayout& layout,
                       std::size_t data_start, C3dByteOrder order,
                       Diagnostics& diagnostics) {
  std::string header(kC3dBlock, '\0');
  char* p = header.data();
  const auto put = [&](std::size_t at, std::int64_t value) {
    StoreU16(p + at,
             static_cast<std::uint16_t>(std::min(value, kMaxShortCount)),
             order);
  };
  constexpr char kParameterBlock = 2;
  p[0] = kParameterBlock;
  p[1] = static_cast<char>(kC3dKey);
  put(C3dHeader::kPointsAt, take.num_markers());
  put(C3dHeader::kAnalogAt,
      static_cast<std::int64_t>(take.analog.channels.size()) *
          take.analog.samples_per_frame);
  put(C3dHeader::kFirstFrameAt, take.first_frame);
  const std::int64_t last = take.first_frame + take.num_frames() - 1;
  if (last >= 0) {
    put(C3dHeader::kLastFrameAt, last);
  } else {
    // No frame at all and the first is number 0: an empty range needs 1..0.
    put(C3dHeader::kFirstFrameAt, 1);
  }
  put(C3dHeader::kGapAt, take.origin.interpolation_gap);
  StoreFloat(p + C3dHeader::kScaleAt,
             static_cast<float>(layout.is_float ? -layout.scale : layout.scale),
             order);
  put(C3dHeader::kDataStartAt, static_cast<std::int64_t>(data_start));
  put(C3dHeader::kAnalogPerFrameAt, take.analog.samples_per_frame);
  StoreFloat(p + C3dHeader::kRateAt, static_cast<float>(take.rate_hz()), order);
  StoreHeaderEvents(header, take, order, diagnostics);
  return header;
}

}  // namespace

Result<std::string> FormatC3d(const MarkerTake& take,
                              const C3dWriteOptions& options) {
  Diagnostics diagnostics;
  CheckTake(take, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  C3dWriteLayout layout;
  layout.is_float = options.numbers == C3dNumbers::kFloat;
  layout.unit = UnitForWriting(take.origin);
  CheckPlaces(take, layout.unit.metres, diagnostics);
  layout.scale = ChooseScale(take, layout.is_float, layout.unit.metres);
  CheckFloats(take, layout.scale, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }

  // The section is as long with one DATA_START as with another.
  const C3dByteOrder order = options.byte_order;
  Metadata metadata = MetadataForWriting(take, layout, diagnostics);
  constexpr std::size_t kSectionHead = 4;
  std::string records = FormatC3dParameters(metadata, order, diagnostics);
  const std::size_t blocks =
      (kSectionHead + records.size() + kC3dBlock - 1) / kC3dBlock;
  constexpr std::size_t kMaxBlocks = 255;
  if (blocks > kMaxBlocks) {
    diagnostics.Error("c3d-limit", {},
                      "the parameters need " + std::to_string(blocks) +
                          " blocks, C3D holds at most 255");
  }
  const std::size_t data_start = 2 + blocks;
  metadata.FindOrAdd("POINT")
      .FindOrAdd("DATA_START")
      .SetInteger(static_cast<std::int16_t>(data_start));
  Diagnostics already_reported;
  records = FormatC3dParameters(metadata, order, already_reported);

  std::string bytes = MakeHeader(take, layout, data_start, order, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  bytes.push_back(1);
  bytes.push_back(static_cast<char>(kC3dKey));
  bytes.push_back(static_cast<char>(blocks));
  bytes.push_back(
      static_cast<char>(kC3dProcessorBase + 1 + static_cast<int>(order)));
  bytes += records;
  bytes.resize((data_start - 1) * kC3dBlock, '\0');
  WithByteOrder(order, [&]<C3dByteOrder kOrder>() {
    if (layout.is_float) {
      AppendSamples<kOrder, true>(bytes, take, layout, diagnostics);
    } else {
      AppendSamples<kOrder, false>(bytes, take, layout, diagnostics);
    }
  });
  // Old readers fetch whole blocks.
  bytes.resize((bytes.size() + kC3dBlock - 1) / kC3dBlock * kC3dBlock, '\0');
  // What the reader refuses is not written.
  C3dLayout read;
  read.num_points = static_cast<std::size_t>(take.num_markers());
  read.num_channels = take.analog.channels.size();
  read.num_frames = take.num_frames();
  if (!IsPaidFor(read, bytes.size())) {
    diagnostics.Error("no-data", {},
                      "a C3D file of " + std::to_string(read.num_points) +
                          " points and " + std::to_string(read.num_channels) +
                          " analog channels with next to no samples would be "
                          "refused as damaged");
    return Result<std::string>(std::move(diagnostics));
  }
  return Result<std::string>(std::move(bytes), std::move(diagnostics));
}

Diagnostics WriteC3d(const std::filesystem::path& path, const MarkerTake& take,
                     const C3dWriteOptions& options) {
  Diagnostics diagnostics(PathText(path));
  const Result<std::string> bytes = FormatC3d(take, options);
  diagnostics.Append(bytes.diagnostics());
  if (bytes.ok()) diagnostics.Append(WriteWholeFile(path, *bytes));
  return diagnostics;
}

}  // namespace limber::mocap
