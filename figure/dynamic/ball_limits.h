// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/angle_limits.h"
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
///
/// One rotation has many descriptions: q0 and q2 may differ by whole turns, and
///
///     (q0, q1, q2)   and   (q0 + pi, pi - q1, q2 + pi)
///
/// are the same. Of these the one counts that passes the limits least: a limb
/// that is 2 degrees beyond the gimbal lock is asked to come back the way it
/// went, and not by half a turn on the other side.
class BallLimits : public dynamics::AngleLimits {
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
  bool Foresee(dynamics::BodyMotions bodies, double by) override;
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
  /// How a rotation R_FM is described: q as above, and what its gradients need
  /// of the description with |q1| <= pi/2.
  struct Angles {
    std::array<double, 3> q;
    double c0 = 1.0, s0 = 0.0, c1 = 1.0, s1 = 0.0;
    bool over = false;  ///< q is the other description.
  };
  /// Error and gradient in F of one limit.
  struct Value {
    double error = 0.0;
    Vector3 gradient = Vector3::Zero();
  };
  Angles Describe(const Quaternion& R_FM) const;
  double Passed(const std::array<double, 3>& q, double c1, double s1) const;
  static Value Measure(const Limit& limit, const Angles& angles);

  std::array<dynamics::BodyId, 2> bodies_;
  Quaternion R_PF_;
  Quaternion R_BM_;
  std::array<AnchorAxis, 3> axes_;
  std::vector<Limit> limits_;
  double softness_ = 0.0;
};

}  // namespace limber::figure
