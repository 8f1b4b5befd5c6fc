// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/internal/form_writer.h"

#include <algorithm>

namespace limber::dynamics::internal {

FormWriter::FormWriter(const Joint& joint, const BodyMotion& parent,
                       const BodyMotion& child, JointForm& form)
    : joint_(joint), child_(child), form_(form) {
  form.num_locked = 0;
  form.num_free = 0;
  R_WF_ = parent.R_WB * joint.R_PF();
  const Vector3 p_WM = child.Point(joint.X_BM().p);
  const Vector3 p_WF = parent.Point(joint.X_PF().p);
  form.parent_point = p_WM;
  form.child_point = p_WM;

  // p = R_FW (p_WM - p_WF),  p' = R_FW d_v with both velocities taken at M,
  // p'' = R_FW (a_M(child) - a_M(parent) - 2 w_P x d_v)
  // w = R_FW d_w,  w' = R_FW (d_w' - w_P x d_w)
  p_FM_ = R_WF_.transpose() * (p_WM - p_WF);
  const Vector3 d_v = child.PointVelocity(p_WM) - parent.PointVelocity(p_WM);
  const Vector3 d_w = child.w_WB - parent.w_WB;
  w_FM_ = R_WF_.transpose() * d_w;
  const Vector3 centripetal =
      child.w_WB.cross(child.w_WB.cross(p_WM - child.p_WC)) -
      parent.w_WB.cross(parent.w_WB.cross(p_WM - parent.p_WC));
  linear_bias_ =
      R_WF_.transpose() * (centripetal - 2.0 * parent.w_WB.cross(d_v));
  angular_bias_ = -(R_WF_.transpose() * parent.w_WB.cross(d_w));
}

void FormWriter::LockTranslation(int axis) {
  JointForm::Locked& locked =
      form_.locked[static_cast<std::size_t>(form_.num_locked++)];
  locked.linear = R_WF_.col(axis);
  locked.angular.setZero();
  locked.error = p_FM_[axis];
  locked.acceleration_bias = linear_bias_[axis];
  locked.measures_angle = false;
}

void FormWriter::FreeTranslation(int axis) {
  JointForm::Free& free =
      form_.free[static_cast<std::size_t>(form_.num_free++)];
  free.column_linear = R_WF_.col(axis);
  free.column_angular.setZero();
  free.row_linear = free.column_linear;
  free.row_angular.setZero();
  free.position = p_FM_[axis];
  free.acceleration_bias = linear_bias_[axis];
  free.measures_angle = false;
  free.has_position = true;
}

void FormWriter::LockTranslations(const std::array<bool, 3>& free) {
  for (int i = 0; i < 3; ++i) {
    if (!free[static_cast<std::size_t>(i)]) LockTranslation(i);
  }
}

void FormWriter::FreeTranslations(const std::array<bool, 3>& free) {
  for (int i = 0; i < 3; ++i) {
    if (free[static_cast<std::size_t>(i)]) FreeTranslation(i);
  }
}

void FormWriter::LockSlideToTurning(const Vector3& row, double error,
                                    double extra_bias) {
  JointForm::Locked& locked =
      form_.locked[static_cast<std::size_t>(form_.num_locked++)];
  locked.linear = R_WF_.col(2);
  locked.angular = R_WF_ * row;
  locked.error = error;
  locked.acceleration_bias =
      linear_bias_.z() + row.dot(angular_bias_) + extra_bias;
  locked.measures_angle = false;
}

void FormWriter::LockTurning(const Vector3& row, double error,
                             double extra_bias) {
  JointForm::Locked& locked =
      form_.locked[static_cast<std::size_t>(form_.num_locked++)];
  locked.linear.setZero();
  locked.angular = R_WF_ * row;
  locked.error = error;
  locked.acceleration_bias = row.dot(angular_bias_) + extra_bias;
  locked.measures_angle = true;
}

void FormWriter::FreeTurning(const Vector3& column, const Vector3& row,
                             double position, double extra_bias,
                             double slide_z) {
  JointForm::Free& free =
      form_.free[static_cast<std::size_t>(form_.num_free++)];
  free.column_linear = slide_z * R_WF_.col(2);
  free.column_angular = R_WF_ * column;
  free.row_linear.setZero();
  free.row_angular = R_WF_ * row;
  free.position = position;
  free.acceleration_bias = row.dot(angular_bias_) + extra_bias;
  free.measures_angle = true;
  free.has_position = true;
}

void FormWriter::FreeTurningAboutF(int axis) {
  JointForm::Free& free =
      form_.free[static_cast<std::size_t>(form_.num_free++)];
  free.column_linear.setZero();
  free.column_angular = R_WF_.col(axis);
  free.row_linear.setZero();
  free.row_angular = free.column_angular;
  free.position = 0.0;
  free.acceleration_bias = angular_bias_[axis];
  free.measures_angle = true;
  free.has_position = false;
}

int CountFree(int turnings, const std::array<bool, 3>& free_translation) {
  return turnings + static_cast<int>(std::count(free_translation.begin(),
                                                free_translation.end(), true));
}

Matrix3 RelativeRotation(const Joint& joint, const BodyMotion& parent,
                         const BodyMotion& child) {
  return (parent.R_WB * joint.R_PF()).transpose() * child.R_WB * joint.R_BM();
}

}  // namespace limber::dynamics::internal
