// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/math.h"
#include "figure/skeleton.h"
#include "mocap/io/internal/node_scene.h"

namespace limber::mocap::internal {

/// Joints farther away are refused, at reading and at writing [m].
inline constexpr double kLargestPlace = 1e9;

/// Where all nodes of a file are in the world.
struct NodePlaces {
  std::vector<Eigen::Affine3d> X_WN;  ///< With the scales.
  std::vector<Quaternion> R_WN;       ///< Without them.
};

/// The places of the nodes with these transforms in their parents. Reuses the
/// memory of `places`.
void PlaceNodes(const NodeScene& scene, const std::vector<NodeTransform>& local,
                NodePlaces& places);

/// The skeleton of a file and how its joints J lie in the nodes N.
struct SceneJoints {
  std::shared_ptr<const figure::Skeleton> skeleton;
  std::vector<int> node_of;       ///< Per joint.
  std::vector<Quaternion> R_WN0;  ///< Per joint, in the bind pose.
};

/// Joints, rest pose and sites as `ReadGltf` describes them. There must
/// be a node. The skeleton is null where a place is not finite.
SceneJoints MakeSceneJoints(const NodeScene& scene, double metres_per_unit);

}  // namespace limber::mocap::internal
