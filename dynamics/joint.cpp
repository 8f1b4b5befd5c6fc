// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joint.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

namespace limber::dynamics {
namespace {

// Writes rows that act on the relative twist at the points of one form.
class RelativeRows {
 public:
  RelativeRows(const JointForm& form, BodyId parent, BodyId child,
               BodyMotions bodies, RowBuffer& rows)
      : parent_(parent),
        child_(child),
        r_parent_(form.parent_point - MotionOf(bodies, parent).p_WC),
        r_child_(form.child_point - MotionOf(bodies, child).p_WC),
        rows_(rows) {}

  // J V = linear . d_v + angular . d_w
  void Add(const Vector3& linear, const Vector3& angular, double error,
           double rate_bias, double acceleration_bias,
           const RowSettings& settings) {
    rows_.Add(error, rate_bias, acceleration_bias, settings);
    rows_.Touch(parent_, -linear, -(r_parent_.cross(linear) + angular),
                r_parent_);
    rows_.Touch(child_, linear, r_child_.cross(linear) + angular, r_child_);
  }

 private:
  BodyId parent_;
  BodyId child_;
  Vector3 r_parent_;
  Vector3 r_child_;
  RowBuffer& rows_;
};

void AddDrive(const JointForm::Free& free, const PoweredAxis& axis,
              double drive_error, RelativeRows& rows) {
  RowSettings settings;
  settings.lo = -axis.max_force;
  settings.hi = axis.max_force;
  settings.softness = axis.softness;
  settings.angular = free.measures_angle;
  double error = 0.0;
  double rate_bias = 0.0;
  switch (axis.drive) {
    case PoweredAxis::Drive::kNone:
      return;
    case PoweredAxis::Drive::kSpeed:
      rate_bias = -axis.target_speed;
      settings.stabilisation = Stabilisation::None();
      settings.friction = axis.friction;
      settings.friction_damping = axis.damping;
      break;
    case PoweredAxis::Drive::kPosition:
      // Aims at the target; never a joint whose speed shall be 0.
      error = drive_error;
      settings.stabilisation = Stabilisation::Implicit();
      settings.friction = axis.friction;
      settings.friction_damping = axis.damping;
      break;
    case PoweredAxis::Drive::kSpring:
      error = drive_error;
      rate_bias = -axis.target_speed;
      settings.stabilisation =
          Stabilisation::Spring(axis.stiffness, axis.damping);
      break;
  }
  rows.Add(free.row_linear, free.row_angular, error, rate_bias,
           free.acceleration_bias, settings);
}

void AddLimits(const JointForm::Free& free, const PoweredAxis& axis,
               RelativeRows& rows) {
  if (!free.has_position) return;
  RowSettings settings;
  settings.softness = axis.limit_softness;
  settings.angular = free.measures_angle;
  if (axis.lower > -kInfinity) {
    settings.lo = 0.0;
    settings.hi = kInfinity;
    rows.Add(free.row_linear, free.row_angular, free.position - axis.lower, 0.0,
             free.acceleration_bias, settings);
  }
  if (axis.upper < kInfinity) {
    settings.lo = -kInfinity;
    settings.hi = 0.0;
    rows.Add(free.row_linear, free.row_angular, free.position - axis.upper, 0.0,
             free.acceleration_bias, settings);
  }
}

Transform WithUnitRotation(const Transform& X, const char* name) {
  const double norm = X.R.norm();
  if (!(norm > 0.0) || !std::isfinite(norm) || !X.p.allFinite()) {
    throw std::invalid_argument(std::string("Joint: ") + name +
                                " must be finite with a rotation of length 1, "
                                "has length " +
                                std::to_string(norm));
  }
  return {X.R.normalized(), X.p};
}

}  // namespace

Joint::Joint(BodyId parent, const Transform& X_PF, BodyId child,
             const Transform& X_BM, int num_free)
    : bodies_{parent, child},
      X_PF_(WithUnitRotation(X_PF, "X_PF")),
      X_BM_(WithUnitRotation(X_BM, "X_BM")),
      R_PF_(X_PF_.R.toRotationMatrix()),
      R_BM_(X_BM_.R.toRotationMatrix()),
      num_free_(num_free) {
  assert(num_free >= 0 && num_free <= 6);
  if (parent == child) {
    throw std::invalid_argument(
        "Joint: parent and child must be two bodies, both are " +
        std::to_string(parent.value));
  }
}

Vector6 Joint::DriveErrors(const JointForm& form, const BodyMotion& /*parent*/,
                           const BodyMotion& /*child*/) const {
  Vector6 errors = Vector6::Zero();
  for (int k = 0; k < num_free_; ++k) {
    const PoweredAxis& powered = axis(k);
    errors[k] =
        form.free[static_cast<std::size_t>(k)].position -
        std::clamp(powered.target_position, powered.lower, powered.upper);
  }
  return errors;
}

void Joint::set_locked_settings(const RowSettings& settings) {
  locked_settings_ = settings;
  locked_rows_hard_ =
      settings.stabilisation.policy == Stabilisation::Policy::kDefault &&
      settings.softness == 0.0 && settings.lo == -kInfinity &&
      settings.hi == kInfinity;
}

void Joint::CheckSettings() const {
  // One test for all: what is not finite or negative spoils the sum or fails
  // the comparison. Only then the field is looked for.
  for (int k = 0; k < num_free_; ++k) {
    const PoweredAxis& a = axis(k);
    // Nothing acts along an idle axis, whatever its numbers are.
    if (a.drive == PoweredAxis::Drive::kNone && a.lower == -kInfinity &&
        a.upper == kInfinity) {
      continue;
    }
    const double sum = a.target_position + a.target_speed + a.softness +
                       a.stiffness + a.damping + a.limit_softness + a.friction;
    const bool good = sum - sum == 0.0 && a.max_force >= 0.0 &&
                      a.lower <= a.upper && a.softness >= 0.0 &&
                      a.stiffness >= 0.0 && a.damping >= 0.0 &&
                      a.limit_softness >= 0.0 && a.friction >= 0.0;
    if (!good) Validate(a);
  }
}

void Joint::AddRows(BodyMotions bodies, double /*time*/,
                    RowBuffer& rows) const {
  const BodyMotion& parent_motion = MotionOf(bodies, parent());
  const BodyMotion& child_motion = MotionOf(bodies, child());
  JointForm form;
  Evaluate(parent_motion, child_motion, form);
  RelativeRows relative(form, parent(), child(), bodies, rows);

  RowSettings settings = locked_settings_;
  for (int i = 0; i < form.num_locked; ++i) {
    const JointForm::Locked& locked = form.locked[static_cast<std::size_t>(i)];
    settings.angular = locked.measures_angle;
    relative.Add(locked.linear, locked.angular, locked.error, 0.0,
                 locked.acceleration_bias, settings);
  }

  // The errors of position drives may be costly and are seldom asked for.
  bool aims = false;
  for (int k = 0; k < num_free_; ++k) {
    aims = aims || axis(k).drive == PoweredAxis::Drive::kPosition ||
           axis(k).drive == PoweredAxis::Drive::kSpring;
  }
  Vector6 drive_errors = Vector6::Zero();
  if (aims) drive_errors = DriveErrors(form, parent_motion, child_motion);
  for (int k = 0; k < form.num_free; ++k) {
    const JointForm::Free& free = form.free[static_cast<std::size_t>(k)];
    AddDrive(free, axis(k), drive_errors[k], relative);
    AddLimits(free, axis(k), relative);
  }
}

double Joint::Position(BodyMotions bodies, int k) const {
  JointForm form;
  Evaluate(MotionOf(bodies, parent()), MotionOf(bodies, child()), form);
  return form.free[static_cast<std::size_t>(k)].position;
}

double Joint::Speed(BodyMotions bodies, int k) const {
  const BodyMotion& parent_motion = MotionOf(bodies, parent());
  const BodyMotion& child_motion = MotionOf(bodies, child());
  JointForm form;
  Evaluate(parent_motion, child_motion, form);
  const JointForm::Free& free = form.free[static_cast<std::size_t>(k)];
  const Vector3 d_v = child_motion.PointVelocity(form.child_point) -
                      parent_motion.PointVelocity(form.parent_point);
  const Vector3 d_w = child_motion.w_WB - parent_motion.w_WB;
  return free.row_linear.dot(d_v) + free.row_angular.dot(d_w);
}

Transform FrameAlong(const Vector3& p_BF, const Vector3& z_axis) {
  const double length = z_axis.norm();
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw std::invalid_argument("FrameAlong: z_axis must have a length, has " +
                                std::to_string(length));
  }
  return {Quaternion::FromTwoVectors(Vector3::UnitZ(), z_axis), p_BF};
}

}  // namespace limber::dynamics
