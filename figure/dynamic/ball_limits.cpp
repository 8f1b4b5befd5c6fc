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
constexpr double kMostRoom = 1.2;    // [rad]

// The sine of what is left to a limit, d: with it the errors of rows are smooth
// functions of the rotation, also at the gimbal lock. Limits that are far away
// and such that are far passed stay as far, and so passed.
struct Room {
  double f = 0.0;
  double slope = 0.0;
};
Room RoomOf(double d) {
  constexpr double kLinear = -0.25 * kPi;
  if (d >= 0.5 * kPi) return {1.0, 0.0};
  if (d >= kLinear) return {std::sin(d), std::cos(d)};
  const double slope = std::cos(kLinear);
  return {std::sin(kLinear) + slope * (d - kLinear), slope};
}

// Of the angles that are q but for whole turns the one nearest to the middle of
// the limits.
double Wound(double q, const AnchorAxis& axis) {
  const double middle = 0.5 * (axis.lower + axis.upper);
  if (!std::isfinite(middle)) return q;
  return q + 2.0 * kPi * std::round((middle - q) / (2.0 * kPi));
}

}  // namespace

BallLimits::BallLimits(dynamics::BodyId parent, dynamics::BodyId child,
                       const Anchor& anchor)
    : bodies_{parent, child},
      R_PF_(anchor.R_PF),
      R_BM_(anchor.R_JM),
      axes_(anchor.axes) {
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

// The most by which a limit is passed. What turns q0 and q2 against each other
// near the gimbal lock is a small turn, what changes their sum (q1 > 0) or
// difference is none: with t = tan(pi/4 - |q1|/2) and the sign of q1
//
//     q0' + sign q2' = w . (x + sign t b)
double BallLimits::Passed(const std::array<double, 3>& q, double c1,
                          double s1) const {
  const auto beyond = [](double lower, double value, double upper) {
    return std::max({0.0, lower - value, value - upper});
  };
  const auto& [x, y, z] = axes_;
  double sum = s1 > 0.0
                   ? beyond(x.lower + z.lower, q[0] + q[2], x.upper + z.upper)
                   : beyond(x.lower - z.upper, q[0] - q[2], x.upper - z.lower);
  const double t = c1 / (1.0 + std::abs(s1));
  sum /= std::sqrt(1.0 + t * t);
  return std::max({sum, c1 * beyond(x.lower, q[0], x.upper),
                   beyond(y.lower, q[1], y.upper),
                   c1 * beyond(z.lower, q[2], z.upper)});
}

BallLimits::Angles BallLimits::Describe(const Quaternion& R_FM) const {
  const Matrix3 R = R_FM.toRotationMatrix();
  Angles angles;
  angles.s1 = std::clamp(R(0, 2), -1.0, 1.0);
  angles.c1 = std::hypot(R(0, 0), R(0, 1));
  const double q0 = std::atan2(-R(1, 2), R(2, 2));
  const double q1 = std::atan2(angles.s1, angles.c1);
  const double q2 = std::atan2(-R(0, 1), R(0, 0));
  angles.c0 = std::cos(q0);
  angles.s0 = std::sin(q0);
  angles.q = {Wound(q0, axes_[0]), q1, Wound(q2, axes_[2])};
  const double passed = Passed(angles.q, angles.c1, angles.s1);
  if (passed == 0.0) return angles;
  const std::array<double, 3> other = {Wound(q0 + kPi, axes_[0]),
                                       std::copysign(kPi, q1) - q1,
                                       Wound(q2 + kPi, axes_[2])};
  angles.over = Passed(other, angles.c1, angles.s1) < passed;
  if (angles.over) angles.q = other;
  return angles;
}

// With w = sum q_k' a_k in F, a_0 = x, a_1 = (0, c0, s0) and the third row
// (0, -s0, c0) = b at right angles to both, |q1| <= pi/2:
//
//     q0' = w . (x - tan(q1) b) ,   q1' = w . a_1 ,   q2' = w . b / cos(q1)
//
//     C = f(d) cos(q1), d = sign (q0 - angle):
//     C' = sign f' w . (c1 x - s1 b) - f s1 w . a_1
//
// In the other description q1' and cos(q1) have the other sign.
BallLimits::Value BallLimits::Measure(const Limit& limit,
                                      const Angles& angles) {
  const auto& [q, c0, s0, c1, s1, over] = angles;
  const Vector3 a1(0.0, c0, s0);
  const Vector3 b(0.0, -s0, c0);
  const double side = over ? -1.0 : 1.0;
  const double d =
      limit.sign * (q[static_cast<std::size_t>(limit.axis)] - limit.angle);
  if (limit.axis == 1) return {d, side * limit.sign * a1};
  const auto [f, slope] = RoomOf(d);
  const Vector3 along =
      limit.axis == 0 ? Vector3(c1 * Vector3::UnitX() - s1 * b) : b;
  return {side * f * c1, side * (limit.sign * slope * along - f * s1 * a1)};
}

void BallLimits::AddRows(BodyMotions bodies, double, RowBuffer& rows) const {
  const BodyMotion& parent = MotionOf(bodies, bodies_[0]);
  const BodyMotion& child = MotionOf(bodies, bodies_[1]);
  const Quaternion R_WF = parent.q_WB * R_PF_;
  const Quaternion R_FM = R_WF.conjugate() * child.q_WB * R_BM_;
  const Vector3 w = child.w_WB - parent.w_WB;
  const Vector3 w_F = R_WF.conjugate() * w;
  if (num_active() == 0) return;
  // (J V)' with V held: the gradient turns with F and with the joint.
  const double probe = 1e-5 / (1.0 + w_F.norm());
  const Angles now = Describe(R_FM);
  const Angles after = Describe(ExpRotation(probe * w_F) * R_FM);
  const Angles before = Describe(ExpRotation(-probe * w_F) * R_FM);
  for (const Limit& limit : limits_) {
    if (!limit.active) continue;
    const Value value = Measure(limit, now);
    const Vector3 gradient_W = R_WF * value.gradient;
    const Vector3 later = Measure(limit, after).gradient;
    const Vector3 earlier = Measure(limit, before).gradient;
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
  const Angles angles = Describe(R_FM);
  for (Limit& limit : limits_) {
    const Value value = Measure(limit, angles);
    const double approach = std::max(0.0, -value.gradient.dot(w_F));
    // Opposite limits have no say, however near the gimbal lock brings them:
    // their rows would be those of q1 once more.
    const double d =
        limit.sign *
        (angles.q[static_cast<std::size_t>(limit.axis)] - limit.angle);
    limit.active = value.error < kNear + kLookAhead * approach &&
                   (limit.axis == 1 || d < kMostRoom);
  }
}

bool BallLimits::Foresee(BodyMotions bodies, double by) {
  const BodyMotion& parent = MotionOf(bodies, bodies_[0]);
  const BodyMotion& child = MotionOf(bodies, bodies_[1]);
  const Angles angles =
      Describe((parent.q_WB * R_PF_).conjugate() * child.q_WB * R_BM_);
  bool any = false;
  for (Limit& limit : limits_) {
    if (limit.active || Measure(limit, angles).error >= -by) continue;
    limit.active = any = true;
  }
  return any;
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
