// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/bend_spread.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "mocap/solve/internal/draft.h"
#include "mocap/solve/internal/frame_fit.h"
#include "mocap/solve/internal/motion_evidence.h"

namespace limber::mocap {

namespace {

/// Draws, and frames that each body is calibrated from and follows.
constexpr int kDraws = 5;
constexpr int kFrames = 40;

/// The take at some frames, with the points that were used.
struct Sample {
  PreparedTake take;
  std::vector<BodyPose> poses;
};

Sample TakeSample(const PreparedTake& take, const TakeSolution& solution) {
  const std::vector<std::int64_t> frames =
      internal::SpreadFrames(solution.used, kFrames);
  Sample sample;
  sample.take.rate_hz = take.rate_hz;
  sample.take.markers = take.markers;
  sample.take.columns = take.columns;
  sample.take.observed = internal::FramesOf(solution.used, frames);
  for (const std::int64_t t : frames) {
    sample.poses.push_back(solution.poses[std::size_t(t)]);
  }
  return sample;
}

/// The markers where somebody else might have put them.
std::vector<SetMarker> Drawn(const std::vector<SetMarker>& markers,
                             std::mt19937& random) {
  std::vector<SetMarker> drawn = markers;
  std::normal_distribution<double> normal;
  for (SetMarker& marker : drawn) {
    for (int k = 0; k < 3; ++k) marker.at[k] += marker.spread * normal(random);
  }
  return drawn;
}

double Variance(const std::vector<double>& values) {
  double mean = 0.0;
  for (const double value : values) mean += value / double(values.size());
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / double(values.size());
}

/// The variance over the frames of the sample of what the bend of each joint
/// has more where `actor` follows the points than the sample has.
std::vector<double> Variances(const Sample& sample, const Actor& actor,
                              const std::vector<UnsureJoint>& joints) {
  internal::FrameFitter fitter;
  const internal::Weighting weighting;
  std::vector<std::vector<double>> off(joints.size());
  for (std::size_t t = 0; t < sample.poses.size(); ++t) {
    BodyPose pose = sample.poses[t];
    constexpr int kSteps = 20;
    constexpr double kSettled = 1e-4;  // [rad], [m]
    fitter.Fit(actor, sample.take.observed.frame(std::int64_t(t)), weighting,
               nullptr, {}, kSteps, kSettled, pose);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const int j = joints[k].segment;
      off[k].push_back(MeasureJoint(j, pose.R_PJ[j]).flexion -
                       MeasureJoint(j, sample.poses[t].R_PJ[j]).flexion);
    }
  }
  std::vector<double> variances;
  for (const std::vector<double>& of_joint : off) {
    variances.push_back(Variance(of_joint));
  }
  return variances;
}

}  // namespace

std::vector<UnsureJoint> MeasureBendSpread(const PreparedTake& take,
                                           const Calibration& calibration,
                                           const TakeSolution& solution) {
  const Sample sample = TakeSample(take, solution);
  if (sample.poses.size() < 2) return {};
  std::vector<UnsureJoint> joints;
  for (const int j :
       {kLeftUpperLeg, kRightUpperLeg, kLeftLowerLeg, kRightLowerLeg, kLeftFoot,
        kRightFoot, kLeftForearm, kRightForearm}) {
    if (calibration.actor.moves[j]) joints.push_back({j, 0.0});
  }
  CalibrationOptions options;
  options.max_candidates = kFrames;
  options.max_frames = 20;
  options.max_iterations = 10;
  options.max_refits = 1;
  std::mt19937 random(1);
  std::vector<std::vector<double>> of_joint(joints.size());
  for (int draw = 0; draw < kDraws; ++draw) {
    PreparedTake drawn = sample.take;
    drawn.markers = Drawn(take.markers, random);
    const Result<Calibration> other = Calibrate(drawn, nullptr, "", options);
    if (!other.ok()) continue;
    const std::vector<double> variances =
        Variances(sample, other->actor, joints);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      of_joint[k].push_back(variances[k]);
    }
  }
  // The median: a draw that ends in a body of its own is one of several.
  for (std::size_t k = 0; k < joints.size(); ++k) {
    std::ranges::sort(of_joint[k]);
    if (!of_joint[k].empty()) {
      joints[k].sigma = std::sqrt(of_joint[k][of_joint[k].size() / 2]);
    }
  }
  return joints;
}

}  // namespace limber::mocap
