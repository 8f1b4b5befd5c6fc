// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/function_constraint.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::dynamics {
namespace {

// Step of the first differences [m, rad, s]: the cube root of the rounding
// error balances truncation and cancellation.
constexpr double kStep = 6e-6;
// Step in time of the second difference [s]: its fourth root.
constexpr double kTimeStep = 1e-4;

std::vector<BodyPoint> Points(const std::vector<BodyId>& bodies) {
  std::vector<BodyPoint> points;
  for (const BodyId body : bodies) points.push_back({body, Vector3::Zero()});
  return points;
}

// Moves a body by `shift` of its mass centre and a turn about it.
void Displace(const BodyMotion& from, const Vector3& shift, const Vector3& turn,
              BodyMotion& to) {
  const Quaternion R = ExpRotation(turn);
  to.p_WC = from.p_WC + shift;
  to.p_WB = to.p_WC + R * (from.p_WB - from.p_WC);
  to.q_WB = (R * from.q_WB).normalized();
  to.R_WB = to.q_WB.toRotationMatrix();
}

}  // namespace

FunctionConstraint::FunctionConstraint(std::vector<BodyId> bodies, int num_rows,
                                       Error error, Jacobian jacobian,
                                       bool angular)
    : Link("FunctionConstraint", Points(bodies)),
      num_rows_(num_rows),
      error_(std::move(error)),
      jacobian_(std::move(jacobian)),
      angular_(angular) {
  if (num_rows < 1) {
    throw std::invalid_argument(
        "FunctionConstraint: num_rows must be 1 or "
        "more, is " +
        std::to_string(num_rows));
  }
  if (!error_)
    throw std::invalid_argument("FunctionConstraint: error is empty");
  if (this->bodies().size() != bodies.size()) {
    throw std::invalid_argument(
        "FunctionConstraint: bodies names a body twice or the ground");
  }
  const std::size_t n = static_cast<std::size_t>(num_rows);
  for (std::vector<double>* values :
       {&scratch_.now, &scratch_.plus, &scratch_.minus, &scratch_.still_plus,
        &scratch_.still_minus}) {
    values->resize(n);
  }
  scratch_.entries.resize(n * bodies.size());
}

std::span<RowBuffer::Entry> FunctionConstraint::Entries(int row) const {
  const std::size_t n = bodies().size();
  return {scratch_.entries.data() + static_cast<std::size_t>(row) * n, n};
}

// dPhi/d(shift, turn) of each body by central differences; `moved` holds the
// bodies as they stand and is left so.
void FunctionConstraint::FillNumericJacobian(BodyMotions bodies,
                                             double time) const {
  Scratch& s = scratch_;
  for (std::size_t b = 0; b < this->bodies().size(); ++b) {
    const BodyId id = this->bodies()[b];
    const BodyMotion& from = MotionOf(bodies, id);
    BodyMotion& to = s.moved[static_cast<std::size_t>(id.value)];
    for (int axis = 0; axis < 6; ++axis) {
      const Vector3 unit = Vector3::Unit(axis % 3);
      const Vector3 shift = axis < 3 ? unit : Vector3::Zero();
      const Vector3 turn = axis < 3 ? Vector3::Zero() : unit;
      Displace(from, kStep * shift, kStep * turn, to);
      error_(s.moved, time, s.plus);
      Displace(from, -kStep * shift, -kStep * turn, to);
      error_(s.moved, time, s.minus);
      to = from;
      for (int row = 0; row < num_rows_; ++row) {
        const std::size_t i = static_cast<std::size_t>(row);
        RowBuffer::Entry& entry = Entries(row)[b];
        (axis < 3 ? entry.linear : entry.angular)[axis % 3] =
            (s.plus[i] - s.minus[i]) / (2.0 * kStep);
      }
    }
  }
}

void FunctionConstraint::AddRows(BodyMotions bodies, double time,
                                 RowBuffer& rows) const {
  if (valid_ == 0.0) return;
  Scratch& s = scratch_;
  // No other body is read: another thread may be moving it.
  s.moved.resize(bodies.size());
  s.moved[static_cast<std::size_t>(kGround.value)] = MotionOf(bodies, kGround);
  for (const BodyId id : this->bodies()) {
    s.moved[static_cast<std::size_t>(id.value)] = MotionOf(bodies, id);
  }
  error_(bodies, time, s.now);

  for (int row = 0; row < num_rows_; ++row) {
    const std::span<RowBuffer::Entry> entries = Entries(row);
    for (std::size_t b = 0; b < entries.size(); ++b) {
      entries[b] = {this->bodies()[b].value, Vector3::Zero(), Vector3::Zero()};
    }
    if (jacobian_) jacobian_(bodies, time, row, entries);
  }
  if (!jacobian_) FillNumericJacobian(bodies, time);

  // dPhi/dt at bodies at rest; d2Phi/dt2 along unaccelerated bodies.
  error_(bodies, time + kStep, s.still_plus);
  error_(bodies, time - kStep, s.still_minus);
  const auto drift_all = [&](double dt, std::vector<double>& values) {
    for (const BodyId id : this->bodies()) {
      const BodyMotion& from = MotionOf(bodies, id);
      Displace(from, dt * from.v_WC, dt * from.w_WB,
               s.moved[static_cast<std::size_t>(id.value)]);
    }
    error_(s.moved, time + dt, values);
  };
  drift_all(kTimeStep, s.plus);
  drift_all(-kTimeStep, s.minus);

  for (int row = 0; row < num_rows_; ++row) {
    const std::size_t i = static_cast<std::size_t>(row);
    rows.Add(valid_ * s.now[i],
             valid_ * (s.still_plus[i] - s.still_minus[i]) / (2.0 * kStep),
             valid_ * (s.plus[i] - 2.0 * s.now[i] + s.minus[i]) /
                 (kTimeStep * kTimeStep),
             angular_ ? AngleSettings() : LengthSettings());
    for (const RowBuffer::Entry& entry : Entries(row)) {
      rows.Touch({entry.body}, valid_ * entry.linear, valid_ * entry.angular);
    }
  }
}

}  // namespace limber::dynamics
