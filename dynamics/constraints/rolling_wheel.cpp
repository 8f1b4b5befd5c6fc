// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/rolling_wheel.h"

#include <algorithm>
#include <cmath>

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {
namespace {

// s of a disc whose axle has the part z along the normal, kept away from 0.
double SineOfLean(double z) {
  constexpr double kSmallest = 1e-6;
  return std::max(std::sqrt(std::max(1.0 - z * z, 0.0)), kSmallest);
}

}  // namespace

RollingWheel::RollingWheel(const BodyPoint& centre, const Vector3& axle_B,
                           double radius, const Vector3& plane_origin,
                           const Vector3& plane_normal)
    : Link("RollingWheel", {centre.body}),
      centre_(centre),
      axle_(UnitOrThrow(axle_B, "RollingWheel: axle_B")),
      radius_(radius),
      origin_(plane_origin),
      normal_(UnitOrThrow(plane_normal, "RollingWheel: plane_normal")) {
  internal::CheckPositive("RollingWheel: radius", radius);
}

Vector3 RollingWheel::ContactPoint(BodyMotions bodies) const {
  const BodyMotion& body = MotionOf(bodies, centre_.body);
  const Vector3 a = body.R_WB * axle_;
  const double z = normal_.dot(a);
  return body.Point(centre_.p_BA) - radius_ / SineOfLean(z) * (normal_ - z * a);
}

void RollingWheel::AddRows(BodyMotions bodies, double /*time*/,
                           RowBuffer& rows) const {
  const BodyMotion& body = MotionOf(bodies, centre_.body);
  const PointMotion c = MotionOfPoint(bodies, centre_);
  const PointMotion a = MotionOfDirection(bodies, centre_.body, axle_);
  const Vector3& n = normal_;
  const Vector3& w = body.w_WB;

  const double z = n.dot(a.position);
  const double z_rate = n.dot(a.rate);
  const double s = SineOfLean(z);
  const double s_rate = -z * z_rate / s;
  const Vector3 e = -(n - z * a.position) / s;
  // The lowest point runs along the rim: e' is not w x e.
  const Vector3 e_rate = (z_rate * a.position + z * a.rate - s_rate * e) / s;
  const Vector3 contact = c.position + radius_ * e;
  const Vector3 slip = c.rate + radius_ * w.cross(e);
  // d/dt (v_c + w x r e) at unaccelerated bodies.
  const Vector3 slip_drift = c.drift + radius_ * w.cross(e_rate);

  RowSettings contact_settings = LengthSettings();
  if (!two_sided_) contact_settings.lo = std::max(contact_settings.lo, 0.0);
  rows.Add(n.dot(c.position - origin_) - radius_ * s, 0.0, n.dot(slip_drift),
           contact_settings);
  rows.TouchPoint(bodies, centre_.body, contact, n);

  const Vector3 along = n.cross(a.position) / s;
  const Vector3 along_rate = (n.cross(a.rate) - s_rate * along) / s;
  const Vector3 tangents[] = {along, n.cross(along)};
  const Vector3 tangent_rates[] = {along_rate, n.cross(along_rate)};
  for (int i = 0; i < 2; ++i) {
    rows.Add(0.0, 0.0, tangents[i].dot(slip_drift) + tangent_rates[i].dot(slip),
             LengthSettings());
    rows.TouchPoint(bodies, centre_.body, contact, tangents[i]);
  }
}

void RollingWheel::AfterStep(BodyMotions bodies, double /*time*/) {
  const double z = normal_.dot(MotionOf(bodies, centre_.body).R_WB * axle_);
  if (SineOfLean(z) < kFlattest) set_enabled(false);
}

}  // namespace limber::dynamics
