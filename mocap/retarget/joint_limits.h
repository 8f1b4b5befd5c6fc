// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// A joint that the copy of angles took beyond its limits.
struct MendedJoint {
  int joint = -1;
  std::string name;
  double beyond = 0.0;        ///< Farthest beyond a limit in the copy [rad].
  double largest_turn = 0.0;  ///< How far it was turned for that [rad].
  std::int64_t frames = 0;    ///< Frames beyond a limit.
  std::int64_t worst_frame = 0;
  std::vector<std::int64_t> where;  ///< The frames beyond a limit.
};

/// Brings every joint of a figure within its limits, over whole shots. Nothing
/// happens to bodies without a figure, nor to joints that stay inside.
///
/// Each joint by itself: in frames beyond its limits the rotation goes to one
/// of those nearest within them. Where there are several (a wrist bent by 140
/// degrees is as near to one side as to the other), the path through them is
/// taken that is nearest and turns least, found by dynamic programming:
///
///     min Σ angle(R(q_i), R_i)² + λ Σ angle(R(q_i), R(q_i-1))²
///
/// Then limbs reach, within limits, for where the copy had hand, foot or head
/// (`LimitedLimb`). Last, around the frames concerned, coordinates are averaged
/// over ±0.06 s: limits are intervals, so the mean of what is within them is
/// within them, and what the limits bent has no corner and no step.
///
/// @param poses  the copy on `body`, changed in place.
/// @returns the joints that were beyond, the farthest first.
std::vector<MendedJoint> HoldLimits(const HumanBody& body, double rate_hz,
                                    const std::vector<figure::Shot>& shots,
                                    std::vector<figure::Pose>& poses);

}  // namespace limber::mocap
