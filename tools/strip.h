// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/motion.h"

namespace limber {

/// One clip of a strip.
struct StripRow {
  std::string title;
  figure::Motion motion;
  double floor = 0.0;  ///< Height of the floor line [m].
  /// Frames to show instead of evenly spread ones; may be empty.
  std::vector<std::int64_t> frames;
};

/// Stick figures of clips at `num_times` equally spaced times, a row per clip,
/// seen from the side the body turns to at first: an SVG picture for documents
/// and for looking at results. Left limbs are dark, right limbs light; all rows
/// have one scale.
std::string StripSvg(const std::vector<StripRow>& rows, int num_times);

}  // namespace limber
