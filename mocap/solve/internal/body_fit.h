// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "mocap/solve/marker_set.h"

namespace limber::mocap::internal {

/// The reference body's rest pose laid over one frame:
/// p_W = scale · R p_rest + t, by least squares over trunk, head and legs.
struct SimilarityFit {
  double scale = 1.0;
  Matrix3 R = Matrix3::Identity();
  Vector3 t = Vector3::Zero();
  /// Root mean square misfit over the spread of the markers; 0 is perfect.
  double misfit = 0.0;
};

/// Nothing if fewer than six of these markers are seen, or of a set with fewer
/// of them fewer than all, at least four. A person who sits or
/// kneels fits badly; that is what `misfit` tells.
std::optional<SimilarityFit> FitRestPose(std::span<const SetMarker> markers,
                                         std::span<const Vector3> observed);

}  // namespace limber::mocap::internal
