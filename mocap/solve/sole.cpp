// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/sole.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace limber::mocap {

Sole SoleOf(const Actor& actor) {
  // On the reference body [m].
  constexpr Sole kReference = {
      .height = -0.075, .heel = -0.06, .ball = 0.13, .half_width = 0.035};
  return {actor.scale * kReference.height, actor.scale * kReference.heel,
          actor.scale * kReference.ball, actor.scale * kReference.half_width};
}

double LowestSole(const Actor& actor, const BodyPose& pose) {
  BodyKinematics kinematics;
  kinematics.Update(actor.p_PJ, pose);
  const Sole sole = SoleOf(actor);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Segment foot : {kLeftFoot, kRightFoot}) {
    for (const double z : {sole.heel, sole.ball}) {
      const Vector3 p_JS(0, sole.height, z);
      lowest = std::min(
          lowest, (kinematics.p_WJ[foot] + kinematics.R_WJ[foot] * p_JS).y());
    }
  }
  return lowest;
}

double FindFloor(const Actor& actor, std::span<const BodyPose> poses) {
  if (poses.empty()) return 0.0;
  std::vector<double> lowest;
  for (const BodyPose& pose : poses) lowest.push_back(LowestSole(actor, pose));
  const auto at = lowest.begin() + std::ptrdiff_t(lowest.size() / 20);
  std::ranges::nth_element(lowest, at);
  return *at;
}

}  // namespace limber::mocap
