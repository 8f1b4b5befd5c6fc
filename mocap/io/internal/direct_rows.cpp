// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/direct_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace limber::mocap::internal {

namespace {

/// Scales that differ by less are even: they are stored as floats.
constexpr double kEven = 1e-6;
/// Frames that are filled joint by joint: their rows fit into a cache.
constexpr std::int64_t kBlock = 32;

/// One joint: R = left r right, p = A t + b.
struct DirectJoint {
  NodeTransform rest;  ///< What no channel moves.
  Quaternion left = Quaternion::Identity();
  Quaternion right = Quaternion::Identity();
  bool is_turned = false;  ///< Left or right is not the identity.
  Matrix3 A = Matrix3::Identity();
  Vector3 b = Vector3::Zero();
  int rotation = -1;     ///< Channel, or -1.
  int translation = -1;  ///< Channel, or -1.
  bool moves = false;
  std::size_t column = 0;  ///< In a row.

  Vector3 Place(const Vector3& t) const { return A * t + b; }
};

/// Channels of each node by what they move; nothing where one stands twice or a
/// scale changes.
struct NodeChannels {
  int rotation = -1;
  int translation = -1;
};
std::optional<std::vector<NodeChannels>> ChannelsOfNodes(
    const NodeScene& scene, const std::vector<SceneChannel>& channels) {
  std::vector<NodeChannels> of(scene.nodes.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const SceneChannel& channel = channels[c];
    const auto node = std::size_t(channel.node);
    if (channel.path == ChannelPath::kWeights) continue;
    if (channel.path == ChannelPath::kScale) {
      // A scale that has keys but stays what the node has is none.
      for (std::size_t i = 0; i < channel.values.size(); ++i) {
        if (channel.interpolation == KeyInterpolation::kCubicSpline ||
            std::abs(double(channel.values[i]) -
                     scene.nodes[node].local.s[Eigen::Index(i % 3)]) > kEven) {
          return std::nullopt;
        }
      }
      continue;
    }
    int& slot = channel.path == ChannelPath::kRotation ? of[node].rotation
                                                       : of[node].translation;
    if (slot >= 0) return std::nullopt;
    slot = int(c);
  }
  return of;
}

/// Per node the even scale in which its children live, or nothing where some
/// scale above is uneven or not handed on.
std::optional<std::vector<double>> EvenScales(const NodeScene& scene) {
  std::vector<double> scales(scene.nodes.size(), 1.0);
  for (const int index : scene.order) {
    const auto i = std::size_t(index);
    const SceneNode& node = scene.nodes[i];
    const Vector3& s = node.local.s;
    const bool is_even = std::abs(s.x() - s.y()) <= kEven &&
                         std::abs(s.x() - s.z()) <= kEven && s.x() > kEven;
    // What a node without children has moves nothing.
    if (node.drops_parent_scale || (!is_even && !node.children.empty())) {
      return std::nullopt;
    }
    const double above =
        node.parent < 0 ? 1.0 : scales[std::size_t(node.parent)];
    scales[i] = above * s.x();
  }
  return scales;
}

/// Whether some channel moves the node or one above it.
bool IsAnimatedUpTo(const NodeScene& scene,
                    const std::vector<NodeChannels>& channels, int node) {
  for (; node >= 0; node = scene.nodes[std::size_t(node)].parent) {
    const NodeChannels& own = channels[std::size_t(node)];
    if (own.rotation >= 0 || own.translation >= 0) return true;
  }
  return false;
}

/// Whether the joint leaves its offset at some key.
bool Leaves(const DirectJoint& joint, const std::vector<SceneChannel>& channels,
            const Vector3& offset) {
  if (joint.translation < 0) {
    return (joint.Place(joint.rest.t) - offset).norm() > kStill;
  }
  const SceneChannel& channel = channels[std::size_t(joint.translation)];
  if (channel.interpolation == KeyInterpolation::kCubicSpline) return true;
  for (std::size_t i = 0; i + 2 < channel.values.size(); i += 3) {
    const Vector3 t(channel.values[i], channel.values[i + 1],
                    channel.values[i + 2]);
    if ((joint.Place(t) - offset).norm() > kStill) return true;
  }
  return false;
}

/// How each joint follows its node; nothing where one does not do so directly.
std::optional<std::vector<DirectJoint>> PlanJoints(
    const NodeScene& scene, const SceneJoints& joints,
    const std::vector<SceneChannel>& channels, double metres_per_unit) {
  const auto of_node = ChannelsOfNodes(scene, channels);
  const auto scales = EvenScales(scene);
  if (!of_node || !scales) return std::nullopt;
  std::vector<NodeTransform> local;
  for (const SceneNode& node : scene.nodes) local.push_back(node.local);
  NodePlaces nodes;
  PlaceNodes(scene, local, nodes);
  std::vector<DirectJoint> plan(joints.node_of.size());
  std::size_t column = 0;
  for (std::size_t j = 0; j < plan.size(); ++j) {
    DirectJoint& joint = plan[j];
    const figure::Joint& made = joints.skeleton->joint(int(j));
    const int node = joints.node_of[j];
    const int above = scene.nodes[std::size_t(node)].parent;
    if (made.parent >= 0) {
      if (joints.node_of[std::size_t(made.parent)] != above) {
        return std::nullopt;
      }
      joint.left = joints.R_WN0[std::size_t(made.parent)];
      joint.A = metres_per_unit * (*scales)[std::size_t(above)] *
                joint.left.toRotationMatrix();
    } else if (IsAnimatedUpTo(scene, *of_node, above)) {
      return std::nullopt;
    } else if (above >= 0) {
      joint.left = nodes.R_WN[std::size_t(above)];
      joint.A = metres_per_unit * nodes.X_WN[std::size_t(above)].linear();
      joint.b = metres_per_unit * nodes.X_WN[std::size_t(above)].translation();
    } else {
      joint.A *= metres_per_unit;
    }
    joint.right = joints.R_WN0[j].conjugate();
    joint.is_turned = AngleBetween(joint.left, Quaternion::Identity()) > 0.0 ||
                      AngleBetween(joint.right, Quaternion::Identity()) > 0.0;
    joint.rest = scene.nodes[std::size_t(node)].local;
    joint.rotation = (*of_node)[std::size_t(node)].rotation;
    joint.translation = (*of_node)[std::size_t(node)].translation;
    joint.moves = made.parent < 0 || Leaves(joint, channels, made.offset);
    joint.column = column;
    column += joint.moves ? 7 : 4;
  }
  return plan;
}

/// The numbers of one joint in some frames.
void FillJoint(const DirectJoint& joint, const Clock& clock, std::int64_t begin,
               std::int64_t end, std::size_t width,
               std::vector<Cursor>& cursors, std::vector<double>& rows) {
  NodeTransform local = joint.rest;
  const double step = 1.0 / clock.rate;
  const double same = kSameTime * step;
  for (std::int64_t frame = begin; frame < end; ++frame) {
    const double time = clock.begin + double(frame) * step;
    double* out = rows.data() + std::size_t(frame) * width + joint.column;
    if (joint.moves) {
      if (joint.translation >= 0) {
        cursors[std::size_t(joint.translation)].Apply(time, same, local);
      }
      const Vector3 p = joint.Place(local.t);
      for (int k = 0; k < 3; ++k) *out++ = p[k];
    }
    if (joint.rotation >= 0) {
      cursors[std::size_t(joint.rotation)].Apply(time, same, local);
    }
    Quaternion R =
        joint.is_turned ? joint.left * local.r * joint.right : local.r;
    out[0] = R.w();
    out[1] = R.x();
    out[2] = R.y();
    out[3] = R.z();
  }
}

}  // namespace

std::optional<DirectRows> SampleDirectly(
    const NodeScene& scene, const SceneJoints& joints,
    const std::vector<SceneChannel>& channels, const Clock& clock,
    double metres_per_unit) {
  const auto plan = PlanJoints(scene, joints, channels, metres_per_unit);
  if (!plan) return std::nullopt;
  DirectRows made;
  for (const DirectJoint& joint : *plan) made.moves.push_back(joint.moves);
  const std::size_t width = plan->back().column + (plan->back().moves ? 7 : 4);
  made.rows.resize(std::size_t(clock.frames) * width);
  std::vector<Cursor> cursors(channels.begin(), channels.end());
  for (std::int64_t begin = 0; begin < clock.frames; begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, clock.frames);
    for (const DirectJoint& joint : *plan) {
      FillJoint(joint, clock, begin, end, width, cursors, made.rows);
    }
  }
  return made;
}

}  // namespace limber::mocap::internal
