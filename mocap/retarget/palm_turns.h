// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "figure/motion.h"
#include "mocap/retarget/joint_limits.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// How far hands of a target point away from where the source's do, in the
/// frames in which no limit of the arm has a say.
struct PalmTurn {
  double worst = 0.0;             ///< [rad]
  double median = 0.0;            ///< [rad]
  std::int64_t frame = -1;        ///< Of the worst.
  int side = 0;                   ///< Of the worst: 0 left, 1 right.
  std::int64_t free_frames = 0;   ///< Looked at, of both hands.
  std::int64_t bound_frames = 0;  ///< Left out for a limit, of both hands.
};

/// A hand points from its joint to its palm. A limit has a say where a joint of
/// the arm is at it, or was beyond it in the copy of angles, and 0.15 s before
/// and after, since what it turns away comes and goes smoothly. Nothing where
/// one of the bodies has no hands.
/// @param mended  of the report.
PalmTurn MeasurePalms(const figure::Motion& source_motion,
                      const HumanBody& source, const figure::Motion& result,
                      const HumanBody& target,
                      const std::vector<MendedJoint>& mended);

}  // namespace limber::mocap
