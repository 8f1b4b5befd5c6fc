// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/joint.h"

namespace limber::dynamics {

/// Base of the joints in which all turning is free: free directions 0 to 2;
/// free translations along x, y, z of F follow.
///
/// The three directions of turning are either the axes of F (kParentAxes, the
/// default: orthonormal everywhere, no coordinates, so no limits), or the three
/// axes of an x-y-z sequence R_FM = Rx(q0) Ry(q1) Rz(q2) (kEulerXyz), whose
/// coordinates have limits. A rotation has many such angles: at the start those
/// with |q1| <= 90 degrees, then the ones nearest to the last step's, so that
/// they run on through |q1| = 90 degrees and over many turns and no limit finds
/// itself on the wrong side at once. Where the axes of q0 and q2 meet, at |q1|
/// = 90 degrees, the two are not defined and their rows inexact.
///
/// A position or spring drive of directions 0 to 2 aims at the rotation
/// `target` R_FM and not at `target_position`: with a the rotation vector of
/// R_FM target^-1 in F, its errors are the parts of a along the directions,
/// a = sum_k error_k column_k.
class FreeRotationJoint : public Joint {
 public:
  enum class Axes { kParentAxes, kEulerXyz };

  Axes axes() const { return axes_; }
  /// R_FM wanted at the end of the next step, unit.
  const Quaternion& target() const { return target_; }
  /// @throws std::invalid_argument if `target` is not unit to 1e-6.
  void set_target(const Quaternion& target) {
    const double off = target.squaredNorm() - 1.0;
    if (!(off < 2e-6 && off > -2e-6)) ThrowBadTarget(target);
    target_ = target;
  }
  /// Gives the three directions of turning the same drive.
  /// @throws std::invalid_argument as `Validate`.
  void set_drive(const PoweredAxis& axis);

  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const final;
  /// What `Evaluate` gives for kEulerXyz where no translation is free, but for
  /// the accelerations, which stay as they are in `form`; and the three angles
  /// alone. Whoever needs no more has it in a third of the time.
  void EvaluateSequence(const BodyMotion& parent, const BodyMotion& child,
                        JointForm& form) const;
  Vector3 Angles(const BodyMotion& parent, const BodyMotion& child) const;
  Vector6 DriveErrors(const JointForm& form, const BodyMotion& parent,
                      const BodyMotion& child) const final;
  void CheckSettings() const final;
  void AfterStep(BodyMotions bodies, double time) final;
  void SaveMemory(std::vector<double>& memory) const final;
  std::span<const double> RestoreMemory(std::span<const double> memory) final;

 protected:
  FreeRotationJoint(BodyId parent, const Transform& X_PF, BodyId child,
                    const Transform& X_BM, Axes axes,
                    const std::array<bool, 3>& free_translation);

 private:
  [[noreturn]] static void ThrowBadTarget(const Quaternion& target);

  Axes axes_;
  std::array<bool, 3> free_translation_;
  Quaternion target_ = Quaternion::Identity();
  /// kEulerXyz: the angles after the last step, if there was one.
  std::optional<Vector3> last_angles_;
};

}  // namespace limber::dynamics
