// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/unsure.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mocap/solve/internal/frame_equations.h"

namespace limber::mocap {

namespace {

constexpr std::array kBends = {kLeftUpperLeg,  kRightUpperLeg, kLeftLowerLeg,
                               kRightLowerLeg, kLeftFoot,      kRightFoot,
                               kLeftForearm,   kRightForearm};

/// The axis of a joint's bend, in the axes of its segment.
Vector3 BendAxis(int segment) {
  const JointModel& model = Body()[segment].model;
  return model.prior == JointPrior::kHinge ? model.axis : Vector3::UnitX();
}

}  // namespace

std::vector<UnsureJoint> MeasureBends(const Actor& actor,
                                      std::span<const BodyPose> poses,
                                      const Observations& used) {
  constexpr std::int64_t kLooks = 24;
  std::vector<UnsureJoint> joints;
  for (const int j : kBends) {
    if (actor.moves[j]) joints.push_back({j, 0.0});
  }
  std::vector<std::vector<double>> sigmas(joints.size());
  internal::TreeSystem system;
  BodyKinematics kinematics;
  MatrixX H;
  const auto frames = std::int64_t(poses.size());
  const std::int64_t step = std::max<std::int64_t>(1, frames / kLooks);
  for (std::int64_t t = step / 2; t < frames; t += step) {
    const BodyPose& pose = poses[std::size_t(t)];
    kinematics.Update(actor.p_PJ, pose);
    system.Clear();
    for (int j = 0; j < kNumSegments; ++j) {
      system.SetFixed(j + 1, !actor.moves[j]);
    }
    internal::AddFrame(actor, kinematics, pose, used.frame(t),
                       internal::Weighting(), system);
    system.ToDense(H);
    // What neither markers nor priors tell is open by a whole turn.
    constexpr double kAnything = 1.0 / (kPi * kPi);
    H.diagonal().array() += kAnything;
    const Eigen::LDLT<MatrixX> factors(H);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      VectorX axis = VectorX::Zero(H.rows());
      axis.segment<3>(3 * (joints[k].segment + 1)) =
          BendAxis(joints[k].segment);
      const double variance = axis.dot(VectorX(factors.solve(axis)));
      sigmas[k].push_back(std::sqrt(std::max(0.0, variance)));
    }
  }
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (sigmas[k].empty()) continue;
    const auto middle =
        sigmas[k].begin() + std::ptrdiff_t(sigmas[k].size() / 2);
    std::ranges::nth_element(sigmas[k], middle);
    joints[k].sigma = *middle;
  }
  return joints;
}

}  // namespace limber::mocap
