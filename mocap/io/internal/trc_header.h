// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

struct TrcHeaderValue {
  std::string text;
  Place place;
};

/// What stands above the rows of a TRC file, as text.
struct TrcHeader {
  TrcHeaderValue data_rate, camera_rate, num_frames, num_markers, units;
  TrcHeaderValue orig_data_rate, orig_data_start_frame, orig_num_frames;
  std::vector<std::string> labels;
};

/// Reads the lines above the rows, with the repairs that docs/formats.md
/// lists. Returns a reader whose next line is the first row; nothing, with an
/// error in `diagnostics`, where these are no such lines.
std::optional<LineReader> ReadTrcHeader(LineReader reader, TrcHeader& header,
                                        Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
