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
  int num_iterations = 0;
};

/// The algorithm of [Gilbert, Johnson, Keerthi 1988] on the convex hulls of the
/// corners. Stops early, with a lower bound of the distance and no points, when
/// that bound exceeds `stop_beyond`.
CoreDistance Gjk(const Polytope& a, const Polytope& b, double stop_beyond);

}  // namespace limber::dynamics::internal
