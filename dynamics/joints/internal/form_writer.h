// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/joint.h"

namespace limber::dynamics::internal {

/// Fills a JointForm from parts given in axes of F. With p = p_FM the origin of
/// M seen from F and w = w_FM the angular velocity of M relative to F, both in
/// axes of F, and with V' the accelerations of both bodies,
///
///     p'' = (part of V') + linear_bias
///     w'  = (part of V') + angular_bias
///
/// so a row l . p' + a . w whose coefficients change at rates l' and a' has
///
///     acceleration_bias = l . linear_bias + a . angular_bias + extra_bias
///     extra_bias        = l' . p' + a' . w
///
/// with no part of V' in l' and a'. Locked rows are written in
/// the order of the calls, and so are free directions.
class FormWriter {
 public:
  FormWriter(const Joint& joint, const BodyMotion& parent,
             const BodyMotion& child, JointForm& form);

  Matrix3 R_FM() const { return R_WF_.transpose() * R_WM(); }
  const Vector3& p_FM() const { return p_FM_; }
  const Vector3& w_FM() const { return w_FM_; }

  /// C = p_FM[axis], and q = p_FM[axis]. Axes are those of F.
  void LockTranslation(int axis);
  void FreeTranslation(int axis);
  /// The same for every axis that is not, or is, free.
  void LockTranslations(const std::array<bool, 3>& free);
  void FreeTranslations(const std::array<bool, 3>& free);

  /// C' = p'.z + row . w
  void LockSlideToTurning(const Vector3& row, double error, double extra_bias);
  /// C' = row . w
  void LockTurning(const Vector3& row, double error, double extra_bias);
  /// q' = row . w; the motion is a turning about `column`, and for screws a
  /// slide of `slide_z` metres per radian along the z axis of F.
  void FreeTurning(const Vector3& column, const Vector3& row, double position,
                   double extra_bias, double slide_z = 0.0);
  /// As FreeTurning about an axis of F, without a coordinate.
  void FreeTurningAboutF(int axis);

 private:
  Matrix3 R_WM() const { return child_.R_WB * joint_.R_BM(); }

  const Joint& joint_;
  const BodyMotion& child_;
  JointForm& form_;
  Matrix3 R_WF_;
  Vector3 p_FM_;
  Vector3 w_FM_;
  Vector3 linear_bias_;
  Vector3 angular_bias_;
};

/// The number of free directions of a joint with `turnings` and the free ones
/// of three translations.
int CountFree(int turnings, const std::array<bool, 3>& free_translation);

/// R_FM alone, for memories of angles.
Matrix3 RelativeRotation(const Joint& joint, const BodyMotion& parent,
                         const BodyMotion& child);

}  // namespace limber::dynamics::internal
