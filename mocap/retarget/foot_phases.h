// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"

namespace limber::mocap {

/// Frames [begin, end) in which a foot stands on its toe, its heel or both,
/// without a pause.
struct FootPhase {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  /// Per frame: 1 where the foot turns about its toe, 0 where about its heel,
  /// with short ramps between. 1 in every frame in which the toe stands.
  std::vector<double> on_toe;

  std::int64_t size() const { return end - begin; }
  bool Has(std::int64_t frame) const { return begin <= frame && frame < end; }
};

/// The phases of one foot in the order of time. A stance begins where a point
/// hardly moves, as in figure::StanceRule but up to twice as high, so that the
/// exact height of the floor does not matter: a foot that rests on nothing is
/// harmless. Higher up (stairs, a ladder) a foot that rests stands when the
/// other one steps meanwhile. It is followed, before and after, up to 1.5 times
/// the speed; pauses under 0.04 s are bridged. Never across a cut. All frames
/// that figure::FindStances looks at are in a phase when the rate is a multiple
/// of its own.
std::vector<FootPhase> FindFootPhases(const figure::ClipTracks& tracks,
                                      int side);

}  // namespace limber::mocap
