// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Rows of constraints that are no joint of the trees.

// Markers and nails that give way and have no bounds: the row index, or -1 for
// all other constraints.
int TreeIsland::AddPointRow(const Data& data, const Constraint& constraint,
                            double h) {
  using Policy = Stabilisation::Policy;
  PointForm now;
  if (!constraint.GetPointForm(data.time, now)) return -1;
  const RowSettings& settings = *now.settings;
  if (settings.lo != -kInfinity || settings.hi != kInfinity) return -1;
  const double k = settings.stabilisation.stiffness;
  const double d = settings.stabilisation.damping;
  const Policy policy = settings.stabilisation.policy;
  double s = settings.softness;
  if (policy == Policy::kSpring) {
    if (h * k + d <= 0.0) return -1;
    s += 1.0 / (h * (h * k + d));
  } else if (policy != Policy::kImplicit && policy != Policy::kDefault) {
    return -1;
  }
  const int n = node_of_body_[now.body.value];
  if (s < kSoftEnough || n < 0) return -1;
  PointForm then;
  constraint.GetPointForm(data.time + h, then);

  // C(t + h) = Ce + h J V+ ,  Ce = C after free drift - h J V
  const BodyMotion& body = data.motions[Index(now.body.value)];
  const BodyMotion& drifted = data.predicted[Index(now.body.value)];
  const Vec p_BA = ToVec(now.p_BA);
  const Vec p_WA = ToVec(body.p_WB) + Rotated(body.R_WB, p_BA);
  const Vec p_after = ToVec(drifted.p_WB) + Rotated(drifted.R_WB, p_BA);
  const Vec Ce = p_after - ToVec(then.p_WT) - h * PointVelocity(body, p_WA);
  TreePointRow row;
  row.node = n;
  row.arm = p_WA - ToVec(body.p_WC) + solver_.nodes[Index(n)].r;
  row.rate_bias = -ToVec(now.v_WT);
  row.s = s;
  row.stiffness = 1.0 / s;
  row.u = policy == Policy::kSpring
              ? (-1.0 / (h * k + d)) * (k * Ce + d * row.rate_bias)
              : (-1.0 / h) * Ce;
  solver_.point_rows.push_back(row);
  return static_cast<int>(solver_.point_rows.size()) - 1;
}

void TreeIsland::AddOuterRows(Data& data, Island& island, double kick,
                              double h) {
  solver_.body_rows.clear();
  solver_.point_rows.clear();
  solver_.aux_rows.clear();
  solver_.aux_entries.clear();
  outer_rows_.clear();
  hard_outer_rows_ = taut_outer_rows_ = false;
  if (outer_.empty()) return;
  island.first_row = data.rows.size();
  for (Outer& outer_constraint : outer_) {
    const int k = outer_constraint.constraint;
    Constraint& constraint = *data.constraints[Index(k)];
    outer_constraint.closes = false;
    outer_constraint.point = AddPointRow(data, constraint, h);
    if (outer_constraint.point >= 0) {
      data.row_range[Index(k)] = {data.rows.size(), 3};
      continue;
    }
    const int first = data.rows.size();
    constraint.AddRows(data.motions, data.time, data.rows);
    const int count = data.rows.size() - first;
    data.row_range[Index(k)] = {first, count};
    if (data.targets.size() < Index(data.rows.size())) {
      data.targets.resize(Index(data.rows.size()));
    }
    SetLeapfrogTargets(data, constraint, first, count,
                       ConstraintAccess::last_rates(constraint), kick, h,
                       false);
    const std::vector<LcpRowState>& states =
        ConstraintAccess::row_states(constraint);
    // Nothing now, but perhaps after the drift.
    if (count == 0 && outer_constraint.limits == nullptr) {
      outer_constraint.closes = true;
    }
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
      if (outer.hard) outer_constraint.closes = hard_outer_rows_ = true;
      // A spring that is taken at the end of the step closes as a joint does,
      // and pulls as one.
      const bool stiff =
          outer_constraint.force &&
          row.settings.stabilisation.policy == Stabilisation::Policy::kSpring;
      if (stiff) outer_constraint.closes = true;
      outer.taut = outer.hard || stiff;
      taut_outer_rows_ = taut_outer_rows_ || outer.taut;
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
        const int n = node_of_body_[entry.body];
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

void TreeIsland::StoreOuterRows(Data& data) {
  for (const Outer& outer : outer_) {
    const int k = outer.constraint;
    Constraint& constraint = *data.constraints[Index(k)];
    const std::size_t count = Index(data.row_range[Index(k)].second);
    ConstraintAccess::impulses(constraint).resize(count);
    ConstraintAccess::last_rates(constraint).resize(count);
    ConstraintAccess::row_states(constraint).resize(count);
  }
  std::size_t next = 0;
  for (const Outer& own : outer_) {
    const int k = own.constraint;
    Constraint& constraint = *data.constraints[Index(k)];
    if (own.point >= 0) {
      const TreePointRow& row = solver_.point_rows[Index(own.point)];
      const double lambda[3] = {row.lambda.x, row.lambda.y, row.lambda.z};
      std::copy(lambda, lambda + 3,
                ConstraintAccess::impulses(constraint).begin());
      const Vec C_rate = row.rate + row.rate_bias;
      const double rate[3] = {C_rate.x, C_rate.y, C_rate.z};
      std::copy(rate, rate + 3,
                ConstraintAccess::last_rates(constraint).begin());
      std::fill_n(ConstraintAccess::row_states(constraint).begin(), 3,
                  LcpRowState::kInterior);
      continue;
    }
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

}  // namespace limber::dynamics::internal
