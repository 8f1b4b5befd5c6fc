// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "mocap/io/internal/key_cursor.h"
#include "mocap/io/internal/node_scene.h"
#include "mocap/io/internal/scene_joints.h"

namespace limber::mocap::internal {

/// Rows of `figure::ChannelLayout::Free(moves)`.
struct DirectRows {
  std::vector<bool> moves;
  std::vector<double> rows;
};

/// The frames of a scene whose joints hang directly on each other, with scales
/// that are even and do not change: then the places of the nodes in the world
/// are not needed, since with N0 for the bind pose and P the node above
///
///     R_PJ = R_WP0 r_N R_WN0ᵀ        p_PJ = s_P R_WP0 t_N
///
/// Most characters are such. Nothing for the others.
std::optional<DirectRows> SampleDirectly(
    const NodeScene& scene, const SceneJoints& joints,
    const std::vector<SceneChannel>& channels, const Clock& clock,
    double metres_per_unit);

}  // namespace limber::mocap::internal
