// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "mocap/solve/actor.h"

namespace limber::mocap {

/// A joint whose bend the markers leave open: priors and neighbours filled it
/// in.
struct UnsureJoint {
  int segment = 0;     ///< The segment below the joint.
  double sigma = 0.0;  ///< Standard deviation of the bend [rad].
};

/// How well the markers tell the bend of hips, knees, ankles and elbows: the
/// standard deviation that markers with an error of 10 mm (skin) leave to it
/// in each of some frames, as the median over these. With H the Gauss-Newton
/// matrix of a frame and a the axis of the joint,
///
///     sigma² = aᵀ (H⁻¹)_jj a
///
/// `used` are the points that were fitted. One entry for each such joint that
/// moves.
std::vector<UnsureJoint> MeasureBends(const Actor& actor,
                                      std::span<const BodyPose> poses,
                                      const Observations& used);

}  // namespace limber::mocap
