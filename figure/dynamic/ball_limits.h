// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/constraint.h"
#include "figure/figure_model.h"

namespace limber::figure {

/// Limits of a ball joint in the angles of R_FM = Rx(q0) Ry(q1) Rz(q2), kept
/// beside the joint, whose motors then turn about the fixed axes of F and have
/// no gimbal lock. With c = cos q1 the one-sided rows are
///
///     (q0 - lower) c >= 0 ,   q1 - lower >= 0 ,   (q2 - lower) c >= 0
///
/// and so for `upper`. The factor c keeps their Jacobians near length 1 for
/// every q1 and lets the limits of q0 and q2 fade where these angles lose their
/// meaning. Only limits that may be met in the next steps have rows.
class BallLimits : public dynamics::Constraint {
 public:
  /// @param anchor  of a ball; frames as `ArticulatedFigure` builds it.
  BallLimits(dynamics::BodyId parent, dynamics::BodyId child,
             const Anchor& anchor);

  /// Of every row, zero to begin with [1/(kg m^2)]. Hard rows of angles that
  /// lie almost along each other may ask for what only impulses without bound
  /// can do.
  void set_softness(double softness) { softness_ = softness; }

  /// Makes every finite limit a row, near or not.
  void ActivateAll();
  int num_active() const;

  std::span<const dynamics::BodyId> bodies() const override { return bodies_; }
  void AddRows(dynamics::BodyMotions bodies, double time,
               dynamics::RowBuffer& rows) const override;
  void AfterStep(dynamics::BodyMotions bodies, double time) override;
  bool rows_vary() const override { return true; }
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  struct Limit {
    int axis = 0;
    double sign = 1.0;  ///< 1: a lower limit, -1: an upper one.
    double angle = 0.0;
    bool active = false;
  };
  /// Error and gradient in F of one limit at the rotation R_FM.
  struct Value {
    double error = 0.0;
    Vector3 gradient = Vector3::Zero();
  };
  static Value Measure(const Limit& limit, const Quaternion& R_FM);

  std::array<dynamics::BodyId, 2> bodies_;
  Quaternion R_PF_;
  Quaternion R_BM_;
  std::vector<Limit> limits_;
  double softness_ = 0.0;
};

}  // namespace limber::figure
