// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/point_on_curve.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamics/constraints/internal/seen_row.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

PointOnCurve::PointOnCurve(const BodyPoint& point, BodyId owner,
                           std::shared_ptr<const Curve> curve, double s)
    : Link("PointOnCurve", {owner, point.body}),
      point_(point),
      owner_(owner),
      curve_(std::move(curve)),
      s_(s) {
  RequireTwoBodies(point.body, owner, "PointOnCurve");
  if (!curve_) throw std::invalid_argument("PointOnCurve: curve is null");
  if (!curve_->domain().Contains(s)) {
    throw std::invalid_argument("PointOnCurve: s outside the domain, is " +
                                std::to_string(s));
  }
  u_ = AnyPerpendicular(
      UnitOrThrow(curve_->Evaluate(s).first, "PointOnCurve: tangent at s"));
  TurnAxes();
}

double PointOnCurve::ClosestStart(BodyMotions bodies, const BodyPoint& point,
                                  BodyId owner, const Curve& curve) {
  return curve.ClosestParameter(SeeFrom(bodies, owner, point).x);
}

// Newton on t . (x - c(s)) = 0 from the last parameter.
double PointOnCurve::Solve(const Vector3& x) const {
  // A step moves A little along a smooth curve: three rounds are usual.
  constexpr int kMaxRounds = 20;
  double s = s_;
  for (int round = 0; round < kMaxRounds; ++round) {
    const CurvePoint c = curve_->Evaluate(s);
    const double slope = t_.dot(c.first);
    // Past a quarter turn the graph over the tangent ends; stay where we are.
    if (!(slope > 0.0)) return s_;
    const double step = t_.dot(x - c.position) / slope;
    s += step;
    if (std::abs(step) <= 1e-15 * (1.0 + std::abs(s))) break;
  }
  return s;
}

void PointOnCurve::AddRows(BodyMotions bodies, double /*time*/,
                           RowBuffer& rows) const {
  const SeenPoint seen = SeeFrom(bodies, owner_, point_);
  const CurvePoint c = curve_->Evaluate(Solve(seen.x));
  const double slope = t_.dot(c.first);
  const double s_rate = t_.dot(seen.rate) / slope;
  for (const Vector3* normal : {&u_, &v_}) {
    const Vector3 g = *normal - normal->dot(c.first) / slope * t_;
    AddSeenRow(bodies, owner_, point_.body, seen,
               normal->dot(seen.x - c.position), g,
               -g.dot(c.second) * s_rate * s_rate, LengthSettings(), rows);
  }
}

void PointOnCurve::AfterStep(BodyMotions bodies, double /*time*/) {
  const ParameterRange domain = curve_->domain();
  const double s = Solve(SeeFrom(bodies, owner_, point_).x);
  if (!domain.Contains(s)) {
    left_domain_ = true;
    set_enabled(false);
    return;
  }
  s_ = domain.Bring(s);
  TurnAxes();
}

// The tangent at s, and u turned into its normal plane the shortest way.
void PointOnCurve::TurnAxes() {
  const Vector3 tangent = curve_->Evaluate(s_).first;
  const double length = tangent.norm();
  if (!(length > 0.0)) return;  // A cusp: keep the axes until it is passed.
  t_ = tangent / length;
  const Vector3 u = u_ - t_.dot(u_) * t_;
  u_ = u.norm() > 1e-6 ? Vector3(u.normalized()) : AnyPerpendicular(t_);
  v_ = t_.cross(u_);
}

void PointOnCurve::SaveMemory(std::vector<double>& memory) const {
  memory.insert(memory.end(), {s_, left_domain_ ? 1.0 : 0.0, t_.x(), t_.y(),
                               t_.z(), u_.x(), u_.y(), u_.z()});
}

std::span<const double> PointOnCurve::RestoreMemory(
    std::span<const double> memory) {
  s_ = memory[0];
  left_domain_ = memory[1] != 0.0;
  t_ = Vector3(memory[2], memory[3], memory[4]);
  u_ = Vector3(memory[5], memory[6], memory[7]);
  v_ = t_.cross(u_);
  return memory.subspan(8);
}

}  // namespace limber::dynamics
