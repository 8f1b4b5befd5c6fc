// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "dynamics/body_motion.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics {

// Checks of arguments that throw std::invalid_argument naming `what` and the
// value found.

/// `v` at unit length, which must not be zero nor infinite.
inline Vector3 UnitOrThrow(const Vector3& v, const char* what) {
  const double length = v.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    internal::ThrowBadValue(what, "a direction", internal::ToText(v));
  }
  return v / length;
}

inline void RequireTwoBodies(BodyId a, BodyId b, const char* what) {
  if (a == b) {
    internal::ThrowBadValue(what, "between two bodies",
                            "body " + std::to_string(a.value) + " twice");
  }
}

/// +inf passes.
inline void RequireNotNegative(double value, const char* what) {
  if (!(value >= 0.0)) {
    internal::ThrowBadValue(what, "zero or positive", value);
  }
}

inline void RequireFinite(double value, const char* what) {
  if (!std::isfinite(value)) internal::ThrowBadValue(what, "finite", value);
}

}  // namespace limber::dynamics
