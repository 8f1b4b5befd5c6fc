// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/collision/internal/polytope.h"

namespace limber::dynamics::internal {

/// Nearest points of two sets of corners (radii not counted), in the frame in
/// which both are given.
struct CoreDistance {
  double distance = 0.0;  ///< Zero: they touch or overlap.
  Vector3 a = Vector3::Zero();
  Vector3 b = Vector3::Zero();
  Vector3 normal = Vector3::UnitY();  ///< From a to b, where distance > 0.
  /// A simplex of their difference holds the origin: they surely overlap.
  bool overlapped = false;
  /// False when the simplex became too flat for rounding (segments nearly
  /// parallel to faces): then a and b are near the answer, not at it.
  bool certain = true;
};

/// The algorithm of [Gilbert, Johnson, Keerthi 1988] on the convex hulls of the
/// corners. Stops early, with a lower bound of the distance and no points, when
/// that bound exceeds `stop_beyond`.
CoreDistance Gjk(const Polytope& a, const Polytope& b, double stop_beyond);

/// The same for sets that are apart, by every corner with every face and every
/// edge with every edge. Slow; does not see an edge that runs through a face.
CoreDistance NearestFeatures(const Polytope& a, const Polytope& b);

}  // namespace limber::dynamics::internal
