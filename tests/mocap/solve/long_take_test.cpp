// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes far longer than anyone calibrates from.
#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "mocap/solve/identify.h"
#include "mocap/solve/solve_take.h"
#include "tests/mocap/solve/synthetic_take.h"
#include "tests/support/memory_meter.h"

namespace limber::test {
namespace {

using namespace mocap;

struct Measured {
  double bytes_per_frame = 0.0;
  double rms = 0.0;  ///< [m]
  std::vector<double> shares;
};

Measured SolveLong(std::int64_t num_frames) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = num_frames});
  const PreparedTake take = Prepare(made.take);
  Measured measured;
  SolveOptions options;
  options.progress = [&measured](double share) {
    measured.shares.push_back(share);
  };
  PeakMemory meter;
  const Actor actor = Calibrate(take, nullptr, "long").value().actor;
  const TakeSolution solution = SolveTake(take, &made.take, actor, options);
  measured.bytes_per_frame = double(meter.peak_bytes()) / double(num_frames);
  measured.rms = MeasureFit(actor, solution.poses, solution.used).all.rms;
  std::printf("%lld frames: %.0f bytes a frame, %.3f mm RMS\n",
              static_cast<long long>(num_frames), measured.bytes_per_frame,
              1000 * measured.rms);
  return measured;
}

TEST(LongTake, MemoryIsLinearInTheFramesAndProgressIsShown) {
  const Measured some = SolveLong(5'000);
  const Measured many = SolveLong(100'000);
  // The fixed part (calibration) counts less and less.
  EXPECT_LE(many.bytes_per_frame, some.bytes_per_frame);
  EXPECT_LT(many.rms, 0.002);
  // Progress goes from 0 to 1 in steps that a person sees move.
  double last = 0.0;
  for (const double share : many.shares) {
    EXPECT_GE(share, last);
    EXPECT_LE(share - last, 0.02);
    last = share;
  }
  EXPECT_GT(last, 0.97);
}

/// Processor time of finding out who is who without labels [s].
double SecondsWithoutLabels(std::int64_t num_frames) {
  SyntheticTake made =
      MakeSyntheticTake({.num_frames = num_frames, .noise = 0.001});
  for (int m = 0; m < made.take.num_markers(); ++m) {
    made.take.SetLabel(m, "*" + std::to_string(m));
  }
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(IdentifyMarkers(BuiltInMarkerSets(), made.take, "long").ok());
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Bodies are laid into a few frames, however many there are: five minutes may
// cost no more than reading thirty times as many points explains.
TEST(LongTake, FindingLabelsHardlyDependsOnTheLength) {
  const double some = SecondsWithoutLabels(1'200);
  const double many = SecondsWithoutLabels(36'000);
  std::printf("without labels: %.2f s for 10 s, %.2f s for 5 min\n", some,
              many);
  EXPECT_LT(many, 3 * some);
}

// A minute at 120 Hz: the 41 markers of a set and 19 more beside them, all of
// them without names. Whether the body is believed or not, the answer takes
// less than two seconds.
TEST(LongTake, LabelsOfAMinuteOfSixtyTracksTakeLessThanTwoSeconds) {
  const SyntheticTake made =
      MakeSyntheticTake({.num_frames = 7'200, .noise = 0.001});
  constexpr int kTracks = 60;
  std::vector<std::string> labels;
  for (int m = 0; m < kTracks; ++m) labels.push_back("*" + std::to_string(m));
  MarkerTake take(labels, made.take.num_frames(), made.take.rate_hz());
  take.origin = made.take.origin;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < kTracks; ++m) {
      const int like = m % made.take.num_markers();
      const Vector3 beside(0.0, m < made.take.num_markers() ? 0.0 : 0.03, 0.0);
      take.SetPosition(t, m, made.take.Position(t, like) + beside);
    }
  }
  const std::clock_t begin = std::clock();
  const bool is_found = IdentifyMarkers(BuiltInMarkerSets(), take, "f").ok();
  const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("60 tracks without labels: %.2f s, %s\n", seconds,
              is_found ? "found" : "refused");
  EXPECT_LT(seconds, 2.0);
}

}  // namespace
}  // namespace limber::test
