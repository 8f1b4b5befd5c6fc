// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap::internal {

/// A body laid into one frame of points that nobody named.
struct CloudFit {
  std::size_t set = 0;      ///< Whose layout of markers it has.
  std::int64_t frame = 0;   ///< Of the tracks.
  double scale = 1.0;       ///< Of the reference body.
  BodyPose pose;            ///< In that frame.
  std::vector<int> tracks;  ///< Per marker of the set; -1 = none.
  int num_assigned = 0;
  /// Half the summed squares of robust misfits, priors and unexplained points,
  /// over the number of tracks: smaller is better.
  double cost = 0.0;
};

/// Lays the reference body with the markers of each set into the most upright
/// frames, from many directions, with arms hanging, level or forward: points
/// go to the nearest marker places one to one, the body is fitted to them, and
/// so on until nothing changes, while the reach shrinks. The best fits, best
/// first, at most `most` of them and no two with equal assignments.
std::vector<CloudFit> FitCloud(std::span<const MarkerSet> sets,
                               const Observations& tracks, std::size_t most);

}  // namespace limber::mocap::internal
