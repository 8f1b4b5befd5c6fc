// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/c3d_layout.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/clip_time.h"
#include "mocap/io/internal/c3d_codec.h"
#include "mocap/io/internal/c3d_views.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

constexpr std::int64_t kMaxShortCount = 65535;

Place At(std::size_t byte) {
  return Place::AtByte(static_cast<std::int64_t>(byte));
}

std::string Text(double value) {
  std::string text;
  AppendNumber(text, value);
  return text;
}

std::optional<double> FirstNumber(const Metadata& metadata,
                                  std::string_view group, std::string_view name,
                                  bool as_unsigned = false) {
  const std::vector<double> values =
      ContinuedNumbers(metadata, group, name, 1, as_unsigned);
  if (values.empty() || !std::isfinite(values[0])) return std::nullopt;
  return values[0];
}

std::optional<std::int64_t> FirstCount(const Metadata& metadata,
                                       std::string_view group,
                                       std::string_view name) {
  const std::optional<double> value = FirstNumber(metadata, group, name, true);
  constexpr double kLargest = 4294967295.0;
  if (!value || !(*value >= 0.0) || *value > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

void FindDataStart(std::string_view file, const C3dHeader& header,
                   const Metadata& metadata, Diagnostics& diagnostics,
                   C3dLayout& layout) {
  const auto is_valid = [&](std::int64_t block) {
    return block >= 2 &&
           static_cast<std::size_t>(block - 1) * kC3dBlock <= file.size();
  };
  const std::optional<std::int64_t> parameter =
      FirstCount(metadata, "POINT", "DATA_START");
  std::int64_t block = header.data_start;
  if (!is_valid(block)) {
    if (!parameter || !is_valid(*parameter)) {
      diagnostics.Error("bad-data-start", At(C3dHeader::kDataStartAt),
                        "expected the data in a block from 2 to " +
                            std::to_string(file.size() / kC3dBlock + 1) +
                            ", found block " + std::to_string(block));
      return;
    }
    block = *parameter;
  }
  if (parameter && *parameter != header.data_start) {
    diagnostics.Warning(
        "data-start", At(C3dHeader::kDataStartAt),
        "data start at block " + std::to_string(header.data_start) +
            " by the header, " + std::to_string(*parameter) +
            " by POINT:DATA_START; using " + std::to_string(block));
  }
  layout.data_begin = static_cast<std::size_t>(block - 1) * kC3dBlock;
}

void FindScale(const C3dHeader& header, const Metadata& metadata,
               Diagnostics& diagnostics, C3dLayout& layout) {
  const auto is_valid = [](double scale) {
    return std::isfinite(scale) && scale != 0.0;
  };
  const std::optional<double> parameter =
      FirstNumber(metadata, "POINT", "SCALE");
  // Where the two differ the header has been right: it is what the program
  // that wrote the samples went by.
  double scale = header.scale;
  if (!is_valid(scale)) {
    if (!parameter || !is_valid(*parameter)) {
      diagnostics.Error(
          "bad-scale", At(C3dHeader::kScaleAt),
          "expected a scale factor other than zero, found " + Text(scale));
      return;
    }
    scale = *parameter;
  }
  if (parameter && *parameter != header.scale) {
    diagnostics.Warning("scale", At(C3dHeader::kScaleAt),
                        "scale factor " + Text(header.scale) +
                            " by the header, " + Text(*parameter) +
                            " by POINT:SCALE; using " + Text(scale));
  }
  layout.is_float = scale < 0.0;
  layout.scale = std::fabs(scale);
}

void FindRate(const C3dHeader& header, const Metadata& metadata,
              Diagnostics& diagnostics, C3dLayout& layout) {
  const auto is_valid = [](double rate) {
    return std::isfinite(rate) && rate > 0.0;
  };
  const double header_rate = header.rate_hz;
  const std::optional<double> parameter =
      FirstNumber(metadata, "POINT", "RATE");
  if (parameter && is_valid(*parameter)) {
    layout.rate_hz = *parameter;
    if (*parameter != header_rate) {
      diagnostics.Warning("rate", At(C3dHeader::kRateAt),
                          "rate " + Text(header_rate) + " Hz by the header, " +
                              Text(*parameter) + " Hz by POINT:RATE; using " +
                              Text(*parameter));
    }
  } else if (is_valid(header_rate)) {
    layout.rate_hz = header_rate;
  } else {
    layout.rate_hz = 1.0;
    diagnostics.Warning("no-rate", At(C3dHeader::kRateAt),
                        "expected a positive rate, found " + Text(header_rate) +
                            " Hz; using 1 Hz");
  }
  DoubtRate(layout.rate_hz, "the file's rate", At(C3dHeader::kRateAt),
            diagnostics);
}

void FindPoints(const C3dHeader& header, const Metadata& metadata,
                Diagnostics& diagnostics, C3dLayout& layout) {
  layout.num_points = header.num_points;
  const std::optional<std::int64_t> used =
      FirstCount(metadata, "POINT", "USED");
  if (used && *used != header.num_points) {
    diagnostics.Warning("point-count", At(C3dHeader::kPointsAt),
                        std::to_string(header.num_points) +
                            " points by the header, " + std::to_string(*used) +
                            " by POINT:USED; using " +
                            std::to_string(header.num_points));
  }
}

// Header: values per frame of all channels = channels * samples per frame.
void FindAnalog(const C3dHeader& header, const Metadata& metadata,
                Diagnostics& diagnostics, C3dLayout& layout) {
  const std::size_t total = header.num_analog;
  if (total == 0) return;
  const std::optional<std::int64_t> used =
      FirstCount(metadata, "ANALOG", "USED");
  std::size_t per_frame = header.analog_per_frame;
  if (per_frame == 0 || total % per_frame != 0) {
    // The total fixes the size of a frame; only its division is in doubt.
    const bool used_divides =
        used && *used > 0 && total % static_cast<std::size_t>(*used) == 0;
    per_frame =
        used_divides ? total / static_cast<std::size_t>(*used) : std::size_t{1};
    diagnostics.Warning("analog-count", At(C3dHeader::kAnalogPerFrameAt),
                        std::to_string(total) +
                            " analog values per frame are not a multiple of " +
                            std::to_string(header.analog_per_frame) +
                            " samples; using " + std::to_string(per_frame));
  } else if (used && static_cast<std::size_t>(*used) != total / per_frame) {
    diagnostics.Warning("analog-count", At(C3dHeader::kAnalogAt),
                        std::to_string(total / per_frame) +
                            " analog channels by the header, " +
                            std::to_string(*used) + " by ANALOG:USED; using " +
                            std::to_string(total / per_frame));
  }
  layout.analog_per_frame = per_frame;
  layout.num_channels = total / per_frame;
  const std::optional<double> rate = FirstNumber(metadata, "ANALOG", "RATE");
  const double stored_rate = layout.rate_hz * static_cast<double>(per_frame);
  // Rates are floats; the sixth digit is theirs to lose.
  constexpr double kTolerance = 1e-5;
  if (rate && std::fabs(*rate - stored_rate) > kTolerance * stored_rate) {
    diagnostics.Warning(
        "analog-rate", At(C3dHeader::kAnalogPerFrameAt),
        "analog rate " + Text(*rate) + " Hz by ANALOG:RATE, but " +
            std::to_string(per_frame) + " samples are stored per frame of " +
            Text(layout.rate_hz) + " Hz; using " + Text(stored_rate));
  }
}

struct DeclaredFrames {
  std::int64_t header = 0;
  std::optional<std::int64_t> parameter;  // POINT:FRAMES or LONG_FRAMES
  std::optional<std::int64_t> trial;      // from TRIAL:ACTUAL_*_FIELD
};

// The count before the stored bytes are asked. 65535 in the 16-bit places means
// "too many for here, look at the long ones".
std::int64_t ChooseDeclared(const DeclaredFrames& declared) {
  if (!declared.parameter) {
    return declared.header >= kMaxShortCount && declared.trial
               ? *declared.trial
               : declared.header;
  }
  if (*declared.parameter == kMaxShortCount && declared.trial) {
    return *declared.trial;
  }
  return *declared.parameter;
}

void FindFrames(std::string_view file, const C3dHeader& header,
                const Metadata& metadata, Diagnostics& diagnostics,
                C3dLayout& layout) {
  DeclaredFrames declared;
  declared.header = std::max<std::int64_t>(
      0, std::int64_t{header.last_frame} - header.first_frame + 1);
  declared.parameter = FirstCount(metadata, "POINT", "LONG_FRAMES");
  if (!declared.parameter) {
    declared.parameter = FirstCount(metadata, "POINT", "FRAMES");
  }
  const std::optional<std::int64_t> trial_start =
      TrialField(metadata, "ACTUAL_START_FIELD");
  const std::optional<std::int64_t> trial_end =
      TrialField(metadata, "ACTUAL_END_FIELD");
  if (trial_start && trial_end && *trial_end >= *trial_start) {
    declared.trial = *trial_end - *trial_start + 1;
  }

  // A long number of the first frame has the header's as its low half.
  layout.first_frame = header.first_frame;
  if (trial_start && (header.first_frame == kMaxShortCount ||
                      (*trial_start & kMaxShortCount) == header.first_frame)) {
    layout.first_frame = *trial_start;
  }

  std::int64_t frames = ChooseDeclared(declared);
  const std::size_t frame_bytes = layout.bytes_per_frame();
  const bool header_is_full =
      frames >= kMaxShortCount || header.last_frame == kMaxShortCount;
  if (frame_bytes == 0) {
    if (frames > 0) {
      diagnostics.Warning("no-samples", At(C3dHeader::kPointsAt),
                          std::to_string(frames) +
                              " frames declared, of no points and no analog "
                              "channels; using 0");
    }
    return;
  }
  const std::size_t available = file.size() - layout.data_begin;
  const std::int64_t stored =
      static_cast<std::int64_t>(available / frame_bytes);

  const std::int64_t most = std::max(frames, declared.header);
  if (most > 0 && stored == 0) {
    diagnostics.Error("no-data", At(layout.data_begin),
                      "expected " + std::to_string(most) + " frames of " +
                          std::to_string(frame_bytes) + " bytes, found " +
                          std::to_string(available) + " bytes");
    return;
  }

  // Counts that contradict each other: the largest that is really stored.
  if (frames != declared.header && !header_is_full) {
    const std::int64_t low = std::min(frames, declared.header);
    const std::int64_t high = std::max(frames, declared.header);
    frames = high <= stored ? high : low;
    diagnostics.Warning(
        "frame-count", At(C3dHeader::kFirstFrameAt),
        std::to_string(declared.header) + " frames by the header, " +
            std::to_string(ChooseDeclared(declared)) + " by the parameters, " +
            std::to_string(stored) + " stored; using " +
            std::to_string(std::min(frames, stored)));
  }
  if (frames > stored) {
    diagnostics.Warning("truncated", At(file.size()),
                        std::to_string(frames) + " frames declared, " +
                            std::to_string(stored) + " stored; using " +
                            std::to_string(stored));
    frames = stored;
  }
  const std::size_t used = static_cast<std::size_t>(frames) * frame_bytes;
  const std::size_t rest = available - used;
  if (rest >= kC3dBlock && rest >= frame_bytes) {
    // A count that overflowed its 16 bits hides frames.
    const bool overflowed =
        frames == kMaxShortCount ||
        (frames & kMaxShortCount) == (stored & kMaxShortCount);
    if (overflowed) frames = stored;
    diagnostics.Warning(
        "trailing-data", At(layout.data_begin + used),
        std::to_string(rest) + " bytes follow the declared frames; " +
            (overflowed ? "they are frames too, using " + std::to_string(stored)
                        : std::string("left out")));
  }
  layout.num_frames = frames;
}

}  // namespace

C3dHeader ReadC3dHeader(std::string_view file, C3dByteOrder order) {
  const char* p = file.data();
  C3dHeader header;
  header.num_points = LoadU16(p + C3dHeader::kPointsAt, order);
  header.num_analog = LoadU16(p + C3dHeader::kAnalogAt, order);
  header.first_frame = LoadU16(p + C3dHeader::kFirstFrameAt, order);
  header.last_frame = LoadU16(p + C3dHeader::kLastFrameAt, order);
  header.interpolation_gap = LoadU16(p + C3dHeader::kGapAt, order);
  header.scale = LoadFloat(p + C3dHeader::kScaleAt, order);
  header.data_start = LoadU16(p + C3dHeader::kDataStartAt, order);
  header.analog_per_frame = LoadU16(p + C3dHeader::kAnalogPerFrameAt, order);
  header.rate_hz = LoadFloat(p + C3dHeader::kRateAt, order);
  return header;
}

bool IsPaidFor(const C3dLayout& layout, std::size_t file_bytes) {
  constexpr std::size_t kBytesOfLabel = 40;
  constexpr std::size_t kBytesOfChannel = 160;
  constexpr std::size_t kBytesPerByte = 12;
  constexpr std::size_t kFreeBytes = 16384;
  const std::size_t bare_points =
      layout.num_frames == 0 ? layout.num_points : std::size_t{0};
  return kBytesOfLabel * bare_points + kBytesOfChannel * layout.num_channels <=
         kBytesPerByte * file_bytes + kFreeBytes;
}

C3dLayout FindC3dLayout(std::string_view file, const C3dHeader& header,
                        const Metadata& metadata, Diagnostics& diagnostics) {
  C3dLayout layout;
  FindDataStart(file, header, metadata, diagnostics, layout);
  FindScale(header, metadata, diagnostics, layout);
  FindRate(header, metadata, diagnostics, layout);
  FindPoints(header, metadata, diagnostics, layout);
  FindAnalog(header, metadata, diagnostics, layout);
  if (diagnostics.has_errors()) return layout;
  FindFrames(file, header, metadata, diagnostics, layout);
  if (!IsPaidFor(layout, file.size())) {
    diagnostics.Error("no-data", At(layout.data_begin),
                      "expected data of " + std::to_string(layout.num_points) +
                          " points and " + std::to_string(layout.num_channels) +
                          " analog channels, found " +
                          std::to_string(file.size()) + " bytes in all");
  }
  return layout;
}

}  // namespace limber::mocap::internal
