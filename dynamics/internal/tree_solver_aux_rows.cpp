// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/index.h"
#include "dynamics/internal/tree_solver.h"

// Rows beside the trees: loops, hard rows on one body, friction.

namespace limber::dynamics::internal {

namespace {

/// A row whose response is this small a share of what it would be without the
/// joints is one that the joints fulfil already: the rest is rounding.
constexpr double kDependent = 1e-9;
/// By how much such a row may be missed without being contradictory [m/s,
/// rad/s].
constexpr double kDependentMiss = 1e-6;

double Trace(const Sym& s) { return s.xx + s.yy + s.zz; }

}  // namespace

// At most J M^-1 J^T of a row, were its bodies free: a^T I^-1 a >= a^2 / tr I.
double TreeSolver::FreeResponse(const TreeAuxRow& row) const {
  double response = 0.0;
  for (int k = 0; k < row.num_entries; ++k) {
    const TreeAuxEntry& entry = aux_entries[Index(row.first_entry + k)];
    const TreeNode& node = nodes[Index(entry.node)];
    const Vec a = entry.angular - Cross(node.r, entry.linear);
    response += Dot(entry.linear, entry.linear) / node.mass;
    if (const double trace = Trace(node.inertia); trace > 0.0) {
      response += Dot(a, a) / trace;
    }
  }
  return response;
}

// Whether a one-sided row is open with the slack e = J V - u.
bool TreeSolver::IsOpen(const TreeAuxRow& row, double e) {
  return (row.lo == 0.0 && e > 0.0) || (row.hi == 0.0 && e < 0.0);
}

// Impulses of the aux rows for the factor at hand, by the response of the
// trees to each: G = J_aux (dV / d impulse) + S. One-sided rows that were open
// and are so without the impulses of the others wait outside, since each of the
// others costs two sweeps; if one is met after all it is done again with
// `all`.
bool TreeSolver::SolveAux(bool all) {
  const int m = static_cast<int>(aux_rows.size());
  if (G_.rows() < m) {
    G_.resize(m, m);
    aux_c_.resize(m);
    aux_lo_.resize(m);
    aux_hi_.resize(m);
  }
  aux_normal_.resize(Index(m));
  aux_mu_.resize(Index(m));
  aux_states_.resize(Index(m));
  const auto rate_of = [this](const TreeAuxRow& row, bool absolute) {
    double rate = 0.0;
    for (int k = 0; k < row.num_entries; ++k) {
      const TreeAuxEntry& entry = aux_entries[Index(row.first_entry + k)];
      const TreeNode& node = nodes[Index(entry.node)];
      rate += Dot(entry.linear, node.dx) + Dot(entry.angular, node.dw);
      if (absolute) {
        rate += Dot(entry.linear, node.x) + Dot(entry.angular, node.w);
      }
    }
    return rate;
  };
  bool has_friction = false;
  for (int i = 0; i < m; ++i) {
    const TreeAuxRow& row = aux_rows[Index(i)];
    aux_c_[i] = rate_of(row, true) - row.u;
    aux_lo_[i] = row.lo;
    aux_hi_[i] = row.hi;
    aux_normal_[Index(i)] = row.normal;
    aux_mu_[Index(i)] = row.mu;
    aux_states_[Index(i)] = row.state;
    has_friction = has_friction || row.normal >= 0;
  }
  for (int j = 0; j < m; ++j) {
    TreeAuxRow& row = aux_rows[Index(j)];
    row.idle = !all && !has_friction && row.state != LcpRowState::kInterior &&
               IsOpen(row, aux_c_[j]);
    if (row.idle) {
      G_.col(j).head(m).setZero();
      continue;
    }
    for (TreeNode& node : nodes) node.f = node.t = Vec{};
    for (int k = 0; k < row.num_entries; ++k) {
      const TreeAuxEntry& entry = aux_entries[Index(row.first_entry + k)];
      nodes[Index(entry.node)].f += entry.linear;
      nodes[Index(entry.node)].t += entry.angular;
    }
    SweepUp(true);
    SweepDown(true);
    ++solves;
    for (int i = 0; i < m; ++i) {
      G_(i, j) = rate_of(aux_rows[Index(i)], false) + (i == j ? row.s : 0.0);
    }
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) {
      G_(i, j) = G_(j, i) = 0.5 * (G_(i, j) + G_(j, i));
    }
  }
  // Redundant loops: planar linkages hold their own plane. Such a row gets no
  // impulse; if it is missed all the same the demands contradict each other.
  for (int i = 0; i < m; ++i) {
    TreeAuxRow& row = aux_rows[Index(i)];
    double least = kDependent * FreeResponse(row);
    // Drives that are lent softness hold nothing for good.
    if (soften_ > 0.0) least = std::min(least, 0.1 * soften_);
    row.dependent = !row.idle && G_(i, i) < least;
    if (!row.dependent && !row.idle) continue;
    G_.row(i).head(m).setZero();
    G_.col(i).head(m).setZero();
    G_(i, i) = 1.0;
    aux_lo_[i] = aux_hi_[i] = 0.0;
  }
  LcpProblem problem{G_.topLeftCorner(m, m), aux_c_.head(m), aux_lo_.head(m),
                     aux_hi_.head(m)};
  if (has_friction) {
    problem.normal = aux_normal_;
    problem.mu = aux_mu_;
  }
  dantzig_.SetWarmStart(aux_states_);
  const LcpResult& result = dantzig_.Solve(problem);
  // Nearly dependent rows leave some rounding, which the refinement takes away;
  // of dependent ones the answer of least norm is as good as any.
  constexpr double kRefinable = 1e-6;
  constexpr double kExact = 1e-10;
  const bool solved =
      result.status == LcpStatus::kSolved ||
      (result.status == LcpStatus::kRegularised && result.residual < kExact);
  double left = result.residual;
  if (!solved && (result.status != LcpStatus::kIterationLimit ||
                  left > kRefinable || has_friction)) {
    return false;
  }
  for (int i = 0; i < m; ++i) {
    aux_rows[Index(i)].lambda = result.lambda()[i];
    aux_rows[Index(i)].state = result.state[Index(i)];
  }
  ApplyAux();
  // Nearly dependent rows magnify rounding: one step of refinement, the same
  // problem for what is left, e = J V - u + s lambda.
  for (int i = 0; i < m; ++i) {
    const TreeAuxRow& row = aux_rows[Index(i)];
    aux_c_[i] = rate_of(row, true) - row.u + row.s * row.lambda;
    const bool out = row.dependent || row.idle;
    aux_lo_[i] = out ? 0.0 : row.lo - row.lambda;
    aux_hi_[i] = out ? 0.0 : row.hi - row.lambda;
    aux_states_[Index(i)] = row.state;
  }
  if (!has_friction) {
    const LcpResult& rest = dantzig_.Solve(problem);
    if (rest.status == LcpStatus::kSolved) {
      for (int i = 0; i < m; ++i) {
        TreeAuxRow& row = aux_rows[Index(i)];
        row.lambda += rest.lambda()[i];
        row.state = rest.state[Index(i)];
      }
      left = solved ? left : rest.residual;
      ApplyAux();
    } else if (!solved) {
      return false;
    }
  }
  residual = std::max(residual, left);
  bool met = false;
  for (TreeAuxRow& row : aux_rows) {
    row.rate = rate_of(row, true);
    if (!row.idle) continue;
    const bool open = IsOpen(row, row.rate - row.u);
    row.state = !open           ? LcpRowState::kInterior
                : row.lo == 0.0 ? LcpRowState::kAtLo
                                : LcpRowState::kAtHi;
    met = met || !open;
  }
  if (met) {
    for (TreeAuxRow& row : aux_rows) row.lambda = 0.0;
    ApplyAux();
    return SolveAux(true);
  }
  for (const TreeAuxRow& row : aux_rows) {
    if (!row.dependent) continue;
    const double miss = row.rate - row.u;
    // At a bound of 0 the row may be passed to one side.
    if ((miss < -kDependentMiss && row.hi > 0.0) ||
        (miss > kDependentMiss && row.lo < 0.0)) {
      return false;
    }
  }
  return true;
}

// Solves with the impulses of the aux rows on the bodies.
void TreeSolver::ApplyAux() {
  LoadRightSide();
  for (const TreeAuxRow& row : aux_rows) {
    for (int k = 0; k < row.num_entries; ++k) {
      const TreeAuxEntry& entry = aux_entries[Index(row.first_entry + k)];
      nodes[Index(entry.node)].f += row.lambda * entry.linear;
      nodes[Index(entry.node)].t += row.lambda * entry.angular;
    }
  }
  SweepUp(false);
  SweepDown(false);
  ++solves;
}

}  // namespace limber::dynamics::internal
