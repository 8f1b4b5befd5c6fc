// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/body_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/internal/nearest_rotation.h"

namespace limber::mocap::internal {

namespace {

/// Joints of the reference body in the rest pose, from the pelvis.
const std::array<Vector3, kNumSegments>& RestPlaces() {
  static const std::array<Vector3, kNumSegments> places = [] {
    std::array<Vector3, kNumSegments> made;
    made[0].setZero();
    for (int j = 1; j < kNumSegments; ++j) {
      made[j] = made[Body()[j].parent] + Body()[j].offset;
    }
    return made;
  }();
  return places;
}

}  // namespace

std::optional<SimilarityFit> FitRestPose(std::span<const SetMarker> markers,
                                         std::span<const Vector3> observed) {
  std::vector<int> used;
  std::size_t in_set = 0;
  for (std::size_t m = 0; m < markers.size(); ++m) {
    const int j = markers[m].segment;
    const bool is_arm =
        j >= kLeftUpperArm && j <= kRightHand && j != kRightClavicle;
    if (is_arm) continue;
    ++in_set;
    if (IsSeen(observed[m])) used.push_back(static_cast<int>(m));
  }
  // A trunk alone may have no more than four.
  constexpr std::size_t kLeast = 6;
  constexpr std::size_t kLeastOfPart = 4;
  if (used.size() < std::max(kLeastOfPart, std::min(kLeast, in_set))) {
    return std::nullopt;
  }
  // s R = Σ b aᵀ in its nearest similarity: s = tr(Rᵀ B) / Σ |a|².
  Vector3 from_mean = Vector3::Zero();
  Vector3 to_mean = Vector3::Zero();
  const auto rest = [&markers](int m) {
    return Vector3(RestPlaces()[markers[m].segment] + markers[m].at);
  };
  for (const int m : used) {
    from_mean += rest(m) / double(used.size());
    to_mean += observed[m] / double(used.size());
  }
  Matrix3 B = Matrix3::Zero();
  double from_spread = 0.0;
  double to_spread = 0.0;
  for (const int m : used) {
    const Vector3 a = rest(m) - from_mean;
    const Vector3 b = observed[m] - to_mean;
    B += b * a.transpose();
    from_spread += a.squaredNorm();
    to_spread += b.squaredNorm();
  }
  SimilarityFit fit;
  fit.R = NearestRotation(B);
  fit.scale = (fit.R.transpose() * B).trace() / from_spread;
  if (!(fit.scale > 0) || !(to_spread > 0)) return std::nullopt;
  fit.t = to_mean - fit.scale * fit.R * from_mean;
  double misfit = 0.0;
  for (const int m : used) {
    misfit += (fit.scale * fit.R * rest(m) + fit.t - observed[m]).squaredNorm();
  }
  fit.misfit = std::sqrt(misfit / to_spread);
  return fit;
}

}  // namespace limber::mocap::internal
