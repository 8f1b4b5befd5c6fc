// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/math.h"
#include "figure/skeleton.h"

namespace limber::figure {

/// Where every joint is in its parent: X_PJ, one per joint of a skeleton. For
/// a root the parent is the world, so X_PJ = X_WJ. The rest pose has identity
/// rotations and the skeleton's offsets.
struct Pose {
  std::vector<Transform> X_PJ;

  int num_joints() const { return static_cast<int>(X_PJ.size()); }
};

Pose RestPose(const Skeleton& skeleton);

/// Forward kinematics: X_WJ of every joint, X_WJ = X_WP * X_PJ. The second form
/// reuses the memory of `X_WJ`.
/// @throws std::invalid_argument if the pose has another number of joints.
std::vector<Transform> WorldTransforms(const Skeleton& skeleton,
                                       const Pose& pose);
void WorldTransforms(const Skeleton& skeleton, const Pose& pose,
                     std::vector<Transform>& X_WJ);

/// World positions p_WS [m] of the skeleton's sites, from `WorldTransforms`.
std::vector<Vector3> SitePositions(const Skeleton& skeleton,
                                   const std::vector<Transform>& X_WJ);

/// The pose a share `u` of the way from `a` to `b`, u in [0, 1]: rotations by
/// the shorter great arc at constant speed, translations on the straight line.
/// @throws std::invalid_argument if the numbers of joints differ.
Pose Interpolate(const Pose& a, const Pose& b, double u);

}  // namespace limber::figure
