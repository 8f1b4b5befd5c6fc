// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics/internal/updated_ldlt.h"

namespace limber::dynamics::internal {

/// Where a row stands during the solve. NL, NH and C are kLower, kUpper and
/// kInterior of the text; a kFixed row has lo = hi; a kPending row's condition
/// is not yet met.
enum class RowSet : std::uint8_t {
  kLower,
  kUpper,
  kFixed,
  kInterior,
  kPending
};

enum class BoxOutcome {
  kUnique,       ///< Solved, and no other λ is an answer.
  kRegularised,  ///< Least norm, or least squares.
  kLimit,        ///< Not solved; λ is within its bounds.
  kNotSemidefinite,
};

/// The lo-hi LCP  e = A λ + c  with fixed bounds and a matrix A of unit
/// diagonal (or zero, where the row is zero). The caller fills row(i), c, lo,
/// hi, calls Begin, places every row, and solves. No allocation after Resize.
class BoxLcp {
 public:
  void Resize(int n);
  int size() const { return n_; }

  double* row(int i) { return A_.data() + i * stride_; }
  std::vector<double> c, lo, hi;
  const std::vector<double>& lambda() const { return lambda_; }
  RowSet set(int i) const { return set_[i]; }
  int steps() const { return steps_; }
  int factorisations() const { return factorisations_; }

  /// Forgets everything but the input.
  void Begin(int step_limit);
  /// Puts row i where a guess says; rows whose bounds do not allow it go where
  /// they can. kPending starts at the value nearest to zero.
  void Place(int i, RowSet guess);
  /// New bounds for a placed row; keeps its branch where that still exists.
  void MoveBounds(int i, double new_lo, double new_hi);

  /// Moves a pending row, of a solved problem, to the branch of a guess.
  void Guess(int i, RowSet guess);

  /// Solves from the present sets.
  BoxOutcome Solve();

 private:
  enum class Step { kDone, kSingular, kLimit };

  // box_lcp.cpp: Dantzig's method.
  Step Pivot(int max_steps);
  Step Start();
  Step Drive(int i);
  bool HasOtherAnswer();
  void Classify(int i);
  void Enter(int i, double pivot);
  void Leave(int k);
  double EliminateRow(int i);
  void ComputeErrors();
  void ComputeScales();
  double min_pivot() const;

  // box_lcp_regularised.cpp: when Dantzig's method cannot go on.
  BoxOutcome SolveRegularised();
  Step ProximalPoints();
  bool IsUnique();
  Step PivotOrDescend();
  Step Descend();
  double FreeLength(const double* v) const;
  void SetShift(double epsilon);

  int n_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::vector<double> A_;  // row-major, diagonal includes shift_
  std::vector<double> lambda_;
  std::vector<double> e_;
  std::vector<double> s_;  // |c_i| + sum |A_ij λ_j| + |λ_i|: e_i's scale
  std::vector<RowSet> set_, set_before_;
  std::vector<int> C_;  // interior rows, in the order of factor_
  UpdatedLdlt factor_;
  bool factor_valid_ = false;
  double shift_ = 0.0;  // ε on the diagonal, 0 while not regularised
  int steps_ = 0;
  int step_limit_ = 0;  // per run of Dantzig's method
  int deadline_ = 0;    // value of steps_ at which the present run stops
  int factorisations_ = 0;

  std::vector<double> z_;         // the eliminated row
  std::vector<double> d_lambda_;  // direction of λ_C, or of all λ
  std::vector<double> d_e_;       // direction of e
  std::vector<int> support_;      // rows with λ != 0
  std::vector<double> weights_;   // their λ
  std::vector<double> previous_;  // proximal point
  std::vector<double> v_, v_before_;
  std::vector<double> given_c_, missed_, descended_;
};

}  // namespace limber::dynamics::internal
