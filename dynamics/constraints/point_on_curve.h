// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <memory>

#include "dynamics/constraints/link.h"
#include "dynamics/curve.h"

namespace limber::dynamics {

/// Point A of one body slides on a curve c(s) fixed in another (its owner).
/// Near the parameter that the last step ended at, with tangent t and normals
/// u, v there, the curve is a graph over its tangent; two rows in axes of the
/// owner, x the place of A seen from it:
///
///     s(x):  t . (x - c(s)) = 0
///     C   = (u . (x - c(s)), v . (x - c(s)))
///     g_u = u - (u . c_s) / (t . c_s) t,      C_u'' = g_u . (x'' - c_ss s'^2)
///
/// C is 0 exactly on the curve. After each step s moves along and (t, u, v)
/// turn with it without twist. When A leaves the curve's domain the constraint
/// switches itself off [Barenbrug 2000, 4.1.3]; to hold A at the end instead,
/// add a PointToPoint there.
class PointOnCurve : public Link {
 public:
  /// @param s  where on the curve A is or shall go; `ClosestStart` finds it.
  /// @throws std::invalid_argument if `curve` is null, s outside its domain,
  ///         the curve has no tangent there, or both are on one body.
  PointOnCurve(const BodyPoint& point, BodyId owner,
               std::shared_ptr<const Curve> curve, double s);
  static double ClosestStart(BodyMotions bodies, const BodyPoint& point,
                             BodyId owner, const Curve& curve);

  /// Parameter at the end of the last step, brought into a periodic domain.
  double s() const { return s_; }
  bool left_domain() const { return left_domain_; }

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  void AfterStep(BodyMotions bodies, double time) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  double Solve(const Vector3& x) const;
  void TurnAxes();

  BodyPoint point_;
  BodyId owner_;
  std::shared_ptr<const Curve> curve_;
  double s_;
  bool left_domain_ = false;
  Vector3 t_ = Vector3::Zero();
  Vector3 u_ = Vector3::Zero();
  Vector3 v_ = Vector3::Zero();
};

}  // namespace limber::dynamics
