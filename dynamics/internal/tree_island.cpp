// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

// Softer body rows are added to their body's block; rounding leaves 1.5e-16 / s
// of the momentum, so that harder ones must be solved beside the trees.
constexpr double kSoftEnough = 1e-7;

bool IsHard(const RowSettings& settings) {
  return settings.stabilisation.policy == Stabilisation::Policy::kDefault &&
         settings.softness == 0.0 && settings.lo == -kInfinity &&
         settings.hi == kInfinity;
}

Vec Rotated(const Matrix3& R, const Vec& p) {
  const double* m = R.data();
  return {m[0] * p.x + m[3] * p.y + m[6] * p.z,
          m[1] * p.x + m[4] * p.y + m[7] * p.z,
          m[2] * p.x + m[5] * p.y + m[8] * p.z};
}

// Number by number, see RefreshBody.
void Set(Vector3& to, const Vec& from) {
  to.x() = from.x;
  to.y() = from.y;
  to.z() = from.z;
}

void CopyNumbers(const Matrix3& from, Mat& to) {
  const double* m = from.data();
  to.m[0] = m[0];
  to.m[1] = m[3];
  to.m[2] = m[6];
  to.m[3] = m[1];
  to.m[4] = m[4];
  to.m[5] = m[7];
  to.m[6] = m[2];
  to.m[7] = m[5];
  to.m[8] = m[8];
}

// exp(a) q, unit. The series are exact to rounding below 0.1 rad.
Quat Turned(const Vec& a, const Quat& q) {
  const double t = 0.25 * Dot(a, a);
  Quat turn;
  if (t < 0.0025) {
    const double s =
        0.5 *
        (1.0 -
         t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0))));
    const double c =
        1.0 - t / 2.0 * (1.0 - t / 12.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0)));
    turn = {c, s * a.x, s * a.y, s * a.z};
  } else {
    turn = ToQuat(ExpRotation(ToEigen(a)));
  }
  const Quat o = turn * q;
  // 1/sqrt(1 + d) = 1 - d/2 + 3/8 d^2 ...
  const double d = o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z - 1.0;
  const double n =
      std::abs(d) < 1e-8 ? 1.0 - 0.5 * d : 1.0 / std::sqrt(1.0 + d);
  return {n * o.w, n * o.x, n * o.y, n * o.z};
}

Vec PointVelocity(const BodyMotion& body, const Vec& point) {
  return ToVec(body.v_WC) + Cross(ToVec(body.w_WB), point - ToVec(body.p_WC));
}

// The rotation vector of the unit quaternion q. Larger turns are halved,
//     q^1/2 = (1 + w, v) / sqrt(2 + 2 w) ,
// until the series of the arc sine is exact to rounding.
Vec Logarithm(const Quat& q) {
  constexpr double kSeries = 0.01;
  constexpr double kMost = 0.15;
  double s2 = q.x * q.x + q.y * q.y + q.z * q.z;
  if (s2 > kMost) return ToVec(LogRotation(ToEigen(q)));
  double scale = q.w < 0.0 ? -2.0 : 2.0;
  double w = std::abs(q.w);
  while (s2 > kSeries) {
    const double root = std::sqrt(0.5 + 0.5 * w);
    const double half = 0.5 / root;
    s2 *= half * half;
    scale *= 2.0 * half;
    w = root;
  }
  const double f =
      1.0 + s2 * (1.0 / 6.0 +
                  s2 * (3.0 / 40.0 +
                        s2 * (5.0 / 112.0 +
                              s2 * (35.0 / 1152.0 +
                                    s2 * (63.0 / 2816.0 +
                                          s2 * (231.0 / 13312.0 +
                                                s2 * (143.0 / 10240.0)))))));
  const double g = scale * f;
  return {g * q.x, g * q.y, g * q.z};
}

int ToInt(LcpRowState state) {
  return state == LcpRowState::kAtLo ? -1 : state == LcpRowState::kAtHi ? 1 : 0;
}
LcpRowState ToState(int state) {
  return state < 0   ? LcpRowState::kAtLo
         : state > 0 ? LcpRowState::kAtHi
                     : LcpRowState::kInterior;
}

// The rows that act on one free direction, in the order of Joint::AddRows.
struct FreeRows {
  bool drive = false;
  bool lower = false;
  bool upper = false;
  int count() const { return drive + lower + upper; }
};
FreeRows RowsOf(const PoweredAxis& axis, bool has_position) {
  return {axis.drive != PoweredAxis::Drive::kNone,
          has_position && axis.lower > -kInfinity,
          has_position && axis.upper < kInfinity};
}

}  // namespace

// ---- Structure -------------------------------------------------------------

bool TreeIsland::Build(Data& data, const Island& island) {
  links_.clear();
  forms_.clear();
  outer_.clear();
  node_of_body_.assign(data.bodies.size(), -1);
  has_damping_ = false;
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    if (body.flow.is_one_dimensional()) return false;
    has_damping_ =
        has_damping_ || body.linear_damping > 0.0 || body.angular_damping > 0.0;
  }
  std::vector<std::vector<int>> joints_at(data.bodies.size());
  std::vector<bool> used(data.constraints.size(), false);
  bool has_joint = false;
  for (const int k : island.constraints) {
    const auto* joint = dynamic_cast<Joint*>(data.constraints[Index(k)].get());
    if (joint == nullptr) continue;
    has_joint = true;
    joints_at[Index(joint->parent().value)].push_back(k);
    joints_at[Index(joint->child().value)].push_back(k);
  }
  if (!has_joint && data.settings.solver != SolverKind::kTree) return false;

  std::vector<int> depth;
  const auto add = [&](int body, int constraint, int level) {
    Link link;
    link.body = body;
    link.constraint = constraint;
    if (constraint >= 0) {
      link.joint =
          static_cast<Joint*>(data.constraints[Index(constraint)].get());
      link.sign = link.joint->child().value == body ? 1.0 : -1.0;
      link.parent_body = link.sign > 0.0 ? link.joint->parent().value
                                         : link.joint->child().value;
      link.joint_parent = link.joint->parent().value;
      link.joint_child = link.joint->child().value;
      link.p_PF = ToVec(link.joint->X_PF().p);
      link.p_BM = ToVec(link.joint->X_BM().p);
      link.parallel = link.joint->R_PF() == Matrix3::Identity();
      const auto* ball = dynamic_cast<const BallJoint*>(link.joint);
      if (ball != nullptr && ball->axes() == BallJoint::Axes::kParentAxes &&
          IsHard(ball->locked_settings())) {
        link.ball = ball;
      }
      used[Index(constraint)] = true;
    }
    node_of_body_[Index(body)] = static_cast<int>(links_.size());
    links_.push_back(std::move(link));
    depth.push_back(level);
  };
  // Breadth first, from the joints to given motions, then from bodies that
  // nothing holds.
  std::size_t next = 0;
  const auto spread = [&] {
    for (; next < links_.size(); ++next) {
      const int from = links_[next].body;
      const int level = depth[next] + 1;
      for (const int k : joints_at[Index(from)]) {
        const Joint& joint = static_cast<Joint&>(*data.constraints[Index(k)]);
        const int other = joint.parent().value == from ? joint.child().value
                                                       : joint.parent().value;
        if (used[Index(k)] || !data.bodies[Index(other)].dynamic() ||
            node_of_body_[Index(other)] >= 0) {
          continue;
        }
        add(other, k, level);
      }
    }
  };
  for (const int b : island.bodies) {
    for (const int k : joints_at[Index(b)]) {
      const Joint& joint = static_cast<Joint&>(*data.constraints[Index(k)]);
      const int other = joint.parent().value == b ? joint.child().value
                                                  : joint.parent().value;
      if (data.bodies[Index(other)].dynamic()) continue;
      add(b, k, 0);
      break;
    }
  }
  spread();
  for (const int b : island.bodies) {
    if (node_of_body_[Index(b)] >= 0) continue;
    add(b, -1, 0);
    spread();
  }

  // By depth: neighbours in the order do not wait for each other.
  std::vector<int> order(links_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return depth[Index(a)] < depth[Index(b)];
  });
  std::vector<Link> sorted;
  for (const int i : order) sorted.push_back(std::move(links_[Index(i)]));
  links_ = std::move(sorted);
  solver_.nodes.assign(links_.size(), TreeNode{});
  before_.resize(links_.size());
  tension_.assign(links_.size(), 0.0);
  least_inertia_.resize(links_.size());
  mass_ = 0.0;
  int num_coordinates = 0;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const int b = links_[Index(i)].body;
    node_of_body_[Index(b)] = i;
    least_inertia_[Index(i)] = data.bodies[Index(b)].flow.inertia().minCoeff();
    mass_ += data.bodies[Index(b)].mass.mass;
  }
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    Link& link = links_[Index(i)];
    TreeNode& node = solver_.nodes[Index(i)];
    if (link.joint != nullptr && link.ball == nullptr) {
      link.form = static_cast<int>(forms_.size());
      forms_.emplace_back();
    }
    node.free_root = link.constraint < 0;
    node.parent = node.free_root ? -1 : node_of_body_[Index(link.parent_body)];
    node.first_coordinate = num_coordinates;
    num_coordinates += node.free_root ? 0 : link.ball != nullptr ? 3 : 6;
  }
  solver_.coordinates.assign(Index(num_coordinates), TreeCoordinate{});
  for (const int k : island.constraints) {
    if (!used[Index(k)]) outer_.push_back(k);
  }
  return true;
}

TreeIsland::Prediction TreeIsland::ReadDrives() {
  using Drive = PoweredAxis::Drive;
  bool aims = false;
  for (Link& link : links_) {
    if (link.joint == nullptr) continue;
    link.hard = IsHard(link.joint->locked_settings());
    if (link.ball == nullptr) continue;
    link.num_drives = 0;
    link.aims = false;
    for (int k = 0; k < 3; ++k) {
      const Drive drive = link.ball->axis(k).drive;
      link.num_drives += drive != Drive::kNone;
      link.aims =
          link.aims || drive == Drive::kPosition || drive == Drive::kSpring;
    }
    aims = aims || link.aims;
  }
  if (!outer_.empty() || !forms_.empty()) return Prediction::kPoses;
  return aims ? Prediction::kRotations : Prediction::kNone;
}

bool TreeIsland::FullyDriven() const {
  using Drive = PoweredAxis::Drive;
  for (const Link& link : links_) {
    if (link.joint == nullptr) return false;
    for (int k = 0; k < link.joint->num_free(); ++k) {
      const PoweredAxis& axis = link.joint->axis(k);
      if (axis.softness > 0.0 ||
          (axis.drive != Drive::kSpeed && axis.drive != Drive::kPosition)) {
        return false;
      }
    }
  }
  return outer_.empty() && !links_.empty();
}

// ---- Rows ------------------------------------------------------------------

void TreeIsland::SetBase(const Data& data, int i) {
  const Link& link = links_[Index(i)];
  TreeNode& node = solver_.nodes[Index(i)];
  const BodyMotion& own = data.motions[Index(link.body)];
  node.r = ToVec(own.p_WC) - link.reference;
  if (node.parent >= 0) {
    node.l = link.reference - links_[Index(node.parent)].reference;
    return;
  }
  const BodyMotion& given = data.motions[Index(link.parent_body)];
  node.base_x = PointVelocity(given, link.reference);
  node.base_w = ToVec(given.w_WB);
}

// BallJoint about the axes of F, without going through its form.
void TreeIsland::EvaluateBall(const Data& data, int i, bool history,
                              double kick, double h) {
  Link& link = links_[Index(i)];
  TreeNode& node = solver_.nodes[Index(i)];
  const BallJoint& joint = *link.ball;
  const std::size_t p = Index(link.joint_parent);
  const std::size_t c = Index(link.joint_child);
  const BodyMotion& parent = data.motions[p];
  const BodyMotion& child = data.motions[c];
  Mat& R_WF = link.R_WF;
  CopyNumbers(parent.R_WB, R_WF);
  if (!link.parallel) R_WF = R_WF * ToMat(joint.R_PF());
  const Vec reference = ToVec(child.p_WB) + Rotated(child.R_WB, link.p_BM);
  link.reference = reference;
  SetBase(data, i);

  // Held: d_v in axes of F.
  const Vec d_v = TransposedTimes(
      R_WF, PointVelocity(child, reference) - PointVelocity(parent, reference));
  Vec u;
  if (history) {
    const double* last = ConstraintAccess::last_rates(*link.joint).data();
    u = {-d_v.x + 0.5 * kFilter * (d_v.x + last[0]),
         -d_v.y + 0.5 * kFilter * (d_v.y + last[1]),
         -d_v.z + 0.5 * kFilter * (d_v.z + last[2])};
  }
  link.num_held = 3;
  link.rate[0] = d_v.x;
  link.rate[1] = d_v.y;
  link.rate[2] = d_v.z;
  link.u[0] = link.share_u[0] = u.x;
  link.u[1] = link.share_u[1] = u.y;
  link.u[2] = link.share_u[2] = u.z;
  node.offset_linear = link.sign * (R_WF * u);

  const bool driven = link.num_drives > 0;
  const bool aims = link.aims;
  node.ball = true;
  node.limp_ball = !driven;
  node.num_coordinates = driven ? 3 : 0;
  if (!driven) return;

  double error[3] = {0.0, 0.0, 0.0};
  if (aims) {
    const Quat q_WF = ToQuat(data.predicted[p].q_WB) * ToQuat(joint.X_PF().R);
    const Quat q_WM = ToQuat(data.predicted[c].q_WB) * ToQuat(joint.X_BM().R);
    const Vec a =
        Logarithm(Conjugate(q_WF) * q_WM * Conjugate(ToQuat(joint.target())));
    error[0] = a.x;
    error[1] = a.y;
    error[2] = a.z;
  }
  const Vec d_w = ToVec(child.w_WB) - ToVec(parent.w_WB);
  const std::vector<LcpRowState>& states =
      ConstraintAccess::row_states(*link.joint);
  std::size_t row = 3;
  for (int k = 0; k < 3; ++k) {
    const PoweredAxis& axis = joint.axis(k);
    TreeCoordinate& q = solver_.coordinates[Index(node.first_coordinate + k)];
    const Vec column = Column(R_WF, k);
    q.angular = link.sign * column;
    q.guess = Dot(column, d_w);
    q.s = axis.softness;
    q.lo = -axis.max_force * kick;
    q.hi = axis.max_force * kick;
    q.has_main = axis.drive != PoweredAxis::Drive::kNone;
    switch (axis.drive) {
      case PoweredAxis::Drive::kNone:
        break;
      case PoweredAxis::Drive::kSpeed:
        q.u = axis.target_speed;
        break;
      case PoweredAxis::Drive::kPosition:
        // C(t + h) = C of free drift + h (q'+ - q') shall be 0.
        q.u = std::clamp(q.guess - error[k] / h, -kMostTurn / h, kMostTurn / h);
        break;
      case PoweredAxis::Drive::kSpring: {
        const double stiffness = axis.stiffness;
        const double hk_d = h * stiffness + axis.damping;
        if (hk_d <= 0.0) {
          q.lo = q.hi = 0.0;
          break;
        }
        q.u = -(stiffness * (error[k] - h * q.guess) -
                axis.damping * axis.target_speed) /
              hk_d;
        q.s += 1.0 / (h * hk_d);
        break;
      }
    }
    q.main_state = q.limit_state = 0;
    if (q.has_main) {
      if (row < states.size()) q.main_state = ToInt(states[row]);
      ++row;
    }
  }
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
  joint.Evaluate(parent, child, form);
  // The reference of a node is the joint's point on its own body.
  const Vec child_point = ToVec(form.child_point);
  const Vec parent_point = ToVec(form.parent_point);
  link.reference = link.sign > 0.0 ? child_point : parent_point;
  SetBase(data, i);
  const Vec shift =
      link.sign > 0.0 ? parent_point - child_point : child_point - parent_point;
  node.l += shift;
  if (node.parent < 0) node.base_x += Cross(node.base_w, shift);

  const Vector3 d_v = child.PointVelocity(form.child_point) -
                      parent.PointVelocity(form.parent_point);
  const Vector3 d_w = child.w_WB - parent.w_WB;
  Matrix6 rows;
  for (int k = 0; k < form.num_locked; ++k) {
    const JointForm::Locked& locked = form.locked[Index(k)];
    rows.row(k) << locked.linear.transpose(), locked.angular.transpose();
  }
  for (int k = 0; k < form.num_free; ++k) {
    const JointForm::Free& free = form.free[Index(k)];
    rows.row(form.num_locked + k) << free.row_linear.transpose(),
        free.row_angular.transpose();
  }
  const Matrix6 columns = rows.inverse();
  const Vector6 speeds = rows.leftCols<3>() * d_v + rows.rightCols<3>() * d_w;
  for (int k = 0; k < 6; ++k) {
    own.column_linear[k] =
        link.sign * Vec{columns(0, k), columns(1, k), columns(2, k)};
    own.column_angular[k] =
        link.sign * Vec{columns(3, k), columns(4, k), columns(5, k)};
  }

  const bool hard = IsHard(joint.locked_settings());
  const std::vector<double>& last = ConstraintAccess::last_rates(*link.joint);
  const std::vector<LcpRowState>& states =
      ConstraintAccess::row_states(*link.joint);
  link.num_held = hard ? form.num_locked : 0;
  for (int k = 0; k < link.num_held; ++k) {
    link.rate[k] = speeds[k];
    link.u[k] = history
                    ? -speeds[k] + 0.5 * kFilter * (speeds[k] + last[Index(k)])
                    : 0.0;
  }

  // Errors after free drift, if a row asks for them.
  JointForm predicted;
  joint.Evaluate(data.predicted[p], data.predicted[c], predicted);
  Vector6 drive_errors = Vector6::Zero();
  bool aims = false;
  for (int k = 0; k < form.num_free; ++k) {
    const PoweredAxis::Drive drive = joint.axis(k).drive;
    aims = aims || drive == PoweredAxis::Drive::kPosition ||
           drive == PoweredAxis::Drive::kSpring;
  }
  if (aims) {
    drive_errors =
        joint.DriveErrors(predicted, data.predicted[p], data.predicted[c]);
  }
  node.ball = node.limp_ball = false;
  node.num_coordinates = 0;
  const auto add = [&](int column) -> TreeCoordinate& {
    TreeCoordinate& q =
        solver_
            .coordinates[Index(node.first_coordinate + node.num_coordinates++)];
    q = TreeCoordinate{};
    q.linear = own.column_linear[column];
    q.angular = own.column_angular[column];
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
      const RowTarget target = LeapfrogTarget(
          row, q.guess, coasting, &predicted.locked[Index(k)].error, kick, h);
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
          LeapfrogTarget(row, q.guess, 0.0, &drive_errors[k], kick, h);
      q.has_main = true;
      q.u = target.u;
      q.s = target.softness;
      q.lo = target.lo;
      q.hi = target.hi;
      q.main_state = state(r++);
    }
    q.s_limit = axis.limit_softness;
    RowBuffer::Row row;
    row.settings.softness = axis.limit_softness;
    if (act.lower) {
      row.error = free.position - axis.lower;
      row.settings.lo = 0.0;
      row.settings.hi = kInfinity;
      const double error = predicted.free[Index(k)].position - axis.lower;
      q.has_lower = true;
      q.u_lower = LeapfrogTarget(row, q.guess, 0.0, &error, kick, h).u;
      if (r < states.size() && states[r] == LcpRowState::kInterior) {
        q.limit_state = -1;
      }
      ++r;
    }
    if (act.upper) {
      row.error = free.position - axis.upper;
      row.settings.lo = -kInfinity;
      row.settings.hi = 0.0;
      const double error = predicted.free[Index(k)].position - axis.upper;
      q.has_upper = true;
      q.u_upper = LeapfrogTarget(row, q.guess, 0.0, &error, kick, h).u;
      if (r < states.size() && states[r] == LcpRowState::kInterior) {
        q.limit_state = 1;
      }
      ++r;
    }
  }
}

void TreeIsland::AddOuterRows(Data& data, Island& island, double kick,
                              double h) {
  solver_.body_rows.clear();
  solver_.aux_rows.clear();
  solver_.aux_entries.clear();
  outer_rows_.clear();
  if (outer_.empty()) return;
  island.first_row = data.rows.size();
  for (const int k : outer_) {
    Constraint& constraint = *data.constraints[Index(k)];
    const int first = data.rows.size();
    constraint.AddRows(data.motions, data.time, data.rows);
    const int count = data.rows.size() - first;
    data.row_range[Index(k)] = {first, count};
    if (data.targets.size() < Index(data.rows.size())) {
      data.targets.resize(Index(data.rows.size()));
    }
    SetLeapfrogTargets(data, constraint, first, count,
                       ConstraintAccess::last_rates(constraint), kick, h);
    const std::vector<LcpRowState>& states =
        ConstraintAccess::row_states(constraint);
    bool has_friction = false;
    for (int r = first; r < first + count; ++r) {
      has_friction = has_friction || data.rows.row(r).normal_row >= 0;
    }
    const std::span<const double> impulses = constraint.impulses();
    const int first_outer = static_cast<int>(outer_rows_.size());
    for (int r = first; r < first + count; ++r) {
      const RowBuffer::Row& row = data.rows.row(r);
      const RowTarget& target = data.targets[Index(r)];
      OuterRow outer;
      outer.row = r;
      outer.hard = IsHardJointRow(row);
      if (impulses.size() == Index(count)) {
        outer.last_impulse = impulses[Index(r - first)];
      }
      outer.rate = row.rate_bias;
      double given = 0.0;
      int body = -1;
      bool one_body = true;
      for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
        const BodyMotion& motion = data.motions[Index(entry.body)];
        const double speed =
            entry.linear.dot(motion.v_WC) + entry.angular.dot(motion.w_WB);
        outer.rate += speed;
        if (!data.bodies[Index(entry.body)].dynamic()) {
          given += speed;
          continue;
        }
        one_body = one_body && (body < 0 || body == entry.body);
        body = entry.body;
      }
      outer.u = target.u - given;
      outer.rest = -row.rate_bias - given;
      outer.aux = !one_body || body < 0 || has_friction ||
                  target.softness < kSoftEnough;
      const LcpRowState state = states.size() == Index(count)
                                    ? states[Index(r - first)]
                                    : LcpRowState::kInterior;
      TreeAuxRow aux;
      aux.first_entry = static_cast<int>(solver_.aux_entries.size());
      TreeBodyRow single;
      for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
        if (!data.bodies[Index(entry.body)].dynamic()) continue;
        const int n = node_of_body_[Index(entry.body)];
        const Vec linear = ToVec(entry.linear);
        const Vec angular =
            ToVec(entry.angular) + Cross(solver_.nodes[Index(n)].r, linear);
        if (outer.aux) {
          solver_.aux_entries.push_back({n, linear, angular});
          ++aux.num_entries;
        } else {
          single.node = n;
          single.linear += linear;
          single.angular += angular;
        }
      }
      if (outer.aux) {
        outer.index = static_cast<int>(solver_.aux_rows.size());
        aux.u = outer.u;
        aux.s = target.softness;
        aux.lo = target.lo;
        aux.hi = target.hi;
        aux.state = state;
        if (row.normal_row >= 0) {
          aux.normal =
              outer_rows_[Index(first_outer + row.normal_row - first)].index;
          aux.mu = row.friction;
        }
        solver_.aux_rows.push_back(aux);
      } else {
        outer.index = static_cast<int>(solver_.body_rows.size());
        single.u = outer.u;
        single.s = target.softness;
        single.lo = target.lo;
        single.hi = target.hi;
        single.state = ToInt(state);
        solver_.body_rows.push_back(single);
      }
      outer_rows_.push_back(outer);
    }
  }
}

// ---- The kick --------------------------------------------------------------

// No eigenvalue of K exceeds the sum of |f| |r|, and no turning of the frame F
// changes |f|. `scale` is h^2 beta / h of the last step.
void TreeIsland::BoundTension(std::size_t i, double scale) {
  const Link& link = links_[i];
  const TreeNode& node = solver_.nodes[i];
  tension_[i] = 0.0;
  if (link.joint == nullptr) return;
  if (link.ball == nullptr) {
    tension_[i] = kInfinity;
    return;
  }
  const std::span<const double> f = link.joint->impulses();
  if (f.size() < 3) return;
  const double f2 = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
  tension_[i] = scale * std::sqrt(f2 * Dot(node.r, node.r));
  if (node.parent < 0) return;
  const Vec arm = node.l - solver_.nodes[Index(node.parent)].r;
  tension_[Index(node.parent)] += scale * std::sqrt(f2 * Dot(arm, arm));
}

void TreeIsland::AddTension(const Data& data, double h) {
  // Only bodies whose bound of BoundTension is not small are looked at.
  const auto concerned = [this](std::size_t i) {
    return !outer_rows_.empty() || tension_[i] >= least_inertia_[i];
  };
  // The forces of the last step at their present places; a row's own list of
  // bodies is not needed here, since joints act between a body and its parent.
  std::vector<TreeNode>& nodes = solver_.nodes;
  bool any = false;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!concerned(i)) continue;
    nodes[i].M.C = Sym{};
    nodes[i].d = 0.0;
    any = true;
  }
  if (!any) return;
  any = false;
  const double per_step = 1.0 / data.last_h;
  // K = (f.r) 1 - (f r^T + r f^T)/2, and a bound of its size.
  const auto add = [&](TreeNode& node, const Vec& force, const Vec& arm) {
    const double along = Dot(force, arm);
    node.M.C += Sym{along - force.x * arm.x,
                    -0.5 * (force.x * arm.y + force.y * arm.x),
                    -0.5 * (force.x * arm.z + force.z * arm.x),
                    along - force.y * arm.y,
                    -0.5 * (force.y * arm.z + force.z * arm.y),
                    along - force.z * arm.z};
    // No eigenvalue of K is below -n.
    const double size = std::sqrt(Dot(force, force) * Dot(arm, arm));
    node.d += std::max(-along, 0.5 * (size - along));
  };
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.joint == nullptr) continue;
    const int p = nodes[i].parent;
    if (!concerned(i) && (p < 0 || !concerned(Index(p)))) continue;
    const std::span<const double> impulses = link.joint->impulses();
    if (impulses.size() < Index(link.num_held) || link.num_held == 0) continue;
    Vec f;
    if (link.ball != nullptr) {
      f = link.R_WF * Vec{impulses[0], impulses[1], impulses[2]};
    } else {
      for (int k = 0; k < link.num_held; ++k) {
        f += impulses[Index(k)] *
             ToVec(forms_[Index(link.form)].now.locked[Index(k)].linear);
      }
    }
    f = (link.sign * per_step) * f;
    add(nodes[i], f, -nodes[i].r);
    if (p >= 0) add(nodes[Index(p)], -f, nodes[i].l - nodes[Index(p)].r);
    any = true;
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard || outer.last_impulse == 0.0) continue;
    for (const RowBuffer::Entry& entry : data.rows.entries(outer.row)) {
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      add(nodes[Index(node_of_body_[Index(entry.body)])],
          (outer.last_impulse * per_step) * ToVec(entry.linear),
          ToVec(entry.arm));
      any = true;
    }
  }
  if (!any) return;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!concerned(i)) continue;
    const Body& body = data.bodies[Index(links_[i].body)];
    const Vector3& inertia = body.flow.inertia();
    const Sym& K = nodes[i].M.C;
    // pos(K) <= K + n 1: if I - h^2 beta (K + n 1) is positive definite, the
    // inertia stays as it is.
    const double g = h * h * kBeta;
    const Sym& I = nodes[i].inertia;
    const double n = nodes[i].d;
    const Sym B{I.xx - g * (K.xx + n), I.xy - g * K.xy, I.xz - g * K.xz,
                I.yy - g * (K.yy + n), I.yz - g * K.yz, I.zz - g * (K.zz + n)};
    const double minor = B.xx * B.yy - B.xy * B.xy;
    const double determinant = B.xx * (B.yy * B.zz - B.yz * B.yz) -
                               B.xy * (B.xy * B.zz - B.yz * B.xz) +
                               B.xz * (B.xy * B.yz - B.yy * B.xz);
    if (B.xx > 0.0 && minor > 0.0 && determinant > 0.0) continue;
    Matrix3 stiffness;
    stiffness << K.xx, K.xy, K.xz, K.xy, K.yy, K.yz, K.xz, K.yz, K.zz;
    Matrix3 I_eff;
    if (!TensionInertia(inertia, body.q_WC.toRotationMatrix(), stiffness, h,
                        I_eff)) {
      continue;
    }
    links_[i].tight = any_tight_ = true;
    links_[i].inertia = nodes[i].inertia;
    links_[i].w_before = ToVec(body.w);
    nodes[i].inertia = {I_eff(0, 0), I_eff(0, 1), I_eff(0, 2),
                        I_eff(1, 1), I_eff(1, 2), I_eff(2, 2)};
  }
}

// Targets of the hard rows, u0 + share (u - u0); u0 = 0 for joints.
void TreeIsland::ApplyTargets(double share) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    TreeNode& node = solver_.nodes[i];
    if (link.joint == nullptr) continue;
    if (link.ball != nullptr) {
      for (int k = 0; k < 3; ++k) link.share_u[k] = share * link.u[k];
      node.offset_linear =
          link.sign *
          (link.R_WF * Vec{link.share_u[0], link.share_u[1], link.share_u[2]});
      continue;
    }
    const Form& form = forms_[Index(link.form)];
    node.offset_linear = node.offset_angular = Vec{};
    for (int k = 0; k < link.num_held; ++k) {
      link.share_u[k] = share * link.u[k];
      node.offset_linear += link.share_u[k] * form.column_linear[k];
      node.offset_angular += link.share_u[k] * form.column_angular[k];
    }
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    solver_.aux_rows[Index(outer.index)].u =
        outer.rest + share * (outer.u - outer.rest);
  }
}

void TreeIsland::ReadImpulses(const Data& data) {
  impulse_squares_ = plain_work_ = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const TreeNode& node = solver_.nodes[i];
    if (link.joint == nullptr) continue;
    if (link.ball != nullptr) {
      const Vec lambda = link.sign * TransposedTimes(link.R_WF, node.F);
      link.lambda[0] = lambda.x;
      link.lambda[1] = lambda.y;
      link.lambda[2] = lambda.z;
      impulse_squares_ += Dot(lambda, lambda);
      plain_work_ += 0.5 * (lambda.x * (link.rate[0] + link.share_u[0]) +
                            lambda.y * (link.rate[1] + link.share_u[1]) +
                            lambda.z * (link.rate[2] + link.share_u[2]));
      continue;
    }
    const Form& form = forms_[Index(link.form)];
    for (int k = 0; k < link.num_held; ++k) {
      const double lambda = Dot(form.column_linear[k], node.F) +
                            Dot(form.column_angular[k], node.T);
      link.lambda[k] = lambda;
      impulse_squares_ += lambda * lambda;
      plain_work_ += 0.5 * lambda * (link.rate[k] + link.share_u[k]);
    }
  }
  if (!any_tight_) return;
  for (Link& link : links_) link.joint_torque = Vec{};
  // Torque of the hard rows about the mass centres.
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const TreeNode& node = solver_.nodes[i];
    if (link.joint == nullptr) continue;
    Vec F, T;
    if (link.ball != nullptr) {
      F = node.F;
    } else {
      for (int k = 0; k < link.num_held; ++k) {
        const JointForm::Locked& locked =
            forms_[Index(link.form)].now.locked[Index(k)];
        F += (link.sign * link.lambda[k]) * ToVec(locked.linear);
        T += (link.sign * link.lambda[k]) * ToVec(locked.angular);
      }
    }
    link.joint_torque += T - Cross(node.r, F);
    if (node.parent >= 0) {
      const TreeNode& parent = solver_.nodes[Index(node.parent)];
      links_[Index(node.parent)].joint_torque -=
          T + Cross(node.l - parent.r, F);
    }
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const double lambda = solver_.aux_rows[Index(outer.index)].lambda;
    for (const RowBuffer::Entry& entry : data.rows.entries(outer.row)) {
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      links_[Index(node_of_body_[Index(entry.body)])].joint_torque +=
          lambda * ToVec(entry.angular);
    }
  }
}

// Work of the hard rows, lambda . (C'- + C'+) / 2, and what the tension inertia
// keeps back of it: w . (I I_eff^-1 - 1) torque.
double TreeIsland::Work(bool first_lambda, bool first_rate) const {
  double work = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const double* lambda = first_lambda ? link.first_lambda : link.lambda;
    const double* after = first_rate ? link.u : link.share_u;
    for (int k = 0; k < link.num_held; ++k) {
      work += 0.5 * lambda[k] * (link.rate[k] + after[k]);
    }
    if (!link.tight) continue;
    const TreeNode& node = solver_.nodes[i];
    const Vec torque = first_lambda ? link.first_torque : link.joint_torque;
    const Vec w_after = first_rate ? link.first_w : node.NewSpin();
    const Vec w = 0.5 * (link.w_before + w_after);
    work += Dot(w, link.inertia * (Inverse(node.inertia) * torque) - torque);
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const TreeAuxRow& aux = solver_.aux_rows[Index(outer.index)];
    const double lambda = first_lambda ? outer.first_lambda : aux.lambda;
    const double after = (first_rate ? outer.u : aux.u) - outer.rest;
    work += 0.5 * lambda * (outer.rate + after);
  }
  return work;
}

// Holds joints back that would add energy the island has not lost before: the
// largest share c in [0, 1] of the targets for which they do no more work than
// the bank allows.
bool TreeIsland::LimitWork(Data& data, Island& island) {
  double bank = 0.0;
  double scale = impulse_squares_;
  for (const int b : island.bodies) bank += data.energy_bank[Index(b)];
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const double lambda = solver_.aux_rows[Index(outer.index)].lambda;
    scale += lambda * lambda;
  }
  scale /= mass_;
  bank = std::max(bank, -kCredit * energy_);
  // A debt (closing lifted bodies) need not be paid back, only not grow.
  const double allowed = std::max(0.0, -bank);
  double work =
      any_tight_ || !outer_rows_.empty() ? Work(false, false) : plain_work_;
  if (work > allowed + 1e-8 * (energy_ + scale)) {
    const double w11 = work;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& link = links_[i];
      std::copy(link.lambda, link.lambda + 6, link.first_lambda);
      link.first_torque = link.joint_torque;
      link.first_w = solver_.nodes[i].NewSpin();
    }
    for (OuterRow& outer : outer_rows_) {
      if (!outer.hard) continue;
      outer.first_lambda = solver_.aux_rows[Index(outer.index)].lambda;
    }
    ApplyTargets(0.0);
    if (!solver_.Resolve() && !solver_.SolveBounded()) return false;
    ReadImpulses(data);
    // lambda(c) and C'+(c) are straight lines where no state changes, so the
    // work is a parabola in c.
    const double w00 = Work(false, false);
    const double mixed = Work(true, false) + Work(false, true);
    const double quadratic = w11 + w00 - mixed;
    const double linear = mixed - 2.0 * w00;
    const double share = LargestShare(w00, linear, quadratic, allowed);
    ApplyTargets(share);
    if (!solver_.Resolve() && !solver_.SolveBounded()) return false;
    ReadImpulses(data);
    work = w00 + share * (linear + share * quadratic);
  }
  for (const int b : island.bodies) data.energy_bank[Index(b)] = 0.0;
  data.energy_bank[Index(island.bodies.front())] = bank + work;
  return true;
}

bool TreeIsland::Kick(Data& data, Island& island, double kick, double h) {
  const bool started = data.last_h > 0.0;
  solver_.factorisations = solver_.solves = 0;
  std::vector<TreeNode>& nodes = solver_.nodes;
  const Vec gravity = ToVec(data.settings.gravity);
  const double tension_scale = started ? h * h * kBeta / data.last_h : 0.0;
  bool has_history = started;
  energy_ = 0.0;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    Link& link = links_[Index(i)];
    TreeNode& node = nodes[Index(i)];
    const Body& body = data.bodies[Index(link.body)];
    const Vec v = ToVec(body.v);
    const Vec w = ToVec(body.w);
    link.tight = false;
    node.mass = body.mass.mass;
    energy_ += 0.5 * (node.mass * Dot(v, v) + Dot(w, ToVec(body.L)));
    node.inertia = AlongAxes(ToMat(ToQuat(body.q_WC)), body.flow.inertia());
    node.free_v = v + kick * (gravity + body.inverse_mass * ToVec(body.force));
    Vec free_w = w;
    if (body.torque.x() != 0.0 || body.torque.y() != 0.0 ||
        body.torque.z() != 0.0) {
      free_w += kick * ToVec(body.inverse_inertia_W * body.torque);
    }
    node.free_w = free_w;
    if (link.joint == nullptr) {
      link.reference = ToVec(data.motions[Index(link.body)].p_WC);
      link.num_held = 0;
      node.r = Vec{};
      tension_[Index(i)] = 0.0;
      continue;
    }
    const std::size_t num_last =
        ConstraintAccess::last_rates(*link.joint).size();
    bool history;
    if (link.ball != nullptr) {
      if (!link.hard) return false;
      history = num_last == Index(3 + link.num_drives);
      EvaluateBall(data, i, history, kick, h);
    } else {
      history = num_last >= Index(6 - link.joint->num_free());
      EvaluateJoint(data, i, history, kick, h);
    }
    has_history = has_history && history;
    BoundTension(Index(i), tension_scale);
  }
  AddOuterRows(data, island, kick, h);
  any_tight_ = false;
  if (started) AddTension(data, h);
  for (const int k : outer_) {
    has_history =
        has_history &&
        ConstraintAccess::last_rates(*data.constraints[Index(k)]).size() ==
            Index(data.row_range[Index(k)].second);
  }
  // Ball joints have theirs.
  if (!forms_.empty() || !outer_rows_.empty()) ApplyTargets(1.0);
  if (!solver_.SolveBounded()) return false;
  ReadImpulses(data);
  const bool driven = solver_.all_held() && FullyDriven();
  if (has_history && !driven && !LimitWork(data, island)) return false;

  double turn = 0.0;
  int num_rows = static_cast<int>(outer_rows_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const TreeNode& node = nodes[i];
    Body& body = data.bodies[Index(link.body)];
    const Vec v_before = ToVec(body.v);
    const Vec w_before = ToVec(body.w);
    Vec v = node.NewVelocity();
    Vec w = node.NewSpin();
    turn = std::max(turn, Dot(w, w));
    Vec L = ToVec(body.L) + kick * ToVec(body.torque) +
            (link.tight ? link.inertia : node.inertia) * (w - node.free_w);
    if (has_damping_) {
      const double slower = std::exp(-body.angular_damping * h);
      v = std::exp(-body.linear_damping * h) * v;
      L = slower * L;
      w = slower * w;
    }
    Set(body.v, v);
    Set(body.w, w);
    Set(body.L, L);
    if (started) {
      BodyMotion& at_kick = data.synchronised[Index(link.body)];
      Set(at_kick.v_WC, 0.5 * (v_before + v));
      Set(at_kick.w_WB, 0.5 * (w_before + w));
    }
    if (link.joint != nullptr) num_rows += StoreLink(data, i, h);
  }
  largest_turn_ = h * std::sqrt(turn);
  data.report.num_rows += num_rows;
  if (!outer_.empty()) {
    StoreOuterRows(data);
    island.num_rows = num_rows;
  }
  kick_factorisations_ = solver_.factorisations;
  kick_solves_ = solver_.solves;
  data.report.residual = std::max(data.report.residual, solver_.residual);
  return true;
}

// Impulses, rates and states of one joint's rows; returns their number.
int TreeIsland::StoreLink(const Data& data, std::size_t i, double h) {
  const Link& link = links_[i];
  const TreeNode& node = solver_.nodes[i];
  std::vector<double>& impulses = ConstraintAccess::impulses(*link.joint);
  std::vector<double>& rates = ConstraintAccess::last_rates(*link.joint);
  std::vector<LcpRowState>& states = ConstraintAccess::row_states(*link.joint);
  const Joint& joint = *link.joint;
  const int num_locked = 6 - joint.num_free();
  const bool form = link.ball == nullptr;
  int count = num_locked + link.num_drives;
  if (form) {
    count = num_locked;
    for (int k = 0; k < joint.num_free(); ++k) {
      count += RowsOf(joint.axis(k),
                      forms_[Index(link.form)].now.free[Index(k)].has_position)
                   .count();
    }
  }
  impulses.resize(Index(count));
  rates.resize(Index(count));
  states.resize(Index(count));
  // Damping acts after the kick and alters all rates alike only for
  // linear and angular parts of one rate; the small difference between the
  // two is seen by the filter alone.
  const double kept =
      has_damping_ ? std::exp(-data.bodies[Index(link.body)].linear_damping * h)
                   : 1.0;
  const TreeCoordinate* q = solver_.coordinates.data() + node.first_coordinate;
  for (int k = 0; k < num_locked; ++k) {
    if (link.num_held > 0) {
      impulses[Index(k)] = link.lambda[k];
      rates[Index(k)] = kept * link.share_u[k];
      states[Index(k)] = LcpRowState::kInterior;
    } else {
      impulses[Index(k)] = q->main_impulse;
      rates[Index(k)] = q->rate;
      states[Index(k)] = ToState(q->main_state);
      ++q;
    }
  }
  if (node.num_coordinates == 0) return count;
  std::size_t row = Index(num_locked);
  for (int k = 0; k < joint.num_free(); ++k, ++q) {
    const PoweredAxis& axis = joint.axis(k);
    const FreeRows act = RowsOf(
        axis, form && forms_[Index(link.form)].now.free[Index(k)].has_position);
    if (act.drive) {
      impulses[row] = std::clamp(q->main_impulse, q->lo, q->hi);
      rates[row] = q->rate - axis.target_speed;
      states[row++] = ToState(q->main_state);
    }
    if (act.lower) {
      const bool on = q->limit_state < 0;
      // Rounding must not show as a pull.
      impulses[row] = on ? std::max(0.0, q->limit_impulse) : 0.0;
      rates[row] = q->rate;
      states[row++] = on ? LcpRowState::kInterior : LcpRowState::kAtLo;
    }
    if (act.upper) {
      const bool on = q->limit_state > 0;
      impulses[row] = on ? std::min(0.0, q->limit_impulse) : 0.0;
      rates[row] = q->rate;
      states[row++] = on ? LcpRowState::kInterior : LcpRowState::kAtHi;
    }
  }
  return count;
}

void TreeIsland::StoreOuterRows(Data& data) {
  for (const int k : outer_) {
    Constraint& constraint = *data.constraints[Index(k)];
    const std::size_t count = Index(data.row_range[Index(k)].second);
    ConstraintAccess::impulses(constraint).resize(count);
    ConstraintAccess::last_rates(constraint).resize(count);
    ConstraintAccess::row_states(constraint).resize(count);
  }
  std::size_t next = 0;
  for (const int k : outer_) {
    Constraint& constraint = *data.constraints[Index(k)];
    const int count = data.row_range[Index(k)].second;
    for (int i = 0; i < count; ++i, ++next) {
      const OuterRow& outer = outer_rows_[next];
      double rate = data.rows.row(outer.row).rate_bias;
      for (const RowBuffer::Entry& entry : data.rows.entries(outer.row)) {
        const Body& body = data.bodies[Index(entry.body)];
        rate += entry.linear.dot(body.v) + entry.angular.dot(body.w);
      }
      ConstraintAccess::last_rates(constraint)[Index(i)] = rate;
      double lambda;
      LcpRowState state;
      if (outer.aux) {
        lambda = solver_.aux_rows[Index(outer.index)].lambda;
        state = solver_.aux_rows[Index(outer.index)].state;
      } else {
        const TreeBodyRow& row = solver_.body_rows[Index(outer.index)];
        lambda = std::clamp(row.lambda, row.lo, row.hi);
        state = ToState(solver_.body_rows[Index(outer.index)].state);
      }
      ConstraintAccess::impulses(constraint)[Index(i)] = lambda;
      ConstraintAccess::row_states(constraint)[Index(i)] = state;
    }
  }
}

// ---- Closing ---------------------------------------------------------------

// C of a ball joint at the present pose.
Vec TreeIsland::Gap(const Data& data, const Link& link) const {
  const BodyMotion& parent = data.motions[Index(link.joint_parent)];
  const BodyMotion& child = data.motions[Index(link.joint_child)];
  return ToVec(child.p_WB) + Rotated(child.R_WB, link.p_BM) -
         ToVec(parent.p_WB) - Rotated(parent.R_WB, link.p_PF);
}

// Gaps of the hard rows at the present pose as offsets of the trees; arms and
// directions stay those of the kick unless `move_nodes`. Returns the largest.
double TreeIsland::SetClosing(Data& data, Island& island, bool move_nodes) {
  double gap = 0.0;
  std::vector<TreeNode>& nodes = solver_.nodes;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    Link& link = links_[Index(i)];
    TreeNode& node = nodes[Index(i)];
    if (link.joint == nullptr) {
      if (move_nodes) {
        link.reference = ToVec(data.motions[Index(link.body)].p_WC);
      }
      continue;
    }
    const Joint& joint = *link.joint;
    const BodyMotion& parent = data.motions[Index(link.joint_parent)];
    const BodyMotion& child = data.motions[Index(link.joint_child)];
    if (link.ball != nullptr) {
      const Vec C = Gap(data, link);
      gap = std::max({gap, std::abs(C.x), std::abs(C.y), std::abs(C.z)});
      node.offset_linear = (-link.sign) * C;
      if (!move_nodes) continue;
      link.reference = ToVec(child.p_WB) + Rotated(child.R_WB, link.p_BM);
      SetBase(data, i);
      if (node.kind == TreeNode::Kind::kMixed) {
        link.R_WF = ToMat(parent.R_WB) * ToMat(joint.R_PF());
        for (int k = 0; k < 3; ++k) {
          solver_.coordinates[Index(node.first_coordinate + k)].angular =
              link.sign * Column(link.R_WF, k);
        }
      }
      continue;
    }
    Form& own = forms_[Index(link.form)];
    JointForm& form = own.now;
    joint.Evaluate(parent, child, form);
    if (!move_nodes) {
      node.offset_linear = node.offset_angular = Vec{};
      for (int k = 0; k < link.num_held; ++k) {
        const double C = form.locked[Index(k)].error;
        gap = std::max(gap, std::abs(C));
        node.offset_linear -= C * own.column_linear[k];
        node.offset_angular -= C * own.column_angular[k];
      }
      continue;
    }
    const Vec child_point = ToVec(form.child_point);
    const Vec parent_point = ToVec(form.parent_point);
    link.reference = link.sign > 0.0 ? child_point : parent_point;
    SetBase(data, i);
    node.l += link.sign > 0.0 ? parent_point - child_point
                              : child_point - parent_point;
    Matrix6 rows;
    for (int k = 0; k < form.num_locked; ++k) {
      const JointForm::Locked& locked = form.locked[Index(k)];
      rows.row(k) << locked.linear.transpose(), locked.angular.transpose();
      if (link.num_held > 0) gap = std::max(gap, std::abs(locked.error));
    }
    for (int k = 0; k < form.num_free; ++k) {
      const JointForm::Free& free = form.free[Index(k)];
      rows.row(form.num_locked + k) << free.row_linear.transpose(),
          free.row_angular.transpose();
    }
    const Matrix6 columns = rows.inverse();
    node.offset_linear = node.offset_angular = Vec{};
    const int first = link.num_held > 0 ? form.num_locked : 0;
    for (int k = 0; k < 6; ++k) {
      const Vec linear =
          link.sign * Vec{columns(0, k), columns(1, k), columns(2, k)};
      const Vec angular =
          link.sign * Vec{columns(3, k), columns(4, k), columns(5, k)};
      if (k < link.num_held) {
        const double C = form.locked[Index(k)].error;
        node.offset_linear -= C * linear;
        node.offset_angular -= C * angular;
      } else {
        TreeCoordinate& q =
            solver_.coordinates[Index(node.first_coordinate + k - first)];
        q.linear = linear;
        q.angular = angular;
      }
    }
  }

  solver_.aux_rows.clear();
  solver_.aux_entries.clear();
  if (outer_.empty()) return gap;
  data.rows.Clear();
  island.first_row = 0;
  for (const int k : outer_) {
    data.constraints[Index(k)]->AddRows(data.motions, data.time, data.rows);
  }
  for (int r = 0; r < data.rows.size(); ++r) {
    const RowBuffer::Row& row = data.rows.row(r);
    if (!IsHardJointRow(row)) continue;
    gap = std::max(gap, std::abs(row.error));
    TreeAuxRow aux;
    aux.u = -row.error;
    aux.lo = -kInfinity;
    aux.hi = kInfinity;
    aux.first_entry = static_cast<int>(solver_.aux_entries.size());
    for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      const int n = node_of_body_[Index(entry.body)];
      const TreeNode& node = nodes[Index(n)];
      const Vec linear = ToVec(entry.linear);
      solver_.aux_entries.push_back(
          {n, linear, ToVec(entry.angular) + Cross(node.r, linear)});
      ++aux.num_entries;
    }
    solver_.aux_rows.push_back(aux);
  }
  return gap;
}

// Moves the bodies by what the closing found, and keeps their poses before that
// if `keep`. Returns the largest gap that ball joints have then.
double TreeIsland::Move(Data& data, Island& island, bool keep) {
  double largest = 0.0;
  for (const TreeNode& node : solver_.nodes) {
    const Vec v = node.NewVelocity();
    const Vec w = node.NewSpin();
    largest = std::max({largest, Dot(v, v), Dot(w, w)});
  }
  largest = std::sqrt(largest);
  const double share = largest > kMaxClosing ? kMaxClosing / largest : 1.0;
  const Vec gravity = ToVec(data.settings.gravity);
  double height = 0.0;
  double gap = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const TreeNode& node = solver_.nodes[i];
    Body& body = data.bodies[Index(link.body)];
    if (keep) before_[i] = {body.p_WC, body.q_WC};
    const Vec dp = share * node.NewVelocity();
    const Vec dw = share * node.NewSpin();
    height += node.mass * Dot(gravity, dp);
    const Vec p_WC = ToVec(body.p_WC) + dp;
    Set(body.p_WC, p_WC);
    if (dw.x != 0.0 || dw.y != 0.0 || dw.z != 0.0) {
      body.q_WC = ToEigen(Turned(dw, ToQuat(body.q_WC)));
      Refresh(data, link.body);
    } else {
      BodyMotion& motion = data.motions[Index(link.body)];
      Set(motion.p_WC, p_WC);
      Set(motion.p_WB, p_WC - Rotated(motion.R_WB, ToVec(body.mass.p_BC)));
    }
    if (link.ball == nullptr) continue;
    // Its parent has moved before.
    const Vec C = Gap(data, link);
    gap = std::max({gap, std::abs(C.x), std::abs(C.y), std::abs(C.z)});
  }
  data.energy_bank[Index(island.bodies.front())] -= height;
  return gap;
}

void TreeIsland::Close(Data& data, Island& island) {
  solver_.factorisations = kick_factorisations_;
  solver_.solves = kick_solves_;
  CloseGaps(data, island);
  StepReport& report = data.report;
  report.factorisations =
      std::max(report.factorisations, solver_.factorisations);
  report.solves = std::max(report.solves, solver_.solves);
}

void TreeIsland::CloseGaps(Data& data, Island& island) {
  // Gaps below this are closed; of larger ones a twentieth may be left.
  constexpr double kSmallGap = 1e-6;
  constexpr double kShareLeft = 0.05;
  constexpr int kMostRounds = 8;
  double gap = SetClosing(data, island, false);
  if (gap == 0.0) return;
  bool closed = false;
  // The kick's factor errs by about the turn of the step.
  const bool moved_bodies =
      (largest_turn_ < kShareLeft || largest_turn_ * gap < kSmallGap) &&
      solver_.aux_rows.empty();
  if (moved_bodies) {
    const double bank = data.energy_bank[Index(island.bodies.front())];
    solver_.SolveClosing(false);
    double left = Move(data, island, true);
    if (solver_.all_held()) {
      // Everything moved in straight lines: exact.
      closed = true;
    } else {
      if (!forms_.empty() || !outer_.empty()) {
        left = SetClosing(data, island, false);
      }
      closed = left < kSmallGap || left < kShareLeft * gap;
    }
    if (!closed) {
      for (std::size_t i = 0; i < links_.size(); ++i) {
        data.bodies[Index(links_[i].body)].p_WC = before_[i].p_WC;
        data.bodies[Index(links_[i].body)].q_WC = before_[i].q_WC;
        Refresh(data, links_[i].body);
      }
      data.energy_bank[Index(island.bodies.front())] = bank;
    }
  }
  for (int round = 0; round < kMostRounds && !closed; ++round) {
    gap = SetClosing(data, island, true);
    // Contradictory loops cannot be closed; the next kick reports them.
    if (gap == 0.0 || !solver_.SolveClosing(true)) break;
    Move(data, island, false);
    // A Newton step squares a gap below one.
    closed = gap <= std::sqrt(kClosed);
  }
}

}  // namespace limber::dynamics::internal
