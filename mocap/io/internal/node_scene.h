// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/math.h"

namespace limber::mocap::internal {

/// A node's place in its parent: p = t + R (s ∘ x).
struct NodeTransform {
  Vector3 t = Vector3::Zero();
  Quaternion r = Quaternion::Identity();
  Vector3 s = Vector3::Ones();

  Eigen::Affine3d ToAffine() const;
};

struct SceneNode {
  std::string name;
  int parent = -1;
  std::vector<int> children;
  NodeTransform local;
  bool has_matrix = false;  ///< Stored as a matrix, not as three parts.
  bool is_bare = true;      ///< Neither mesh, nor camera, nor skin.
  /// The scale of the parent acts on the node's place and on nothing else
  /// (FBX: InheritType Rrs, Maya's segment scale compensation).
  bool drops_parent_scale = false;
  /// No joint even where there is no skin: a pivot, a mesh, the root.
  bool is_no_joint = false;
};

struct SceneSkin {
  std::vector<int> joints;
  std::vector<Matrix4> inverse_bind;  ///< One per joint, or none.
  int mesh_node = -1;                 ///< The first node that wears it, or -1.
};

enum class ChannelPath { kTranslation, kRotation, kScale, kWeights };
enum class KeyInterpolation { kStep, kLinear, kCubicSpline };

/// One animated quantity of one node.
struct SceneChannel {
  int node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  KeyInterpolation interpolation = KeyInterpolation::kLinear;
  std::vector<float> times;   ///< Rising [s].
  std::vector<float> values;  ///< Per key 3 or 4, three times that if cubic.
};

/// The parts of a file of a character, glTF or FBX, that skeletons and
/// animations are made of.
struct NodeScene {
  std::vector<SceneNode> nodes;
  std::vector<int> order;  ///< Nodes, parents before children.
  std::vector<SceneSkin> skins;
  std::vector<std::string> animations;  ///< Names.
};

}  // namespace limber::mocap::internal
