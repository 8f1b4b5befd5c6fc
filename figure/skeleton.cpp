// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/skeleton.h"

#include <stdexcept>
#include <utility>

namespace limber::figure {

namespace {

[[noreturn]] void Refuse(const std::string& field, const std::string& why) {
  throw std::invalid_argument(field + " " + why);
}

}  // namespace

Skeleton::Skeleton(std::vector<Joint> joints, std::vector<Site> sites)
    : joints_(std::move(joints)), sites_(std::move(sites)) {}

std::shared_ptr<const Skeleton> Skeleton::Make(std::vector<Joint> joints,
                                               std::vector<Site> sites) {
  if (joints.empty()) Refuse("joints", "must not be empty");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string field = "joints[" + std::to_string(i) + "]";
    const int parent = joints[i].parent;
    if (parent < -1 || parent >= static_cast<int>(i)) {
      Refuse(field + ".parent",
             "must come before its child, found " + std::to_string(parent));
    }
    if (!joints[i].offset.allFinite()) {
      Refuse(field + ".offset", "must be finite");
    }
  }
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const std::string field = "sites[" + std::to_string(i) + "]";
    const int joint = sites[i].joint;
    if (joint < 0 || joint >= static_cast<int>(joints.size())) {
      Refuse(field + ".joint",
             "must name a joint, found " + std::to_string(joint));
    }
    if (!sites[i].offset.allFinite()) {
      Refuse(field + ".offset", "must be finite");
    }
  }
  return std::shared_ptr<const Skeleton>(
      new Skeleton(std::move(joints), std::move(sites)));
}

int Skeleton::Find(std::string_view name) const {
  for (int i = 0; i < num_joints(); ++i) {
    if (joints_[i].name == name) return i;
  }
  return -1;
}

std::vector<int> Skeleton::DepthFirstOrder() const {
  // Children as linked lists: first child of each joint, next of its siblings.
  // Filled from the back, so that the lists keep the joints' order.
  const int n = num_joints();
  std::vector<int> first(n, -1);
  std::vector<int> next(n, -1);
  int first_root = -1;
  for (int i = n - 1; i >= 0; --i) {
    int& head = is_root(i) ? first_root : first[joints_[i].parent];
    next[i] = head;
    head = i;
  }
  // Down to the first child, else up until there is a sibling.
  std::vector<int> order;
  order.reserve(n);
  int joint = first_root;
  while (joint >= 0) {
    order.push_back(joint);
    int following = first[joint];
    while (following < 0 && joint >= 0) {
      following = next[joint];
      joint = joints_[joint].parent;
    }
    joint = following;
  }
  return order;
}

Vector3 RestExtent(const Skeleton& skeleton) {
  std::vector<Vector3> p_WJ(skeleton.num_joints());
  Vector3 low = skeleton.joint(0).offset;
  Vector3 high = low;
  const auto include = [&](const Vector3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  };
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const Joint& joint = skeleton.joint(i);
    p_WJ[i] = joint.offset;
    if (joint.parent >= 0) p_WJ[i] += p_WJ[joint.parent];
    include(p_WJ[i]);
  }
  for (const Site& site : skeleton.sites()) {
    include(p_WJ[site.joint] + site.offset);
  }
  return high - low;
}

}  // namespace limber::figure
