// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joint_actuator.h"

#include <stdexcept>
#include <string>

namespace limber::dynamics {
namespace {

Vector3 InBody(const BodyMotion& body, const Vector3& p_WA) {
  return body.R_WB.transpose() * (p_WA - body.p_WB);
}

}  // namespace

JointActuator::JointActuator(const Joint& joint, int k, double force)
    : joint_(&joint), k_(k), force_(force) {
  if (k < 0 || k >= joint.num_free()) {
    throw std::invalid_argument(
        "JointActuator: k must be a free direction "
        "of the joint (it has " +
        std::to_string(joint.num_free()) + "), is " + std::to_string(k));
  }
}

void JointActuator::AddForces(BodyMotions bodies, double /*time*/, double /*h*/,
                              ForceBuffer& forces) {
  if (!joint_->enabled()) return;
  const BodyId parent = joint_->parent();
  const BodyId child = joint_->child();
  JointForm form;
  joint_->Evaluate(MotionOf(bodies, parent), MotionOf(bodies, child), form);
  // q' = row . twist, so the force acts along the row: power = force q'.
  const JointForm::Free& free = form.free[static_cast<std::size_t>(k_)];
  const Vector3 f_W = force_ * free.row_linear;
  const Vector3 t_W = force_ * free.row_angular;
  forces.AddForce(child, InBody(MotionOf(bodies, child), form.child_point),
                  f_W);
  forces.AddForce(parent, InBody(MotionOf(bodies, parent), form.parent_point),
                  -f_W);
  forces.AddTorque(child, t_W);
  forces.AddTorque(parent, -t_W);
}

}  // namespace limber::dynamics
