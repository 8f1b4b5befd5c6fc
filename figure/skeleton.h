// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"

namespace limber::figure {

/// One joint J of a skeleton. In the rest pose every joint frame is parallel
/// to the world frame, so the offset alone places the joint.
struct Joint {
  std::string name;                  ///< UTF-8; may repeat or be empty.
  int parent = -1;                   ///< Index of the parent P; -1 = root.
  Vector3 offset = Vector3::Zero();  ///< p_PJ in the rest pose [m].
};

/// A point S fixed to a joint: the end of a bone (BVH "End Site"), later also
/// markers and contact points. It has a place but no motion of its own.
struct Site {
  std::string name;                  ///< UTF-8; often empty.
  int joint = 0;                     ///< Index of the joint J that carries it.
  Vector3 offset = Vector3::Zero();  ///< p_JS [m].
};

/// The fixed part of a figure: which joints there are, how they hang together
/// and how long the bones are. Immutable and shared; parents come before their
/// children, several roots are allowed. Names need not be unique, because
/// files exist in which they are not; joints are identified by index.
class Skeleton {
 public:
  /// @throws std::invalid_argument naming the field and its value if there is
  ///         no joint, a parent does not come before its child, a site names
  ///         no joint, or an offset is not finite.
  static std::shared_ptr<const Skeleton> Make(std::vector<Joint> joints,
                                              std::vector<Site> sites = {});

  int num_joints() const { return static_cast<int>(joints_.size()); }
  const std::vector<Joint>& joints() const { return joints_; }
  const Joint& joint(int index) const { return joints_[index]; }
  const std::vector<Site>& sites() const { return sites_; }
  bool is_root(int index) const { return joints_[index].parent < 0; }

  /// Index of the first joint of this name (letters must match exactly), or
  /// -1.
  int Find(std::string_view name) const;

  /// Joints from a root to the leaves, every parent directly followed by the
  /// subtree of its first child and so on: the order in which nested formats
  /// write them.
  std::vector<int> DepthFirstOrder() const;

 private:
  Skeleton(std::vector<Joint> joints, std::vector<Site> sites);

  std::vector<Joint> joints_;
  std::vector<Site> sites_;
};

/// Extent of the rest pose along each axis, over joints and sites [m].
Vector3 RestExtent(const Skeleton& skeleton);

}  // namespace limber::figure
