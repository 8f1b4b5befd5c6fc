// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/math.h"
#include "viewer/part.h"
#include "viewer/show.h"

namespace limber::app {

/// When a part is seen: with the bodies, with the bones, or with both.
enum class PartLayer { kBody, kBone, kBoth };

/// A show at even times: what the player and its pictures are made of.
struct ShowSamples {
  double rate_hz = 60.0;
  std::size_t num_frames = 0;
  std::vector<viewer::Part> parts;
  std::vector<PartLayer> layers;  ///< One per part.
  /// X_WS of each part, frame after frame; the last one seen where it is not.
  std::vector<Transform> poses;
  std::vector<char> seen;                        ///< As `poses`.
  std::vector<std::vector<viewer::Line>> lines;  ///< By frame.
  std::vector<std::vector<viewer::Sign>> signs;  ///< By frame.
  double force_scale = 0.0;     ///< Length of a newton's arrow [m/N], or 0.
  std::vector<Vector3> centre;  ///< By frame.
  double radius = 1.0;          ///< About the centre [m].

  const Transform& pose(std::size_t frame, std::size_t part) const {
    return poses[frame * parts.size() + part];
  }
  bool is_seen(std::size_t frame, std::size_t part) const {
    return seen[frame * parts.size() + part] != 0;
  }
};

/// Adds a part with its poses, frame by frame; nothing where it is not seen.
/// @throws std::invalid_argument for another number of frames.
void AddPart(const viewer::Part& part,
             const std::vector<std::optional<Transform>>& poses,
             ShowSamples& samples);

/// What a page can show of a show.
struct SampleTimes {
  double rate_hz = 60.0;
  std::size_t num_frames = 1;
  bool is_whole = true;  ///< The end is on the page too.
};

/// At most 60 frames a second, evenly among those of a clip of `rate_hz`, and
/// fewer of a long one. Nothing where the parts are too many for a page.
std::optional<SampleTimes> TimesFor(double duration, double rate_hz,
                                    std::size_t num_parts);

/// Draws the show at all times; what is simulated is simulated.
ShowSamples SampleShow(viewer::Show& show, const SampleTimes& times);

/// The way somebody goes, level; +Z for who stays about where they are.
Vector3 ForwardOf(const ShowSamples& samples);

}  // namespace limber::app
