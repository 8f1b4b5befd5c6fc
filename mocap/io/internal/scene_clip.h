// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "figure/motion.h"
#include "mocap/io/internal/node_scene.h"

namespace limber::mocap::internal {

/// Index of the animation that is asked for by name or by number, the first for
/// an empty wish, -1 for none. Error kind: "no-animation".
int ChooseAnimation(const NodeScene& scene, const std::string& wanted,
                    Diagnostics& diagnostics);

struct SceneClipOptions {
  std::string file = {};    ///< For messages.
  std::string format = {};  ///< "glTF", "FBX".
  double metres_per_unit = 1.0;
  std::optional<double> rate_hz = {};
  std::size_t num_bytes = 0;  ///< Of the file: bounds the memory.
};

/// The motion of a scene's joints with these channels, as `ReadGltf` describes
/// it. Nothing where there is an error: "not-finite", "too-long".
std::optional<figure::Motion> MakeSceneClip(
    const NodeScene& scene, const std::vector<SceneChannel>& channels,
    const SceneClipOptions& options, Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
