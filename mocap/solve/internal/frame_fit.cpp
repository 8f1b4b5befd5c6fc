// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/frame_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mocap/solve/internal/nearest_rotation.h"

namespace limber::mocap::internal {

namespace {

/// Keeps directions that nothing observes where they are [1/rad² or 1/m²].
constexpr double kTraceDamping = 1e-3;

}  // namespace

FrameFitter::Outcome FrameFitter::Fit(const Actor& actor,
                                      std::span<const Vector3> observed,
                                      const Weighting& weighting,
                                      const BodyPose* pull,
                                      const BlockWeights& pull_weights,
                                      int max_iterations, double step_tolerance,
                                      BodyPose& pose) {
  for (int j = 0; j < kNumSegments; ++j) {
    system_.SetFixed(j + 1, !actor.moves[j]);
  }
  std::array<Vector3, kNumBlocks> x;
  BodyPose last = pose;
  double last_cost = std::numeric_limits<double>::infinity();
  double damping = kTraceDamping;
  Outcome outcome;
  for (int i = 0; i < max_iterations; ++i) {
    kinematics_.Update(actor.p_PJ, pose);
    system_.Clear();
    double cost =
        AddFrame(actor, kinematics_, pose, observed, weighting, system_);
    if (pull != nullptr) cost += AddPull(pose, *pull, pull_weights, system_);
    outcome.iterations = i + 1;
    if (cost > last_cost * (1 + 1e-9)) {
      // Back, and a shorter step from there.
      pose = last;
      damping = std::max(10 * damping, 1.0);
      kinematics_.Update(actor.p_PJ, pose);
      system_.Clear();
      AddFrame(actor, kinematics_, pose, observed, weighting, system_);
      if (pull != nullptr) AddPull(pose, *pull, pull_weights, system_);
      if (damping > 1e9) break;
    } else {
      last = pose;
      last_cost = cost;
      damping = std::max(0.1 * damping, kTraceDamping);
    }
    system_.Factor(damping);
    system_.Solve(x);
    double largest = 0.0;
    for (const Vector3& step : x) {
      largest = std::max(largest, step.cwiseAbs().maxCoeff());
    }
    // A rotation step beyond half a radian leaves the linear region.
    constexpr double kLongestStep = 0.5;
    if (largest > kLongestStep) {
      for (Vector3& step : x) step *= kLongestStep / largest;
    }
    Move(pose, x);
    if (largest < step_tolerance) break;
  }
  kinematics_.Update(actor.p_PJ, pose);
  outcome.cost = last_cost;
  return outcome;
}

bool GuessPose(const Actor& actor, std::span<const Vector3> observed,
               BodyPose& pose) {
  // Where every marker is in the rest pose.
  BodyKinematics rest;
  rest.Update(actor.p_PJ, BodyPose::Rest());
  // The pelvis: its own markers count most; those of chest and thighs help
  // when it has few.
  std::vector<Vector3> from;
  std::vector<Vector3> to;
  std::vector<double> weights;
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (!IsSeen(observed[m])) continue;
    const ActorMarker& marker = actor.markers[m];
    double weight = 0.0;
    if (marker.segment == kPelvis) weight = 1.0;
    if (marker.segment == kSpine || marker.segment == kChest) weight = 0.1;
    if (marker.segment == kLeftUpperLeg || marker.segment == kRightUpperLeg) {
      weight = 0.02;
    }
    if (weight == 0.0) continue;
    from.push_back(rest.p_WJ[marker.segment] + marker.p_JM);
    to.push_back(observed[m]);
    weights.push_back(weight);
  }
  if (from.size() < 3) return false;
  Vector3 from_mean = Vector3::Zero();
  Vector3 to_mean = Vector3::Zero();
  double total = 0.0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    from_mean += weights[k] * from[k];
    to_mean += weights[k] * to[k];
    total += weights[k];
  }
  from_mean /= total;
  to_mean /= total;
  Matrix3 B = Matrix3::Zero();
  for (std::size_t k = 0; k < from.size(); ++k) {
    B += weights[k] * (to[k] - to_mean) * (from[k] - from_mean).transpose();
  }
  const Matrix3 R_WR = NearestRotation(B);
  pose = BodyPose::Rest();
  pose.R_PJ[kPelvis] = Quaternion(R_WR).normalized();
  pose.p_WR = to_mean - R_WR * from_mean;

  // Down the tree: the best rotation about each joint, B = Σ b aᵀ + μ R_WP.
  constexpr double kPreference = 0.02;  // [m²], against markers 0.1 m away.
  std::array<Matrix3, kNumSegments> R_WJ;
  std::array<Vector3, kNumSegments> p_WJ;
  R_WJ[kPelvis] = R_WR;
  p_WJ[kPelvis] = pose.p_WR;
  for (int j = 1; j < kNumSegments; ++j) {
    const int p = Body()[j].parent;
    p_WJ[j] = p_WJ[p] + R_WJ[p] * actor.p_PJ[j];
    Matrix3 sum = Matrix3::Zero();
    double size = 0.0;
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      if (actor.markers[m].segment != j || !IsSeen(observed[m])) continue;
      const Vector3& a = actor.markers[m].p_JM;
      sum += (observed[m] - p_WJ[j]) * a.transpose();
      size += a.squaredNorm();
    }
    R_WJ[j] = R_WJ[p];
    if (size > 0) R_WJ[j] = NearestRotation(sum + kPreference * size * R_WJ[p]);
    pose.R_PJ[j] =
        Quaternion(Matrix3(R_WJ[p].transpose() * R_WJ[j])).normalized();
  }
  return true;
}

bool FitFromScratch(const Actor& actor, std::span<const Vector3> observed,
                    const Weighting& weighting, FrameFitter& fitter,
                    BodyPose& pose) {
  if (!GuessPose(actor, observed, pose)) return false;
  Weighting wide = weighting;
  // From 30 cm down: first every marker pulls, then bad ones let go.
  for (const double scale : {30.0, 10.0}) {
    wide.robust_scale = std::max(scale, weighting.robust_scale);
    fitter.Fit(actor, observed, wide, nullptr, {}, 12, 1e-3, pose);
  }
  fitter.Fit(actor, observed, weighting, nullptr, {}, 20, 1e-5, pose);
  return true;
}

Misfit MeasureMisfit(const Actor& actor, const BodyKinematics& kinematics,
                     std::span<const Vector3> observed) {
  Misfit misfit;
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (!IsSeen(observed[m])) continue;
    const ActorMarker& marker = actor.markers[m];
    misfit.mean_square +=
        (kinematics.p_WJ[marker.segment] +
         kinematics.R_WJ[marker.segment] * marker.p_JM - observed[m])
            .squaredNorm();
    ++misfit.count;
  }
  if (misfit.count > 0) misfit.mean_square /= misfit.count;
  return misfit;
}

}  // namespace limber::mocap::internal
