// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "mocap/solve/actor.h"
#include "mocap/solve/body.h"
#include "mocap/solve/internal/tree_system.h"

namespace limber::mocap::internal {

/// How residuals are weighed against each other.
struct Weighting {
  /// Standard deviation of a marker about its place on the segment [m].
  double sigma_marker = 0.01;
  /// Scale c of the robust loss, in sigmas; infinite for plain squares.
  double robust_scale = 5.0;
  /// How far a joint may pass its limit [rad].
  double sigma_limit = 0.05;
};

/// Geman-McClure: ½ρ(x²) = ½ c²x²/(c²+x²), with weight w = ∂ρ/∂(x²) =
/// (c²/(c²+x²))².
struct RobustLoss {
  double cost = 0.0;    ///< ½ρ
  double weight = 1.0;  ///< w
};
RobustLoss GemanMcClure(double x_squared, double c);

/// Half the weighted sum of squares of one frame:
///
///     ½ Σ_m w_m ρ(|p_WM − m|² / σ²) + ½ Σ_j prior_j(R_PJ)
double FrameCost(const Actor& actor, const BodyKinematics& kinematics,
                 const BodyPose& pose, std::span<const Vector3> observed,
                 const Weighting& weighting);

/// Adds gradient and Gauss-Newton matrix of `FrameCost` to `system`, which was
/// cleared, and returns the cost.
double AddFrame(const Actor& actor, const BodyKinematics& kinematics,
                const BodyPose& pose, std::span<const Vector3> observed,
                const Weighting& weighting, TreeSystem& system);

/// The pull of `pose` towards `target`, with one weight per block:
/// ½ Σ w_b |e_b|², e_b = Log(R_target⁻¹ R), or the translation's difference.
using BlockWeights = std::array<double, kNumBlocks>;
double AddPull(const BodyPose& pose, const BodyPose& target,
               const BlockWeights& weights, TreeSystem& system);
double PullCost(const BodyPose& pose, const BodyPose& target,
                const BlockWeights& weights);

/// Moves `pose` by the step `x`: p_WR += x_0, R_PJ ← R_PJ Exp(x_{j+1}).
void Move(BodyPose& pose, const std::array<Vector3, kNumBlocks>& x);

/// x with b = Move(a, x).
void Difference(const BodyPose& a, const BodyPose& b,
                std::array<Vector3, kNumBlocks>& x);

}  // namespace limber::mocap::internal
