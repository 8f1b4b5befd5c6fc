// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/tree_solver.h"

// Which rows hold and which are at a bound: flips first, Newton's method with
// an exact line search where these run in a circle.

namespace limber::dynamics::internal {

void TreeSolver::FittingStates(const TreeCoordinate& q, double speed_margin,
                               double impulse_margin, int& main_state,
                               int& limit_state) {
  const double s = Softness(q);
  const double s_limit = LimitSoftness(q);
  if (limit_state == 0) {
    if (q.has_lower && q.rate < q.u_lower - speed_margin) limit_state = -1;
    if (q.has_upper && q.rate > q.u_upper + speed_margin) limit_state = 1;
  } else if (limit_state * q.limit_impulse > impulse_margin) {
    limit_state = 0;
  }
  if (!q.has_main || q.lo >= q.hi) return;
  if (main_state == 0) {
    if (q.main_impulse < q.lo - impulse_margin) main_state = -1;
    if (q.main_impulse > q.hi + impulse_margin) main_state = 1;
  } else {
    const double bound = main_state < 0 ? q.lo : q.hi;
    const double e = q.rate - q.u + s * bound;
    if (main_state * e > speed_margin) main_state = 0;
  }
  if (limit_state != 0 && s_limit == 0.0 && main_state == 0 && s == 0.0) {
    // Both would hold q': the limit wins, the drive pushes its most.
    const double u = limit_state < 0 ? q.u_lower : q.u_upper;
    main_state = u > q.u ? -1 : 1;
    const double bound = main_state < 0 ? q.lo : q.hi;
    if (!std::isfinite(bound)) conflict_ = true;
  }
}

bool TreeSolver::LiesOnOther(const TreeCoordinate& q, double rate,
                             double margin) const {
  const TreeOtherRow& other = other_rows[Index(q.other)];
  const double s = other.s > 0.0 ? other.s : soften_;
  // e at the bound that the two share.
  if (other.lo == q.hi) return rate - other.u + s * q.hi < -margin;
  return rate - other.u + s * q.lo > margin;
}

void TreeSolver::TakeOther(TreeCoordinate& q) {
  TreeOtherRow& other = other_rows[Index(q.other)];
  std::swap(q.u, other.u);
  std::swap(q.s, other.s);
  std::swap(q.lo, other.lo);
  std::swap(q.hi, other.hi);
  q.main_state = 0;
  q.mode = TreeCoordinate::kNoMode;
}

// Counts the rows whose state does not fit the answer, and gives them the next
// one if `flip`.
int TreeSolver::CheckRows(bool flip) {
  int num_wrong = 0;
  if (!has_coordinates_ && body_rows.empty()) return 0;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    TreeNode& node = nodes[Index(i)];
    bool changed = false;
    for (int k = 0; k < node.num_coordinates; ++k) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      const bool limited = q.has_lower || q.has_upper;
      // The usual case first: a drive well inside its bounds.
      if (!limited && q.main_state == 0 && q.main_impulse > q.lo &&
          q.main_impulse < q.hi) {
        continue;
      }
      if (!q.bounded()) continue;
      int main_state = q.main_state;
      int limit_state = q.limit_state;
      const double speed_margin =
          kRowTolerance * (kSmallestRow + std::abs(q.rate));
      FittingStates(q, speed_margin,
                    kRowTolerance * (kSmallestRow + std::abs(q.lambda)),
                    main_state, limit_state);
      if (q.other >= 0 && main_state == q.main_state && main_state != 0 &&
          limit_state == 0 && q.limit_state == 0 &&
          LiesOnOther(q, q.rate, speed_margin)) {
        ++num_wrong;
        if (flip) {
          TakeOther(q);
          changed = true;
        }
        continue;
      }
      if (main_state == q.main_state && limit_state == q.limit_state) continue;
      ++num_wrong;
      if (flip) {
        q.main_state = main_state;
        q.limit_state = limit_state;
        changed = true;
      }
    }
    if (changed) MarkDirty(i);
  }
  for (TreeBodyRow& row : body_rows) {
    int state = row.state;
    if (state == 0) {
      const double margin =
          kRowTolerance * (kSmallestRow + std::abs(row.lambda));
      if (row.lambda < row.lo - margin) state = -1;
      if (row.lambda > row.hi + margin) state = 1;
    } else if (row.lo < row.hi) {
      const double e = row.rate - row.u + row.s * row.lambda;
      if (state * e > kRowTolerance * (kSmallestRow + std::abs(row.rate)))
        state = 0;
    }
    if (state == row.state) continue;
    ++num_wrong;
    if (flip) {
      row.state = state;
      MarkDirty(row.node);
    }
  }
  return num_wrong;
}

// One step of iterative refinement: the answer becomes the prediction, and the
// momentum that still lacks is solved for. Soft body rows and nearly dependent
// aux rows leave a rest of about 1e-16 / s otherwise.
void TreeSolver::Refine() {
  if (has_simple_) {
    ExpandSimpleDrives();
    FinishRows();
  }
  for (TreeNode& node : nodes) {
    node.x += node.dx;
    node.w += node.dw;
    const bool three = node.kind == TreeNode::Kind::kFreeBall ||
                       node.kind == TreeNode::Kind::kSoftBall;
    if (three) node.c = Vec{};
    for (int k = 0; k < node.num_coordinates; ++k) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      if (q.locked) continue;
      q.q0 = q.rate;
      q.c = q.lambda;
      q.mode = TreeCoordinate::kNoMode;
      if (three) node.c += q.c * q.angular;
    }
  }
  ApplyAux();
  FinishRows();
}

// The rows that do not fit the answer, which is refined first if all seem to
// and the rest of the elimination may show.
int TreeSolver::CountWrong() {
  const int wrong = CheckRows(false);
  if (wrong > 0 || !WantsRefinement()) return wrong;
  Refine();
  return CheckRows(false);
}

// Solves and gives every row that does not fit its next state, all together,
// until none is left or no progress is seen for `patience` rounds.
bool TreeSolver::FlipUntilSolved(int most, int patience, bool predicted) {
  int best = std::numeric_limits<int>::max();
  int left = patience;
  for (int round = 0; round < most; ++round) {
    const bool solved =
        round == 0 && predicted ? SolvePredicted() : SolveLinear();
    if (!solved) return false;
    const int wrong = CountWrong();
    if (wrong == 0) return true;
    if (wrong < best) {
      best = wrong;
      left = patience;
    } else if (--left < 0) {
      return false;
    }
    CheckRows(true);
    if (conflict_) return false;
  }
  return false;
}

void TreeSolver::TakeCurrent(double alpha) {
  for (TreeNode& node : nodes) {
    node.current_v += alpha * (node.NewVelocity() - node.current_v);
    node.current_w += alpha * (node.NewSpin() - node.current_w);
  }
  for (TreeCoordinate& q : coordinates) {
    q.current += alpha * (q.rate - q.current);
  }
  for (TreeBodyRow& row : body_rows) {
    row.current += alpha * (row.rate - row.current);
  }
  for (TreeContact& contact : contacts) {
    if (contact.num_rows < 3 || !contact.cone) continue;
    double z[2];
    SlipOf(contact, z);
    for (int k = 0; k < 2; ++k) {
      contact.current[k] += alpha * (z[k] - contact.current[k]);
    }
  }
  for (TreePointRow& row : point_rows) {
    row.current += alpha * (row.rate - row.current);
  }
  for (TreeAuxRow& row : aux_rows) {
    row.current += alpha * (row.rate - row.current);
  }
}

void TreeSolver::StatesFromCurrent() {
  const auto state_of = [](double lambda, double lo, double hi) {
    return lambda < lo ? -1 : lambda > hi ? 1 : 0;
  };
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    const TreeNode& node = nodes[Index(i)];
    bool changed = false;
    for (int k = 0; k < node.num_coordinates; ++k) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      if (!q.bounded()) continue;
      int main_state = q.main_state;
      int limit_state = q.limit_state;
      if (q.has_main && q.lo < q.hi) {
        if (q.other >= 0 && LiesOnOther(q, q.current, 0.0)) {
          TakeOther(q);
          main_state = 0;
          changed = true;
        }
        if (Softness(q) > 0.0) {
          main_state = state_of((q.u - q.current) / Softness(q), q.lo, q.hi);
        } else {
          FittingStates(q, 0.0, 0.0, main_state, limit_state);
        }
      }
      limit_state = q.has_lower && q.current < q.u_lower   ? -1
                    : q.has_upper && q.current > q.u_upper ? 1
                                                           : 0;
      if (main_state == q.main_state && limit_state == q.limit_state) continue;
      q.main_state = main_state;
      q.limit_state = limit_state;
      changed = true;
    }
    if (changed) MarkDirty(i);
  }
  for (TreeBodyRow& row : body_rows) {
    if (row.lo == row.hi || row.in_cone) continue;
    const int state =
        state_of(row.u - row.current, row.s * row.lo, row.s * row.hi);
    if (state == row.state) continue;
    row.state = state;
    MarkDirty(row.node);
  }
}

// The exact minimum of phi between the current point and the last answer: its
// slope along the way is piecewise linear and grows,
//
//     phi'(a) = B + a A - sum_k lambda_k(z_k + a g_k) g_k .
//
// Rows that are in one state at both ends are so in between, and belong to A
// and B.
double TreeSolver::LineSearch() {
  double A = 0.0;
  double B = 0.0;
  for (const TreeNode& node : nodes) {
    const Vec ev = node.NewVelocity() - node.current_v;
    const Vec ew = node.NewSpin() - node.current_w;
    A += node.mass * Dot(ev, ev) + Dot(ew, node.inertia * ew);
    B += node.mass * Dot(ev, node.current_v - node.free_v) +
         Dot(ew, node.inertia * (node.current_w - node.free_w));
  }
  line_.clear();
  // A row of softness s, z = e before and z + g after.
  const auto add = [&](double z, double g, double s, double lo, double hi) {
    const double stiffness = 1.0 / s;
    const double before = -z * stiffness;
    const double after = before - g * stiffness;
    const auto inside = [lo, hi](double x) { return x >= lo && x <= hi; };
    if (inside(before) && inside(after)) {
      A += g * g * stiffness;
      B -= before * g;
    } else if (before < lo && after < lo) {
      B -= lo * g;
    } else if (before > hi && after > hi) {
      B -= hi * g;
    } else {
      line_.push_back({before, g, stiffness, lo, hi});
    }
  };
  for (const TreeCoordinate& q : coordinates) {
    const double g = q.rate - q.current;
    if (g == 0.0) continue;
    const double s = Softness(q);
    if (q.has_main && s > 0.0) add(q.current - q.u, g, s, q.lo, q.hi);
    if (q.other >= 0 && soften_ > 0.0) {
      // What the other one adds beyond the bound they share.
      const TreeOtherRow& other = other_rows[Index(q.other)];
      const double shared = other.lo == q.hi ? q.hi : q.lo;
      const double s_other = other.s > 0.0 ? other.s : soften_;
      add(q.current - other.u + s_other * shared, g, s_other, other.lo - shared,
          other.hi - shared);
    }
    if (q.has_main && s == 0.0 && q.main_state != 0) {
      B -= (q.main_state < 0 ? q.lo : q.hi) * g;
    }
    // Limits that are open at both ends add nothing.
    const double s_limit = LimitSoftness(q);
    if (q.has_lower && std::min(q.current, q.rate) < q.u_lower) {
      add(q.current - q.u_lower, g, s_limit, 0.0,
          TreeCoordinate::kInfiniteImpulse);
    }
    if (q.has_upper && std::max(q.current, q.rate) > q.u_upper) {
      add(q.current - q.u_upper, g, s_limit, -TreeCoordinate::kInfiniteImpulse,
          0.0);
    }
  }
  for (const TreeBodyRow& row : body_rows) {
    if (row.in_cone) continue;
    // Nor do contacts.
    if (row.lo == 0.0 && std::min(row.current, row.rate) > row.u) continue;
    add(row.current - row.u, row.rate - row.current, row.s, row.lo, row.hi);
  }
  line_cones_.clear();
  for (const TreeContact& contact : contacts) {
    if (contact.num_rows < 3 || !contact.cone) continue;
    const double bound = contact.mu[1] * contact.bound;
    if (bound <= 0.0) continue;
    LineCone cone{{contact.current[0], contact.current[1]},
                  {},
                  ConeSoftness(contact),
                  bound};
    SlipOf(contact, cone.g);
    cone.g[0] -= cone.z[0];
    cone.g[1] -= cone.z[1];
    line_cones_.push_back(cone);
  }
  for (const TreePointRow& row : point_rows) {
    const Vec g = row.rate - row.current;
    A += row.stiffness * Dot(g, g);
    B += row.stiffness * Dot(g, row.current - row.u);
  }
  for (const TreeAuxRow& row : aux_rows) {
    // Hard ones hold at both ends, hence in between.
    if (row.s == 0.0) continue;
    add(row.current - row.u, row.rate - row.current, row.s, row.lo, row.hi);
  }
  constexpr double kExactStep = 1e-14;
  constexpr double kLooseStep = 1e-3;
  double low = 0.0;
  double high = 1.0;
  double alpha = 1.0;
  for (int round = 0; round < 60; ++round) {
    double slope = B + alpha * A;
    double curvature = A;
    for (const LineRow& row : line_) {
      double lambda = row.lambda - alpha * row.g * row.stiffness;
      if (lambda < row.lo) {
        lambda = row.lo;
      } else if (lambda > row.hi) {
        lambda = row.hi;
      } else {
        curvature += row.g * row.g * row.stiffness;
      }
      slope -= lambda * row.g;
    }
    for (const LineCone& cone : line_cones_) {
      const double z0 = cone.z[0] + alpha * cone.g[0];
      const double z1 = cone.z[1] + alpha * cone.g[1];
      const double along = z0 * cone.g[0] + z1 * cone.g[1];
      const double g2 = cone.g[0] * cone.g[0] + cone.g[1] * cone.g[1];
      const double size = std::sqrt(z0 * z0 + z1 * z1);
      if (size <= cone.s * cone.bound) {
        slope += along / cone.s;
        curvature += g2 / cone.s;
      } else {
        const double stiffness = cone.bound / size;
        slope += stiffness * along;
        curvature += stiffness * (g2 - along * along / (size * size));
      }
    }
    if (round == 0 && slope <= 0.0) return 1.0;
    (slope > 0.0 ? high : low) = alpha;
    double next = alpha - slope / curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done =
        std::abs(next - alpha) < (touching ? kLooseStep : kExactStep);
    alpha = next;
    if (done) break;
  }
  return alpha;
}

// Newton's method on phi with an exact line search, from the last answer on.
// The first step takes hard rows as they are: it often is all that is needed.
bool TreeSolver::Newton() {
  if (has_simple_) {
    ExpandSimpleDrives();
    if (answered_) FinishRows();
  }
  if (answered_) {
    StartCurrent();
    StatesFromCurrent();
    if (!conflict_ && SolveLinear() && CountWrong() == 0) return true;
    // On the way a drive and a limit may be against each other.
    conflict_ = false;
  }
  const bool solved = SearchLent();
  const bool done = solved && TakeSoftnessBack();
  soften_ = 0.0;
  MarkAllDirty();
  if (done || !solved) return solved;
  // A limit and a hard drive on one coordinate may not both hold.
  for (TreeCoordinate& q : coordinates) {
    if (q.limit_state != 0 && q.s_limit == 0.0 && q.has_main &&
        q.main_state == 0 && q.s == 0.0) {
      q.main_state = (q.limit_state < 0 ? q.u_lower : q.u_upper) > q.u ? -1 : 1;
      if (!std::isfinite(q.main_state < 0 ? q.lo : q.hi)) return false;
    }
  }
  return FlipUntilSolved(12, 4);
}

// Further steps. Hard rows with bounds are lent a little softness, so that phi
// is smooth enough; phi falls with every step and has finitely many pieces, so
// it ends.
bool TreeSolver::SearchLent() {
  constexpr int kMostSteps = 200;
  soften_ = kLentSoftness;
  MarkAllDirty();
  if (!answered_) {
    if (!SolveLinear()) return false;
    if (CheckRows(false) == 0) return true;
    StartCurrent();
  }
  for (int step = 0; step < kMostSteps; ++step) {
    TakeCurrent(LineSearch());
    StatesFromCurrent();
    if (!SolveLinear()) return false;
    if (CheckRows(false) == 0) return true;
  }
  return false;
}

// Takes the lent softness back with the factor at hand: a drive that aims
// beyond its target by what it gave way,
//
//     q' = u + s (lambda_before - lambda) ,
//
// is as good as hard once lambda stays. False, and the rows as they were, if it
// does not, or if a limit was lent softness too.
bool TreeSolver::TakeSoftnessBack() {
  constexpr int kMostRounds = 3;
  const auto lent = [](const TreeCoordinate& q) {
    return q.has_main && q.main_state == 0 && q.s == 0.0 && q.bounded();
  };
  targets_.clear();
  for (const TreeCoordinate& q : coordinates) {
    if (q.limit_state != 0 && q.s_limit == 0.0) return false;
    targets_.push_back(q.u);
  }
  bool fits = false;
  for (int round = 0; round < kMostRounds && !fits; ++round) {
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      TreeCoordinate& q = coordinates[k];
      if (lent(q)) q.u = targets_[k] + soften_ * q.main_impulse;
    }
    if (!SolveLinear()) break;
    fits = CountWrong() == 0;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const TreeCoordinate& q = coordinates[k];
      const double off = std::abs(q.rate - targets_[k]);
      const double margin = kRowTolerance * (kSmallestRow + std::abs(q.rate));
      fits = fits && (!lent(q) || off <= margin);
    }
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    coordinates[k].u = targets_[k];
  }
  return fits;
}

// Takes away states that the rows no longer allow.
void TreeSolver::Admit(TreeCoordinate& q) {
  if (!q.has_main) q.main_state = 0;
  if (q.has_main && q.lo == q.hi) q.main_state = -1;
  if (q.main_state < 0 && !std::isfinite(q.lo)) q.main_state = 0;
  if (q.main_state > 0 && !std::isfinite(q.hi)) q.main_state = 0;
  if (q.limit_state < 0 && !q.has_lower) q.limit_state = 0;
  if (q.limit_state > 0 && !q.has_upper) q.limit_state = 0;
  if (q.limit_state != 0 && q.s_limit == 0.0 && q.has_main && q.s == 0.0 &&
      q.main_state == 0) {
    q.main_state = (q.limit_state < 0 ? q.u_lower : q.u_upper) > q.u ? -1 : 1;
    if (!std::isfinite(q.main_state < 0 ? q.lo : q.hi)) {
      q.main_state = q.limit_state = 0;
    }
  }
}

bool TreeSolver::SolveBounded(bool changed) {
  conflict_ = false;
  // A later line search shall not have to allocate.
  line_.reserve(3 * coordinates.size() + body_rows.size() + aux_rows.size());
  targets_.reserve(coordinates.size());
  MarkAllDirty();
  for (TreeBodyRow& row : body_rows) {
    if (row.lo == row.hi) row.state = -1;
    if (row.state < 0 && !std::isfinite(row.lo)) row.state = 0;
    if (row.state > 0 && !std::isfinite(row.hi)) row.state = 0;
  }
  if (touching) {
    friction_rounds = 0;
    StartContacts();
    return SolveTouching(changed ? Begin::kNothing : Begin::kPredicted);
  }
  // Motors settle by flips. One-sided rows of constraints, four to a point with
  // friction, run in circles: there the line search is shorter from the start.
  // Contacts, which have softness, are in between.
  constexpr int kFlips = 12;
  constexpr int kFlipsOfContacts = 6;
  int flips = kFlips;
  for (const TreeBodyRow& row : body_rows) {
    if (!std::isfinite(row.lo) && !std::isfinite(row.hi)) continue;
    flips = std::min(flips, row.contact ? kFlipsOfContacts : 1);
  }
  if (FlipUntilSolved(flips, 4, !changed)) return true;
  if (conflict_) return false;
  return Newton();
}

bool TreeSolver::SolveOtherBounds() {
  if (touching) return SolveTouching(Begin::kNothing);
  if (FlipUntilSolved(12, 4)) return true;
  return !conflict_ && Newton();
}

bool TreeSolver::Resolve() {
  if (touching) {
    return SolveLinear() && (FitsContacts(passive::kLooserAgain) ||
                             SolveTouching(Begin::kNothing));
  }
  return SolveLinear() && CountWrong() == 0;
}

bool TreeSolver::WantsRefinement() const {
  constexpr double kSofterNeedsNone = 5e-3;
  if (!aux_rows.empty()) return true;
  for (const TreeBodyRow& row : body_rows) {
    if (row.state == 0 && row.s < kSofterNeedsNone) return true;
  }
  for (const TreePointRow& row : point_rows) {
    if (row.s < kSofterNeedsNone) return true;
  }
  return false;
}

}  // namespace limber::dynamics::internal
