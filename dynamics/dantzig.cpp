// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/dantzig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "dynamics/internal/box_lcp.h"

namespace limber::dynamics {
namespace {

using internal::BoxLcp;
using internal::BoxOutcome;
using internal::RowSet;

// Change of a friction bound, relative to the largest, at which the rounds have
// settled. Below the tolerance of a row, above rounding.
constexpr double kSettledBounds = 1e-12;
// Limits of the part of the way that the bounds move per round.
constexpr double kShortestPart = 0.02;
constexpr double kLongestPart = 10.0;

RowSet SetOf(LcpRowState state) {
  switch (state) {
    case LcpRowState::kAtLo:
      return RowSet::kLower;
    case LcpRowState::kAtHi:
      return RowSet::kUpper;
    case LcpRowState::kInterior:
      break;
  }
  return RowSet::kInterior;
}

}  // namespace

class DantzigSolver::Impl {
 public:
  explicit Impl(const DantzigOptions& options) : options_(options) {}

  const LcpResult& Solve(const LcpProblem& problem);
  void SetWarmStart(std::span<const LcpRowState> state) {
    warm_.assign(state.begin(), state.end());
  }
  void ClearWarmStart() { warm_.clear(); }

 private:
  void Reject(int n, int row);
  void Load(const LcpProblem& problem);
  BoxOutcome SolveWithFriction(const LcpProblem& problem, BoxOutcome outcome);
  void ReadImpulses(const LcpProblem& problem);
  void Report(const LcpProblem& problem, BoxOutcome outcome);

  DantzigOptions options_;
  LcpResult result_;
  BoxLcp box_;
  std::vector<LcpRowState> warm_;
  bool use_warm_ = false;
  std::vector<double> root_;  // √k_i, the unit of row i
  std::vector<double> row_residuals_;
  std::vector<double> friction_bound_;  // b
  std::vector<double> friction_gap_;    // g, times √k_i
};

void DantzigSolver::Impl::Reject(int n, int row) {
  result_.status = LcpStatus::kInvalidInput;
  result_.lambda_values.assign(n, 0.0);
  result_.error_values.assign(n, 0.0);
  result_.state.assign(n, LcpRowState::kInterior);
  result_.unmet_rows.clear();
  if (row >= 0) result_.unmet_rows.push_back(row);
  result_.residual = std::numeric_limits<double>::infinity();
  warm_.clear();
}

// Gives every row its own unit, so that A_ii = 1 and tolerances mean the same
// for all:
//
//     A_ij = K_ij / √(k_i k_j),  λ̂_i = √k_i λ_i,  ĉ_i = c_i / √k_i
void DantzigSolver::Impl::Load(const LcpProblem& problem) {
  const int n = static_cast<int>(problem.c.size());
  box_.Resize(n);
  root_.resize(n);
  row_residuals_.resize(n);
  friction_bound_.resize(n);
  friction_gap_.resize(n);
  result_.lambda_values.resize(n);
  result_.error_values.resize(n);
  result_.state.resize(n);
  result_.unmet_rows.reserve(n);
  warm_.reserve(n);

  for (int i = 0; i < n; ++i) {
    const double k = problem.K(i, i);
    root_[i] = k > 0.0 ? std::sqrt(k) : 1.0;
    row_residuals_[i] = 1.0 / root_[i];
  }
  const double* inverse = row_residuals_.data();
  for (int i = 0; i < n; ++i) {
    const double* K_i = problem.K.data() + i * problem.K.outerStride();
    double* A_i = box_.row(i);
    for (int j = 0; j < n; ++j) A_i[j] = K_i[j] * inverse[i] * inverse[j];
    if (K_i[i] > 0.0) A_i[i] = 1.0;
    box_.c[i] = problem.c[i] * inverse[i];
  }
  box_.Begin(options_.max_steps_per_row * (n + 1));

  // Friction rows wait at zero for the normal impulses.
  use_warm_ =
      options_.warm_start && warm_.size() == static_cast<std::size_t>(n);
  for (int i = 0; i < n; ++i) {
    const bool friction = !problem.normal.empty() && problem.normal[i] >= 0;
    box_.lo[i] = friction ? 0.0 : problem.lo[i] * root_[i];
    box_.hi[i] = friction ? 0.0 : problem.hi[i] * root_[i];
    box_.Place(i, use_warm_ ? SetOf(warm_[i]) : RowSet::kPending);
  }
}

// λ from the scaled answer; a clamped row gets its bound to the last bit.
void DantzigSolver::Impl::ReadImpulses(const LcpProblem& problem) {
  const bool any_friction = !problem.normal.empty();
  for (int i = 0; i < box_.size(); ++i) {
    double& lambda = result_.lambda_values[i];
    lambda = box_.lambda()[i] / root_[i];
    const bool friction = any_friction && problem.normal[i] >= 0;
    const double lo = friction ? -friction_bound_[i] : problem.lo[i];
    const double hi = friction ? friction_bound_[i] : problem.hi[i];
    lambda = std::min(std::max(lambda, lo), hi);
    switch (box_.set(i)) {
      case RowSet::kLower:
      case RowSet::kFixed:
        lambda = lo;
        result_.state[i] = LcpRowState::kAtLo;
        break;
      case RowSet::kUpper:
        lambda = hi;
        result_.state[i] = LcpRowState::kAtHi;
        break;
      case RowSet::kInterior:
      case RowSet::kPending:
        result_.state[i] = LcpRowState::kInterior;
    }
  }
}

// Fix the bounds b from the normal impulses, solve, and again until the bounds
// stay. g = mu λ_k - b is what they lack. The part ω of it that they move by
// comes from the last two rounds, as in a secant step [Irons & Tuck 1969]:
//
//     b <- b + ω g,   ω <- -ω g'·(g - g') / |g - g'|²   with g' of before
//
// so bounds that creep go faster and bounds that jump to and fro come to rest.
BoxOutcome DantzigSolver::Impl::SolveWithFriction(const LcpProblem& problem,
                                                  BoxOutcome outcome) {
  const int n = box_.size();
  std::fill_n(friction_bound_.begin(), n, 0.0);
  result_.friction_settled = false;
  double part = 1.0;
  while (outcome == BoxOutcome::kUnique ||
         outcome == BoxOutcome::kRegularised) {
    ReadImpulses(problem);
    double largest = 0.0;
    double change = 0.0;
    double numerator = 0.0;
    double denominator = 0.0;
    for (int i = 0; i < n; ++i) {
      if (problem.normal[i] < 0) continue;
      const double bound = BoundsOfRow(problem, result_.lambda(), i).hi;
      const double gap = (bound - friction_bound_[i]) * root_[i];
      const double difference = gap - friction_gap_[i];
      numerator -= friction_gap_[i] * difference;
      denominator += difference * difference;
      friction_gap_[i] = gap;
      largest = std::max(largest, bound * root_[i]);
      change = std::max(change, std::abs(gap));
    }
    result_.friction_settled = change <= kSettledBounds * largest;
    if (result_.friction_settled ||
        result_.friction_rounds >= options_.friction_rounds) {
      break;
    }
    // The first two rounds differ in kind: the one before had no friction.
    if (result_.friction_rounds >= 2 && denominator > 0.0) {
      part = std::clamp(part * numerator / denominator, kShortestPart,
                        kLongestPart);
    }
    for (int i = 0; i < n; ++i) {
      if (problem.normal[i] < 0) continue;
      const double bound = std::max(
          0.0, friction_bound_[i] + part * friction_gap_[i] / root_[i]);
      friction_bound_[i] = bound;
      box_.MoveBounds(i, -bound * root_[i], bound * root_[i]);
      if (result_.friction_rounds == 0 && use_warm_) {
        box_.Guess(i, SetOf(warm_[i]));
      }
    }
    ++result_.friction_rounds;
    outcome = box_.Solve();
  }
  return outcome;
}

void DantzigSolver::Impl::Report(const LcpProblem& problem,
                                 BoxOutcome outcome) {
  const int n = box_.size();
  ReadImpulses(problem);
  const Eigen::Map<const VectorX> lambda = result_.lambda();
  Eigen::Map<VectorX> error(result_.error_values.data(), n);
  for (int i = 0; i < n; ++i) {
    error[i] = problem.c[i] + problem.K.col(i).dot(lambda);
  }
  Eigen::Map<VectorX> residuals(row_residuals_.data(), n);
  LcpRowResiduals(problem, lambda, residuals);
  result_.residual = 0.0;
  result_.unmet_rows.clear();
  for (int i = 0; i < n; ++i) {
    result_.residual = std::max(result_.residual, residuals[i]);
    if (residuals[i] > options_.tolerance) result_.unmet_rows.push_back(i);
  }
  const bool exact = result_.residual <= options_.tolerance;
  result_.friction_settled = result_.friction_settled || exact;
  result_.iterations = box_.steps();
  result_.factorisations = box_.factorisations();
  if (outcome == BoxOutcome::kRegularised && result_.friction_settled) {
    result_.status = LcpStatus::kRegularised;
  } else if (outcome == BoxOutcome::kUnique && exact) {
    result_.status = LcpStatus::kSolved;
  } else {
    result_.status = LcpStatus::kIterationLimit;
  }
  warm_.assign(result_.state.begin(), result_.state.end());
}

const LcpResult& DantzigSolver::Impl::Solve(const LcpProblem& problem) {
  result_.iterations = 0;
  result_.factorisations = 0;
  result_.friction_rounds = 0;
  result_.friction_settled = true;
  const LcpInputError input = CheckLcp(problem);
  if (!input.ok()) {
    Reject(static_cast<int>(problem.c.size()), input.row);
    return result_;
  }
  Load(problem);
  BoxOutcome outcome = box_.Solve();
  const bool friction =
      std::any_of(problem.normal.begin(), problem.normal.end(),
                  [](int normal) { return normal >= 0; });
  if (friction) outcome = SolveWithFriction(problem, outcome);
  if (outcome == BoxOutcome::kNotSemidefinite) {
    Reject(box_.size(), -1);
    return result_;
  }
  Report(problem, outcome);
  return result_;
}

DantzigSolver::DantzigSolver(const DantzigOptions& options)
    : options_(options) {
  if (!(options.tolerance > 0.0) || options.friction_rounds < 1 ||
      options.max_steps_per_row < 0) {
    throw std::invalid_argument(
        "DantzigOptions: tolerance must be positive, friction_rounds at least "
        "1, max_steps_per_row not negative");
  }
}
DantzigSolver::~DantzigSolver() = default;
DantzigSolver::DantzigSolver(DantzigSolver&&) noexcept = default;
DantzigSolver& DantzigSolver::operator=(DantzigSolver&&) noexcept = default;

const LcpResult& DantzigSolver::Solve(const LcpProblem& problem) {
  return impl().Solve(problem);
}
void DantzigSolver::SetWarmStart(std::span<const LcpRowState> state) {
  impl().SetWarmStart(state);
}
void DantzigSolver::ClearWarmStart() {
  if (impl_ != nullptr) impl_->ClearWarmStart();
}
DantzigSolver::Impl& DantzigSolver::impl() {
  if (impl_ == nullptr) impl_ = std::make_unique<Impl>(options_);
  return *impl_;
}

}  // namespace limber::dynamics
