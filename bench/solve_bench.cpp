// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Markers to motion: seconds of calibration and frames per second of both
// methods, each beside the marker error it reaches. Real recordings where they
// are (LIMBER_TEST_DATA or ../shared/data), else the bundled take. Time is that
// of the processor, of one thread.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "mocap/io/c3d.h"
#include "mocap/physical/physical_tracker.h"
#include "mocap/solve/solve_take.h"

namespace {

using namespace limber;
using namespace limber::mocap;

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Median and minimum of five runs [s].
template <typename Work>
std::pair<double, double> Time(const Work& work) {
  std::vector<double> runs;
  for (int run = 0; run < 5; ++run) {
    const double begin = ProcessorSeconds();
    work();
    runs.push_back(ProcessorSeconds() - begin);
  }
  std::ranges::sort(runs);
  return {runs[2], runs[0]};
}

void Bench(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const Result<MarkerTake> take = ReadC3d(path);
  if (!take.ok()) return;
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), *take, name, std::nullopt);
  if (!set.ok()) {
    std::printf("%s", set.diagnostics().ToString().c_str());
    return;
  }
  const PreparedTake prepared =
      PrepareTake(*take, *set->set, set->match, name).value();
  const double frames = double(prepared.observed.num_frames());
  Calibration calibration;
  const auto [cal, cal_min] =
      Time([&] { calibration = Calibrate(prepared, nullptr, name).value(); });
  const Actor& actor = calibration.actor;
  TakeSolution solution;
  const auto rms = [&] {
    return 1000 * MeasureFit(actor, solution.poses, solution.used).all.rms;
  };
  std::printf("%s,calibration,%.3f,%.3f,s,%.3f\n", name.c_str(), cal, cal_min,
              1000 * calibration.rms);
  const auto [whole, whole_min] =
      Time([&] { solution = SolveTake(prepared, nullptr, actor); });
  std::printf("%s,least-squares,%.0f,%.0f,frames/s,%.3f\n", name.c_str(),
              frames / whole, frames / whole_min, rms());
  SolveOptions live;
  live.smooth = false;
  const auto [tracked, tracked_min] =
      Time([&] { solution = SolveTake(prepared, nullptr, actor, live); });
  std::printf("%s,least-squares frame by frame,%.0f,%.0f,frames/s,%.3f\n",
              name.c_str(), frames / tracked, frames / tracked_min, rms());
  const auto [physical, physical_min] = Time([&] {
    solution = SolvePhysically(prepared.observed, actor, prepared.rate_hz);
  });
  std::printf("%s,physical,%.0f,%.0f,frames/s,%.3f\n", name.c_str(),
              frames / physical, frames / physical_min, rms());
}

}  // namespace

int main() {
  const char* root = std::getenv("LIMBER_TEST_DATA");
  const std::filesystem::path data =
      root != nullptr
          ? std::filesystem::path(root)
          : std::filesystem::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "data";
  std::printf("take,job,median,best,unit,marker RMS [mm]\n");
  if (!std::filesystem::exists(data)) {
    Bench(std::filesystem::path(LIMBER_SOURCE_DIR) / "data/takes/march.c3d");
    return 0;
  }
  for (const char* file : {"cmu/02/02_01.c3d", "cmu/07/07_01.c3d",
                           "cmu/16/16_07.c3d", "cmu/85/85_02.c3d"}) {
    Bench(data / file);
  }
  return 0;
}
