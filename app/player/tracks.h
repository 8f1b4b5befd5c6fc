// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "app/player/samples.h"
#include "core/math.h"

namespace limber::app {

/// Frames [first, end).
using FrameSpan = std::pair<std::size_t, std::size_t>;

/// The frames of `num_frames` that are not among `frames`, which rise.
std::vector<FrameSpan> SpansWithout(const std::vector<std::size_t>& frames,
                                    std::size_t num_frames);

/// A frame T that moves and carries one or more parts. With a parent P the
/// poses are X_PT, and T's origin keeps its place in P, as a limb does; else
/// they are X_WT.
struct PoseTrack {
  int parent = -1;  ///< An earlier track.
  std::vector<Transform> poses;
  std::vector<FrameSpan> hidden;
};

/// Parts on the tracks that move them.
struct PartTracks {
  std::vector<PoseTrack> tracks;
  std::vector<int> track_of_part;
  std::vector<Transform> X_TS;  ///< Of each part in its track.
};

/// Finds out which parts move as one, and which of them hang on others, by
/// their motion alone: so a page needs one rotation a limb, and nothing of the
/// show but its parts.
PartTracks FindTracks(const ShowSamples& samples);

}  // namespace limber::app
