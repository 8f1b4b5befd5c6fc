// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "core/math.h"

namespace limber::dynamics {

/// A box along the axes of its frame [m]. The default is empty: it overlaps
/// nothing, and extending it gives the box of what it was extended by. Sides
/// may be infinite (the box of a plane).
struct BoundingBox {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Vector3 min = Vector3::Constant(kInfinity);
  Vector3 max = Vector3::Constant(-kInfinity);

  void Extend(const Vector3& point) {
    min = min.cwiseMin(point);
    max = max.cwiseMax(point);
  }
  void Extend(const BoundingBox& other) {
    min = min.cwiseMin(other.min);
    max = max.cwiseMax(other.max);
  }
  /// Larger by `margin` [m] on every side.
  BoundingBox Grown(double margin) const {
    return {min - Vector3::Constant(margin), max + Vector3::Constant(margin)};
  }
  /// Touching counts.
  bool Overlaps(const BoundingBox& other) const {
    return (min.array() <= other.max.array()).all() &&
           (other.min.array() <= max.array()).all();
  }
  bool Contains(const BoundingBox& other) const {
    return (min.array() <= other.min.array()).all() &&
           (other.max.array() <= max.array()).all();
  }
};

}  // namespace limber::dynamics
