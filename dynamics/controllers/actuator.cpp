// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/controllers/actuator.h"

#include <algorithm>

#include "dynamics/internal/arguments.h"
#include "dynamics/internal/pair_force.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {
namespace {

// The point of `body` that is at `p_WA` now.
BodyPoint PointAt(BodyMotions bodies, BodyId body, const Vector3& p_WA) {
  const BodyMotion& motion = MotionOf(bodies, body);
  return {body, motion.R_WB.transpose() * (p_WA - motion.p_WB)};
}

}  // namespace

void Actuator::set_limit(double limit) {
  RequireNotNegative(limit, "Actuator: limit");
  limit_ = limit;
}

void Actuator::Apply(double value, BodyMotions bodies, ForceBuffer& forces) {
  applied_ = std::clamp(value, -limit_, limit_);
  AddForces(applied_, bodies, forces);
}

LineActuator::LineActuator(const BodyPoint& a, const BodyPoint& b)
    : a_(a), b_(b) {
  RequireTwoBodies(a.body, b.body, "LineActuator");
}

void LineActuator::AddForces(double value, BodyMotions bodies,
                             ForceBuffer& forces) {
  const UnitMotion d =
      MotionOfUnit(MotionOfPoint(bodies, a_), MotionOfPoint(bodies, b_));
  AddPairForce(a_, b_, value * d.n, forces);
}

AxisForceActuator::AxisForceActuator(const BodyPoint& point, BodyId frame,
                                     const Vector3& axis_B)
    : point_(point),
      frame_(frame),
      axis_(UnitOrThrow(axis_B, "AxisForceActuator: axis_B")) {
  RequireTwoBodies(point.body, frame, "AxisForceActuator");
}

void AxisForceActuator::AddForces(double value, BodyMotions bodies,
                                  ForceBuffer& forces) {
  const Vector3 p_WA = MotionOfPoint(bodies, point_).position;
  AddPairForce(PointAt(bodies, frame_, p_WA), point_,
               value * (MotionOf(bodies, frame_).R_WB * axis_), forces);
}

void TorqueActuator::AddForces(double value, BodyMotions bodies,
                               ForceBuffer& forces) {
  AddPairTorque(angle_.carrier(), angle_.body(),
                value * angle_.Evaluate(bodies).gradient, forces);
}

void JointActuator::AddForces(double value, BodyMotions bodies,
                              ForceBuffer& forces) {
  // q' = row_linear . d_v + row_angular . d_w, so the wrench value * row does
  // the work value * q'.
  JointForm form;
  joint_->Evaluate(MotionOf(bodies, joint_->parent()),
                   MotionOf(bodies, joint_->child()), form);
  const JointForm::Free& free = form.free[static_cast<std::size_t>(k_)];
  AddPairForce(PointAt(bodies, joint_->parent(), form.parent_point),
               PointAt(bodies, joint_->child(), form.child_point),
               value * free.row_linear, forces);
  AddPairTorque(joint_->parent(), joint_->child(), value * free.row_angular,
                forces);
}

}  // namespace limber::dynamics
