// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "dynamics/lcp.h"

namespace limber::dynamics::test {

// Solvers that are plain and slow, to judge the fast one by. They share no code
// with it, and take no friction rows.

/// Tries every one of the 3^n ways to put each row at lo, interior or at hi,
/// and returns the first λ whose conditions hold to `tolerance`; nothing if
/// none does (there is no answer). For n <= 8.
std::optional<VectorX> SolveByEnumeration(const LcpProblem& problem,
                                          double tolerance = 1e-10);

/// Sweeps λ_i <- clamp(λ_i - e_i / K_ii, lo_i, hi_i) until no λ changes by more
/// than `tolerance`, or `max_sweeps` are done.
VectorX SolveByGaussSeidel(const LcpProblem& problem, double tolerance = 1e-15,
                           int max_sweeps = 1'000'000);

}  // namespace limber::dynamics::test
