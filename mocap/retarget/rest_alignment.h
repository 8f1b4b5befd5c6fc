// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// How joint frames of the target stand to those of the source, one constant
/// rotation A per joint of the target:
///
///     R_WJt = R_WJs A
///
/// so that bones of the same part point the same way whatever the rest poses
/// are (T, A, arms down, legs apart), soles lie alike, and the trunk, the head
/// and all joints without a bone of their own keep how they are turned to the
/// body. Rest frames are parallel to the world, so with B the body axes of each
/// skeleton, d the direction of a bone in its rest pose, and A_p what stands
/// above it in the same limb:
///
///     trunk, head, clavicles        A = R_WBs R_WBtᵀ
///     upper arm .. shank            A = turn(A_p d_t -> d_s) A_p
///     foot, toes                    A = [forward up]_s [forward up]_tᵀ
///
/// where turn is the smallest rotation. Equal skeletons give the identity.
std::vector<Quaternion> AlignRestPoses(const HumanBody& source,
                                       const HumanBody& target,
                                       const JointMap& map);

}  // namespace limber::mocap
