// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast a C3D file of floats is read from memory, beside a plain copy of
// the same bytes into fresh memory. Quality stands with the speed: what was
// read must have the gaps of the take the file was made from.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "mocap/io/c3d.h"

namespace {

using limber::Vector3;
using limber::mocap::C3dNumbers;
using limber::mocap::FormatC3d;
using limber::mocap::MarkerTake;
using limber::mocap::ReadC3d;

/// 41 markers, ten minutes at 120 Hz, one sample in twenty missing, residuals
/// and camera masks, and 12 analog channels at 1200 Hz: about 80 MB of floats.
MarkerTake LargeTake() {
  constexpr int kMarkers = 41;
  constexpr int kFrames = 72000;
  constexpr int kChannels = 12;
  constexpr int kSamplesPerFrame = 10;
  std::vector<std::string> labels;
  for (int i = 0; i < kMarkers; ++i) labels.emplace_back(std::to_string(i));
  MarkerTake take(std::move(labels), kFrames, 120.0);
  for (int frame = 0; frame < kFrames; ++frame) {
    for (int marker = 0; marker < kMarkers; ++marker) {
      if ((frame + 7 * marker) % 20 == 0) continue;
      const double t = frame / 120.0;
      take.SetPosition(frame, marker,
                       Vector3(std::sin(t + marker), 1.0 + 0.5 * std::cos(t),
                               0.01 * marker));
      take.SetResidual(frame, marker, 0.0005);
      take.SetCameraMask(frame, marker, 0x15);
    }
  }
  take.analog.rate_hz = 1200.0;
  take.analog.samples_per_frame = kSamplesPerFrame;
  take.analog.channels.resize(kChannels);
  take.analog.samples.assign(
      static_cast<std::size_t>(kFrames) * kSamplesPerFrame * kChannels, 0.25);
  return take;
}

const std::string& LargeFile(C3dNumbers numbers) {
  static const std::string floats =
      FormatC3d(LargeTake(), {.numbers = C3dNumbers::kFloat}).value();
  static const std::string integers =
      FormatC3d(LargeTake(), {.numbers = C3dNumbers::kInt16}).value();
  return numbers == C3dNumbers::kFloat ? floats : integers;
}

void Report(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(bytes));
  state.counters["MB"] = static_cast<double>(bytes) * 1e-6;
}

// Time this thread has computed [s]: on a busy machine the clock on the wall
// measures the neighbours.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

double CopyOnce(const std::string& file) {
  const double start = CpuSeconds();
  std::vector<char> copy;
  copy.reserve(file.size());
  copy.insert(copy.end(), file.begin(), file.end());
  benchmark::DoNotOptimize(copy.data());
  return CpuSeconds() - start;
}

void BM_CopyC3dFloat(benchmark::State& state) {
  const std::string& file = LargeFile(C3dNumbers::kFloat);
  for (auto _ : state) benchmark::DoNotOptimize(CopyOnce(file));
  Report(state, file.size());
}

void BM_ReadC3d(benchmark::State& state, C3dNumbers numbers) {
  const std::string& file = LargeFile(numbers);
  const double expected_gaps = LargeTake().gap_fraction();
  double copy_s = 1e9;
  for (int i = 0; i < 5; ++i) copy_s = std::min(copy_s, CopyOnce(file));
  double read_s = 1e9;
  for (auto _ : state) {
    const double start = CpuSeconds();
    const limber::Result<MarkerTake> take = ReadC3d(file, "large.c3d");
    benchmark::DoNotOptimize(take->positions().data());
    read_s = std::min(read_s, CpuSeconds() - start);
    state.PauseTiming();
    if (take->gap_fraction() != expected_gaps) {
      state.SkipWithError("the take that was read is not the one written");
    }
    state.ResumeTiming();
  }
  Report(state, file.size());
  state.counters["best_MB/s"] =
      static_cast<double>(file.size()) * 1e-6 / read_s;
  state.counters["times_memcpy"] = read_s / copy_s;
}

BENCHMARK(BM_CopyC3dFloat)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ReadC3d, Float, C3dNumbers::kFloat)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ReadC3d, Int16, C3dNumbers::kInt16)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
