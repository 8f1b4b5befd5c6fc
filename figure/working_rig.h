// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "figure/joint_names.h"
#include "figure/motion.h"

namespace limber::figure {

/// A skeleton to work on in place of a file's own one. Two things make a file's
/// skeleton unfit as it stands:
///
/// - position channels on joints inside the body, which replace the OFFSET: the
///   bones are as long as the channels say;
/// - a rest pose that is no pose of a body (every bone along its own X axis):
///   then the clip's neutral pose N becomes the rest pose: the mean of how each
///   joint is turned to the body's heading, over frames weighted by how
///   straight the body stands in them, and feet by how firmly they stand. The
///   trunk is set upright in it, and knees that are bent point ahead.
///
/// With Q_J = R_WJ in N (the identity where the rest pose is good), P the
/// parent, and ' for the skeleton to work on:
///
///     offset' = Q_P offset      R_PJ' = Q_P R_PJ Q_Jᵀ      p_PJ' = Q_P p_PJ
///
/// so places in the world stay what they are.
struct WorkingRig {
  std::shared_ptr<const Skeleton> own;  ///< As the file has it.
  /// To work on; `own` itself where nothing is amiss.
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Quaternion> Q;  ///< Empty for the identity everywhere.
  /// Whether the rest pose is the clip's neutral pose and not the file's own.
  bool rest_is_from_clip = false;
  /// Whether the rest pose of `skeleton` is a pose that a body can take.
  bool rest_is_good = true;
};

/// Looks at a clip of a body with these roles. Without frames, or where the
/// joints are no body, the skeleton is taken as it is.
WorkingRig MakeWorkingRig(const Motion& motion, const std::vector<Role>& roles);

/// The clip, which is on `rig.own`, on `rig.skeleton`.
Motion ToWorking(const WorkingRig& rig, const Motion& motion);
/// The clip, which is on `rig.skeleton`, on `rig.own` in the form `form`.
Motion FromWorking(const WorkingRig& rig, const Motion& motion,
                   MotionSource form);

/// The rig of a body whose bones were changed: `changed` has the joints of
/// `rig.skeleton` and other offsets.
WorkingRig WithBones(const WorkingRig& rig,
                     std::shared_ptr<const Skeleton> changed);

/// Whether the joints lie as a body's can, whichever way it faces: legs away
/// from the head and side by side, knees not folded, arms like each other and
/// on their own sides. True where there is nothing to judge by.
bool IsBodyPose(const std::vector<Role>& roles,
                const std::vector<Transform>& X_WJ);

}  // namespace limber::figure
