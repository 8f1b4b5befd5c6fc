// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/raw_controller.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace limber::figure {

using dynamics::FreeRotationJoint;
using dynamics::PoweredAxis;
using dynamics::World;

namespace {

double Decay(double tau, double h) {
  return tau > 0.0 ? std::exp(-h / tau) : 0.0;
}

// 0 * infinity is limp: a motor without torque stays without it.
double Bound(double share, double torque) {
  return share > 0.0 && torque > 0.0 ? share * torque : 0.0;
}

// Of the angles that look like `angle` the one nearest to `near`.
double Unwrapped(double angle, double near) {
  return angle + 2.0 * kPi * std::round((near - angle) / (2.0 * kPi));
}

Vector3 TurnError(const Quaternion& R, const Quaternion& R_ref) {
  return LogRotation(R * R_ref.conjugate());
}

// Of the rotation vectors of one rotation that of the sheet of `near`.
Vector3 OnSheetOf(const Vector3& e, const Vector3& near) {
  const double angle = e.norm();
  if ((e - near).norm() <= kPi || angle == 0.0) return e;
  return e * (1.0 - 2.0 * kPi / angle);
}

void SetMotor(PoweredAxis& axis, double bound, double softness) {
  axis.drive = PoweredAxis::Drive::kPosition;
  axis.max_force = bound;
  axis.softness = softness;
  axis.target_speed = 0.0;
  axis.friction = 0.0;
}

}  // namespace

Vector3 NextError(const Vector3& e_now, const Vector3& e_before, double rho,
                  double max_pull) {
  const double size = e_now.norm();
  const Vector3 shift = size > max_pull
                            ? Vector3((1.0 - max_pull / size) * e_now)
                            : Vector3(Vector3::Zero());
  return shift + 2.0 * rho * (e_now - shift) - rho * rho * (e_before - shift);
}

double NextError(double e_now, double e_before, double rho, double max_pull) {
  const double shift = e_now - std::clamp(e_now, -max_pull, max_pull);
  return shift + 2.0 * rho * (e_now - shift) - rho * rho * (e_before - shift);
}

std::optional<Transform> AngleServo::Program(const ArticulatedFigure& figure,
                                             const World& world, int s,
                                             const Situation& situation,
                                             const Demand& demand, double h) {
  dynamics::Joint& joint = figure.joint(s);
  const Anchor& anchor = figure.segment(s).anchor;
  const Strength& strength = demand.strength[Index(s)];
  const double rho = Decay(strength.time_constant, h);
  for (int k = 0; k < anchor.num_axes(); ++k) {
    PoweredAxis& axis = joint.axis(k);
    const double most = anchor.axes[Index(k)].max_torque;
    SetMotor(axis, Bound(strength.torque, most), 0.0);
    // A motor without bound has no measure for its friction.
    axis.friction = std::isfinite(most) ? strength.friction * most : 0.0;
    axis.damping = strength.damping;
  }
  if (anchor.kind == AnchorKind::kBall) {
    const auto in_joint = [&anchor, s](const SegmentPose& X_PB) {
      return Quaternion(anchor.R_PF.conjugate() * X_PB[Index(s)].R *
                        anchor.R_JM);
    };
    const Quaternion R_FM = in_joint(situation.now);
    const Vector3 e_now = TurnError(R_FM, in_joint(demand.now));
    const Vector3 e_before = OnSheetOf(
        TurnError(in_joint(situation.before), in_joint(demand.before)), e_now);
    // Axis by axis: one that cannot move must not slow down the others.
    Vector3 e_next;
    for (int k = 0; k < 3; ++k) {
      e_next[k] = NextError(e_now[k], e_before[k], rho, max_pull);
    }
    const Quaternion target = ExpRotation(e_next) * in_joint(demand.after);
    const Vector3 excess =
        anchor.R_PF.conjugate() * situation.turn_excess[Index(s)];
    static_cast<FreeRotationJoint&>(joint).set_target(
        (ExpRotation(-excess) * target).normalized());
    if (strength.torque == 0.0) return std::nullopt;
    return Transform{
        (anchor.R_PF * target * anchor.R_JM.conjugate()).normalized(),
        situation.now[Index(s)].p};
  }
  // Hinge and universal joint: coordinate by coordinate.
  const AnchorAngles before = MeasureAnchor(anchor, demand.before[Index(s)].R);
  const AnchorAngles now = MeasureAnchor(anchor, demand.now[Index(s)].R);
  const AnchorAngles after = MeasureAnchor(anchor, demand.after[Index(s)].R);
  const AnchorAngles past = MeasureAnchor(anchor, situation.before[Index(s)].R);
  std::array<double, 3> target = {0.0, 0.0, 0.0};
  for (int k = 0; k < anchor.num_axes(); ++k) {
    const double q = joint.Position(world.motions(), k);
    const double q_past = Unwrapped(past.q[Index(k)], q);
    const double q_now = Unwrapped(now.q[Index(k)], q);
    const double q_before = Unwrapped(before.q[Index(k)], q_now);
    const double q_after = Unwrapped(after.q[Index(k)], q_now);
    const double e_now = q - q_now;
    const double e_before = q_past - q_before;
    target[Index(k)] = q_after + NextError(e_now, e_before, rho, max_pull);
  }
  const Quaternion R_PB = RotationOfAnchor(anchor, target);
  const AnchorAngles aim = MeasureAnchor(
      anchor, ExpRotation(-situation.turn_excess[Index(s)]) * R_PB);
  for (int k = 0; k < anchor.num_axes(); ++k) {
    joint.axis(k).target_position =
        Unwrapped(aim.q[Index(k)], target[Index(k)]);
  }
  if (strength.torque == 0.0) return std::nullopt;
  return Transform{R_PB, situation.now[Index(s)].p};
}

std::optional<Transform> AngleSpring::Program(const ArticulatedFigure& figure,
                                              const World& world, int s,
                                              const Situation&,
                                              const Demand& demand, double h) {
  dynamics::Joint& joint = figure.joint(s);
  const Anchor& anchor = figure.segment(s).anchor;
  const Strength& strength = demand.strength[Index(s)];
  const double share = strength.torque + strength.friction;
  const Quaternion& R_before = demand.before[Index(s)].R;
  const Quaternion& R_after = demand.after[Index(s)].R;
  const Vector3 w_F = anchor.R_PF.conjugate() *
                      (LogRotation(R_after * R_before.conjugate()) / (2.0 * h));
  const AnchorAngles before = MeasureAnchor(anchor, R_before);
  const AnchorAngles after = MeasureAnchor(anchor, R_after);
  for (int k = 0; k < anchor.num_axes(); ++k) {
    PoweredAxis& axis = joint.axis(k);
    axis.drive = PoweredAxis::Drive::kSpring;
    axis.stiffness = stiffness;
    axis.damping = damping;
    axis.softness = 0.0;
    axis.max_force = Bound(share, anchor.axes[Index(k)].max_torque);
    if (anchor.kind == AnchorKind::kBall) {
      axis.target_speed = w_F[k];
      continue;
    }
    const double q = joint.Position(world.motions(), k);
    axis.target_position = Unwrapped(after.q[Index(k)], q);
    axis.target_speed = (axis.target_position -
                         Unwrapped(before.q[Index(k)], axis.target_position)) /
                        (2.0 * h);
  }
  if (anchor.kind == AnchorKind::kBall) {
    static_cast<FreeRotationJoint&>(joint).set_target(
        (anchor.R_PF.conjugate() * R_after * anchor.R_JM).normalized());
  }
  return std::nullopt;
}

std::optional<Transform> NoControl::Program(const ArticulatedFigure& figure,
                                            const World&, int s,
                                            const Situation&, const Demand&,
                                            double) {
  dynamics::Joint& joint = figure.joint(s);
  for (int k = 0; k < joint.num_free(); ++k) {
    joint.axis(k).drive = PoweredAxis::Drive::kNone;
  }
  return std::nullopt;
}

RootServo RootServo::Helping(double mass) {
  RootServo servo;
  servo.max_force.setConstant(mass * kGravity);
  servo.max_torque.setConstant(2.0 * mass * kGravity);
  servo.softness = 1.0 / (0.05 * mass);
  servo.turn_softness = 1.0 / (0.27 * mass);
  servo.time_constant = 0.1;
  return servo;
}

std::optional<Transform> RootServo::Program(const ArticulatedFigure& figure,
                                            const World&, int s,
                                            const Situation& situation,
                                            const Demand& demand, double h) {
  auto& joint = static_cast<dynamics::FreeJoint&>(figure.joint(s));
  const Strength& strength = demand.strength[Index(s)];
  const double rho = Decay(time_constant > 0.0 && !std::isinf(strength.torque)
                               ? time_constant
                               : strength.time_constant,
                           h);
  const Transform& before = demand.before[Index(s)];
  const Transform& now = demand.now[Index(s)];
  const Transform& after = demand.after[Index(s)];
  const Transform& X_WB = situation.now[Index(s)];
  const Transform& X_WB_before = situation.before[Index(s)];
  const Vector3 turn_now = TurnError(X_WB.R, now.R);
  const Vector3 turn_before =
      OnSheetOf(TurnError(X_WB_before.R, before.R), turn_now);
  const Quaternion turn_target =
      (ExpRotation(NextError(turn_now, turn_before, rho, max_turn_pull)) *
       after.R)
          .normalized();
  joint.set_target((ExpRotation(-situation.turn_excess[Index(s)]) * turn_target)
                       .normalized());
  const Vector3 e_now = X_WB.p - now.p;
  const Vector3 e_before = X_WB_before.p - before.p;
  const Vector3 target = after.p + NextError(e_now, e_before, rho, max_pull);
  // An unbounded strength is exact: nothing gives way.
  const bool rigid = std::isinf(strength.torque);
  bool exact = true;
  for (int k = 0; k < 6; ++k) {
    PoweredAxis& axis = joint.axis(k);
    const bool turns = k < 3;
    const double most = turns ? max_torque[k] : max_force[k - 3];
    const double soft = turns ? turn_softness : softness;
    SetMotor(axis, Bound(strength.torque, most), rigid ? 0.0 : soft);
    if (!driven[Index(k)]) axis.drive = PoweredAxis::Drive::kNone;
    if (!turns) {
      axis.target_position =
          target[k - 3] - situation.shift_excess[Index(s)][k - 3];
    }
    exact = exact && driven[Index(k)] && axis.softness == 0.0;
  }
  if (!exact) return std::nullopt;
  return Transform{turn_target, target};
}

}  // namespace limber::figure
