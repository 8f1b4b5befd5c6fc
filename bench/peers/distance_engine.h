// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/math.h"
#include "dynamics/collision/shape.h"

namespace limber::bench {

struct CollisionPair {
  dynamics::ShapePointer a;
  dynamics::ShapePointer b;
  Transform X_WA;
  Transform X_WB;
};

/// A library that measures the signed distance of two convex shapes. The pairs
/// are carried into its own objects first, outside the timing.
class DistanceEngine {
 public:
  virtual ~DistanceEngine() = default;
  virtual std::string name() const = 0;
  virtual void Prepare(const std::vector<CollisionPair>& pairs) = 0;
  /// Of the prepared pair; NaN where the library has no answer [m].
  virtual double SignedDistance(int pair) = 0;
};

/// libccd, FCL and Bullet, those whose packages are there.
std::vector<std::unique_ptr<DistanceEngine>> PeerDistanceEngines();

}  // namespace limber::bench
