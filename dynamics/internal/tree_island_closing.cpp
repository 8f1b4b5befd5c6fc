// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island_parts.h"
#include "dynamics/internal/tree_solver_sweeps.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Closing: gaps of the held directions after the drift.

namespace {

double Largest(const Vec& a) {
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

}  // namespace

// Where the body that a node hangs on has its joint.
inline Vec TreeIsland::ParentPoint(const Data& data, const Link& link) {
  const BodyMotion& body = data.motions[Index(link.parent_body)];
  return ToVec(body.p_WB) + Rotated(body.R_WB, link.PointOfParent());
}

// Moves the bodies by their velocities for h seconds, with the gaps of the ball
// joints there as offsets of the trees. Returns the largest. Velocities are
// refreshed as well if nothing is going to turn the bodies any more.
double TreeIsland::Drift(Data& data, double h) {
  const bool last = solver_.all_held();
  double gap = 0.0;
  ForRotationsAfter(
      data.bodies, links_.size(), h,
      [this](std::size_t i) { return Index(links_[i].body); },
      [&](std::size_t i, const Quat& q_WC) {
        const Link& link = links_[i];
        Body& body = data.bodies[Index(link.body)];
        BodyMotion& motion = data.motions[Index(link.body)];
        const Vec p_WC = ToVec(body.p_WC) + h * ToVec(body.v);
        Set(body.q_WC, q_WC);
        Set(body.p_WC, p_WC);
        const BodyAxes axes = RefreshRotation(body, q_WC, motion);
        const Vec p_WB = RefreshPlace(body, p_WC, axes.R_WB, motion);
        if (last) RefreshVelocity(body, axes.R_WC, motion);
        if (link.ball != nullptr) {
          const Vec offset =
              ParentPoint(data, link) - p_WB - axes.R_WB * link.OwnPoint();
          solver_.nodes[i].offset_linear = offset;
          gap = std::max(gap, Largest(offset));
        }
        if (forms_.empty()) solver_.StartClosing(static_cast<int>(i));
      });
  return gap;
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
      const BodyMotion& own = data.motions[Index(link.body)];
      const Vec offset = ParentPoint(data, link) - ToVec(own.p_WB) -
                         Rotated(own.R_WB, link.OwnPoint());
      gap = std::max(gap, Largest(offset));
      node.offset_linear = offset;
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
    // Excess over limits, by free direction. One that did not hold in the kick
    // is closed with a new factor.
    double excess[6] = {};
    const int held = link.num_held > 0 ? 0 : form.num_locked;
    for (int k = 0; k < form.num_free; ++k) {
      TreeCoordinate& q =
          solver_.coordinates[Index(node.first_coordinate + held + k)];
      const double position = form.free[Index(k)].position;
      const PoweredAxis& axis = joint.axis(k);
      const double over = !form.free[Index(k)].has_position ? 0.0
                          : position < axis.lower ? position - axis.lower
                          : position > axis.upper ? position - axis.upper
                                                  : 0.0;
      constexpr double kSurprise = 5e-3;  // [rad or m]
      const bool surprise = !q.locked && std::abs(over) > kSurprise;
      q.closes = q.s_limit == 0.0 &&
                 (q.limit_state != 0 || (move_nodes && over != 0.0));
      if (q.s_limit > 0.0 || (!q.closes && !surprise)) continue;
      if (!move_nodes && surprise) limit_surprise_ = true;
      // Bit by bit: other bodies may be in the way.
      constexpr double kMostAtOnce = 0.03;  // [rad or m]
      excess[k] = std::clamp(over, -kMostAtOnce, kMostAtOnce);
      // What is left of a larger one waits for the next step.
      gap = std::max(gap, excess[k] == over
                              ? std::abs(over)
                              : std::min(std::abs(over), std::sqrt(kClosed)));
    }
    if (!move_nodes) {
      node.offset_linear = node.offset_angular = Vec{};
      for (int k = 0; k < link.num_held; ++k) {
        const double C = form.locked[Index(k)].error;
        gap = std::max(gap, std::abs(C));
        node.offset_linear -= C * own.column_linear[k];
        node.offset_angular -= C * own.column_angular[k];
      }
      for (int k = 0; k < form.num_free; ++k) {
        const int column = form.num_locked + k;
        node.offset_linear -= excess[k] * own.column_linear[column];
        node.offset_angular -= excess[k] * own.column_angular[column];
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
    Matrix6 columns;
    if (link.euler) {
      columns.setZero();
      for (int k = 0; k < 3; ++k) {
        columns.col(k).head<3>() = form.locked[Index(k)].linear;
        columns.col(3 + k).tail<3>() = form.free[Index(k)].column_angular;
      }
    } else {
      columns = rows.inverse();
    }
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
        if (k >= form.num_locked) {
          node.offset_linear -= excess[k - form.num_locked] * linear;
          node.offset_angular -= excess[k - form.num_locked] * angular;
        }
      }
    }
  }

  solver_.aux_rows.clear();
  solver_.aux_entries.clear();
  if (outer_.empty()) return gap;
  data.rows.Clear();
  island.first_row = 0;
  for (const Outer& outer : outer_) {
    if (!outer.closes) continue;
    data.constraints[Index(outer.constraint)]->AddRows(data.motions, data.time,
                                                       data.rows);
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

// Moves a body by a share of what the closing found, and keeps its pose before
// that.
inline void TreeIsland::MoveBody(std::size_t i, double share, Data& data,
                                 Moved& moved) {
  const Link& link = links_[i];
  const TreeNode& node = solver_.nodes[i];
  Body& body = data.bodies[Index(link.body)];
  BodyMotion& motion = data.motions[Index(link.body)];
  const Vec p_before = ToVec(body.p_WC);
  const Quat q_before = ToQuat(body.q_WC);
  Set(before_[i].p_WC, p_before);
  Set(before_[i].q_WC, q_before);
  const Vec dp = share * node.NewVelocity();
  const Vec dw = share * node.NewSpin();
  moved.height += node.mass * Dot(ToVec(data.settings.gravity), dp);
  moved.missing -= Cross(node.mass * dp, ToVec(body.v));
  moved.largest = std::max({moved.largest, Dot(dp, dp), Dot(dw, dw)});
  const Vec p_WC = p_before + dp;
  Set(body.p_WC, p_WC);
  const bool turns = dw.x != 0.0 || dw.y != 0.0 || dw.z != 0.0;
  if (solver_.all_held() && solver_.aux_rows.empty() && !turns) {
    // Drift has refreshed all. Held hinges may have to turn, balls never do.
    Set(motion.p_WC, p_WC);
    Set(motion.p_WB, ToVec(motion.p_WB) + dp);
    return;
  }
  const Quat q_WC = Turned(dw, q_before);
  Set(body.q_WC, q_WC);
  const BodyAxes axes = RefreshRotation(body, q_WC, motion);
  const Vec p_WB = RefreshPlace(body, p_WC, axes.R_WB, motion);
  RefreshVelocity(body, axes.R_WC, motion);
  if (link.ball == nullptr) return;
  // Its parent has moved before.
  moved.gap = std::max(moved.gap, Largest(ParentPoint(data, link) - p_WB -
                                          axes.R_WB * link.OwnPoint()));
}

// One closing: moves the bodies so that the offsets vanish, but none by more
// than kMaxClosing. Returns the largest gap that ball joints have then, or a
// negative number if there is no answer.
double TreeIsland::Move(bool factorise, bool predicted, Data& data,
                        Island& island) {
  Moved moved;
  const bool solved = solver_.SolveClosing(
      factorise, predicted,
      [&](std::size_t i) { MoveBody(i, 1.0, data, moved); });
  if (!solved) return -1.0;
  if (moved.largest > kMaxClosing * kMaxClosing) {
    MoveBack(data);
    const double share = kMaxClosing / std::sqrt(moved.largest);
    moved = Moved{};
    for (std::size_t i = 0; i < links_.size(); ++i) {
      MoveBody(i, share, data, moved);
    }
  }
  data.energy_bank[Index(island.bodies.front())] -= moved.height;
  missing_ += moved.missing;
  return moved.gap;
}

void TreeIsland::MoveBack(Data& data) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    data.bodies[Index(links_[i].body)].p_WC = before_[i].p_WC;
    data.bodies[Index(links_[i].body)].q_WC = before_[i].q_WC;
    Refresh(data, links_[i].body);
  }
}

void TreeIsland::DriftAndClose(Data& data, Island& island, double h) {
  solver_.factorisations = kick_factorisations_;
  solver_.solves = kick_solves_;
  solver_.aux_rows.clear();
  missing_ = Vec{};
  limit_surprise_ = false;
  double gap = Drift(data, h);
  const bool asks = !forms_.empty() || std::any_of(outer_.begin(), outer_.end(),
                                                   [](const Outer& outer) {
                                                     return outer.closes;
                                                   });
  if (asks) gap = SetClosing(data, island, false);
  CloseGaps(gap, !asks, data, island);
  if (island.free) GiveMomentum(data, island, {Vec{}, missing_}, false);
  StepReport& report = data.report;
  report.factorisations =
      std::max(report.factorisations, solver_.factorisations);
  report.solves = std::max(report.solves, solver_.solves);
}

void TreeIsland::CloseGaps(double gap, bool predicted, Data& data,
                           Island& island) {
  // Gaps below this are closed; of larger ones a twentieth may be left.
  constexpr double kSmallGap = 1e-6;
  constexpr double kShareLeft = 0.05;
  constexpr int kMostRounds = 8;
  const bool pushes = SetPushes(data, island);
  // The kick's factor errs by about the turn of the step.
  const bool kick_factor =
      (gap > 0.0 || pushes) &&
      (largest_turn_ < kShareLeft || largest_turn_ * gap < kSmallGap) &&
      solver_.aux_rows.empty() && !limit_surprise_;
  if (kick_factor) {
    const double bank = data.energy_bank[Index(island.bodies.front())];
    double left = Move(false, predicted, data, island);
    // If everything moved in straight lines, it is exact.
    if (solver_.all_held()) return;
    if (!forms_.empty()) left = SetClosing(data, island, false);
    if (left < kSmallGap || left < kShareLeft * gap) return;
    MoveBack(data);
    data.energy_bank[Index(island.bodies.front())] = bank;
    missing_ = Vec{};
  } else if (!solver_.all_held()) {
    for (const Link& link : links_) Refresh(data, link.body);
  }
  if (gap == 0.0 && !pushes) return;
  for (int round = 0; round < kMostRounds; ++round) {
    gap = SetClosing(data, island, true);
    // Contradictory loops cannot be closed; the next kick reports them.
    if ((gap == 0.0 && !(pushes && round == 0)) ||
        Move(true, false, data, island) < 0.0) {
      return;
    }
    // A Newton step squares a gap below one.
    if (gap <= std::sqrt(kClosed)) return;
  }
}

}  // namespace limber::dynamics::internal
