// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "mocap/solve/actor.h"

namespace limber::mocap {

/// Poses what no marker tells (`Actor::moves`) as somebody who stands: arms
/// hang beside the trunk with elbows a little bent; legs go straight down from
/// the hips, and where the hips come lower than they usually are the knees
/// bend, so that the feet stay where they stood; feet lie flat; toes bend up
/// rather than go through the floor that the soles keep to. Segments with
/// markers are not touched.
void PoseUnseen(const Actor& actor, std::span<BodyPose> poses);

}  // namespace limber::mocap
