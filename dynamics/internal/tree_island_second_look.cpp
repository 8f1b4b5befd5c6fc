// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

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
//     Ce = C(drift with V+) - h J V+ ,
//
// Newton's method for the end of the step, with contacts and motors in the same
// problem. docs/dynamics_tree.md, section "Second look".

namespace {

/// Joints that turn less in a step are not looked at again [rad].
constexpr double kFast = 0.02;
/// Nor are rows solved again for less than this [rad].
constexpr double kPassed = 4e-3;
/// Most looks in a step.
constexpr int kMostLooks = 4;
/// Most that a bend may ask for in a step [rad].
constexpr double kMostBend = 0.1;

}  // namespace

bool TreeIsland::LookAgain(Data& data, const Island& island, double kick,
                           double h) {
  kick_ = kick;
  for (int look = 0; look < kMostLooks && !outer_rows_.empty(); ++look) {
    if (!BendTargets(data, h)) break;
    if (!solver_.SolveOtherBounds() || !SettleFriction(data, island)) {
      return false;
    }
  }
  return true;
}

// Whether the last solve turns the bodies of a row fast against each other.
bool TreeIsland::TurnsFast(const Data& data, int r, double h) const {
  const std::span<const RowBuffer::Entry> entries = data.rows.entries(r);
  const auto spin_of = [&](const RowBuffer::Entry& entry) {
    const int n = node_of_body_[Index(entry.body)];
    return n >= 0 ? solver_.nodes[Index(n)].NewSpin()
                  : ToVec(data.motions[Index(entry.body)].w_WB);
  };
  const Vec w = spin_of(entries.back()) - spin_of(entries.front());
  return h * h * Dot(w, w) > kFast * kFast;
}

// Gives limits that turn fast the targets by the last answer. False, with the
// targets as they were, if that passes none of them.
bool TreeIsland::BendTargets(Data& data, double h) {
  bool predicted = false;
  bool passed = false;
  std::size_t next = 0;
  for (const Outer& own : outer_) {
    if (own.point >= 0) continue;
    const auto [first, count] = data.row_range[Index(own.constraint)];
    const std::size_t first_outer = next;
    next += Index(count);
    for (std::size_t i = first_outer; i < next; ++i) {
      outer_rows_[i].bent_u = outer_rows_[i].u;
    }
    if (!own.limits || !TurnsFast(data, first, h)) continue;
    if (!predicted) {
      for (std::size_t n = 0; n < blocks_.size(); ++n) {
        const Block& block = blocks_[n];
        const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
        StateLanes state = ReadState(StatesOf(bodies));
        TakeVelocities(data, n, h, state);
        PredictFour(state, block.flow, block.frames, bodies, h, false,
                    MotionsAt(data.predicted, block.body));
      }
      predicted = true;
    }
    data.predicted_rows.Clear();
    data.constraints[Index(own.constraint)]->AddRows(
        data.predicted, data.time + h, data.predicted_rows);
    if (data.predicted_rows.size() != count) continue;
    for (int k = 0; k < count; ++k) {
      const RowBuffer::Row& row = data.rows.row(first + k);
      OuterRow& outer = outer_rows_[first_outer + Index(k)];
      if (!outer.aux || !IsAngleLimit(row)) continue;
      // A limit that is passed keeps four fifths of its error, as before.
      const double sign = row.settings.hi > 0.0 ? 1.0 : -1.0;
      const double wanted = 0.8 * std::min(0.0, sign * row.error);
      const double end = sign * data.predicted_rows.row(k).error;
      const TreeAuxRow& aux = solver_.aux_rows[Index(outer.index)];
      passed = passed || end < wanted - kPassed;
      const double u = sign * aux.rate + (wanted - end) / h;
      outer.bent_u = sign * std::min(u, kMostBend / h);
    }
  }
  if (!passed) return false;
  for (OuterRow& outer : outer_rows_) {
    if (!outer.aux || outer.bent_u == outer.u) continue;
    outer.u = outer.bent_u;
    solver_.aux_rows[Index(outer.index)].u = outer.u;
  }
  return true;
}

}  // namespace limber::dynamics::internal
