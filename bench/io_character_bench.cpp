// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast clips are read from NPZ and GLB files in memory, beside a plain copy
// of the same bytes into fresh memory. Quality stands with the speed: the last
// frame that was read must be the one written.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "bench/repeat.h"
#include "figure/pose.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"

namespace {

using limber::ExpRotation;
using limber::Vector3;
using limber::figure::Motion;
using limber::figure::Pose;

/// 52 joints, ten minutes at 60 Hz: 60 MB of doubles, 30 MB of floats.
const Motion& LargeClip() {
  static const Motion clip = [] {
    constexpr int kJoints = 52;
    constexpr int kFrames = 36000;
    std::vector<limber::figure::Joint> joints;
    for (int j = 0; j < kJoints; ++j) {
      joints.push_back({"joint" + std::to_string(j), j == 0 ? -1 : (j - 1) / 2,
                        Vector3(0, 0.1, 0)});
    }
    Motion motion(limber::figure::Skeleton::Make(joints), 60.0);
    Pose pose = limber::figure::RestPose(motion.skeleton());
    for (int f = 0; f < kFrames; ++f) {
      for (std::size_t j = 0; j < kJoints; ++j) {
        const double t = f / 60.0 + double(j);
        pose.X_PJ[j].R =
            ExpRotation(Vector3(0.5 * std::sin(t), 0.3 * std::cos(2 * t), 0.1));
      }
      pose.X_PJ[0].p = Vector3(f / 60.0, 1.0, 0.0);
      motion.Append(pose);
    }
    return motion;
  }();
  return clip;
}

const std::string& NpzFile() {
  static const std::string file =
      limber::mocap::WriteNpz(LargeClip(), {}).value();
  return file;
}

const std::string& GlbFile() {
  static const std::string file =
      limber::mocap::WriteGlb(LargeClip(), {}).value();
  return file;
}

Motion ReadAsNpz(const std::string& file) {
  return limber::mocap::ReadNpz(file, {}).value().motion;
}

Motion ReadAsGlb(const std::string& file) {
  return limber::mocap::ReadGltf(file, {}).value().motion;
}

// Time this thread has computed [s]: on a busy machine the clock on the wall
// measures the neighbours.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double CopyOnce(const std::string& file) {
  const double start = CpuSeconds();
  std::vector<char> copy;
  copy.reserve(file.size());
  copy.insert(copy.end(), file.begin(), file.end());
  benchmark::DoNotOptimize(copy.data());
  return CpuSeconds() - start;
}

/// Whether the last frame is where the clip has it: by a joint's place, since
/// glTF may store joints in another order.
bool IsSame(const Motion& read) {
  const auto last = [](const Motion& motion) {
    Vector3 sum = Vector3::Zero();
    for (const limber::Transform& X : limber::figure::WorldTransforms(
             motion.skeleton(), motion.pose(motion.num_frames() - 1))) {
      sum += X.p;
    }
    return sum;
  };
  return read.num_frames() == LargeClip().num_frames() &&
         (last(read) - last(LargeClip())).norm() < 1e-2;
}

void BM_Read(benchmark::State& state, const std::string& (*file_of)(),
             Motion (*read)(const std::string&)) {
  const std::string& file = file_of();
  double copy_s = 1e9;
  for (int i = 0; i < 5; ++i) copy_s = std::min(copy_s, CopyOnce(file));
  double read_s = 1e9;
  for (auto _ : state) {
    const double start = CpuSeconds();
    const Motion motion = read(file);
    benchmark::DoNotOptimize(motion.row(0).data());
    read_s = std::min(read_s, CpuSeconds() - start);
    state.PauseTiming();
    if (!IsSame(motion)) {
      state.SkipWithError("the clip that was read is not the one written");
    }
    state.ResumeTiming();
  }
  state.SetBytesProcessed(std::int64_t(state.iterations()) *
                          std::int64_t(file.size()));
  state.counters["MB"] = double(file.size()) * 1e-6;
  state.counters["best_MB/s"] = double(file.size()) * 1e-6 / read_s;
  state.counters["times_memcpy"] = read_s / copy_s;
}

BENCHMARK_CAPTURE(BM_Read, Npz, NpzFile, ReadAsNpz)
    ->Apply(limber::bench::Repeat);
BENCHMARK_CAPTURE(BM_Read, Glb, GlbFile, ReadAsGlb)
    ->Apply(limber::bench::Repeat);

}  // namespace

BENCHMARK_MAIN();
