// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What BoxLcp does when the matrix is singular or the steps run out.
#include <algorithm>
#include <cmath>

#include "dynamics/internal/box_lcp.h"
#include "dynamics/row.h"

namespace limber::dynamics::internal {
namespace {

// ε on the unit diagonal. The part of λ that A does not see carries rounding of
// 1e-16/ε, the parts it sees converge by ε/(ε + σ) per proximal step, σ the
// eigenvalue: 1e-7 leaves nine digits for the one and seven per step for the
// other.
constexpr double kEpsilon = 1e-7;
constexpr double kProximalTolerance = 1e-13;  // of the residual
constexpr double kAcceptable = 1e-11;         // if it falls no further
constexpr int kMaxProximalSteps = 200;
constexpr int kMaxDescents = 200;
constexpr double kSlow = 0.5;           // ratio of steps called slow
constexpr double kFlat = 1e-13;         // v^T A v / v^T v called zero, per row
constexpr double kSettledDrift = 1e-6;  // relative change of a drift
constexpr double kSufficientDescent = 1e-4;
constexpr int kMaxHalvings = 60;
constexpr int kStepsAfterDescent = 4;  // per row
// A step this small, relative to the largest λ, is rounding.
constexpr double kLastDigits = 1e-15;

double Dot(const std::vector<double>& a, const std::vector<double>& b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void BoxLcp::SetShift(double epsilon) {
  for (int i = 0; i < n_; ++i) row(i)[i] += epsilon - shift_;
  shift_ = epsilon;
  factor_valid_ = false;
}

// Dantzig's method, and descent if its steps run out. Descent ends within
// rounding of the answer; a few steps from there settle the sets.
BoxLcp::Step BoxLcp::PivotOrDescend() {
  Step step = Pivot(step_limit_);
  if (step != Step::kLimit) return step;
  step = Descend();
  if (step != Step::kDone) return step;
  std::copy_n(lambda_.begin(), n_, descended_.begin());
  step = Pivot(kStepsAfterDescent * n_);
  if (step == Step::kLimit) {
    std::copy_n(descended_.begin(), n_, lambda_.begin());
    for (int i = 0; i < n_; ++i) Place(i, RowSet::kPending);
    std::copy_n(descended_.begin(), n_, lambda_.begin());
  }
  return step;
}

// Minimises f(λ) = 1/2 λ^T A λ + c^T λ over the box by projected Newton steps
// [Bertsekas 1982]: with F the rows that are free to move downhill,
//
//     d_F = -A_FF^-1 e_F,   λ <- clamp(λ + t d),   t = 1, 1/2, 1/4 ...
//
// f falls with every step and is bounded below, so the sets F cannot repeat.
BoxLcp::Step BoxLcp::Descend() {
  for (int i = 0; i < n_; ++i) {
    lambda_[i] = std::min(std::max(lambda_[i], lo[i]), hi[i]);
  }
  for (int round = 0; round < kMaxDescents; ++round) {
    ++steps_;
    ComputeErrors();
    C_.clear();
    for (int i = 0; i < n_; ++i) {
      const bool held = (lambda_[i] == lo[i] && e_[i] >= 0.0) ||
                        (lambda_[i] == hi[i] && e_[i] <= 0.0) || lo[i] == hi[i];
      if (!held) C_.push_back(i);
    }
    ++factorisations_;
    factor_valid_ = false;
    if (factor_.Factor(A_.data(), stride_, C_, min_pivot()) >= 0) {
      return Step::kSingular;
    }
    const int m = static_cast<int>(C_.size());
    for (int k = 0; k < m; ++k) z_[k] = -e_[C_[k]];
    factor_.Solve(z_.data());

    // v = clamp(λ + t d) - λ;  f(λ + v) - f(λ) = e·v + 1/2 v^T A v
    double largest = 0.0;
    double t = 1.0;
    for (int halving = 0; halving < kMaxHalvings; ++halving, t *= 0.5) {
      double slope = 0.0;
      largest = 0.0;
      for (int k = 0; k < m; ++k) {
        const int j = C_[k];
        d_lambda_[k] = std::min(std::max(lambda_[j] + t * z_[k], lo[j]), hi[j]);
        weights_[k] = d_lambda_[k] - lambda_[j];
        slope += e_[j] * weights_[k];
        largest = std::max(largest, std::abs(weights_[k]));
      }
      std::fill_n(d_e_.begin(), n_, 0.0);
      AddRows(A_.data(), stride_, C_, weights_.data(), n_, d_e_.data());
      double curvature = 0.0;
      for (int k = 0; k < m; ++k) curvature += weights_[k] * d_e_[C_[k]];
      if (slope + 0.5 * curvature <= kSufficientDescent * slope) break;
      largest = 0.0;
    }
    double lambda_size = 0.0;
    for (int k = 0; k < m; ++k) {
      lambda_size = std::max(lambda_size, std::abs(lambda_[C_[k]]));
      if (largest > 0.0) lambda_[C_[k]] = d_lambda_[k];
    }
    if (largest <= kLastDigits * lambda_size) break;
  }
  for (int i = 0; i < n_; ++i) {
    if (lo[i] == hi[i]) continue;
    set_[i] = lambda_[i] > lo[i] && lambda_[i] < hi[i] ? RowSet::kInterior
                                                       : RowSet::kPending;
  }
  return Step::kDone;
}

// The largest t with λ + t v within the bounds.
double BoxLcp::FreeLength(const double* v) const {
  double t = kInfinity;
  for (int i = 0; i < n_; ++i) {
    if (v[i] < 0.0) t = std::min(t, (lo[i] - lambda_[i]) / v[i]);
    if (v[i] > 0.0) t = std::min(t, (hi[i] - lambda_[i]) / v[i]);
  }
  return std::max(0.0, t);
}

// Proximal points: λ_k solves the LCP of A + ε I with c + missed - ε λ_{k-1},
// from the point of the box nearest to zero. So, with v = λ_k - λ_{k-1},
//
//     e = A λ_k + c + missed = -ε v      on the interior rows
//
// The first λ is within ε of the answer of least norm, the others only clean
// up. If v settles instead of falling, v is a direction with A v = 0 along
// which f falls for ever: a contradiction. ε v is then the smallest change of c
// that resolves it, kept in missed_, and the steps begin anew.
BoxLcp::Step BoxLcp::ProximalPoints() {
  const auto restart = [this] {
    for (int i = 0; i < n_; ++i) {
      previous_[i] = std::min(std::max(0.0, lo[i]), hi[i]);
    }
  };
  restart();
  int since_restart = 0;
  double v_norm_before = kInfinity;
  double q_best = kInfinity;
  for (int round = 0; round < kMaxProximalSteps; ++round) {
    for (int i = 0; i < n_; ++i) {
      c[i] = given_c_[i] + missed_[i] - kEpsilon * previous_[i];
    }
    const Step step = PivotOrDescend();
    if (step != Step::kDone) return step;
    ++since_restart;

    double q = 0.0;
    for (int i = 0; i < n_; ++i) {
      v_[i] = lambda_[i] - previous_[i];
      if (s_[i] > 0.0) q = std::max(q, kEpsilon * std::abs(v_[i]) / s_[i]);
    }
    if (q <= kProximalTolerance) return Step::kDone;
    if (q <= kAcceptable && q >= kSlow * q_best) return Step::kDone;
    q_best = std::min(q, q_best);

    const double v_norm = std::sqrt(Dot(v_, v_, n_));
    double change = 0.0;
    for (int i = 0; i < n_; ++i) {
      change = std::max(change, std::abs(v_[i] - v_before_[i]));
    }
    std::copy_n(lambda_.begin(), n_, previous_.begin());
    if (since_restart >= 2 && v_norm > kSlow * v_norm_before) {
      // Slow: go along v to the least f, or to the first bound.
      std::fill_n(d_e_.begin(), n_, 0.0);
      support_.clear();
      int count = 0;
      for (int i = 0; i < n_; ++i) {
        if (v_[i] == 0.0) continue;
        support_.push_back(i);
        weights_[count++] = v_[i];
      }
      AddRows(A_.data(), stride_, support_, weights_.data(), n_, d_e_.data());
      const double curvature = Dot(v_, d_e_, n_) / (v_norm * v_norm) - kEpsilon;
      const bool flat = curvature <= kFlat * n_;
      double t = FreeLength(v_.data());
      if (!flat) t = std::min(t, kEpsilon / curvature);
      if (t < kInfinity) {
        for (int i = 0; i < n_; ++i) {
          previous_[i] =
              std::min(std::max(lambda_[i] + t * v_[i], lo[i]), hi[i]);
        }
        // The jump stirs up the other parts; let them die down first.
        since_restart = 0;
      } else if (change <= kSettledDrift * v_norm) {
        for (int i = 0; i < n_; ++i) missed_[i] += kEpsilon * v_[i];
        restart();
        since_restart = 0;
        q_best = kInfinity;
      }
    }
    v_norm_before = v_norm;
    std::copy_n(v_.begin(), n_, v_before_.begin());
  }
  return q_best <= kAcceptable ? Step::kDone : Step::kLimit;
}

BoxOutcome BoxLcp::SolveRegularised() {
  if (shift_ == 0.0) SetShift(kEpsilon);
  std::copy_n(c.begin(), n_, given_c_.begin());
  std::fill_n(missed_.begin(), n_, 0.0);
  const Step step = ProximalPoints();
  std::copy_n(given_c_.begin(), n_, c.begin());
  switch (step) {
    case Step::kDone:
      return BoxOutcome::kRegularised;
    case Step::kLimit:
      return BoxOutcome::kLimit;
    case Step::kSingular:
      break;
  }
  return BoxOutcome::kNotSemidefinite;
}

// Whether the answer just found is the only one; refines it without ε if so.
bool BoxLcp::IsUnique() {
  const auto is_zero = [](double missed) { return missed == 0.0; };
  const auto is_pending = [](RowSet set) { return set == RowSet::kPending; };
  if (!std::all_of(missed_.begin(), missed_.begin() + n_, is_zero)) {
    return false;
  }
  std::copy_n(lambda_.begin(), n_, previous_.begin());
  std::copy_n(set_.begin(), n_, set_before_.begin());
  SetShift(0.0);
  const bool unique = Start() == Step::kDone && !HasOtherAnswer() &&
                      std::none_of(set_.begin(), set_.begin() + n_, is_pending);
  if (!unique) {
    SetShift(kEpsilon);
    std::copy_n(previous_.begin(), n_, lambda_.begin());
    std::copy_n(set_before_.begin(), n_, set_.begin());
  }
  return unique;
}

}  // namespace limber::dynamics::internal
