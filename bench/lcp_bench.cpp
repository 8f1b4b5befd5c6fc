// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Time and residual of the dense LCP solver. Counters: `residual` the worst
// over the problems, `steps` and `factorisations` the mean.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "dynamics/dantzig.h"
#include "tests/scenes/random_lcp.h"

namespace limber::dynamics {
namespace {

constexpr int kNumProblems = 8;

enum class Kind { kMixed, kContact, kRedundant };

std::vector<test::LcpData> Problems(int n, Kind kind) {
  std::mt19937 random(n);
  std::vector<test::LcpData> problems;
  for (int k = 0; k < kNumProblems; ++k) {
    if (kind == Kind::kRedundant) {
      problems.push_back(test::RandomFeasibleLcp(n, n / 2, random));
      continue;
    }
    problems.push_back(test::RandomLcp(n, 2 * n, random));
    if (kind == Kind::kContact) {
      problems.back().lo.setZero();
      problems.back().hi.setConstant(std::numeric_limits<double>::infinity());
    }
  }
  return problems;
}

void Run(benchmark::State& state, Kind kind, bool warm) {
  const int n = static_cast<int>(state.range(0));
  const std::vector<test::LcpData> problems = Problems(n, kind);
  std::vector<DantzigSolver> solvers(kNumProblems);
  double residual = 0.0;
  double steps = 0.0;
  double factorisations = 0.0;
  for (int k = 0; k < kNumProblems; ++k) {
    const LcpResult& result = solvers[k].Solve(problems[k].View());
    if (warm) solvers[k].Solve(problems[k].View());
    residual = std::max(residual, result.residual);
    steps += result.iterations;
    factorisations += result.factorisations;
  }
  int k = 0;
  for (auto _ : state) {
    if (!warm) solvers[k].ClearWarmStart();
    benchmark::DoNotOptimize(
        solvers[k].Solve(problems[k].View()).lambda_values.data());
    k = (k + 1) % kNumProblems;
  }
  state.counters["residual"] = residual;
  state.counters["steps"] = steps / kNumProblems;
  state.counters["factorisations"] = factorisations / kNumProblems;
}

void Mixed(benchmark::State& state) { Run(state, Kind::kMixed, false); }
void MixedWarm(benchmark::State& state) { Run(state, Kind::kMixed, true); }
void Contact(benchmark::State& state) { Run(state, Kind::kContact, false); }
void Redundant(benchmark::State& state) { Run(state, Kind::kRedundant, false); }
void RedundantWarm(benchmark::State& state) {
  Run(state, Kind::kRedundant, true);
}

#define LIMBER_LCP_SIZES                                         \
  Arg(12)->Arg(24)->Arg(60)->Arg(102)->Arg(200)->Arg(300)->Unit( \
      benchmark::kMicrosecond)
BENCHMARK(Mixed)->LIMBER_LCP_SIZES;
BENCHMARK(MixedWarm)->LIMBER_LCP_SIZES;
BENCHMARK(Contact)->LIMBER_LCP_SIZES;
BENCHMARK(Redundant)->LIMBER_LCP_SIZES;
BENCHMARK(RedundantWarm)->LIMBER_LCP_SIZES;

}  // namespace
}  // namespace limber::dynamics

BENCHMARK_MAIN();
