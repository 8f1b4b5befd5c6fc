// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/recast.h"

#include <cmath>
#include <stdexcept>

namespace limber::figure {

std::optional<std::string> RecastObstacle(const Skeleton& from,
                                          const Skeleton& to) {
  if (from.num_joints() != to.num_joints()) {
    return "the clip has " + std::to_string(from.num_joints()) +
           " joints, the figure " + std::to_string(to.num_joints());
  }
  for (int j = 0; j < from.num_joints(); ++j) {
    const Joint& one = from.joint(j);
    const Joint& other = to.joint(j);
    if (one.name != other.name || one.parent != other.parent) {
      return "joint " + std::to_string(j) + " of the clip is \"" + one.name +
             "\", of the figure \"" + other.name + "\"";
    }
  }
  return std::nullopt;
}

Motion Recast(const Motion& clip, std::shared_ptr<const Skeleton> skeleton) {
  if (const auto obstacle = RecastObstacle(clip.skeleton(), *skeleton)) {
    throw std::invalid_argument("Recast: " + *obstacle);
  }
  Motion recast(skeleton, clip.rate_hz(), clip.source());
  Pose from;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    clip.GetPose(f, from);
    Pose to = RestPose(*skeleton);
    for (int j = 0; j < skeleton->num_joints(); ++j) {
      Transform& X_PJ = to.X_PJ[static_cast<std::size_t>(j)];
      X_PJ.R = from.X_PJ[static_cast<std::size_t>(j)].R;
      if (!skeleton->is_root(j)) continue;
      const double height = clip.skeleton().joint(j).offset.y();
      const double scale = std::abs(height) > 1e-6
                               ? skeleton->joint(j).offset.y() / height
                               : 1.0;
      X_PJ.p = scale * from.X_PJ[static_cast<std::size_t>(j)].p;
    }
    recast.Append(to);
  }
  return recast;
}

Motion Moved(const Motion& clip, const Transform& X_WA) {
  Motion moved(clip.shared_skeleton(), clip.rate_hz(), clip.source());
  Pose pose;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    clip.GetPose(f, pose);
    for (int j = 0; j < clip.skeleton().num_joints(); ++j) {
      if (!clip.skeleton().is_root(j)) continue;
      Transform& X_WJ = pose.X_PJ[static_cast<std::size_t>(j)];
      X_WJ = X_WA * X_WJ;
    }
    moved.Append(pose);
  }
  return moved;
}

}  // namespace limber::figure
