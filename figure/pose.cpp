// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/pose.h"

#include <stdexcept>
#include <string>

#include "core/checkpoint.h"

namespace limber::figure {

namespace {

void CheckSameSize(const char* field, int found, int expected) {
  if (found != expected) {
    throw std::invalid_argument(std::string(field) + " has " +
                                std::to_string(found) + " joints, expected " +
                                std::to_string(expected));
  }
}

}  // namespace

Pose RestPose(const Skeleton& skeleton) {
  Pose pose;
  pose.X_PJ.reserve(skeleton.joints().size());
  for (const Joint& joint : skeleton.joints()) {
    pose.X_PJ.push_back({Quaternion::Identity(), joint.offset});
  }
  return pose;
}

std::vector<Transform> WorldTransforms(const Skeleton& skeleton,
                                       const Pose& pose) {
  std::vector<Transform> X_WJ;
  WorldTransforms(skeleton, pose, X_WJ);
  return X_WJ;
}

void WorldTransforms(const Skeleton& skeleton, const Pose& pose,
                     std::vector<Transform>& X_WJ) {
  Checkpoint();
  CheckSameSize("pose", pose.num_joints(), skeleton.num_joints());
  X_WJ.resize(pose.X_PJ.size());
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const int parent = skeleton.joint(i).parent;
    X_WJ[i] = parent < 0 ? pose.X_PJ[i] : X_WJ[parent] * pose.X_PJ[i];
  }
}

std::vector<Vector3> SitePositions(const Skeleton& skeleton,
                                   const std::vector<Transform>& X_WJ) {
  CheckSameSize("X_WJ", static_cast<int>(X_WJ.size()), skeleton.num_joints());
  std::vector<Vector3> p_WS;
  p_WS.reserve(skeleton.sites().size());
  for (const Site& site : skeleton.sites()) {
    p_WS.push_back(X_WJ[site.joint] * site.offset);
  }
  return p_WS;
}

Pose Interpolate(const Pose& a, const Pose& b, double u) {
  CheckSameSize("b", b.num_joints(), a.num_joints());
  Pose result;
  result.X_PJ.reserve(a.X_PJ.size());
  for (std::size_t i = 0; i < a.X_PJ.size(); ++i) {
    const Transform& X_a = a.X_PJ[i];
    const Transform& X_b = b.X_PJ[i];
    result.X_PJ.push_back({X_a.R.slerp(u, X_b.R), X_a.p + u * (X_b.p - X_a.p)});
  }
  return result;
}

}  // namespace limber::figure
