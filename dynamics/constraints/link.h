// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "dynamics/constraint.h"
#include "dynamics/constraints/body_point.h"

namespace limber::dynamics {

/// A constraint that is not a joint and whose rows share one set of settings.
class Link : public Constraint {
 public:
  std::span<const BodyId> bodies() const final { return bodies_; }

  /// Bounds, softness and policy of every row; hard and two-sided by default.
  /// One-sided links keep their own bounds. `angular` is set by the link.
  const RowSettings& settings() const { return settings_; }
  /// @throws std::invalid_argument unless lo <= hi and softness >= 0.
  void set_settings(const RowSettings& settings);

 protected:
  /// Repeated bodies and the ground are dropped.
  /// @throws std::invalid_argument, naming `kind`, if no body is left: at
  ///         least one must be able to move.
  Link(const char* kind, std::initializer_list<BodyId> bodies);
  Link(const char* kind, std::span<const BodyPoint> points);

  RowSettings LengthSettings() const;  ///< `settings` for a row in metres.
  RowSettings AngleSettings() const;   ///< `settings` for a row in radians.

 private:
  void AddBody(BodyId body);
  void CheckMovable(const char* kind) const;

  std::vector<BodyId> bodies_;
  RowSettings settings_;
};

}  // namespace limber::dynamics
