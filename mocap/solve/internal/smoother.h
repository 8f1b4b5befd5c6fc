// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mocap/solve/internal/frame_equations.h"

namespace limber::mocap::internal {

/// Solves all frames of a stretch together:
///
///     min  Σ_t FrameCost(q_t) + ½ Σ_t Σ_b w_b |Log(q_t⁻¹ q_{t+1})_b|²
///
/// by Gauss-Newton steps. With A_t the matrix of frame t and W = diag(w), each
/// step is a block tridiagonal system
///
///     −W x_{t−1} + A_t x_t − W x_{t+1} = −g_t
///
/// eliminated forward: S_t = A_t − W S_{t−1}⁻¹ W,  y_t = −g_t + W S_{t−1}⁻¹
/// y_{t−1}, and back: x_t = S_t⁻¹ (y_t + W x_{t+1}).
class Smoother {
 public:
  Smoother(const Actor& actor, const Weighting& weighting,
           const BlockWeights& weights);

  /// Improves poses [begin, end); the pose before `begin`, if there is one, is
  /// held. Returns the longest last step [rad or m].
  double Improve(const Observations& observed, std::int64_t begin,
                 std::int64_t end, int max_iterations, double step_tolerance,
                 std::vector<BodyPose>& poses);

 private:
  const Actor& actor_;
  Weighting weighting_;
  BlockWeights weights_;
  std::vector<int> blocks_;  ///< That are unknowns.
  TreeSystem system_;
  BodyKinematics kinematics_;
  std::vector<MatrixX> inverse_;  ///< S_t⁻¹
  std::vector<VectorX> y_;
  MatrixX panel_;
};

/// `Smoother` over a take of any length, window after window, each looking a
/// little beyond its end, so that memory stays small. `progress` may be empty.
void SmoothTake(const Actor& actor, const Observations& observed,
                const Weighting& weighting, const BlockWeights& weights,
                const std::function<void(double)>& progress,
                std::vector<BodyPose>& poses);

}  // namespace limber::mocap::internal
