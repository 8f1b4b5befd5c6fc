// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/motion.h"
#include "figure/pose.h"
#include "mocap/retarget/hand_supports.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

struct HandReport {
  std::int64_t touching_frames = 0;  ///< A hand touches something.
  std::int64_t missed_frames = 0;    ///< Off by more than a millimetre.
  double worst_miss = 0.0;           ///< Of a hand that touches [m].
  double deepest_palm = 0.0;         ///< Below its lowest at most [m].
};

/// Bends arms so that hands that rest on each other, on the body or on the
/// floor in the source do so on the target. A palm rests on something when it
/// is near (a hand's breadth from the other palm; as near to a bone as skin is)
/// and hardly moves against it; how much counts w, in [0, 1], without steps in
/// time. With q the nearest point of the touched bone, at the same share of its
/// length on both bodies, and k the ratio of the arms:
///
///     other palm     p_t <- middle of both palms ± k (p_s - p'_s) / 2
///     bone           p_t <- q_t + k R_t R_sᵀ (p_s - q_s)
///     floor          y_t <- floor_t + k (y_s - floor_s),   and over the floor
///                    as far as the source's, by the ratio of the legs, about
///                    where the palm is in the mean of the touch
///
/// No palm goes lower than its `lowest`: what would sink is lifted, without a
/// kink. Hands keep how they are turned. The same body gives the same poses.
/// @param hands  of `FindHandSupports`.
/// @param hold_limits  arms of figures stay within their limits.
/// @param poses  of the target, one per frame of `motion`; changed.
HandReport KeepHandsTouching(const figure::Motion& motion,
                             const HumanBody& source, const HumanBody& target,
                             const std::vector<figure::Shot>& shots,
                             const LocalFloor& floor,
                             const std::array<HandSupport, 2>& hands,
                             bool hold_limits,
                             std::vector<figure::Pose>& poses);

}  // namespace limber::mocap
