// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"
#include "mocap/retarget/foot_planter.h"
#include "mocap/retarget/hand_supports.h"
#include "mocap/retarget/leg_limits.h"
#include "mocap/retarget/leg_track.h"

namespace limber::mocap {

/// Where the root and both feet go, one value per frame: shifts against where
/// the poses have them [m].
struct FootPaths {
  std::vector<Vector3> root;                 ///< r
  std::array<std::vector<Vector3>, 2> feet;  ///< g
  std::array<std::vector<char>, 2> stands;   ///< In a phase.
};

/// The paths of `PlantFeet`, before legs are turned: see there.
/// @param floor_shift  of BodySupports, one value per frame [m].
FootPaths PlanFeet(const HumanBody& body, double rate_hz,
                   const std::vector<figure::Shot>& shots,
                   const std::array<FootGoal, 2>& goals,
                   const std::array<ArmTrack, 2>& arms,
                   const std::vector<double>& floor_shift,
                   const PlantOptions& options,
                   const std::array<LegTrack, 2>& tracks,
                   const LegLimits& limits);

/// Shots of fewer frames are single poses among others (an added T-pose), which
/// stand nowhere.
inline constexpr std::int64_t kShortestShot = 3;

/// |D³x|² T⁶ for a time constant T [s], in frames; beyond 40 frames the numbers
/// of the system would differ by more than 1e12.
double PathStiffness(double time, double rate_hz);

/// Over which a standing sole rises [s].
inline constexpr double kLiftTime = 0.02;

/// Lets every 1 of values [begin, end) fade to 0 on both sides, in a straight
/// line.
void FadeOut(std::vector<double>& values, std::int64_t begin, std::int64_t end,
             double rate_hz);

}  // namespace limber::mocap
