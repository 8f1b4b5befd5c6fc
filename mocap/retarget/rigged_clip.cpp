// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/rigged_clip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace limber::mocap {

namespace {

using figure::ArmPlan;

Vector3 BoneTo(const figure::Skeleton& skeleton, int from, int to) {
  Vector3 p = Vector3::Zero();
  for (int joint = to; joint != from; joint = skeleton.joint(joint).parent) {
    p += skeleton.joint(joint).offset;
  }
  return p;
}

double Median(std::vector<double>& values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

void JudgeHands(const figure::Motion& motion, HumanBody& body) {
  constexpr std::int64_t kSamples = 200;
  const std::int64_t n = std::min(kSamples, motion.num_frames());
  if (n == 0) return;
  std::vector<std::vector<Transform>> frames;
  for (std::int64_t i = 0; i < n; ++i) {
    frames.push_back(figure::WorldTransforms(
        *body.skeleton, motion.pose(i * motion.num_frames() / n)));
  }
  for (ArmPlan& arm : body.plan.arms) {
    if (arm.hand < 0) continue;
    const Vector3 forearm = BoneTo(*body.skeleton, arm.forearm, arm.hand);
    const Vector3 palm = arm.palm.p_JQ;
    if (forearm.norm() <= 0.0 || palm.norm() <= 0.0) continue;
    const auto bend = [&](const Vector3& h) {
      std::vector<double> angles;
      for (const std::vector<Transform>& X_WJ : frames) {
        const Vector3 along = X_WJ[arm.hand].p - X_WJ[arm.forearm].p;
        const Vector3 hand = X_WJ[arm.hand].R * h;
        angles.push_back(std::atan2(along.cross(hand).norm(), along.dot(hand)));
      }
      return Median(angles);
    };
    if (bend(forearm) < bend(palm)) {
      arm.palm.p_JQ = forearm.normalized() * palm.norm();
    }
  }
}

std::optional<RiggedClip> MakeRiggedClip(const figure::Motion& motion,
                                         std::vector<figure::Role> roles) {
  figure::WorkingRig rig = figure::MakeWorkingRig(motion, roles);
  std::optional<HumanBody> body = MakeBody(rig.skeleton, std::move(roles));
  if (!body) return std::nullopt;
  // Hands as the skeleton has them: the clip judges, and not the rest pose.
  const std::optional<figure::BodyPlan> plan =
      figure::MakeBodyPlan(*rig.skeleton, body->roles);
  for (std::size_t side = 0; side < plan->arms.size(); ++side) {
    body->plan.arms[side].palm = plan->arms[side].palm;
  }
  figure::Motion working = figure::ToWorking(rig, motion);
  JudgeHands(working, *body);
  return RiggedClip{std::move(rig), std::move(working), std::move(*body)};
}

std::optional<RiggedClip> MakeRiggedClip(const figure::Motion& motion) {
  return MakeRiggedClip(motion, figure::RecogniseRoles(motion.skeleton()));
}

}  // namespace limber::mocap
