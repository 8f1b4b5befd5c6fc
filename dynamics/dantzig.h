// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "dynamics/lcp.h"

namespace limber::dynamics {

struct DantzigOptions {
  /// Residual up to which a row counts as met. Rounding leaves about 1e-14.
  double tolerance = 1e-10;
  /// Begin with the row states of the previous answer, if it had as many rows.
  bool warm_start = true;
  /// Times the friction bounds may be set from the normal impulses. 1: fixed
  /// once from the impulses without friction, as [Vondrák 2005], section 6.5.3;
  /// then the residual shows what that leaves.
  int friction_rounds = 100;
  /// Steps allowed per row before the fallback takes over. Random problems need
  /// about one. 0 uses the fallback at once.
  int max_steps_per_row = 40;
};

/// The dense lo-hi LCP solver after Dantzig: exact, for 1 to some hundred rows.
///
/// Rows without bounds are solved together, then each bounded row is driven
/// along the path of λ_i to a place where its condition holds, keeping the
/// conditions of the rows before it. The factorisation of the interior block
/// K_CC follows by row updates. Friction rows come last. Derivation, the reason
/// why it ends, and what singular K means: docs/dynamics.md, "The LCP solver".
///
/// If more than one λ is an answer the one with the least sum K_ii λ_i^2 is
/// given (identical rows share their load equally). If none is, rows give way
/// with the least sum r_i^2 / K_ii, r_i what e_i misses (contradictory rows
/// meet in between), and unmet_rows names them. Both to about 1e-7 of |λ|, with
/// status kRegularised.
///
/// The same input gives the same bits, given the same warm start.
class DantzigSolver {
 public:
  explicit DantzigSolver(const DantzigOptions& options = {});
  ~DantzigSolver();
  DantzigSolver(DantzigSolver&&) noexcept;
  DantzigSolver& operator=(DantzigSolver&&) noexcept;

  /// Solves. The answer is the solver's own and lives until the next call.
  /// Never throws for bad numbers: see LcpStatus. Does not allocate when an
  /// earlier call had as many rows.
  const LcpResult& Solve(const LcpProblem& problem);

  /// Takes the row states to start from; ignored if the next problem has
  /// another size.
  void SetWarmStart(std::span<const LcpRowState> state);
  void ClearWarmStart();

 private:
  class Impl;
  /// Made when it is first needed: most islands of a world never do.
  Impl& impl();
  DantzigOptions options_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace limber::dynamics
