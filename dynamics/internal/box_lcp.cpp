// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/box_lcp.h"

#include <algorithm>
#include <cmath>

#include "dynamics/lcp.h"
#include "dynamics/row.h"

namespace limber::dynamics::internal {
namespace {

// A pivot below this, on a unit diagonal, is taken for a dependent row.
// Rounding leaves n times 1e-16; a system that needs more digits has none left.
constexpr double kRankTolerance = 1e-11;
// |e_i| / s_i that rounding can leave.
constexpr double kRoundingError = 1e-13;
// Change of e_j per step that is rounding, relative to the sum it comes from.
constexpr double kRoundingDirection = 1e-15;
// Rounds of drive and refine. The second only cleans up rounding; more are
// needed when a wrong sign appears at that level.
constexpr int kMaxPasses = 10;

}  // namespace

void BoxLcp::Resize(int n) {
  n_ = n;
  if (static_cast<std::size_t>(n) > c.size()) {
    stride_ = n;
    A_.assign(static_cast<std::size_t>(n) * n, 0.0);
    for (std::vector<double>* vector :
         {&c, &lo, &hi, &lambda_, &e_, &s_, &z_, &d_lambda_, &d_e_, &weights_,
          &previous_, &v_, &v_before_, &given_c_, &missed_, &descended_}) {
      vector->assign(n, 0.0);
    }
    set_.assign(n, RowSet::kPending);
    set_before_.assign(n, RowSet::kPending);
    C_.reserve(n);
    support_.reserve(n);
    factor_.Reserve(n);
  }
}

void BoxLcp::Begin(int step_limit) {
  shift_ = 0.0;
  factor_valid_ = false;
  steps_ = 0;
  step_limit_ = step_limit;
  factorisations_ = 0;
}

double BoxLcp::min_pivot() const {
  // With ε on the diagonal no pivot of a semidefinite matrix is below ε.
  return shift_ > 0.0 ? 0.01 * shift_ : kRankTolerance;
}

void BoxLcp::Place(int i, RowSet guess) {
  factor_valid_ = false;
  const double nearest_zero = std::min(std::max(0.0, lo[i]), hi[i]);
  lambda_[i] = nearest_zero;
  if (lo[i] == hi[i]) {
    set_[i] = RowSet::kFixed;
  } else if (guess == RowSet::kInterior ||
             (lo[i] == -kInfinity && hi[i] == kInfinity)) {
    set_[i] = RowSet::kInterior;
  } else {
    set_[i] = RowSet::kPending;
    if (guess == RowSet::kLower && lo[i] != -kInfinity) lambda_[i] = lo[i];
    if (guess == RowSet::kUpper && hi[i] != kInfinity) lambda_[i] = hi[i];
  }
}

void BoxLcp::MoveBounds(int i, double new_lo, double new_hi) {
  lo[i] = new_lo;
  hi[i] = new_hi;
  switch (set_[i]) {
    case RowSet::kLower:
      lambda_[i] = new_lo;
      break;
    case RowSet::kUpper:
      lambda_[i] = new_hi;
      break;
    default:
      lambda_[i] = std::min(std::max(lambda_[i], new_lo), new_hi);
  }
  if (new_lo == new_hi) {
    if (set_[i] == RowSet::kInterior && factor_valid_) {
      Leave(static_cast<int>(std::find(C_.begin(), C_.end(), i) - C_.begin()));
    }
    set_[i] = RowSet::kFixed;
  } else if (set_[i] == RowSet::kFixed) {
    set_[i] = RowSet::kPending;
  }
}

void BoxLcp::Guess(int i, RowSet guess) {
  if (set_[i] != RowSet::kPending) return;
  if (guess == RowSet::kLower && lo[i] != -kInfinity) lambda_[i] = lo[i];
  if (guess == RowSet::kUpper && hi[i] != kInfinity) lambda_[i] = hi[i];
  if (guess == RowSet::kInterior && factor_valid_) {
    const double pivot = EliminateRow(i);
    if (pivot > min_pivot()) Enter(i, pivot);
  }
}

// e = A λ + c
void BoxLcp::ComputeErrors() {
  support_.clear();
  int count = 0;
  for (int i = 0; i < n_; ++i) {
    if (lambda_[i] == 0.0) continue;
    support_.push_back(i);
    weights_[count++] = lambda_[i];
  }
  std::copy_n(c.begin(), n_, e_.begin());
  AddRows(A_.data(), stride_, support_, weights_.data(), n_, e_.data());
}

// s_i = |c_i| + sum_j |A_ij λ_j| + |λ_i|, at least kLcpFloor of the largest, as
// in LcpResidual. After ComputeErrors.
void BoxLcp::ComputeScales() {
  double* __restrict s = s_.data();
  for (int i = 0; i < n_; ++i) s[i] = std::abs(c[i]) + std::abs(lambda_[i]);
  for (std::size_t k = 0; k < support_.size(); ++k) {
    const double* __restrict A_k = row(support_[k]);
    const double w = weights_[k];
    for (int i = 0; i < n_; ++i) s[i] += std::abs(A_k[i] * w);
  }
  double largest = 0.0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, s[i]);
  for (int i = 0; i < n_; ++i) s[i] = std::max(s[i], kLcpFloor * largest);
}

double BoxLcp::EliminateRow(int i) {
  const double* A_i = row(i);
  const int m = static_cast<int>(C_.size());
  for (int k = 0; k < m; ++k) z_[k] = A_i[C_[k]];
  return factor_.Eliminate(z_.data(), A_i[i]);
}

// Row i, just eliminated into z_, joins C.
void BoxLcp::Enter(int i, double pivot) {
  factor_.Append(z_.data(), pivot);
  C_.push_back(i);
  set_[i] = RowSet::kInterior;
  e_[i] = 0.0;
}

// The row at place k of C leaves; the caller gives it another set.
void BoxLcp::Leave(int k) {
  factor_.Remove(k);
  C_.erase(C_.begin() + k);
}

// Sets the branch of a row outside C from its λ and e; pending if on none.
void BoxLcp::Classify(int i) {
  if (set_[i] == RowSet::kFixed) return;
  const double noise = kRoundingError * s_[i];
  if (lambda_[i] == lo[i] && e_[i] >= -noise) {
    set_[i] = RowSet::kLower;
  } else if (lambda_[i] == hi[i] && e_[i] <= noise) {
    set_[i] = RowSet::kUpper;
  } else {
    set_[i] = RowSet::kPending;
  }
}

// Makes the conditions hold for C and all rows outside it but the pending ones:
// solves A_CC λ_C = -c_C - A_CN λ_N, and drops from C the rows that this
// carries out of their bounds. C only shrinks, so this ends. With C already
// right it is one step of iterative refinement.
BoxLcp::Step BoxLcp::Start() {
  if (!factor_valid_) {
    C_.clear();
    for (int i = 0; i < n_; ++i) {
      if (set_[i] == RowSet::kInterior) C_.push_back(i);
    }
    ++factorisations_;
    if (factor_.Factor(A_.data(), stride_, C_, min_pivot()) >= 0) {
      return Step::kSingular;
    }
    factor_valid_ = true;
  }
  for (bool dropped = true; dropped;) {
    dropped = false;
    ComputeErrors();
    const int m = static_cast<int>(C_.size());
    for (int k = 0; k < m; ++k) d_lambda_[k] = -e_[C_[k]];
    factor_.Solve(d_lambda_.data());
    for (int k = m - 1; k >= 0; --k) {
      const int j = C_[k];
      lambda_[j] += d_lambda_[k];
      const double clamped = std::min(std::max(lambda_[j], lo[j]), hi[j]);
      if (clamped == lambda_[j]) continue;
      lambda_[j] = clamped;
      set_[j] = RowSet::kPending;
      Leave(k);
      dropped = true;
    }
  }
  ComputeErrors();
  ComputeScales();
  for (const int j : C_) e_[j] = 0.0;
  for (int i = 0; i < n_; ++i) {
    if (set_[i] != RowSet::kInterior) Classify(i);
  }
  return Step::kDone;
}

// Drives row i along λ_i until its condition holds:
//
//     Δλ_i = ∓1,  Δλ_C = -A_CC^-1 A_Ci Δλ_i,  Δλ_N = 0
//     Δe = A Δλ,  so Δe_C = 0 and Δe_i = σ Δλ_i with the pivot σ > 0
//
// The step is the longest that keeps every other condition; the row that limits
// it changes its set. Of several that limit it the one with the least index
// moves (Murty's rule: no cycles, see docs), and row i itself before all.
BoxLcp::Step BoxLcp::Drive(int i) {
  while (true) {
    Classify(i);
    if (set_[i] != RowSet::kPending) return Step::kDone;
    if (steps_ >= deadline_) return Step::kLimit;
    ++steps_;
    const double sigma = EliminateRow(i);
    if (!(sigma > min_pivot())) return Step::kSingular;
    if (std::abs(e_[i]) <= kRoundingError * s_[i]) {
      Enter(i, sigma);
      return Step::kDone;
    }

    // The direction.
    const double direction = e_[i] > 0.0 ? -1.0 : 1.0;
    const int m = static_cast<int>(C_.size());
    std::copy_n(z_.begin(), m, d_lambda_.begin());
    factor_.SolveTransposed(d_lambda_.data());
    double size = 1.0;
    for (int k = 0; k < m; ++k) {
      d_lambda_[k] *= -direction;
      size += std::abs(d_lambda_[k]);
    }
    const double* A_i = row(i);
    for (int j = 0; j < n_; ++j) d_e_[j] = direction * A_i[j];
    AddRows(A_.data(), stride_, C_, d_lambda_.data(), n_, d_e_.data());

    // The longest step t.
    double t = std::abs(e_[i]) / sigma;
    bool to_bound = false;
    const double room =
        direction < 0.0 ? lambda_[i] - lo[i] : hi[i] - lambda_[i];
    if (room <= t) {
      t = room;
      to_bound = true;
    }
    int limiting = -1;  // the row that limits t
    int place = -1;     // its place in C, -1 if outside
    for (int k = 0; k < m; ++k) {
      const int j = C_[k];
      const double d = d_lambda_[k];
      double t_j = kInfinity;
      if (d < 0.0) t_j = std::max(0.0, (lo[j] - lambda_[j]) / d);
      if (d > 0.0) t_j = std::max(0.0, (hi[j] - lambda_[j]) / d);
      if (t_j < t || (t_j == t && limiting > j)) {
        t = t_j;
        limiting = j;
        place = k;
      }
    }
    const double noise = kRoundingDirection * size;
    for (int j = 0; j < n_; ++j) {
      const double d = d_e_[j];
      double t_j = kInfinity;
      if (set_[j] == RowSet::kLower && d < -noise) {
        t_j = std::max(0.0, e_[j]) / -d;
      } else if (set_[j] == RowSet::kUpper && d > noise) {
        t_j = std::max(0.0, -e_[j]) / d;
      }
      if (t_j < t || (t_j == t && limiting > j)) {
        t = t_j;
        limiting = j;
        place = -1;
      }
    }

    // Take it, and let the limiting row change its set.
    for (int k = 0; k < m; ++k) lambda_[C_[k]] += t * d_lambda_[k];
    lambda_[i] += t * direction;
    for (int j = 0; j < n_; ++j) e_[j] += t * d_e_[j];
    for (const int j : C_) e_[j] = 0.0;
    if (limiting < 0) {
      if (to_bound) {
        lambda_[i] = direction < 0.0 ? lo[i] : hi[i];
        set_[i] = direction < 0.0 ? RowSet::kLower : RowSet::kUpper;
      } else {
        Enter(i, sigma);
      }
      return Step::kDone;
    }
    if (place >= 0) {
      const bool at_lo = d_lambda_[place] < 0.0;
      lambda_[limiting] = at_lo ? lo[limiting] : hi[limiting];
      set_[limiting] = at_lo ? RowSet::kLower : RowSet::kUpper;
      Leave(place);
    } else {
      const double pivot = EliminateRow(limiting);
      if (!(pivot > min_pivot())) return Step::kSingular;
      Enter(limiting, pivot);
    }
  }
}

// Drives the pending rows one after the other, refines, and looks again.
BoxLcp::Step BoxLcp::Pivot(int max_steps) {
  if (max_steps == 0) return Step::kLimit;
  deadline_ = steps_ + max_steps;
  Step step = Start();
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    if (step != Step::kDone) return step;
    bool pending = false;
    for (int i = 0; i < n_; ++i) {
      if (set_[i] != RowSet::kPending) continue;
      pending = true;
      step = Drive(i);
      if (step != Step::kDone) return step;
    }
    if (!pending) return Step::kDone;
    step = Start();
  }
  return Step::kLimit;
}

// Another answer λ + d needs A d = 0 with d on C and on rows at a bound with
// e = 0. Such a d exists only if those rows together are dependent.
bool BoxLcp::HasOtherAnswer() {
  const int m = static_cast<int>(C_.size());
  bool dependent = false;
  for (int i = 0; i < n_ && !dependent; ++i) {
    if (set_[i] != RowSet::kLower && set_[i] != RowSet::kUpper) continue;
    if (std::abs(e_[i]) > kRoundingError * s_[i]) continue;
    const double pivot = EliminateRow(i);
    dependent = !(pivot > min_pivot());
    if (!dependent) {
      factor_.Append(z_.data(), pivot);
      C_.push_back(i);
    }
  }
  factor_.Truncate(m);
  C_.resize(m);
  return dependent;
}

BoxOutcome BoxLcp::Solve() {
  // Once singular, a problem that differs in its bounds only is taken to be
  // singular again.
  if (shift_ > 0.0) return SolveRegularised();
  const Step step = Pivot(step_limit_);
  if (step == Step::kDone && !HasOtherAnswer()) return BoxOutcome::kUnique;
  const BoxOutcome outcome = SolveRegularised();
  // The way there may have been singular, or long, and the answer not.
  if (outcome == BoxOutcome::kRegularised && IsUnique()) {
    return BoxOutcome::kUnique;
  }
  return outcome;
}

}  // namespace limber::dynamics::internal
