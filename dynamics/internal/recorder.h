// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "dynamics/solve/problem.h"

namespace limber::dynamics::internal {

/// Problems of piles as the steps of this thread's worlds pose them, for
/// `contact_bench` and tests to solve again.
struct Recorder {
  std::size_t every = 1;  ///< One of so many is kept.
  std::size_t most = 0;   ///< So many are kept at most.
  std::vector<solve::Problem> problems;
  int solves = 0;  ///< The most that a pile took since this was set to 0.

  void Count(int number) { solves = std::max(solves, number); }
  void Take(const solve::Problem& problem) {
    if (problems.size() < most && seen_++ % every == 0) {
      problems.push_back(problem);
    }
  }

 private:
  std::size_t seen_ = 0;
};

/// Null, unless somebody records.
inline thread_local Recorder* recorder = nullptr;

}  // namespace limber::dynamics::internal
