// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/internal/drive_friction.h"
#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Rows: joints and the rows beside the trees at the present pose.

// Where node i is, by its reference point. The parent's is r from its mass
// centre.
void TreeIsland::SetBase(const Data& data, int i, const Vec& reference) {
  const Link& link = links_[Index(i)];
  TreeNode& node = solver_.nodes[Index(i)];
  const BodyMotion& own = data.motions[Index(link.body)];
  node.r = ToVec(own.p_WC) - reference;
  const BodyMotion& given = data.motions[Index(link.parent_body)];
  if (node.parent >= 0) {
    node.l =
        reference - ToVec(given.p_WC) + solver_.nodes[Index(node.parent)].r;
    return;
  }
  node.base_x = PointVelocity(given, reference);
  node.base_w = ToVec(given.w_WB);
}

// Friction beside the drive of a coordinate, whose target is known.
void TreeIsland::StartFriction(const PoweredAxis& axis, double last_force,
                               double kick, TreeCoordinate& q) {
  RowTarget target{q.u, q.s, q.lo, q.hi};
  RowTarget other;
  if (AddFriction({axis.friction, axis.damping, q.guess, last_force}, kick,
                  target, other)) {
    q.other = static_cast<int>(solver_.other_rows.size());
    solver_.other_rows.push_back({other.u, other.softness, other.lo, other.hi});
  }
  q.u = target.u;
  q.s = target.softness;
  q.lo = target.lo;
  q.hi = target.hi;
}

// Any joint by its form. With the rows of the form as a 6x6 matrix, held ones
// first, its inverse has the directions of both as columns.
void TreeIsland::EvaluateJoint(const Data& data, int i, bool history,
                               double kick, double h) {
  Link& link = links_[Index(i)];
  TreeNode& node = solver_.nodes[Index(i)];
  const Joint& joint = *link.joint;
  const std::size_t p = Index(joint.parent().value);
  const std::size_t c = Index(joint.child().value);
  const BodyMotion& parent = data.motions[p];
  const BodyMotion& child = data.motions[c];
  Form& own = forms_[Index(link.form)];
  JointForm& form = own.now;
  // Accelerations are asked for by locked rows that give way.
  if (link.sequence != nullptr && joint.locked_rows_hard()) {
    link.sequence->EvaluateSequence(parent, child, form);
  } else {
    joint.Evaluate(parent, child, form);
  }
  // The reference of a node is the joint's point on its own body.
  const Vec child_point = ToVec(form.child_point);
  const Vec parent_point = ToVec(form.parent_point);
  SetBase(data, i, link.sign > 0.0 ? child_point : parent_point);
  const Vec shift =
      link.sign > 0.0 ? parent_point - child_point : child_point - parent_point;
  node.l += shift;
  if (node.parent < 0) node.base_x += Cross(node.base_w, shift);

  const Vec dv =
      PointVelocity(child, child_point) - PointVelocity(parent, parent_point);
  const Vec dw = ToVec(child.w_WB) - ToVec(parent.w_WB);
  Vector6 speeds;
  if (link.euler) {
    // Rows of translation and of turning do not mix: their columns are known.
    for (int k = 0; k < 3; ++k) {
      const JointForm::Free& free = form.free[Index(k)];
      own.column_linear[k] = link.sign * ToVec(form.locked[Index(k)].linear);
      own.column_angular[k] = own.column_linear[3 + k] = Vec{};
      own.column_angular[3 + k] = link.sign * ToVec(free.column_angular);
      speeds[k] = Dot(ToVec(form.locked[Index(k)].linear), dv);
      speeds[3 + k] = Dot(ToVec(free.row_angular), dw);
    }
  } else {
    const Matrix6 rows = RowsOfForm(form);
    const Matrix6 columns = rows.inverse();
    speeds =
        rows.leftCols<3>() * ToEigen(dv) + rows.rightCols<3>() * ToEigen(dw);
    for (int k = 0; k < 6; ++k) {
      own.column_linear[k] =
          link.sign * Vec{columns(0, k), columns(1, k), columns(2, k)};
      own.column_angular[k] =
          link.sign * Vec{columns(3, k), columns(4, k), columns(5, k)};
    }
  }

  const double spin2 = Dot(dw, dw);
  const bool hard = joint.locked_rows_hard();
  const std::vector<double>& last = ConstraintAccess::last_rates(*link.joint);
  const std::vector<LcpRowState>& states =
      ConstraintAccess::row_states(*link.joint);
  link.num_held = hard ? form.num_locked : 0;
  const double mirrored = ShareOfMirror(
      std::max(child.w_WB.squaredNorm(), parent.w_WB.squaredNorm()), h,
      JointsAlone());
  for (int k = 0; k < link.num_held; ++k) {
    own.held[k].rate = speeds[k];
    own.held[k].u =
        history ? mirrored * (-speeds[k] +
                              0.5 * kFilter * (speeds[k] + last[Index(k)]))
                : 0.0;
  }
  node.offset_linear = node.offset_angular = Vec{};
  for (int k = 0; k < link.num_held; ++k) {
    own.held[k].share_u = own.held[k].u;
    node.offset_linear += own.held[k].u * own.column_linear[k];
    node.offset_angular += own.held[k].u * own.column_angular[k];
  }

  // Errors after free drift, if a row asks for them: limits far away do not,
  // and beside contacts the speed of slow joints says enough.
  JointForm& predicted = predicted_;
  bool far = hard;
  bool slow = solver_.touching;
  for (int k = 0; k < form.num_free; ++k) {
    slow = slow && h * std::abs(speeds[form.num_locked + k]) < kSlowTurn;
  }
  link.slow = slow && link.euler && hard;
  for (int k = 0; k < form.num_free && far; ++k) {
    constexpr double kFar = 0.2;  // [rad or m]
    const PoweredAxis& axis = joint.axis(k);
    const double position = form.free[Index(k)].position;
    const double room = std::min(position - axis.lower, axis.upper - position);
    far =
        axis.drive == PoweredAxis::Drive::kNone &&
        (slow || room > kFar + 2.0 * h * std::abs(speeds[form.num_locked + k]));
  }
  bool aims = false;
  for (int k = 0; k < form.num_free; ++k) {
    const PoweredAxis::Drive drive = joint.axis(k).drive;
    aims = aims || drive == PoweredAxis::Drive::kPosition ||
           drive == PoweredAxis::Drive::kSpring;
  }
  if (far) {
    for (int k = 0; k < form.num_free; ++k) {
      predicted.free[Index(k)].position =
          form.free[Index(k)].position + h * speeds[form.num_locked + k];
    }
  } else if (link.sequence != nullptr && hard && !aims) {
    const Vector3 angles =
        link.sequence->Angles(data.predicted[p], data.predicted[c]);
    for (int k = 0; k < 3; ++k) predicted.free[Index(k)].position = angles[k];
  } else {
    joint.Evaluate(data.predicted[p], data.predicted[c], predicted);
  }
  Vector6 drive_errors = Vector6::Zero();
  if (aims) {
    drive_errors =
        joint.DriveErrors(predicted, data.predicted[p], data.predicted[c]);
  }
  node.ball = node.limp_ball = node.simple = false;
  node.turns = link.euler && hard;
  node.num_coordinates = 0;
  const auto add = [&](int column) -> TreeCoordinate& {
    TreeCoordinate& q =
        solver_
            .coordinates[Index(node.first_coordinate + node.num_coordinates++)];
    q = TreeCoordinate{};
    q.linear = own.column_linear[column];
    q.angular = own.column_angular[column];
    if (node.turns) {
      q.row = link.sign * ToVec(form.free[Index(column - 3)].row_angular);
    }
    q.guess = speeds[column];
    return q;
  };
  const auto state = [&](std::size_t row) {
    return row < states.size() ? ToInt(states[row]) : 0;
  };
  if (!hard) {
    // C'' of a locked row without forces: I w' = -w x L on both bodies.
    const auto turning = [&data](std::size_t body) -> Vector3 {
      const Body& b = data.bodies[body];
      if (!b.dynamic()) return Vector3::Zero();
      return b.inverse_inertia_W * b.w.cross(b.L);
    };
    const Vector3 child_turning = turning(c);
    const Vector3 parent_turning = turning(p);
    for (int k = 0; k < form.num_locked; ++k) {
      const JointForm::Locked& locked = form.locked[Index(k)];
      const Vector3 child_arm = form.child_point - data.motions[c].p_WC;
      const Vector3 parent_arm = form.parent_point - data.motions[p].p_WC;
      const double coasting =
          locked.acceleration_bias -
          (child_arm.cross(locked.linear) + locked.angular).dot(child_turning) +
          (parent_arm.cross(locked.linear) + locked.angular)
              .dot(parent_turning);
      TreeCoordinate& q = add(k);
      RowBuffer::Row row;
      row.error = form.locked[Index(k)].error;
      row.settings = joint.locked_settings();
      row.settings.angular = form.locked[Index(k)].measures_angle;
      const RowTarget target =
          LeapfrogTarget(row, q.guess, coasting,
                         &predicted.locked[Index(k)].error, spin2, kick, h);
      q.has_main = true;
      q.u = target.u;
      q.s = target.softness;
      q.lo = target.lo;
      q.hi = target.hi;
      q.main_state = state(Index(k));
    }
  }
  std::size_t r = Index(form.num_locked);
  for (int k = 0; k < form.num_free; ++k) {
    const PoweredAxis& axis = joint.axis(k);
    const JointForm::Free& free = form.free[Index(k)];
    const FreeRows act = RowsOf(axis, free.has_position);
    TreeCoordinate& q = add(form.num_locked + k);
    if (act.drive) {
      RowBuffer::Row row;
      row.settings.lo = -axis.max_force;
      row.settings.hi = axis.max_force;
      row.settings.softness = axis.softness;
      row.settings.angular = free.measures_angle;
      row.settings.stabilisation = Stabilisation::Implicit();
      if (axis.drive == PoweredAxis::Drive::kSpeed) {
        row.rate_bias = -axis.target_speed;
        row.settings.stabilisation = Stabilisation::None();
      } else if (axis.drive == PoweredAxis::Drive::kSpring) {
        row.rate_bias = -axis.target_speed;
        row.settings.stabilisation =
            Stabilisation::Spring(axis.stiffness, axis.damping);
      }
      const RowTarget target =
          LeapfrogTarget(row, q.guess, 0.0, &drive_errors[k], spin2, kick, h);
      q.has_main = true;
      q.u = target.u;
      q.s = target.softness;
      q.lo = target.lo;
      q.hi = target.hi;
      if (r < states.size()) q.main_impulse = joint.impulses()[r];
      if (axis.has_friction()) {
        StartFriction(axis, RowForceBefore(data, *link.joint, r), kick, q);
      }
      q.main_state = state(r++);
    }
    q.s_limit = axis.limit_softness;
    // C at the end of the step but for the answer of this one.
    const double end = predicted.free[Index(k)].position - h * q.guess;
    if (act.lower) {
      q.has_lower = true;
      q.u_lower =
          OneSidedTarget(free.position - axis.lower, end - axis.lower, true, h);
      if (r < states.size() && states[r] == LcpRowState::kInterior) {
        q.limit_state = -1;
        q.limit_impulse = joint.impulses()[r];
      }
      ++r;
    }
    if (act.upper) {
      q.has_upper = true;
      q.u_upper = OneSidedTarget(free.position - axis.upper, end - axis.upper,
                                 false, h);
      if (r < states.size() && states[r] == LcpRowState::kInterior) {
        q.limit_state = 1;
        q.limit_impulse = joint.impulses()[r];
      }
      ++r;
    }
  }
}

}  // namespace limber::dynamics::internal
