// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "figure/motion.h"
#include "figure/working_rig.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// A clip of a body as the retargeter needs it, whatever rig it comes from: on
/// a skeleton whose rest pose and bones mean something.
struct RiggedClip {
  figure::WorkingRig rig;
  figure::Motion motion;  ///< On rig.skeleton.
  HumanBody body;         ///< On rig.skeleton.
};

/// Nothing when the joints are no human body. The hands' directions are judged
/// by the clip, see `JudgeHands`.
std::optional<RiggedClip> MakeRiggedClip(const figure::Motion& motion,
                                         std::vector<figure::Role> roles);
std::optional<RiggedClip> MakeRiggedClip(const figure::Motion& motion);

/// Makes the palm of each arm point where the hand does. What a skeleton says
/// of its hands may mean nothing: an end site that points down in a T-pose,
/// while the clip holds the hands straight. A wrist bends by little most of the
/// time, so of two directions h in the hand's frame, that of the palm and that
/// of the forearm in the rest pose, the one counts whose median angle to the
/// forearm over the clip is smaller.
void JudgeHands(const figure::Motion& motion, HumanBody& body);

}  // namespace limber::mocap
