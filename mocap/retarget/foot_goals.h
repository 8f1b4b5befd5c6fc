// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/pose.h"
#include "mocap/retarget/foot_phases.h"
#include "mocap/retarget/foot_planter.h"
#include "mocap/retarget/hand_supports.h"
#include "mocap/retarget/joint_map.h"
#include "mocap/retarget/pose_copy.h"

namespace limber::mocap {

/// One foot of the source: when it stands, and on what.
struct SourceFoot {
  std::vector<FootPhase> phases;
  std::vector<double> heights;  ///< Of the sole in each frame, above zero [m].
  std::vector<double> levels;   ///< Of the sole in each phase [m].
  /// Of the ground under each phase that the target stands on, above the
  /// target's floor and by the ratio of the legs; 0 on the floor itself [m].
  std::vector<double> ground;
};

/// Both feet of the source and the ground under them.
///
/// Floors of recordings are not level (02_01 climbs by 43 mm in three steps),
/// so a figure's stances lie on the floor itself while they differ by less than
/// `kUneven` of the leg; what differs more is a step, and keeps its height.
/// With h_n the level of phase n in the order of both feet, and m the last
/// phase of this foot or of the other one, whichever is nearer in height:
///
///     ground_n = ground_m                  |h_n - h_m| <= uneven       level
///     ground_n = ground_m + h_n - h_m      elsewhere                   a step
///
/// bounded so that |h_n - ground_n - floor| <= uneven, and 0 within uneven.
/// So what the ground does depends on neighbouring stances only, not on where
/// the clip begins.
std::array<SourceFoot, 2> FindSourceFeet(const figure::ClipTracks& tracks,
                                         double rounding);

/// Of the leg's length: how much floors of recordings change from stance to
/// stance at most (02_01: 0.02); a stair is 0.2.
inline constexpr double kUneven = 0.05;

/// What the feet of `target` are to do, see FootGoal.
/// @param copied  the copy of angles on the target.
/// @param lock    share of the source's sliding that is taken out.
std::array<FootGoal, 2> MakeFootGoals(
    const figure::ClipTracks& tracks, const std::array<SourceFoot, 2>& feet,
    const WorldScale& scale, double foot_ratio, const HumanBody& target,
    const std::vector<figure::Pose>& copied, double lock);

/// The floor beside each frame, for hands: the mean of what both feet stand on,
/// or come to stand on next.
LocalFloor FindLocalFloor(const figure::ClipTracks& tracks,
                          const std::array<SourceFoot, 2>& feet,
                          const WorldScale& scale, double foot_ratio,
                          bool is_figure);

}  // namespace limber::mocap
