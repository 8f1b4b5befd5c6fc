// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/body_motion.h"

namespace limber::dynamics {

/// `v` at unit length. @throws std::invalid_argument naming `what` if its
/// length is zero or not finite.
inline Vector3 UnitOrThrow(const Vector3& v, const char* what) {
  const double length = v.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw std::invalid_argument(std::string(what) +
                                ": needs a finite direction, its length is " +
                                std::to_string(length));
  }
  return v / length;
}

/// @throws std::invalid_argument naming `what` if both are the same body.
inline void RequireTwoBodies(BodyId a, BodyId b, const char* what) {
  if (a == b) {
    throw std::invalid_argument(std::string(what) +
                                ": needs two bodies, found body " +
                                std::to_string(a.value) + " twice");
  }
}

/// @throws std::invalid_argument naming `what` unless value >= 0 (+inf passes).
inline void RequireNotNegative(double value, const char* what) {
  if (!(value >= 0.0)) {
    throw std::invalid_argument(std::string(what) +
                                ": must be zero or positive, is " +
                                std::to_string(value));
  }
}

/// @throws std::invalid_argument naming `what` if value is NaN or infinite.
inline void RequireFinite(double value, const char* what) {
  if (!std::isfinite(value)) {
    throw std::invalid_argument(std::string(what) + ": must be finite, is " +
                                std::to_string(value));
  }
}

/// @throws std::invalid_argument naming `what` unless 0 < value < inf.
inline void RequirePositive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument(std::string(what) +
                                ": must be positive and finite, is " +
                                std::to_string(value));
  }
}

}  // namespace limber::dynamics
