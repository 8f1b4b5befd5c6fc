// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/free_rotation_joint.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include "dynamics/joints/internal/form_writer.h"
#include "dynamics/joints/internal/turnings.h"

namespace limber::dynamics {

FreeRotationJoint::FreeRotationJoint(
    BodyId parent, const Transform& X_PF, BodyId child, const Transform& X_BM,
    Axes axes, const std::array<bool, 3>& free_translation)
    : Joint(parent, X_PF, child, X_BM,
            internal::CountFree(3, free_translation)),
      axes_(axes),
      free_translation_(free_translation) {}

void FreeRotationJoint::ThrowBadTarget(const Quaternion& target) {
  throw std::invalid_argument(
      "set_target: target must be a unit quaternion, its norm is " +
      std::to_string(target.norm()));
}

void FreeRotationJoint::set_drive(const PoweredAxis& drive) {
  Validate(drive);
  for (int k = 0; k < 3; ++k) axis(k) = drive;
}

void FreeRotationJoint::Evaluate(const BodyMotion& parent,
                                 const BodyMotion& child,
                                 JointForm& form) const {
  internal::FormWriter writer(*this, parent, child, form);
  writer.LockTranslations(free_translation_);
  if (axes_ == Axes::kParentAxes) {
    for (int i = 0; i < 3; ++i) writer.FreeTurningAboutF(i);
  } else {
    internal::SequenceAngles measured =
        internal::MeasureSequence(0, 2, writer.R_FM(), writer.w_FM());
    if (last_angles_) internal::MoveNear(*last_angles_, measured);
    for (std::size_t i = 0; i < 3; ++i) {
      const internal::Measure& angle = measured.angle[i];
      writer.FreeTurning(measured.column[i], angle.row, angle.value,
                         angle.bias);
    }
  }
  writer.FreeTranslations(free_translation_);
}

namespace {

// The angles of R_FM with |q1| <= 90 degrees, F and M being axes in the world:
// R_FM(i, k) = F_i . M_k.
Vector3 AnglesOf(const Matrix3& F, const Matrix3& M) {
  const double y = F.col(1).dot(M.col(2));
  const double z = F.col(2).dot(M.col(2));
  return {std::atan2(-y, z),
          std::atan2(F.col(0).dot(M.col(2)), std::sqrt(y * y + z * z)),
          std::atan2(-F.col(0).dot(M.col(1)), F.col(0).dot(M.col(0)))};
}

}  // namespace

Vector3 FreeRotationJoint::Angles(const BodyMotion& parent,
                                  const BodyMotion& child) const {
  const Vector3 q = AnglesOf(parent.R_WB * R_PF(), child.R_WB * R_BM());
  if (!last_angles_) return q;
  internal::SequenceAngles near;
  for (std::size_t i = 0; i < 3; ++i) {
    near.angle[i].value = q[static_cast<Eigen::Index>(i)];
  }
  internal::MoveNear(*last_angles_, near);
  return {near.angle[0].value, near.angle[1].value, near.angle[2].value};
}

void FreeRotationJoint::EvaluateSequence(const BodyMotion& parent,
                                         const BodyMotion& child,
                                         JointForm& form) const {
  const Matrix3 F = parent.R_WB * R_PF();
  const Matrix3 M = child.R_WB * R_BM();
  // w = q0' a + q1' m + q2' c,  a.m = c.m = 0,  a.c = s
  const Vector3 a = F.col(0);
  const Vector3 c = M.col(2);
  const double s = a.dot(c);
  const Vector3 across = c.cross(a);
  const double square = across.squaredNorm();
  constexpr double kLeast = 1e-6;  // Where axes meet the other way is exact.
  if (square < kLeast) {
    Evaluate(parent, child, form);
    return;
  }
  const Vector3 m = across / std::sqrt(square);
  const Vector3 q = AnglesOf(F, M);
  internal::SequenceAngles measured;
  measured.column = {a, m, c};
  measured.angle[0] = {(a - s * c) / square, q[0], 0.0};
  measured.angle[1] = {m, q[1], 0.0};
  measured.angle[2] = {(c - s * a) / square, q[2], 0.0};
  if (last_angles_) internal::MoveNear(*last_angles_, measured);

  const Vector3 p_WM = child.Point(X_BM().p);
  const Vector3 p_FM = p_WM - parent.Point(X_PF().p);  // In world axes.
  form.num_locked = form.num_free = 3;
  form.parent_point = form.child_point = p_WM;
  for (int i = 0; i < 3; ++i) {
    JointForm::Locked& locked = form.locked[static_cast<std::size_t>(i)];
    locked.linear = F.col(i);
    locked.angular.setZero();
    locked.error = locked.linear.dot(p_FM);
    locked.measures_angle = false;
    const internal::Measure& angle =
        measured.angle[static_cast<std::size_t>(i)];
    JointForm::Free& free = form.free[static_cast<std::size_t>(i)];
    free.column_linear.setZero();
    free.column_angular = measured.column[static_cast<std::size_t>(i)];
    free.row_linear.setZero();
    free.row_angular = angle.row;
    free.position = angle.value;
    free.measures_angle = free.has_position = true;
  }
}

Vector6 FreeRotationJoint::DriveErrors(const JointForm& form,
                                       const BodyMotion& parent,
                                       const BodyMotion& child) const {
  Vector6 errors = Joint::DriveErrors(form, parent, child);
  const Quaternion q_WF = parent.q_WB * X_PF().R;
  const Quaternion q_WM = child.q_WB * X_BM().R;
  const Vector3 a_W =
      q_WF * LogRotation(q_WF.conjugate() * q_WM * target_.conjugate());
  for (int k = 0; k < 3; ++k) {
    errors[k] = form.free[static_cast<std::size_t>(k)].row_angular.dot(a_W);
  }
  return errors;
}

void FreeRotationJoint::CheckSettings() const {
  // The step will ask for the target, which the thread that set it still has.
  __builtin_prefetch(&target_.coeffs()[0]);
  __builtin_prefetch(&target_.coeffs()[3]);
  Joint::CheckSettings();
}

void FreeRotationJoint::AfterStep(BodyMotions bodies, double /*time*/) {
  if (axes_ == Axes::kParentAxes) return;
  const Matrix3 R_FM = internal::RelativeRotation(
      *this, MotionOf(bodies, parent()), MotionOf(bodies, child()));
  // Within a quarter turn of the start, now and before, the angles have no
  // other way to be near the last ones, however old those are.
  constexpr double kClear = 0.9;
  if (last_angles_ && last_angles_->lpNorm<Eigen::Infinity>() < 0.5 * kPi &&
      R_FM(0, 0) > 0.0 && R_FM(2, 2) > 0.0 && std::abs(R_FM(0, 2)) < kClear) {
    return;
  }
  internal::SequenceAngles measured =
      internal::MeasureSequence(0, 2, R_FM, Vector3::Zero());
  if (last_angles_) internal::MoveNear(*last_angles_, measured);
  last_angles_ = Vector3(measured.angle[0].value, measured.angle[1].value,
                         measured.angle[2].value);
}

void FreeRotationJoint::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(last_angles_ ? 1.0 : 0.0);
  const Vector3 angles = last_angles_.value_or(Vector3::Zero());
  memory.insert(memory.end(), {angles.x(), angles.y(), angles.z()});
}

std::span<const double> FreeRotationJoint::RestoreMemory(
    std::span<const double> memory) {
  last_angles_.reset();
  if (memory[0] != 0.0) {
    last_angles_ = Vector3(memory[1], memory[2], memory[3]);
  }
  return memory.subspan(4);
}

}  // namespace limber::dynamics
