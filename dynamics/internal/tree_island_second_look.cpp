// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace end_limits;

using namespace tree_parts;

// Limits of angles whose errors bend. A row asks for C >= 0 at the end of the
// step by
//
//     C(t + h) = Ce + h J V+ ,   Ce = C(drift with V) - h J V
//
// with the V before the kick. A blow changes V so much that the bend in Ce is
// another one. Where the answer V+ of the rows would pass a limit it is asked
// again with
//
//     Ce = C(drift with V+) - h J V+ ,   J of the pose after half of that
//     drift,
//
// which is the derivative of C(t + h) but for terms of third order: Newton's
// method for the end of the step, with contacts and motors in the same problem.
// docs/dynamics_tree.md, section "Second look".

namespace {}  // namespace

bool TreeIsland::LookAgain(Data& data, Island& island, double kick, double h) {
  kick_ = kick;
  for (int look = 0; look < kMostLooks; ++look) {
    bool any = false;
    for (Outer& own : outer_) {
      own.looked_at = own.limits != nullptr && TurnsFast(data, *own.limits, h);
      any = any || own.looked_at;
    }
    if (!any) break;
    GoAhead(data, h);
    if (AddForeseen(data, island, kick, h)) {
      if (!solver_.SolveBounded(true)) return false;
    } else if (BendTargets(data, h)) {
      if (!solver_.SolveOtherBounds()) return false;
    } else {
      break;
    }
    if (!SettleFriction(data, island)) return false;
  }
  return true;
}

// Whether the last solve turns two bodies fast against each other.
bool TreeIsland::TurnsFast(const Data& data, const AngleLimits& limits,
                           double h) const {
  const auto spin_of = [&](BodyId id) {
    const int n = node_of_body_[id.value];
    return n >= 0 ? solver_.nodes[Index(n)].NewSpin()
                  : ToVec(data.motions[Index(id.value)].w_WB);
  };
  const std::span<const BodyId> bodies = limits.bodies();
  const Vec w = spin_of(bodies.back()) - spin_of(bodies.front());
  const double turn = h * std::sqrt(Dot(w, w));
  return turn > kFast && turn < kWild;
}

// Where the last solve takes the bodies in h seconds, in `data.predicted`.
void TreeIsland::GoAhead(Data& data, double h) const {
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const Block& block = blocks_[n];
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    StateLanes state = ReadState(StatesOf(bodies));
    TakeVelocities(data, n, h, state);
    PredictFour(state, block.flow, block.frames, bodies, h, false,
                MotionsAt(data.predicted, block.body));
  }
}

// The rows there of what is looked at.
void TreeIsland::AddLookedAt(Data& data, double time, RowBuffer& rows) const {
  rows.Clear();
  for (const Outer& own : outer_) {
    if (own.looked_at) own.limits->AddRows(data.predicted, time, rows);
  }
}

// Rows of limits that were far away before the kick and that its answer passes.
// False, and nothing changed, if there are none.
bool TreeIsland::AddForeseen(Data& data, Island& island, double kick,
                             double h) {
  bool any = false;
  for (const Outer& own : outer_) {
    any =
        (own.looked_at && own.limits->Foresee(data.predicted, kPassed)) || any;
  }
  if (!any) return false;
  Predict(data, h, false);
  AddOuterRows(data, island, kick, h);
  AddContactRows(data, island);
  return true;
}

// Gives the limits that are looked at the Jacobians and targets by the last
// answer. False, with the rows as they were, if that passes none of them.
bool TreeIsland::BendTargets(Data& data, double h) {
  int num_rows = 0;
  for (const Outer& own : outer_) {
    if (own.looked_at) num_rows += data.row_range[Index(own.constraint)].second;
  }
  RowBuffer& end_rows = data.predicted_rows;
  AddLookedAt(data, data.time + h, end_rows);
  if (end_rows.size() != num_rows) return false;
  const auto wanted_of = [](const RowBuffer::Row& row) {
    // A limit that is passed keeps four fifths of its error, as before.
    const double C = row.settings.hi > 0.0 ? row.error : -row.error;
    return 0.8 * std::min(0.0, C);
  };
  // All rows of what is looked at, with their places in `end_rows`.
  const auto for_rows = [&](const auto& visit) {
    std::size_t next = 0;
    int k = 0;
    for (const Outer& own : outer_) {
      if (own.point >= 0) continue;
      const int count = data.row_range[Index(own.constraint)].second;
      for (int i = 0; i < count && own.looked_at; ++i, ++k) {
        OuterRow& outer = outer_rows_[next + Index(i)];
        const RowBuffer::Row& row = data.rows.row(outer.row);
        if (!outer.aux || !IsAngleLimit(row)) continue;
        visit(outer, row, row.settings.hi > 0.0 ? 1.0 : -1.0, k);
      }
      next += Index(count);
    }
  };
  bool passed = false;
  for_rows([&](const OuterRow&, const RowBuffer::Row& row, double sign, int k) {
    const double end = sign * end_rows.row(k).error;
    passed = passed || end < wanted_of(row) - kPassed;
  });
  if (!passed) return false;
  GoAhead(data, 0.5 * h);
  AddLookedAt(data, data.time + 0.5 * h, middle_rows_);
  if (middle_rows_.size() != num_rows) return false;
  for_rows([&](OuterRow& outer, const RowBuffer::Row& row, double sign, int k) {
    TreeAuxRow& aux = solver_.aux_rows[Index(outer.index)];
    TreeAuxEntry* to = &solver_.aux_entries[Index(aux.first_entry)];
    double rate = 0.0;
    for (const RowBuffer::Entry& entry : middle_rows_.entries(k)) {
      const int n = node_of_body_[entry.body];
      if (n < 0) continue;
      const TreeNode& node = solver_.nodes[Index(n)];
      to->linear = ToVec(entry.linear);
      to->angular = ToVec(entry.angular) + Cross(node.r, to->linear);
      rate +=
          Dot(to->linear, node.x + node.dx) + Dot(to->angular, node.NewSpin());
      ++to;
    }
    // What a soft row gives way by comes on top.
    const double asked = rate + aux.s * aux.lambda;
    const double end = sign * end_rows.row(k).error;
    const double u = sign * asked + (wanted_of(row) - end) / h;
    outer.u = aux.u = sign * std::min(u, kMostBend / h);
  });
  return true;
}

}  // namespace limber::dynamics::internal
