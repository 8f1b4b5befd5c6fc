// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "dynamics/solve/block_cholesky.h"
#include "dynamics/solve/problem.h"

namespace limber::dynamics::solve {

/// How stiff the rows of a contact point are in their states: -dF/dz of the
/// impulse F on b, world axes.
struct PointStiffness {
  Sym K;
  bool changed = true;  ///< Since the last factorisation.
};
/// The same of a bounded row.
struct RowStiffness {
  double d = 0.0;
  bool changed = true;
};

/// Solves H x = f with H = M + J^T D J, D the stiffness of all rows.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// A new problem: bodies, and which of them meet.
  virtual void Start(const Problem& problem) = 0;
  virtual void Factorise(const Problem& problem,
                         std::span<const PointStiffness> points,
                         std::span<const RowStiffness> rows) = 0;
  /// x = H^-1 x; of every body the linear part first.
  virtual void Solve(std::span<Six> x) = 0;
};

}  // namespace limber::dynamics::solve
