// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast BVH is read and written, beside a plain copy of the same bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <string>

#include "mocap/io/bvh.h"

namespace limber::mocap {
namespace {

constexpr int kJoints = 31;
constexpr int kFrames = 60000;
constexpr BvhUnits kUnits = {0.01, figure::UpAxis::kY};

// A chain of 31 joints and 96 channels, as the CMU files have, swinging for
// ten minutes of 100 Hz: about 50 MB with six decimals.
figure::Motion MakeClip() {
  std::vector<figure::Joint> joints;
  std::vector<figure::Channel> channels;
  for (int joint = 0; joint < kJoints; ++joint) {
    joints.push_back(
        {"joint" + std::to_string(joint), joint - 1, Vector3(0, 0.1, 0)});
    for (std::uint8_t axis = 0; joint == 0 && axis < 3; ++axis) {
      channels.push_back({joint, figure::ChannelKind::kTranslation, axis});
    }
    for (const std::uint8_t axis : {2, 1, 0}) {
      channels.push_back({joint, figure::ChannelKind::kRotation, axis});
    }
  }
  std::vector<double> values;
  values.reserve(channels.size() * kFrames);
  for (int frame = 0; frame < kFrames; ++frame) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      values.push_back(1.5 * std::sin(0.01 * frame + static_cast<double>(i)));
    }
  }
  figure::MotionSource source;
  source.metres_per_unit = kUnits.metres_per_unit;
  source.channels = std::make_shared<const figure::ChannelLayout>(
      kJoints, std::move(channels));
  return figure::Motion(figure::Skeleton::Make(std::move(joints)), 100.0,
                        std::move(source), std::move(values));
}

const std::string& ClipText() {
  static const std::string text = WriteBvh(MakeClip()).value();
  return text;
}

// Processor time since `start`: other work on the machine does not count [s].
double Seconds(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Shortest of several copies of the text [s].
double CopyTime() {
  static const double time = [] {
    const std::string& text = ClipText();
    std::string copy(text.size(), '\0');
    double best = HUGE_VAL;
    for (int i = 0; i < 10; ++i) {
      const auto start = std::clock();
      std::memcpy(copy.data(), text.data(), text.size());
      benchmark::DoNotOptimize(copy.data());
      benchmark::ClobberMemory();
      best = std::min(best, Seconds(start));
    }
    return best;
  }();
  return time;
}

// Size of the text, MB/s of the best run, and how many times longer than the
// copy it took.
void Report(benchmark::State& state, double best) {
  state.counters["MB"] = static_cast<double>(ClipText().size()) / 1e6;
  state.counters["MB/s"] = static_cast<double>(ClipText().size()) / 1e6 / best;
  state.counters["x_memcpy"] = best / CopyTime();
}

void Copy(benchmark::State& state) {
  std::string copy(ClipText().size(), '\0');
  double best = HUGE_VAL;
  for (auto _ : state) {
    const auto start = std::clock();
    std::memcpy(copy.data(), ClipText().data(), copy.size());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
    best = std::min(best, Seconds(start));
  }
  Report(state, best);
}
BENCHMARK(Copy)->Name("memcpy")->Unit(benchmark::kMillisecond);

void Read(benchmark::State& state) {
  const std::string& text = ClipText();
  double best = HUGE_VAL;
  for (auto _ : state) {
    const auto start = std::clock();
    const auto motion = ReadBvh(text, kUnits);
    best = std::min(best, Seconds(start));
    // A fast wrong answer does not count: the last value must be right.
    const double wanted = 1.5 * std::sin(0.01 * (kFrames - 1) + 95.0);
    if (!motion || motion->num_frames() != kFrames ||
        std::abs(motion->row(kFrames - 1)[95] - wanted) > 1e-8) {
      state.SkipWithError("the motion was not read correctly");
      break;
    }
  }
  Report(state, best);
}
BENCHMARK(Read)->Name("ReadBvh")->Unit(benchmark::kMillisecond);

void Write(benchmark::State& state) {
  const figure::Motion motion = MakeClip();
  double best = HUGE_VAL;
  for (auto _ : state) {
    const auto start = std::clock();
    const auto text = WriteBvh(motion);
    best = std::min(best, Seconds(start));
    if (!text || *text != ClipText()) {
      state.SkipWithError("the text differs");
      break;
    }
  }
  Report(state, best);
}
BENCHMARK(Write)->Name("WriteBvh")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limber::mocap

BENCHMARK_MAIN();
