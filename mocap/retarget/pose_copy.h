// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/motion.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// How places of the source become places of the target, with k the ratio of
/// the leg lengths: x and z grow by k about the origin, and heights above the
/// base, the part of the foot apart, likewise:
///
///     x_t = k x_s     y_t = base_t + a_t + k (y_s - base_s - a_s)
struct WorldScale {
  double k = 1.0;
  double base_s = 0.0;  ///< [m]
  double base_t = 0.0;  ///< [m]
  double a_s = 0.0;     ///< Height of the ankles above the soles [m].
  double a_t = 0.0;     ///< [m]

  Vector3 operator()(const Vector3& p) const {
    return {k * p.x(), base_t + a_t + k * (p.y() - base_s - a_s), k * p.z()};
  }
};

/// The source's poses on the target: joints turned alike, the middle between
/// the hips at its scaled place, bones that change their length changing it in
/// proportion. This is the copy of angles that the feet slide in.
std::vector<figure::Pose> CopyPoses(const figure::Motion& motion,
                                    const HumanBody& source,
                                    const HumanBody& target,
                                    const JointMap& map,
                                    const WorldScale& scale);

}  // namespace limber::mocap
