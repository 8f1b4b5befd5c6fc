// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/tree_solver.h"

namespace limber::dynamics::internal {

// Calls visit(rate, u, s, lambda, lo, hi) for every row of the trees whose law
// the solve had to find; held directions obey theirs by construction, and so do
// limits that are open and not reached.
template <typename Visit>
void TreeSolver::VisitRows(const Visit& visit) const {
  for (const TreeNode& node : nodes) {
    for (int k = 0; k < node.num_coordinates; ++k) {
      const TreeCoordinate& q =
          coordinates[static_cast<std::size_t>(node.first_coordinate + k)];
      const double limit = q.limit_impulse;
      if (q.has_main) visit(q.rate, q.u, q.s, q.main_impulse, q.lo, q.hi);
      if (q.has_lower && (q.limit_state < 0 || q.rate < q.u_lower)) {
        visit(q.rate, q.u_lower, q.s_limit, q.limit_state < 0 ? limit : 0.0,
              0.0, TreeCoordinate::kInfiniteImpulse);
      }
      if (q.has_upper && (q.limit_state > 0 || q.rate > q.u_upper)) {
        visit(q.rate, q.u_upper, q.s_limit, q.limit_state > 0 ? limit : 0.0,
              -TreeCoordinate::kInfiniteImpulse, 0.0);
      }
    }
  }
  for (const TreeBodyRow& row : body_rows) {
    visit(row.rate, row.u, row.s, row.lambda, row.lo, row.hi);
  }
}

// For every row, how much of e = q' - u + s lambda, as a share of what it is a
// sum of, could be taken away by an impulse that its bounds still allow, as a
// share of the present one; the smaller of the two shares counts. And the
// excess over a bound as a share of the impulse. Rows that ask for next to
// nothing are judged by kLcpFloor of the largest.
double TreeSolver::RowsResidual() const {
  // The usual case: every row holds up to rounding.
  constexpr double kRounding = 1e-14;
  bool exact = true;
  double largest_speed = 0.0;
  double largest_impulse = 0.0;
  const auto size = [](double rate, double u, double s, double lambda) {
    return std::abs(rate) + std::abs(u) + s * std::abs(lambda);
  };
  VisitRows([&](double rate, double u, double s, double lambda, double lo,
                double hi) {
    const double e = rate - u + s * lambda;
    const double speed = size(rate, u, s, lambda);
    exact = exact && std::abs(e) <= kRounding * speed && lambda >= lo &&
            lambda <= hi;
    largest_speed = std::max(largest_speed, speed);
    largest_impulse = std::max(largest_impulse, std::abs(lambda));
  });
  if (exact) return 0.0;

  double worst = 0.0;
  VisitRows([&](double rate, double u, double s, double lambda, double lo,
                double hi) {
    const double e = rate - u + s * lambda;
    const double speed =
        std::max(size(rate, u, s, lambda), kLcpFloor * largest_speed);
    const double impulse =
        std::max(std::abs(lambda), kLcpFloor * largest_impulse);
    const double room = e > 0.0 ? lambda - lo : hi - lambda;
    if (std::abs(e) > worst * speed && room > worst * impulse) {
      worst = std::min(std::abs(e) / speed, room / impulse);
    }
    const double excess = std::max(lo - lambda, lambda - hi);
    if (excess > worst * impulse) worst = excess / impulse;
  });
  return worst;
}

}  // namespace limber::dynamics::internal
