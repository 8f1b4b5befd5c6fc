// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "core/result.h"

namespace limber::mocap::internal {

/// A node's place in its parent: p = t + R (s ∘ x).
struct NodeTransform {
  Vector3 t = Vector3::Zero();
  Quaternion r = Quaternion::Identity();
  Vector3 s = Vector3::Ones();

  Eigen::Affine3d ToAffine() const;
};

struct GltfNode {
  std::string name;
  int parent = -1;
  std::vector<int> children;
  NodeTransform local;
  bool has_matrix = false;  ///< Stored as a matrix, not as three parts.
  bool is_bare = true;      ///< Neither mesh, nor camera, nor skin.
};

struct GltfSkin {
  std::vector<int> joints;
  std::vector<Matrix4> inverse_bind;  ///< One per joint, or none.
  int mesh_node = -1;                 ///< The first node that wears it, or -1.
};

enum class GltfPath { kTranslation, kRotation, kScale, kWeights };
enum class GltfInterpolation { kStep, kLinear, kCubicSpline };

/// One animated quantity of one node.
struct GltfChannel {
  int node = -1;
  GltfPath path = GltfPath::kTranslation;
  GltfInterpolation interpolation = GltfInterpolation::kLinear;
  std::vector<float> times;   ///< Rising [s].
  std::vector<float> values;  ///< Per key 3 or 4, three times that if cubic.
};

/// The parts of a glTF file that skeletons and animations are made of, checked:
/// indices are in range, the nodes are a forest, numbers are finite.
struct GltfDocument {
  nlohmann::ordered_json json;
  std::vector<std::string> buffers;
  bool is_binary = false;  ///< A .glb whose first buffer is its own chunk.
  std::vector<GltfNode> nodes;
  std::vector<int> order;  ///< Nodes, parents before children.
  std::vector<GltfSkin> skins;
  std::vector<std::string> animations;  ///< Names.
};

/// Parses file and buffers. Errors as mocap::ReadGltf has them.
Result<GltfDocument> ParseGltf(std::string_view bytes, const std::string& file,
                               bool strict,
                               const std::filesystem::path& folder);

/// The channels of animation `index` that move a node, without weights; what
/// is dropped is warned of. Adds errors to `diagnostics`.
std::vector<GltfChannel> ReadChannels(const GltfDocument& document, int index,
                                      Diagnostics& diagnostics);

/// Text of base64 as bytes; nothing if it is none.
std::optional<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

}  // namespace limber::mocap::internal
