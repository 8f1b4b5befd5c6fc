// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/math.h"
#include "figure/skeleton.h"
#include "mocap/io/npz.h"

namespace limber::mocap::internal {

/// The body model with that many joints: 22 (the body of each of them) and 24
/// SMPL, 52 SMPL-H, 55 SMPL-X.
std::optional<NpzKind> SmplKindOf(std::size_t num_joints);

/// The first `num_joints` joints of the body model: names and parents as their
/// authors published them, +Y up, looking along +Z, arms spread. The shapes of
/// the bodies are licensed and not here: offsets are those of Limber's figure
/// adult18 scaled to `height` [m], hands and eyes by eye.
std::shared_ptr<const figure::Skeleton> SmplSkeleton(NpzKind kind,
                                                     std::size_t num_joints,
                                                     double height);

/// How high the pelvis of that figure is above the floor, of its height.
double PelvisShare();

/// The skeleton of the body model with its joints where `places` has them.
std::shared_ptr<const figure::Skeleton> SmplSkeletonAt(
    NpzKind kind, const std::vector<Vector3>& places);

}  // namespace limber::mocap::internal
