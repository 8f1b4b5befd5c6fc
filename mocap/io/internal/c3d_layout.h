// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/diagnostics.h"
#include "mocap/io/c3d.h"
#include "mocap/metadata.h"

namespace limber::mocap::internal {

/// The first block of a C3D file as it is stored.
struct C3dHeader {
  static constexpr int kMaxEvents = 18;
  static constexpr std::uint16_t kEventKey = 0x3039;
  /// Byte offsets in the file; messages point at them.
  static constexpr std::size_t kPointsAt = 2;
  static constexpr std::size_t kAnalogAt = 4;
  static constexpr std::size_t kFirstFrameAt = 6;
  static constexpr std::size_t kLastFrameAt = 8;
  static constexpr std::size_t kGapAt = 10;
  static constexpr std::size_t kScaleAt = 12;
  static constexpr std::size_t kDataStartAt = 16;
  static constexpr std::size_t kAnalogPerFrameAt = 18;
  static constexpr std::size_t kRateAt = 20;
  static constexpr std::size_t kEventKeyAt = 298;
  static constexpr std::size_t kEventCountAt = 300;
  static constexpr std::size_t kEventTimesAt = 304;
  static constexpr std::size_t kEventFlagsAt = 376;
  static constexpr std::size_t kEventLabelsAt = 396;

  unsigned num_points = 0;
  unsigned num_analog = 0;  ///< Analog values per frame, all channels.
  unsigned first_frame = 1;
  unsigned last_frame = 0;
  unsigned interpolation_gap = 0;
  float scale = 0.0f;       ///< Negative: numbers are floats.
  unsigned data_start = 0;  ///< Block, from 1.
  unsigned analog_per_frame = 0;
  float rate_hz = 0.0f;
};

/// @pre `file` has at least one block.
C3dHeader ReadC3dHeader(std::string_view file, C3dByteOrder order);

/// Where the samples are and what they mean, after header, parameters and the
/// size of the file were weighed against each other.
struct C3dLayout {
  std::size_t data_begin = 0;  ///< Byte.
  bool is_float = false;
  double scale = 1.0;  ///< Positive: coordinates and residuals per count.
  std::size_t num_points = 0;
  std::size_t num_channels = 0;
  std::size_t analog_per_frame = 0;  ///< Samples per channel.
  std::int64_t num_frames = 0;
  std::int64_t first_frame = 1;
  double rate_hz = 1.0;

  std::size_t bytes_per_frame() const {
    return (4 * num_points + num_channels * analog_per_frame) *
           (is_float ? 4 : 2);
  }
};

/// Whether a file of so many bytes may have so many points and analog channels:
/// a take spends far more on a label or a channel than a file must. Counts that
/// nothing in the file pays for are damage, and would make a short file ask for
/// much.
bool IsPaidFor(const C3dLayout& layout, std::size_t file_bytes);

/// Adds a warning for each contradiction it settles, and an error ("no-data",
/// "bad-scale", "bad-data-start") when it cannot.
C3dLayout FindC3dLayout(std::string_view file, const C3dHeader& header,
                        const Metadata& metadata, Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
