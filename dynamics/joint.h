// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "dynamics/constraint.h"
#include "dynamics/powered_axis.h"

namespace limber::dynamics {

/// What a joint says of itself at one instant, in world axes: which relative
/// motions it locks, which it leaves free. With the relative twist
///
///     d_v = velocity of child at child_point - of parent at parent_point
///     d_w = w_WB(child) - w_WB(parent)
///
/// locked direction i is the row  C_i' = linear . d_v + angular . d_w, and the
/// twists that obey all of them are the sums of the free columns,
///
///     (d_v, d_w) = sum_k q_k' (column_linear, column_angular)_k ,
///     q_k' = row_linear . d_v + row_angular . d_w   for such twists.
///
/// Rows are dual to columns: row_k . column_l = 1 if k = l, else 0, and locked
/// rows give 0 on every column. num_locked + num_free = 6.
///
/// The joints of this library measure both velocities at one point, the origin
/// of M, so that forces between parent and child cancel with their torques even
/// while the joint is apart. Their q_k' = row . twist holds for every twist,
/// not only for those that obey the locked rows.
struct JointForm {
  struct Locked {
    Vector3 linear = Vector3::Zero();
    Vector3 angular = Vector3::Zero();
    double error = 0.0;              ///< C [m or rad].
    double acceleration_bias = 0.0;  ///< C'' - J V'.
    bool measures_angle = false;
  };
  struct Free {
    Vector3 column_linear = Vector3::Zero();
    Vector3 column_angular = Vector3::Zero();
    Vector3 row_linear = Vector3::Zero();
    Vector3 row_angular = Vector3::Zero();
    double position = 0.0;           ///< q [m or rad].
    double acceleration_bias = 0.0;  ///< (row . twist)' - J V'.
    bool measures_angle = false;
    /// False for a direction without a coordinate (turning about axes that do
    /// not form a sequence): `position` is 0 and limits do not act.
    bool has_position = true;
  };
  Vector3 parent_point = Vector3::Zero();
  Vector3 child_point = Vector3::Zero();
  int num_locked = 0;
  int num_free = 0;
  std::array<Locked, 6> locked;
  std::array<Free, 6> free;
};

/// A joint between a parent P and a child B whose rows act on their relative
/// motion alone, so that a tree of such joints is solved in linear time. Frame
/// F is fixed in the parent, M in the child; they coincide when every
/// coordinate and every error is 0. A subclass gives the form; this class makes
/// the rows: first the locked ones in order, then per free direction the drive
/// (if any), the lower and the upper limit (if finite).
class Joint : public Constraint {
 public:
  BodyId parent() const { return bodies_[0]; }
  BodyId child() const { return bodies_[1]; }
  const Transform& X_PF() const { return X_PF_; }
  const Transform& X_BM() const { return X_BM_; }
  const Matrix3& R_PF() const { return R_PF_; }
  const Matrix3& R_BM() const { return R_BM_; }

  int num_free() const { return num_free_; }
  /// What acts along free direction `k`; may be changed between steps. A change
  /// of `drive`, or of a limit between finite and infinite, changes the number
  /// of rows.
  const PoweredAxis& axis(int k) const {
    return axes_[static_cast<std::size_t>(k)];
  }
  PoweredAxis& axis(int k) { return axes_[static_cast<std::size_t>(k)]; }

  /// Softness and policy of the locked rows; hard by default.
  const RowSettings& locked_settings() const { return locked_settings_; }
  void set_locked_settings(const RowSettings& settings);
  /// Whether they have neither softness nor bounds and the default policy.
  bool locked_rows_hard() const { return locked_rows_hard_; }

  virtual void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                        JointForm& form) const = 0;

  /// The errors of the drives of kind kPosition and kSpring, one per free
  /// direction: q - target by default, with a target beyond a limit taken at
  /// the limit. Joints whose target is not a number per axis override it.
  virtual Vector6 DriveErrors(const JointForm& form, const BodyMotion& parent,
                              const BodyMotion& child) const;

  /// Sensors: q_k and q_k' now [m or rad, per s].
  double Position(BodyMotions bodies, int k) const;
  double Speed(BodyMotions bodies, int k) const;

  std::span<const BodyId> bodies() const final { return bodies_; }
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const final;
  bool rows_vary() const final { return true; }
  void CheckSettings() const override;

 protected:
  /// @throws std::invalid_argument if parent and child are the same body or a
  ///         frame is not finite.
  Joint(BodyId parent, const Transform& X_PF, BodyId child,
        const Transform& X_BM, int num_free);

 private:
  std::array<BodyId, 2> bodies_;
  Transform X_PF_;
  Transform X_BM_;
  Matrix3 R_PF_;
  Matrix3 R_BM_;
  // What every step reads lies together.
  int num_free_;
  bool locked_rows_hard_ = true;
  std::array<PoweredAxis, 6> axes_;
  RowSettings locked_settings_;
};

/// A frame F at `p_BF` whose z axis points along `z_axis` (of any length), both
/// in the body. Its x and y axes are those of the body turned the shortest way.
/// @throws std::invalid_argument if `z_axis` has no length.
Transform FrameAlong(const Vector3& p_BF, const Vector3& z_axis);

}  // namespace limber::dynamics
