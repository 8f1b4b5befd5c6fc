// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamics/joint_checker.h"

#include <Eigen/SVD>
#include <cmath>
#include <sstream>

#include "tests/dynamics/constraint_checker.h"

namespace limber::dynamics::test {
namespace {

Vector6 Stacked(const Vector3& linear, const Vector3& angular) {
  Vector6 both;
  both.head<3>() = linear;
  both.tail<3>() = angular;
  return both;
}

class Checker {
 public:
  Checker(const Joint& joint, const std::vector<BodyMotion>& bodies,
          double tolerance)
      : joint_(joint),
        bodies_(bodies),
        tolerance_(tolerance),
        parent_(MotionOf(bodies, joint.parent())),
        child_(MotionOf(bodies, joint.child())) {
    joint.Evaluate(parent_, child_, form_);
  }

  testing::AssertionResult Run() {
    CheckShape();
    if (num_faults_ == 0) {
      CheckDuality();
      CheckCoordinateRates();
      CheckRows();
    }
    if (num_faults_ == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << faults_.str();
  }

 private:
  void Compare(const std::string& what, double given, double wanted,
               double tolerance) {
    if (std::abs(given - wanted) <= tolerance) return;
    ++num_faults_;
    faults_ << "\n" << what << " is " << given << ", should be " << wanted;
  }

  static std::string Name(const char* what, int k) {
    return std::string(what) + " " + std::to_string(k);
  }

  const JointForm::Free& free(int k) const {
    return form_.free[static_cast<std::size_t>(k)];
  }
  const JointForm::Locked& locked(int i) const {
    return form_.locked[static_cast<std::size_t>(i)];
  }

  void CheckShape() {
    Compare("num_free", form_.num_free, joint_.num_free(), 0.0);
    Compare("num_locked + num_free", form_.num_locked + form_.num_free, 6.0,
            0.0);
  }

  void CheckDuality() {
    Matrix6 rows = Matrix6::Zero();
    for (int i = 0; i < form_.num_locked; ++i) {
      rows.row(i) = Stacked(locked(i).linear, locked(i).angular);
    }
    for (int k = 0; k < form_.num_free; ++k) {
      rows.row(form_.num_locked + k) =
          Stacked(free(k).row_linear, free(k).row_angular);
    }
    for (int l = 0; l < form_.num_free; ++l) {
      const Vector6 column =
          Stacked(free(l).column_linear, free(l).column_angular);
      const Vector6 product = rows * column;
      for (int i = 0; i < form_.num_locked; ++i) {
        Compare(Name("locked row", i) + Name(" on column", l), product[i], 0.0,
                tolerance_);
      }
      for (int k = 0; k < form_.num_free; ++k) {
        Compare(Name("free row", k) + Name(" on column", l),
                product[form_.num_locked + k], k == l ? 1.0 : 0.0, tolerance_);
      }
    }
    const double smallest = Eigen::JacobiSVD<Matrix6>(rows).singularValues()[5];
    // Rows of length about 1 that are this far from dependent.
    if (!(smallest > 1e-3)) {
      ++num_faults_;
      faults_ << "\nrows are dependent: smallest singular value " << smallest;
    }
  }

  // Moves the child relative to the parent along one column, with the parent
  // still, and compares the change of every coordinate with the dual rows.
  void CheckCoordinateRates() {
    const double h = 1e-4;
    const std::vector<Vector6> none(bodies_.size(), Vector6::Zero());
    for (int l = 0; l < form_.num_free; ++l) {
      std::vector<BodyMotion> moving = bodies_;
      for (BodyMotion& body : moving) {
        body.v_WC.setZero();
        body.w_WB.setZero();
      }
      // The child's point moves with column_linear while it turns.
      BodyMotion& child =
          moving[static_cast<std::size_t>(joint_.child().value)];
      child.w_WB = free(l).column_angular;
      child.v_WC = free(l).column_linear +
                   child.w_WB.cross(child.p_WC - form_.child_point);
      JointForm before;
      JointForm after;
      const std::vector<BodyMotion> ahead = Moved(moving, none, h);
      const std::vector<BodyMotion> behind = Moved(moving, none, -h);
      joint_.Evaluate(MotionOf(ahead, joint_.parent()),
                      MotionOf(ahead, joint_.child()), after);
      joint_.Evaluate(MotionOf(behind, joint_.parent()),
                      MotionOf(behind, joint_.child()), before);
      for (int k = 0; k < form_.num_free; ++k) {
        if (!free(k).has_position) continue;
        const std::size_t i = static_cast<std::size_t>(k);
        const double rate =
            (after.free[i].position - before.free[i].position) / (2.0 * h);
        Compare(Name("rate of coordinate", k) + Name(" along column", l), rate,
                k == l ? 1.0 : 0.0, 1e-6);
      }
    }
  }

  void CheckRow(const RowBuffer& rows, int& row, const std::string& name,
                const Vector3& linear, const Vector3& angular) {
    if (row >= rows.size()) {
      ++num_faults_;
      faults_ << "\n" << name << " is missing from AddRows";
      return;
    }
    const Vector3 d_v = child_.PointVelocity(form_.child_point) -
                        parent_.PointVelocity(form_.parent_point);
    const Vector3 d_w = child_.w_WB - parent_.w_WB;
    Compare(name + ": J V", rows.Speed(row, bodies_),
            linear.dot(d_v) + angular.dot(d_w), tolerance_);
    Vector3 force = Vector3::Zero();
    Vector3 torque = Vector3::Zero();
    for (const RowBuffer::Entry& entry : rows.entries(row)) {
      force += entry.linear;
      torque += entry.angular +
                MotionOf(bodies_, BodyId{entry.body}).p_WC.cross(entry.linear);
    }
    Compare(name + ": net force", force.norm(), 0.0, tolerance_);
    if (form_.child_point == form_.parent_point) {
      Compare(name + ": net torque", torque.norm(), 0.0, tolerance_);
    }
    ++row;
  }

  void CheckRows() {
    RowBuffer rows;
    joint_.AddRows(bodies_, 0.0, rows);
    int row = 0;
    for (int i = 0; i < form_.num_locked; ++i) {
      CheckRow(rows, row, Name("locked row", i), locked(i).linear,
               locked(i).angular);
    }
    for (int k = 0; k < form_.num_free; ++k) {
      const PoweredAxis& axis = joint_.axis(k);
      const bool limits = free(k).has_position;
      if (axis.drive != PoweredAxis::Drive::kNone) {
        CheckRow(rows, row, Name("drive", k), free(k).row_linear,
                 free(k).row_angular);
      }
      if (limits && axis.lower > -kInfinity) {
        CheckRow(rows, row, Name("lower limit", k), free(k).row_linear,
                 free(k).row_angular);
      }
      if (limits && axis.upper < kInfinity) {
        CheckRow(rows, row, Name("upper limit", k), free(k).row_linear,
                 free(k).row_angular);
      }
    }
    Compare("number of rows", rows.size(), row, 0.0);
  }

  const Joint& joint_;
  const std::vector<BodyMotion>& bodies_;
  double tolerance_;
  const BodyMotion& parent_;
  const BodyMotion& child_;
  JointForm form_;
  std::ostringstream faults_;
  int num_faults_ = 0;
};

}  // namespace

testing::AssertionResult CheckJointForm(const Joint& joint,
                                        const std::vector<BodyMotion>& bodies,
                                        double tolerance) {
  return Checker(joint, bodies, tolerance).Run();
}

void PlaceChild(const Joint& joint, const Transform& X_FM,
                std::vector<BodyMotion>& bodies) {
  const BodyMotion& parent = MotionOf(bodies, joint.parent());
  const Transform X_WP{parent.q_WB, parent.p_WB};
  SetPose(bodies[static_cast<std::size_t>(joint.child().value)],
          X_WP * joint.X_PF() * X_FM * joint.X_BM().Inverse());
}

}  // namespace limber::dynamics::test
