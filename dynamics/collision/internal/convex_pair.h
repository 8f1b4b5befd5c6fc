// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/collision/internal/patch.h"
#include "dynamics/collision/internal/polytope.h"

namespace limber::dynamics::internal {

/// Both in one frame, that of A. `is_box` allows the short list of axes.
struct ConvexPair {
  const Polytope& a;
  const Polytope& b;
  bool boxes = false;
};

/// Nearest points of the rounded sets, or the ends of the least translation.
struct PairDistance {
  double distance = 0.0;
  Vector3 a = Vector3::Zero();
  Vector3 b = Vector3::Zero();
  Vector3 normal = Vector3::UnitY();  ///< Unit, from A to B.
};

/// Exact; above `stop_beyond` only a lower bound, without points.
PairDistance DistanceOf(const ConvexPair& pair, double stop_beyond);

/// Fills `out` (cleared first) with the points nearer than `margin`.
void CollideConvex(const ConvexPair& pair, double margin, ClipScratch& scratch,
                   Patch& out);

}  // namespace limber::dynamics::internal
