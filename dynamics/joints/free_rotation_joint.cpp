// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/free_rotation_joint.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/internal/lane_angles.h"
#include "dynamics/internal/small_algebra.h"
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

using internal::Column;
using internal::Cross;
using internal::Dot;
using internal::Lane;
using internal::Mat;
using internal::ToEigen;
using internal::ToMat;
using internal::ToVec;
using internal::Vec;

constexpr double kQuarterTurn = 0.5 * kPi;
// The middle angle is clear of a quarter turn, where the outer axes meet.
constexpr double kClearMiddle = 1.1;
constexpr double kClearSine = 0.8912;

// Axes of F or M in the world, as columns.
Mat AxesOf(const BodyMotion& body, const Matrix3& R_BF) {
  return ToMat(body.R_WB) * ToMat(R_BF);
}

// The angles of R_FM with |q1| <= 90 degrees: R_FM(i, k) = F_i . M_k.
Vector3 AnglesOf(const Mat& F, const Mat& M) {
  const Vec x = Column(F, 0);
  const Vec c = Column(M, 2);
  const double y = Dot(Column(F, 1), c);
  const double z = Dot(Column(F, 2), c);
  const Lane q = internal::ArcTangent(
      Lane{-y, Dot(x, c), -Dot(x, Column(M, 1)), 0.0},
      Lane{z, std::sqrt(y * y + z * z), Dot(x, Column(M, 0)), 1.0});
  const Vector3 angles(q[0], q[1], q[2]);
  internal::LeaveLanes();
  return angles;
}

// The usual cases of internal::MoveNear: there is nothing to do. Within a
// quarter turn of the start, now and before, the angles have no other way to be
// near the last ones, however old those are.
bool IsNear(const std::optional<Vector3>& last, const Vector3& q) {
  if (!last) return true;
  const Vec off = ToVec(q) - ToVec(*last);
  if (Dot(off, off) < 1.0) return true;
  return last->lpNorm<Eigen::Infinity>() < kQuarterTurn &&
         std::abs(q.x()) < kQuarterTurn && std::abs(q.y()) < kClearMiddle &&
         std::abs(q.z()) < kQuarterTurn;
}

}  // namespace

Vector3 FreeRotationJoint::Angles(const BodyMotion& parent,
                                  const BodyMotion& child) const {
  const Vector3 q = AnglesOf(AxesOf(parent, R_PF()), AxesOf(child, R_BM()));
  if (IsNear(last_angles_, q)) return q;
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
  const Mat F = AxesOf(parent, R_PF());
  const Mat M = AxesOf(child, R_BM());
  // w = q0' a + q1' m + q2' c,  a.m = c.m = 0,  a.c = s
  const Vec a = Column(F, 0);
  const Vec c = Column(M, 2);
  const double s = Dot(a, c);
  const Vec across = Cross(c, a);
  const double square = Dot(across, across);
  const Vector3 q = AnglesOf(F, M);
  // Where the outer axes meet, and where angles have run on beyond a quarter
  // turn, the other way is exact.
  constexpr double kLeast = 1e-6;
  if (square < kLeast || !IsNear(last_angles_, q)) {
    Evaluate(parent, child, form);
    return;
  }
  const Vec m = (1.0 / std::sqrt(square)) * across;
  const double scale = 1.0 / square;
  const Vec columns[3] = {a, m, c};
  const Vec rows[3] = {scale * (a - s * c), m, scale * (c - s * a)};

  const Vec p_WM = ToVec(child.p_WB) + ToMat(child.R_WB) * ToVec(X_BM().p);
  const Vec p_FM = p_WM - ToVec(parent.p_WB) -
                   ToMat(parent.R_WB) * ToVec(X_PF().p);  // In world axes.
  form.num_locked = form.num_free = 3;
  form.parent_point = form.child_point = ToEigen(p_WM);
  for (int i = 0; i < 3; ++i) {
    const Vec axis = Column(F, i);
    JointForm::Locked& locked = form.locked[static_cast<std::size_t>(i)];
    locked.linear = ToEigen(axis);
    locked.angular.setZero();
    locked.error = Dot(axis, p_FM);
    locked.measures_angle = false;
    JointForm::Free& free = form.free[static_cast<std::size_t>(i)];
    free.column_linear.setZero();
    free.column_angular = ToEigen(columns[i]);
    free.row_linear.setZero();
    free.row_angular = ToEigen(rows[i]);
    free.position = q[i];
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
  // The step may ask for the target, which the thread that set it still has.
  if (axis(0).drive != PoweredAxis::Drive::kNone) {
    __builtin_prefetch(&target_.coeffs()[0]);
    __builtin_prefetch(&target_.coeffs()[3]);
  }
  Joint::CheckSettings();
}

void FreeRotationJoint::AfterStep(BodyMotions bodies, double /*time*/) {
  if (axes_ == Axes::kParentAxes) return;
  const BodyMotion& own_parent = MotionOf(bodies, parent());
  const BodyMotion& own_child = MotionOf(bodies, child());
  if (!last_angles_) {
    last_angles_ = Angles(own_parent, own_child);
    return;
  }
  const Vector3 F_x = own_parent.R_WB * R_PF().col(0);
  const Vector3 F_z = own_parent.R_WB * R_PF().col(2);
  const Vector3 M_x = own_child.R_WB * R_BM().col(0);
  const Vector3 M_z = own_child.R_WB * R_BM().col(2);
  // As in IsNear: then older ones do.
  if (last_angles_->lpNorm<Eigen::Infinity>() < kQuarterTurn &&
      F_x.dot(M_x) > 0.0 && F_z.dot(M_z) > 0.0 &&
      std::abs(F_x.dot(M_z)) < kClearSine) {
    return;
  }
  last_angles_ = Angles(own_parent, own_child);
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
