// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/point_on_surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "dynamics/constraints/internal/seen_row.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {
namespace {

// A pole of the parameters, where S_u or S_v vanishes: |S_u x S_v| below this
// share of |S_u|^2 + |S_v|^2. The forms are then taken a little off the pole.
constexpr double kPoleShare = 1e-7;
// How far off, in parts of the parameter's distance to the domain's middle.
constexpr double kPoleStep = 1e-4;

double TowardsMiddle(const ParameterRange& range, double value) {
  if (!std::isfinite(range.min) || !std::isfinite(range.max)) return value;
  return value + kPoleStep * (0.5 * (range.min + range.max) - value);
}

}  // namespace

PointOnSurface::PointOnSurface(const BodyPoint& point, BodyId owner,
                               std::shared_ptr<const Surface> surface)
    : Link("PointOnSurface", {owner, point.body}),
      point_(point),
      owner_(owner),
      surface_(std::move(surface)) {
  RequireTwoBodies(point.body, owner, "PointOnSurface");
  if (!surface_) throw std::invalid_argument("PointOnSurface: surface is null");
}

// n' . x' = -b^T G^-1 B q'
double PointOnSurface::Curvature(const Vector2& uv, const Vector3& rate,
                                 double error) const {
  SurfacePoint s = surface_->Evaluate(uv[0], uv[1]);
  Vector3 n = surface_->Normal(uv[0], uv[1]);
  if (s.d_u.cross(s.d_v).norm() <
      kPoleShare * (s.d_u.squaredNorm() + s.d_v.squaredNorm())) {
    const double u = uv[0];
    const double v = TowardsMiddle(surface_->domain_v(), uv[1]);
    s = surface_->Evaluate(u, v);
    n = surface_->Normal(u, v);
  }
  Eigen::Matrix2d G;
  G << s.d_u.dot(s.d_u), s.d_u.dot(s.d_v), s.d_u.dot(s.d_v), s.d_v.dot(s.d_v);
  Eigen::Matrix2d B;
  B << n.dot(s.d_uu), n.dot(s.d_uv), n.dot(s.d_uv), n.dot(s.d_vv);
  const Vector2 b(s.d_u.dot(rate), s.d_v.dot(rate));
  const Eigen::Matrix2d G_off = G - error * B;
  const Vector2 q_rate = G_off.inverse() * b;
  return -b.dot(G.inverse() * (B * q_rate));
}

void PointOnSurface::AddRows(BodyMotions bodies, double /*time*/,
                             RowBuffer& rows) const {
  const SeenPoint seen = SeeFrom(bodies, owner_, point_);
  const Vector2 uv = surface_->ClosestParameters(seen.x);
  const Vector3 n = surface_->Normal(uv[0], uv[1]);
  const double error = n.dot(seen.x - surface_->Position(uv[0], uv[1]));
  AddSeenRow(bodies, owner_, point_.body, seen, error, n,
             Curvature(uv, seen.rate, error), LengthSettings(), rows);
}

void PointOnSurface::AfterStep(BodyMotions bodies, double /*time*/) {
  const Vector3 x = SeeFrom(bodies, owner_, point_).x;
  parameters_ = surface_->ClosestParameters(x);
  // Inside the domain the nearest point lies straight below A; beyond an edge
  // there is an offset along the surface, too.
  const Vector3 n = surface_->Normal(parameters_[0], parameters_[1]);
  const Vector3 offset = x - surface_->Position(parameters_[0], parameters_[1]);
  const Vector3 along = offset - n.dot(offset) * n;
  // Above the error of ClosestParameters, far below a step's travel.
  constexpr double kEdgeTolerance = 1e-6;
  if (along.norm() > kEdgeTolerance * (1.0 + x.norm())) {
    left_domain_ = true;
    set_enabled(false);
  }
}

void PointOnSurface::SaveMemory(std::vector<double>& memory) const {
  memory.insert(memory.end(),
                {parameters_.x(), parameters_.y(), left_domain_ ? 1.0 : 0.0});
}

std::span<const double> PointOnSurface::RestoreMemory(
    std::span<const double> memory) {
  parameters_ = Vector2(memory[0], memory[1]);
  left_domain_ = memory[2] != 0.0;
  return memory.subspan(3);
}

}  // namespace limber::dynamics
