// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace limber::bench {

/// Five runs, of which median and minimum are reported; on a shared machine the
/// minimum is the figure to compare. Use: BENCHMARK(F)->Apply(Repeat).
inline void Repeat(benchmark::internal::Benchmark* benchmark) {
  constexpr int kRuns = 5;
  benchmark->Unit(benchmark::kMillisecond)
      ->Repetitions(kRuns)
      ->ReportAggregatesOnly()
      ->ComputeStatistics("min", [](const std::vector<double>& runs) {
        return *std::ranges::min_element(runs);
      });
}

}  // namespace limber::bench
