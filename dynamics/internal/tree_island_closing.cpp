// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Closing: gaps of the held directions after the drift.

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
    missing_ -= Cross(node.mass * dp, ToVec(body.v));
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
  missing_ = Vec{};
  CloseGaps(data, island);
  if (island.free) GiveAngularMomentum(data, island, missing_, false);
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
  const bool pushes = SetPushes(data, island);
  if (gap == 0.0 && !pushes) return;
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
      if (!forms_.empty()) left = SetClosing(data, island, false);
      closed = left < kSmallGap || left < kShareLeft * gap;
    }
    if (!closed) {
      for (std::size_t i = 0; i < links_.size(); ++i) {
        data.bodies[Index(links_[i].body)].p_WC = before_[i].p_WC;
        data.bodies[Index(links_[i].body)].q_WC = before_[i].q_WC;
        Refresh(data, links_[i].body);
      }
      data.energy_bank[Index(island.bodies.front())] = bank;
      missing_ = Vec{};
    }
  }
  for (int round = 0; round < kMostRounds && !closed; ++round) {
    gap = SetClosing(data, island, true);
    // Contradictory loops cannot be closed; the next kick reports them.
    if ((gap == 0.0 && !(pushes && round == 0)) ||
        !solver_.SolveClosing(true)) {
      break;
    }
    Move(data, island, false);
    // A Newton step squares a gap below one.
    closed = gap <= std::sqrt(kClosed);
  }
}

}  // namespace limber::dynamics::internal
