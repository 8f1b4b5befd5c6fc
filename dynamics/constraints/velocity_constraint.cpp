// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/velocity_constraint.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace limber::dynamics {
namespace {

// Step in time of the first difference [s]: the cube root of the rounding error
// balances truncation and cancellation.
constexpr double kTimeStep = 6e-6;

std::vector<BodyPoint> Points(const std::vector<BodyId>& bodies) {
  std::vector<BodyPoint> points;
  for (const BodyId body : bodies) points.push_back({body, Vector3::Zero()});
  return points;
}

}  // namespace

VelocityConstraint::VelocityConstraint(const std::vector<BodyId>& bodies,
                                       int num_rows, Coefficients coefficients,
                                       bool angular)
    : Link("VelocityConstraint", Points(bodies)),
      num_rows_(num_rows),
      coefficients_(std::move(coefficients)),
      angular_(angular) {
  if (num_rows < 1) {
    throw std::invalid_argument(
        "VelocityConstraint: num_rows must be 1 or more, is " +
        std::to_string(num_rows));
  }
  if (!coefficients_) {
    throw std::invalid_argument("VelocityConstraint: coefficients is empty");
  }
  if (this->bodies().size() != bodies.size()) {
    throw std::invalid_argument(
        "VelocityConstraint: bodies names a body twice or the ground");
  }
  entries_.resize(bodies.size());
  RowSettings settings;
  settings.stabilisation = Stabilisation::None();
  set_settings(settings);
}

void VelocityConstraint::Fill(BodyMotions bodies, double time, int row,
                              double& b) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i] = {this->bodies()[i].value, Vector3::Zero(), Vector3::Zero()};
  }
  b = 0.0;
  coefficients_(bodies, time, row, entries_, b);
}

// a(q + dt q', t + dt) . V + b(q + dt q', t + dt) with V as it is now.
double VelocityConstraint::SpeedAfter(BodyMotions bodies, double time, int row,
                                      double dt) const {
  for (const BodyId id : this->bodies()) {
    const BodyMotion& from = MotionOf(bodies, id);
    BodyMotion& to = moved_[static_cast<std::size_t>(id.value)];
    const Quaternion turn = ExpRotation(dt * from.w_WB);
    to = from;
    to.p_WC = from.p_WC + dt * from.v_WC;
    to.p_WB = to.p_WC + turn * (from.p_WB - from.p_WC);
    to.q_WB = (turn * from.q_WB).normalized();
    to.R_WB = to.q_WB.toRotationMatrix();
  }
  double speed = 0.0;
  Fill(moved_, time + dt, row, speed);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const BodyMotion& body = MotionOf(bodies, this->bodies()[i]);
    speed +=
        entries_[i].linear.dot(body.v_WC) + entries_[i].angular.dot(body.w_WB);
  }
  return speed;
}

void VelocityConstraint::AddRows(BodyMotions bodies, double time,
                                 RowBuffer& rows) const {
  // No other body is read: another thread may be moving it.
  moved_.resize(bodies.size());
  moved_[static_cast<std::size_t>(kGround.value)] = MotionOf(bodies, kGround);
  for (int row = 0; row < num_rows_; ++row) {
    const double acceleration_bias =
        (SpeedAfter(bodies, time, row, kTimeStep) -
         SpeedAfter(bodies, time, row, -kTimeStep)) /
        (2.0 * kTimeStep);
    double b = 0.0;
    Fill(bodies, time, row, b);
    rows.Add(0.0, b, acceleration_bias,
             angular_ ? AngleSettings() : LengthSettings());
    for (const RowBuffer::Entry& entry : entries_) {
      rows.Touch({entry.body}, entry.linear, entry.angular);
    }
  }
}

}  // namespace limber::dynamics
