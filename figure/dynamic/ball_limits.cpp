// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/ball_limits.h"

#include <algorithm>
#include <cmath>

namespace limber::figure {

using dynamics::BodyMotion;
using dynamics::BodyMotions;
using dynamics::RowBuffer;
using dynamics::RowSettings;

namespace {

// A limit gets its row when it would be met within this time, plus this angle:
// what the impact of a fall turns a limb by in a step of 1/240 s that began at
// rest (30 rad/s).
constexpr double kLookAhead = 0.03;  // [s]
constexpr double kNear = 0.125;      // [rad]

}  // namespace

BallLimits::BallLimits(dynamics::BodyId parent, dynamics::BodyId child,
                       const Anchor& anchor)
    : bodies_{parent, child}, R_PF_(anchor.R_PF), R_BM_(anchor.R_JM) {
  for (int k = 0; k < 3; ++k) {
    const AnchorAxis& axis = anchor.axes[static_cast<std::size_t>(k)];
    if (std::isfinite(axis.lower)) limits_.push_back({k, 1.0, axis.lower});
    if (std::isfinite(axis.upper)) limits_.push_back({k, -1.0, axis.upper});
  }
}

void BallLimits::ActivateAll() {
  for (Limit& limit : limits_) limit.active = true;
}

int BallLimits::num_active() const {
  return static_cast<int>(
      std::count_if(limits_.begin(), limits_.end(),
                    [](const Limit& limit) { return limit.active; }));
}

// With w = sum q_k' a_k in F, a_0 = x, a_1 = (0, c0, s0) and the third row
// (0, -s0, c0) = b at right angles to both:
//
//     q0' = w . (x - tan(q1) b) ,   q1' = w . a_1 ,   q2' = w . b / cos(q1)
//
//     C = sign (q0 - angle) cos(q1):   C' = sign w . (c1 x - s1 b)
//                                           - sign (q0 - angle) s1 w . a_1
BallLimits::Value BallLimits::Measure(const Limit& limit,
                                      const Quaternion& R_FM) {
  const Matrix3 R = R_FM.toRotationMatrix();
  const double s1 = std::clamp(R(0, 2), -1.0, 1.0);
  const double c1 = std::hypot(R(0, 0), R(0, 1));
  const double q0 = std::atan2(-R(1, 2), R(2, 2));
  const Vector3 a1(0.0, std::cos(q0), std::sin(q0));
  const Vector3 b(0.0, -std::sin(q0), std::cos(q0));
  if (limit.axis == 1) {
    return {limit.sign * (std::atan2(s1, c1) - limit.angle), limit.sign * a1};
  }
  const double q = limit.axis == 0 ? q0 : std::atan2(-R(0, 1), R(0, 0));
  const double beyond = q - limit.angle;
  const Vector3 along =
      limit.axis == 0 ? Vector3(c1 * Vector3::UnitX() - s1 * b) : b;
  return {limit.sign * beyond * c1, limit.sign * (along - beyond * s1 * a1)};
}

void BallLimits::AddRows(BodyMotions bodies, double, RowBuffer& rows) const {
  const BodyMotion& parent = MotionOf(bodies, bodies_[0]);
  const BodyMotion& child = MotionOf(bodies, bodies_[1]);
  const Quaternion R_WF = parent.q_WB * R_PF_;
  const Quaternion R_FM = R_WF.conjugate() * child.q_WB * R_BM_;
  const Vector3 w = child.w_WB - parent.w_WB;
  const Vector3 w_F = R_WF.conjugate() * w;
  for (const Limit& limit : limits_) {
    if (!limit.active) continue;
    const Value value = Measure(limit, R_FM);
    const Vector3 gradient_W = R_WF * value.gradient;
    // (J V)' with V held: the gradient turns with F and with the joint.
    const double probe = 1e-5 / (1.0 + w_F.norm());
    const Vector3 later =
        Measure(limit, ExpRotation(probe * w_F) * R_FM).gradient;
    const Vector3 earlier =
        Measure(limit, ExpRotation(-probe * w_F) * R_FM).gradient;
    const double bias = w.dot(parent.w_WB.cross(gradient_W)) +
                        w_F.dot(later - earlier) / (2.0 * probe);
    RowSettings settings;
    settings.lo = 0.0;
    settings.angular = true;
    settings.softness = softness_;
    rows.Add(value.error, 0.0, bias, settings);
    rows.Touch(bodies_[0], Vector3::Zero(), -gradient_W);
    rows.Touch(bodies_[1], Vector3::Zero(), gradient_W);
  }
}

void BallLimits::AfterStep(BodyMotions bodies, double) {
  const BodyMotion& parent = MotionOf(bodies, bodies_[0]);
  const BodyMotion& child = MotionOf(bodies, bodies_[1]);
  const Quaternion R_WF = parent.q_WB * R_PF_;
  const Quaternion R_FM = R_WF.conjugate() * child.q_WB * R_BM_;
  const Vector3 w_F = R_WF.conjugate() * (child.w_WB - parent.w_WB);
  for (Limit& limit : limits_) {
    const Value value = Measure(limit, R_FM);
    const double approach = std::max(0.0, -value.gradient.dot(w_F));
    limit.active = value.error < kNear + kLookAhead * approach;
  }
}

void BallLimits::SaveMemory(std::vector<double>& memory) const {
  for (const Limit& limit : limits_) memory.push_back(limit.active ? 1.0 : 0.0);
}

std::span<const double> BallLimits::RestoreMemory(
    std::span<const double> memory) {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    limits_[i].active = memory[i] != 0.0;
  }
  return memory.subspan(limits_.size());
}

}  // namespace limber::figure
