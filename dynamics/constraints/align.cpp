// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/align.h"

#include <algorithm>

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/constraints/internal/orientation_form.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {
namespace {

// Adds  gradient . (w_B - w_R).
void TouchRelativeTurn(BodyMotions bodies, BodyId body, BodyId reference,
                       const Vector3& gradient, RowBuffer& rows) {
  EntrySum entries(bodies);
  entries.Turning(reference, -gradient);
  entries.Turning(body, gradient);
  entries.MoveInto(rows);
}

// The product c = b . u of a direction of body B and one of body R:
//     c' = (b x u) . (w_B - w_R)
struct Product {
  double value = 0.0;
  double rate = 0.0;
  double drift = 0.0;
  Vector3 gradient = Vector3::Zero();
};

Product ProductOf(const PointMotion& b, const PointMotion& u) {
  Product c;
  c.value = b.position.dot(u.position);
  c.rate = b.rate.dot(u.position) + b.position.dot(u.rate);
  c.drift = b.drift.dot(u.position) + 2.0 * b.rate.dot(u.rate) +
            b.position.dot(u.drift);
  c.gradient = b.position.cross(u.position);
  return c;
}

}  // namespace

AlignAxis::AlignAxis(BodyId body, const Vector3& axis_B, BodyId reference,
                     const Vector3& axis_R)
    : Link("AlignAxis", {reference, body}),
      body_(body),
      reference_(reference),
      b_(UnitOrThrow(axis_B, "AlignAxis: axis_B")),
      n_(UnitOrThrow(axis_R, "AlignAxis: axis_R")),
      u_(AnyPerpendicular(n_)),
      v_(n_.cross(u_)) {
  RequireTwoBodies(body, reference, "AlignAxis");
}

void AlignAxis::AddRows(BodyMotions bodies, double /*time*/,
                        RowBuffer& rows) const {
  const PointMotion b = MotionOfDirection(bodies, body_, b_);
  const Product z = ProductOf(b, MotionOfDirection(bodies, reference_, n_));
  // At 180 degrees C is infinite; a floor keeps the numbers usable there.
  constexpr double kSmallest = 1e-6;
  const double k = 1.0 / std::max(1.0 + z.value, kSmallest);
  for (const Vector3* normal : {&u_, &v_}) {
    const Product x =
        ProductOf(b, MotionOfDirection(bodies, reference_, *normal));
    // C = 2 x k with k = 1 / (1 + z), k' = -k^2 z'
    const double drift = 2.0 * k *
                         (x.drift - 2.0 * k * x.rate * z.rate -
                          k * x.value * (z.drift - 2.0 * k * z.rate * z.rate));
    rows.Add(2.0 * k * x.value, 0.0, drift, AngleSettings());
    TouchRelativeTurn(bodies, body_, reference_,
                      2.0 * k * (x.gradient - k * x.value * z.gradient), rows);
  }
}

AlignAxisScalar::AlignAxisScalar(BodyId body, const Vector3& axis_B,
                                 BodyId reference, const Vector3& axis_R)
    : Link("AlignAxisScalar", {reference, body}),
      body_(body),
      reference_(reference),
      b_(UnitOrThrow(axis_B, "AlignAxisScalar: axis_B")),
      n_(UnitOrThrow(axis_R, "AlignAxisScalar: axis_R")) {
  RequireTwoBodies(body, reference, "AlignAxisScalar");
}

void AlignAxisScalar::AddRows(BodyMotions bodies, double /*time*/,
                              RowBuffer& rows) const {
  const Product z = ProductOf(MotionOfDirection(bodies, body_, b_),
                              MotionOfDirection(bodies, reference_, n_));
  rows.Add(z.value - 1.0, 0.0, z.drift, AngleSettings());
  TouchRelativeTurn(bodies, body_, reference_, z.gradient, rows);
}

AlignOrientation::AlignOrientation(BodyId body, BodyId reference,
                                   const Quaternion& R_RB)
    : Link("AlignOrientation", {reference, body}),
      body_(body),
      reference_(reference),
      R_RB_(R_RB.normalized()) {
  RequireTwoBodies(body, reference, "AlignOrientation");
}

void AlignOrientation::set_R_RB(const Quaternion& R_RB) {
  R_RB_ = R_RB.normalized();
}

void AlignOrientation::AddRows(BodyMotions bodies, double /*time*/,
                               RowBuffer& rows) const {
  const OrientationForm form = FormOfOrientation(
      MotionOf(bodies, reference_), MotionOf(bodies, body_), R_RB_);
  for (int i = 0; i < 3; ++i) {
    rows.Add(form.error[i], 0.0, form.drift[i], AngleSettings());
    TouchRelativeTurn(bodies, body_, reference_,
                      form.gradient[static_cast<std::size_t>(i)], rows);
  }
}

}  // namespace limber::dynamics
