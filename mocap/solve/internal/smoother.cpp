// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/smoother.h"

#include <algorithm>

#include "mocap/solve/internal/sweep_inverse.h"

namespace limber::mocap::internal {

namespace {

/// Frames solved together, and how far a window looks beyond its end: at
/// 120 Hz half a second, in which the influence of the future fades.
constexpr std::int64_t kWindow = 240;
constexpr std::int64_t kLookAhead = 48;
/// A step is the last when it is shorter than this [rad]: what remains is a
/// tenth of it.
constexpr double kSettled = 5e-3;
constexpr int kMostSteps = 4;

}  // namespace

Smoother::Smoother(const Actor& actor, const Weighting& weighting,
                   const BlockWeights& weights)
    : actor_(actor), weighting_(weighting), weights_(weights) {
  blocks_.push_back(0);
  for (int j = 0; j < kNumSegments; ++j) {
    system_.SetFixed(j + 1, !actor.moves[j]);
    if (actor.moves[j]) blocks_.push_back(j + 1);
  }
}

double Smoother::Improve(const Observations& observed, std::int64_t begin,
                         std::int64_t end, int max_iterations,
                         double step_tolerance, std::vector<BodyPose>& poses) {
  const int count = static_cast<int>(blocks_.size());
  const int n = 3 * count;
  const std::size_t length = std::size_t(end - begin);
  const BlockTree& tree = Blocks();
  std::array<int, kNumBlocks> place{};
  VectorX w(n);
  for (int k = 0; k < count; ++k) {
    place[blocks_[k]] = 3 * k;
    w.segment<3>(3 * k).setConstant(weights_[blocks_[k]]);
  }
  inverse_.resize(std::max(inverse_.size(), length));
  y_.resize(std::max(y_.size(), length));
  std::array<Vector3, kNumBlocks> step;
  MatrixX S(n, n);
  VectorX x(n);
  double largest = 0.0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    for (std::size_t k = 0; k < length; ++k) {
      const std::int64_t t = begin + std::int64_t(k);
      BodyPose& pose = poses[t];
      kinematics_.Update(actor_.p_PJ, pose);
      system_.Clear();
      AddFrame(actor_, kinematics_, pose, observed.frame(t), weighting_,
               system_);
      // g of the temporal term: w Log towards each neighbour.
      if (t > 0) AddPull(pose, poses[t - 1], weights_, system_);
      if (t + 1 < end) AddPull(pose, poses[t + 1], weights_, system_);
      S.setZero();
      VectorX& y = y_[k];
      y.resize(n);
      for (const int b : blocks_) {
        y.segment<3>(place[b]) = -system_.g(b);
        for (int d = 0; d <= tree.depth[b]; ++d) {
          const int a = tree.path[b][d];
          if (system_.is_fixed(a)) continue;
          // Rows of b, columns of its ancestor: the lower triangle.
          S.block<3, 3>(place[b], place[a]) = system_.H(b, d).transpose();
        }
      }
      // Keeps directions that nothing observes in place, as in one frame.
      S.diagonal().array() += 1e-3;
      if (k > 0) {
        const MatrixX& before = inverse_[k - 1];
        for (int c = 0; c < n; ++c) {
          S.col(c).tail(n - c) -=
              w[c] * w.tail(n - c).cwiseProduct(before.col(c).tail(n - c));
        }
        y += w.cwiseProduct(before * y_[k - 1]);
      }
      InvertBySweeps(S, panel_);
      inverse_[k] = S;
    }
    largest = 0.0;
    for (std::size_t k = length; k-- > 0;) {
      if (k + 1 < length) y_[k] += w.cwiseProduct(x);
      x = inverse_[k] * y_[k];
      step.fill(Vector3::Zero());
      for (const int b : blocks_) step[b] = x.segment<3>(place[b]);
      largest = std::max(largest, x.cwiseAbs().maxCoeff());
      Move(poses[begin + std::int64_t(k)], step);
    }
    if (largest < step_tolerance) break;
  }
  return largest;
}

void SmoothTake(const Actor& actor, const Observations& observed,
                const Weighting& weighting, const BlockWeights& weights,
                const std::function<void(double)>& progress,
                std::vector<BodyPose>& poses) {
  Smoother smoother(actor, weighting, weights);
  const std::int64_t frames = observed.num_frames();
  for (std::int64_t begin = 0; begin < frames; begin += kWindow) {
    const std::int64_t end = std::min(frames, begin + kWindow + kLookAhead);
    smoother.Improve(observed, begin, end, kMostSteps, kSettled, poses);
    if (progress) progress(double(end) / double(frames));
    if (end == frames) break;
  }
}

}  // namespace limber::mocap::internal
