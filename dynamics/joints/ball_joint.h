// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joint.h"

namespace limber::dynamics {

/// Ball and socket: the origins of F and M coincide, all turning is free.
///
/// The three free directions are either the axes of F (kParentAxes, the
/// default: orthonormal everywhere, no coordinates, so no limits), or the three
/// axes of an x-y-z sequence R_FM = Rx(q0) Ry(q1) Rz(q2) (kEulerXyz), whose
/// coordinates have limits; these are well defined for |q1| < 90 degrees.
///
/// A position or spring drive aims at the rotation `target` R_FM: its errors
/// are the components of the rotation vector of R_FM target^-1 along the free
/// directions.
class BallJoint : public Joint {
 public:
  enum class Axes { kParentAxes, kEulerXyz };

  BallJoint(BodyId parent, const Transform& X_PF, BodyId child,
            const Transform& X_BM, Axes axes = Axes::kParentAxes);
  /// Frames F and M parallel to their bodies.
  BallJoint(BodyId parent, const Vector3& p_PF, BodyId child,
            const Vector3& p_BM);

  Axes axes() const { return axes_; }
  /// R_FM wanted at the end of the next step, unit.
  const Quaternion& target() const { return target_; }
  void set_target(const Quaternion& target) { target_ = target; }
  /// Gives all three free directions the same drive.
  void set_drive(const PoweredAxis& axis);

  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const override;
  double DriveError(const JointForm& form, const BodyMotion& parent,
                    const BodyMotion& child, int k) const override;

 private:
  Axes axes_;
  Quaternion target_ = Quaternion::Identity();
};

}  // namespace limber::dynamics
