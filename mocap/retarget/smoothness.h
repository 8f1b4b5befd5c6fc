// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/motion.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

struct SmoothReport {
  std::int64_t frames = 0;    ///< Frames that were changed.
  double largest_turn = 0.0;  ///< Of a joint in its parent [rad].
};

/// Keeps a copy of angles as smooth as its source. Joints of a recording
/// tremble against each other, so that hands and head are steady in the source;
/// on other proportions they are not.
///
/// Around each frame (0.15 s to both sides) J is the mean square
/// of the third differences of the joints' places by leg length, N that of the
/// part faster than 20 Hz, c = 1.1. The pose goes the share u of the way to the
/// low-passed one, rotations on great arcs, all joints and the root alike:
///
///     (1 - u)² N_t = max(c² N_s, J_s / 10, c² J_s - (J_t - N_t))
///
/// so the whole has about c times the source's jerk at most, unless movement
/// itself has more: that is left alone. u = 0, and the pose is untouched, where
/// the right side is no less than N_t: with J_t <= c² J_s, on clips without
/// tremor, and on bodies that are as the source or a multiple of it. Tremor
/// below 1e-5 leg lengths does not count. Frames farther than about 0.3 s from
/// one whose u is positive stay as they are.
///
/// @param motion, source, tracks  the source's clip, body and tracks.
/// @param poses                   the copy on `target`, changed in place.
SmoothReport MatchSmoothness(const figure::Motion& motion,
                             const HumanBody& source,
                             const figure::ClipTracks& tracks,
                             const HumanBody& target,
                             std::vector<figure::Pose>& poses);

}  // namespace limber::mocap
