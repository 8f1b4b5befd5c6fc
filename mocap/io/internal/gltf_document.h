// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "mocap/io/internal/node_scene.h"

namespace limber::mocap::internal {

/// A glTF file with the scene in it, checked: indices are in range, the nodes
/// are a forest, numbers are finite.
struct GltfDocument : NodeScene {
  nlohmann::ordered_json json;
  std::vector<std::string> buffers;
  bool is_binary = false;  ///< A .glb whose first buffer is its own chunk.
};

/// Parses file and buffers. Errors as mocap::ReadGltf has them.
Result<GltfDocument> ParseGltf(std::string_view bytes, const std::string& file,
                               bool strict,
                               const std::filesystem::path& folder);

/// The channels of animation `index` that move a node, without weights; what
/// is dropped is warned of. Adds errors to `diagnostics`.
std::vector<SceneChannel> ReadChannels(const GltfDocument& document, int index,
                                       Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
