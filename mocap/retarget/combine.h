// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "figure/motion.h"
#include "mocap/retarget/foot_planter.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

struct CombineOptions {
  double blend =
      0.4;  ///< How long both clips are mixed, at least 2 frames [s].
  double search = 1.0;  ///< How much of the end of a and of the beginning of b
                        ///< is looked at for a good place to join [s].
};

struct CombineReport {
  std::int64_t frame_a = 0;    ///< The blend begins here in a ...
  std::int64_t frame_b = 0;    ///< ... and here in b.
  std::int64_t num_blend = 0;  ///< Frames of the blend.
  double distance = 0.0;       ///< Joints apart there, root mean square [m].
  double turn = 0.0;           ///< b was turned about the vertical [rad].
  PlantReport plant;
};

struct Combined {
  figure::Motion motion;
  CombineReport report;
};

/// Joins clip `b` to the end of clip `a`, both on `body.skeleton`; b is sampled
/// at the rate of a. Of all pairs of frames within `search`, the blend begins
/// at the pair where the joints, after b was turned about the vertical and
/// shifted over the floor as well as possible, are nearest in place and speed
/// during the blend [Kovar 2002, §3.1]. Places are mixed on the straight line
/// and rotations on the shorter great arc, by
///
///     s(u) = u³ (10 - 15 u + 6 u²)
///
/// whose speed and acceleration vanish at both ends, so the result has no
/// velocity step that the clips do not have. Feet that stand in both clips on
/// one place, to 6 % of the leg, stay planted through the blend (`PlantFeet`).
///
/// @throws std::invalid_argument naming what differs if the clips have other
///         skeletons (joints, parents, offsets to 1e-6 m), are shorter than the
///         blend, or an option is not positive.
Combined Combine(const figure::Motion& a, const figure::Motion& b,
                 const HumanBody& body, const CombineOptions& options = {});

}  // namespace limber::mocap
