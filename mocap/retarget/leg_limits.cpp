// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/leg_limits.h"

#include <algorithm>

#include "figure/pose_metrics.h"

namespace limber::mocap {

LegLimits::LegLimits(const HumanBody& body,
                     const std::vector<figure::Pose>& poses) {
  if (!body.figure) return;
  for (int side = 0; side < 2; ++side) {
    const figure::LegPlan& plan = body.plan.legs[side];
    const std::array<int, 3> joints = {plan.thigh, plan.shank, plan.foot};
    for (const figure::FigureSegment& segment : body.figure->segments) {
      for (int j = 0; j < 3; ++j) {
        if (segment.joint == joints[j]) anchors_[side][j] = &segment.anchor;
      }
    }
    for (int j = 0; j < 3; ++j) {
      if (anchors_[side][j] == nullptr) continue;
      for (const figure::Pose& pose : poses) {
        allowed_[side][j] = std::max(
            allowed_[side][j],
            figure::LimitViolation(*anchors_[side][j], pose.X_PJ[joints[j]].R));
      }
    }
  }
}

double LegLimits::Excess(int side, const LegTurn& turn) const {
  const std::array<const Quaternion*, 3> R = {&turn.thigh, &turn.shank,
                                              &turn.foot};
  double excess = 0.0;
  for (int j = 0; j < 3; ++j) {
    if (anchors_[side][j] == nullptr) continue;
    excess =
        std::max(excess, figure::LimitViolation(*anchors_[side][j], *R[j]) -
                             allowed_[side][j]);
  }
  return excess;
}

}  // namespace limber::mocap
