// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/constraints/body_point.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// A spring with a damper between point A of one body and point B of another.
/// With x = |p_WB - p_WA| the points are drawn together by
///
///     f = stiffness (x - rest_length) + damping x'                  [N]
///
/// along the line between them, and pushed apart where f < 0. Implicit: see
/// docs/dynamics.md, section "Forces".
struct SpringDamperSettings {
  double stiffness = 0.0;    ///< c [N/m], zero or positive.
  double damping = 0.0;      ///< d [N s/m], zero or positive.
  double rest_length = 0.0;  ///< l0 [m], zero or positive.
  /// Puts x + (h/2) x' in the place of x, the mean length over a step that
  /// holds f and moves by x += h x' + h^2 x''/2 [Barenbrug 2000, 4.2.1]: such a
  /// step then neither gains nor loses amplitude. It counts in `AddForces`
  /// alone: the rows of a World know better.
  bool predict_half_step = false;
};

class SpringDamper : public Force {
 public:
  /// @throws std::invalid_argument for negative or non-finite settings, or two
  ///         points on one body.
  SpringDamper(const BodyPoint& a, const BodyPoint& b,
               const SpringDamperSettings& settings);

  const SpringDamperSettings& settings() const { return settings_; }
  void set_settings(const SpringDamperSettings& settings);
  /// The f of the last step, or call of AddForces [N].
  double force() const { return force_; }

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;
  std::span<const BodyId> bodies() const override { return bodies_; }
  void BeginStep(BodyMotions bodies, const Mobility& mobility,
                 double h) override;
  void AddRows(BodyMotions bodies, RowBuffer& rows) const override;
  void TakeForces(std::span<const double> row_forces) override;
  bool OnlyResists() const override { return settings_.stiffness == 0.0; }
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  BodyPoint a_;
  BodyPoint b_;
  std::array<BodyId, 2> bodies_;
  SpringDamperSettings settings_;
  double force_ = 0.0;
  // Of the step under way.
  enum class Mode { kMean, kEnd, kEndAcross };
  Mode mode_ = Mode::kMean;
  double start_ = 0.0;             ///< x - l0 at its start [m].
  std::array<Vector3, 3> axes_;    ///< Along the line, and across it.
  double stiffness_across_ = 0.0;  ///< f / x [N/m].
};

}  // namespace limber::dynamics
