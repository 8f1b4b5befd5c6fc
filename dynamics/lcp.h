// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <string_view>
#include <vector>

#include "core/math.h"

namespace limber::dynamics {

/// A lo-hi linear complementarity problem: find λ with
///
///     e = K λ + c ,   lo <= λ <= hi
///     lo < λ < hi  =>  e = 0
///     λ = lo       =>  e >= 0
///     λ = hi       =>  e <= 0
///     lo = hi      =>  any e
///
/// K = J M^-1 J^T + S is symmetric positive semidefinite, so these are the
/// optimality conditions of min 1/2 λ^T K λ + c^T λ over the box. The bounds
/// choose the kind of row: -inf, +inf an equality; 0, +inf an inequality (pure
/// LCP); finite a motor of limited force. Zero need not lie between them.
///
/// A friction row i has normal[i] = k >= 0, and its bounds follow row k:
///
///     |λ_i| <= mu_i max(0, λ_k)
///
/// lo[i] and hi[i] are then not read. Row k is not itself a friction row.
///
/// A view: the referenced matrices must outlive it.
struct LcpProblem {
  Eigen::Ref<const MatrixX> K;       ///< n x n. Row i times λ gives e_i.
  Eigen::Ref<const VectorX> c;       ///< Error when λ = 0.
  Eigen::Ref<const VectorX> lo;      ///< Lower bounds, may be -inf.
  Eigen::Ref<const VectorX> hi;      ///< Upper bounds, may be +inf, lo <= hi.
  std::span<const int> normal = {};  ///< Empty, or n entries; -1: own bounds.
  std::span<const double> mu = {};   ///< As many as `normal`; finite, >= 0.
};

enum class LcpStatus {
  kSolved,          ///< The one answer, residual within the tolerance.
  kRegularised,     ///< Redundant rows: the answer of least norm; contradictory
                    ///< rows: the least-squares answer, see unmet_rows.
  kIterationLimit,  ///< Best λ found, finite and within its bounds.
  kInvalidInput,    ///< See CheckLcp, or K is seen not to be semidefinite.
                    ///< Nothing solved: λ is zero, or empty.
};

/// Which branch of the conditions holds for a row.
enum class LcpRowState { kAtLo, kInterior, kAtHi };

/// An answer. A solver owns it and reuses its memory, which grows to the
/// largest problem seen.
struct LcpResult {
  LcpStatus status = LcpStatus::kInvalidInput;
  double residual = 0.0;           ///< LcpResidual(problem, lambda()).
  int iterations = 0;              ///< Steps taken.
  int factorisations = 0;          ///< From scratch, not counting updates.
  int friction_rounds = 0;         ///< Times the friction bounds were set.
  bool friction_settled = true;    ///< Bounds and normal impulses agree.
  std::vector<LcpRowState> state;  ///< Per row; the next call's warm start.
  /// Rows whose residual exceeds the tolerance, or the row that makes the
  /// input invalid.
  std::vector<int> unmet_rows;

  std::vector<double> lambda_values;
  std::vector<double> error_values;
  /// λ; equals a bound exactly where clamped.
  Eigen::Map<const VectorX> lambda() const {
    return {lambda_values.data(),
            static_cast<Eigen::Index>(lambda_values.size())};
  }
  /// e = K λ + c.
  Eigen::Map<const VectorX> error() const {
    return {error_values.data(),
            static_cast<Eigen::Index>(error_values.size())};
  }
};

/// The bounds of row `i` when the impulses are `lambda`: lo[i], hi[i], or those
/// of the friction law.
struct LcpBounds {
  double lo;
  double hi;
};
LcpBounds BoundsOfRow(const LcpProblem& problem,
                      const Eigen::Ref<const VectorX>& lambda, int i);

/// See LcpResidual.
inline constexpr double kLcpFloor = 1e-4;

/// The number that judges every solver, 0 for an exact answer. With
/// k_i = K_ii (1 where K_ii = 0) and bounds taken at `lambda`:
///
///     p_i = clamp(λ_i - e_i / k_i, lo_i, hi_i)       one projected step
///     s_i = |c_i| + sum_j |K_ij| |λ_j| + k_i |λ_i|   what e_i is a sum of
///     S = max_i s_i / √k_i                           the largest of them
///     residual = max_i  k_i |λ_i - p_i| / max(s_i, kLcpFloor √k_i S)
///
/// and 0 where λ_i = p_i. Dimensionless; it does not change when a row is given
/// in another unit (J_i, c_i times a; λ_i and its bounds divided by a). A
/// violated bound counts like an error. Rows are judged by their own size, down
/// to kLcpFloor of the largest: below, an exact zero and the rounding of the
/// other rows could not be told apart. +inf if `lambda` is not finite.
/// @throws std::invalid_argument if the sizes do not fit.
double LcpResidual(const LcpProblem& problem,
                   const Eigen::Ref<const VectorX>& lambda);

/// The same, row by row, into `residuals` (size n). Does not allocate.
void LcpRowResiduals(const LcpProblem& problem,
                     const Eigen::Ref<const VectorX>& lambda,
                     Eigen::Ref<VectorX> residuals);

/// What makes a problem invalid.
struct LcpInputError {
  int row = -1;            ///< First offending row; -1 if the sizes do not fit.
  std::string_view words;  ///< What is wrong; empty if the problem is valid.
  bool ok() const { return words.empty(); }
};

/// Checks sizes, NaN, infinite K or c, lo > hi, lo = +inf, hi = -inf, negative
/// K_ii, friction indices and coefficients. Symmetry and definiteness are the
/// caller's promise. Does not allocate.
LcpInputError CheckLcp(const LcpProblem& problem);

}  // namespace limber::dynamics
