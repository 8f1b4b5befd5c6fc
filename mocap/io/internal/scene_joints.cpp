// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/scene_joints.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace limber::mocap::internal {

namespace {

/// Where a node was when the skin was bound to it.
struct BindPlace {
  Quaternion R;
  Vector3 p;
};

BindPlace PlaceOf(const Eigen::Affine3d& X) {
  const Eigen::JacobiSVD<Matrix3> svd(
      X.linear(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 rotation = svd.matrixU() * svd.matrixV().transpose();
  if (rotation.determinant() < 0.0) rotation = -rotation;
  return {Quaternion(rotation).normalized(), X.translation()};
}

/// The joint of a skin above all its others, as an index into its joints.
std::size_t TopOf(const NodeScene& scene, const SceneSkin& skin) {
  std::vector<bool> is_joint(scene.nodes.size(), false);
  for (const int node : skin.joints) is_joint[std::size_t(node)] = true;
  for (std::size_t k = 0; k < skin.joints.size(); ++k) {
    int above = scene.nodes[std::size_t(skin.joints[k])].parent;
    while (above >= 0 && !is_joint[std::size_t(above)]) {
      above = scene.nodes[std::size_t(above)].parent;
    }
    if (above < 0) return k;
  }
  return 0;
}

/// Inverse bind matrices lead from the mesh to the joint; where the mesh itself
/// was in the world when it was bound is not stored. Exporters take the place
/// of the node that wears the skin, the world's, or that of the node above the
/// skeleton: the one that brings the joints nearest to their nodes is right.
Eigen::Affine3d MeshPlace(const NodeScene& scene, const SceneSkin& skin,
                          const std::vector<Eigen::Affine3d>& bind,
                          const NodePlaces& nodes) {
  std::vector<Eigen::Affine3d> candidates;
  if (skin.mesh_node >= 0) {
    candidates.push_back(nodes.X_WN[std::size_t(skin.mesh_node)]);
  }
  candidates.push_back(Eigen::Affine3d::Identity());
  const int top = skin.joints[TopOf(scene, skin)];
  const int above = scene.nodes[std::size_t(top)].parent;
  if (above >= 0) candidates.push_back(nodes.X_WN[std::size_t(above)]);
  // Lengths are compared with the size of the skeleton.
  double size = 0.0;
  for (const int node : skin.joints) {
    size = std::max(size, (nodes.X_WN[std::size_t(node)].translation() -
                           nodes.X_WN[std::size_t(top)].translation())
                              .norm());
  }
  double least = std::numeric_limits<double>::infinity();
  Eigen::Affine3d best = candidates.front();
  for (const Eigen::Affine3d& X_WM : candidates) {
    double cost = 0.0;
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
      const auto node = std::size_t(skin.joints[k]);
      const BindPlace place = PlaceOf(X_WM * bind[k]);
      cost += AngleBetween(place.R, nodes.R_WN[node]);
      if (size > 0.0) {
        cost += (place.p - nodes.X_WN[node].translation()).norm() / size;
      }
    }
    if (cost < least) {
      least = cost;
      best = X_WM;
    }
  }
  return best;
}

/// Per node: its place in the bind pose, or as the nodes stand.
std::vector<BindPlace> BindPlaces(const NodeScene& scene,
                                  const NodePlaces& nodes) {
  std::vector<BindPlace> places;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    places.push_back({nodes.R_WN[i], nodes.X_WN[i].translation()});
  }
  std::vector<bool> is_bound(scene.nodes.size(), false);
  for (const SceneSkin& skin : scene.skins) {
    if (skin.inverse_bind.empty() || skin.joints.empty()) continue;
    std::vector<Eigen::Affine3d> bind;
    bool all_invertible = true;
    for (const Matrix4& matrix : skin.inverse_bind) {
      const Matrix4 inverse = matrix.inverse();
      all_invertible = all_invertible && inverse.allFinite();
      bind.push_back(Eigen::Affine3d(inverse));
    }
    if (!all_invertible) continue;
    const Eigen::Affine3d X_WM = MeshPlace(scene, skin, bind, nodes);
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
      const auto node = std::size_t(skin.joints[k]);
      if (is_bound[node]) continue;
      is_bound[node] = true;
      places[node] = PlaceOf(X_WM * bind[k]);
    }
  }
  return places;
}

}  // namespace

Eigen::Affine3d NodeTransform::ToAffine() const {
  return Eigen::Translation3d(t) * r * Eigen::Scaling(s);
}

void PlaceNodes(const NodeScene& scene, const std::vector<NodeTransform>& local,
                NodePlaces& places) {
  places.X_WN.resize(local.size());
  places.R_WN.resize(local.size());
  for (const int index : scene.order) {
    const auto i = std::size_t(index);
    const int parent = scene.nodes[i].parent;
    if (parent < 0) {
      places.X_WN[i] = local[i].ToAffine();
      places.R_WN[i] = local[i].r;
    } else {
      Eigen::Affine3d X_PN = local[i].ToAffine();
      const Vector3& s_P = local[std::size_t(parent)].s;
      if (scene.nodes[i].drops_parent_scale && s_P.cwiseAbs().minCoeff() > 0) {
        X_PN.linear() = s_P.cwiseInverse().asDiagonal() * X_PN.linear();
      }
      places.X_WN[i] = places.X_WN[std::size_t(parent)] * X_PN;
      places.R_WN[i] =
          (places.R_WN[std::size_t(parent)] * local[i].r).normalized();
    }
  }
}

SceneJoints MakeSceneJoints(const NodeScene& scene, double metres_per_unit) {
  const std::size_t num_nodes = scene.nodes.size();
  std::vector<NodeTransform> local;
  for (const SceneNode& node : scene.nodes) local.push_back(node.local);
  NodePlaces nodes;
  PlaceNodes(scene, local, nodes);
  const std::vector<BindPlace> bind = BindPlaces(scene, nodes);

  bool has_skin = false;
  std::vector<bool> is_joint(num_nodes, false);
  for (const SceneSkin& skin : scene.skins) {
    for (const int node : skin.joints) {
      is_joint[std::size_t(node)] = true;
      has_skin = true;
    }
  }
  for (std::size_t i = 0; i < num_nodes && !has_skin; ++i) {
    is_joint[i] = !scene.nodes[i].is_no_joint;
  }

  SceneJoints joints;
  std::vector<int> joint_of(num_nodes, -1);
  std::vector<figure::Joint> made;
  std::vector<figure::Site> sites;
  for (const int index : scene.order) {
    const auto i = std::size_t(index);
    const SceneNode& node = scene.nodes[i];
    const int parent =
        node.parent < 0 ? -1 : joint_of[std::size_t(node.parent)];
    if (is_joint[i]) {
      figure::Joint joint;
      joint.name =
          node.name.empty() ? "node" + std::to_string(index) : node.name;
      joint.parent = parent;
      const Vector3 from =
          parent < 0 ? Vector3::Zero()
                     : bind[std::size_t(joints.node_of[std::size_t(parent)])].p;
      joint.offset = metres_per_unit * (bind[i].p - from);
      joint_of[i] = int(made.size());
      made.push_back(std::move(joint));
      joints.node_of.push_back(index);
      joints.R_WN0.push_back(bind[i].R);
      continue;
    }
    const bool ends_a_joint = node.is_bare && node.children.empty() &&
                              node.parent >= 0 &&
                              is_joint[std::size_t(node.parent)];
    if (ends_a_joint) {
      // The site keeps its place in its node, which is bound as the joint is.
      const auto p = std::size_t(node.parent);
      const Vector3 in_world =
          bind[p].R *
          (nodes.R_WN[p].conjugate() *
           (nodes.X_WN[i].translation() - nodes.X_WN[p].translation()));
      sites.push_back({node.name, parent, metres_per_unit * in_world});
    }
    // A node between two joints hands its joint on to those below it.
    joint_of[i] = parent;
  }
  const auto is_good = [](const auto& part) {
    constexpr double kFarthest = 1e9;  // As all readers have it [m].
    return part.offset.cwiseAbs().maxCoeff() <= kFarthest;
  };
  if (!std::ranges::all_of(made, is_good) ||
      !std::ranges::all_of(sites, is_good)) {
    return joints;
  }
  joints.skeleton = figure::Skeleton::Make(std::move(made), std::move(sites));
  return joints;
}

}  // namespace limber::mocap::internal
