// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every job asks its callback often enough to end within 0.2 s, all the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>

#include "jobs/combine.h"
#include "jobs/edit.h"
#include "jobs/markers.h"
#include "jobs/measure.h"
#include "jobs/retarget.h"
#include "jobs/simulate.h"
#include "jobs/solve.h"
#include "tests/support/test_data.h"

namespace limber::jobs {
namespace {

/// Half of what a job may take to end: measured in time of the processor, which
/// other programs do not stretch [s].
constexpr double kLongestStretch = 0.1;

double Now() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Walks for about a minute and a half.
figure::Motion LongWalk() {
  const figure::Motion walk =
      LoadClip(test::BundledData("clips/walk.bvh")).value();
  figure::Motion longer = walk;
  for (int i = 0; i < 40; ++i) {
    for (std::int64_t f = 0; f < walk.num_frames(); ++f) {
      longer.Append(walk.pose(f));
    }
  }
  return longer;
}

/// A job that gets a callback and says whether it came to its end.
using StoppableJob = std::function<Diagnostics(const Progress&)>;

/// The job runs to its end and never goes on for long without asking; stopped
/// at any time it says so.
void Check(const StoppableJob& job) {
  double last = Now(), longest = 0.0, at = 0.0;
  int calls = 0;
  const Diagnostics whole = job([&](double share) {
    const double now = Now();
    if (now - last > longest) {
      longest = now - last;
      at = share;
    }
    last = now;
    ++calls;
    return true;
  });
  EXPECT_FALSE(whole.has_errors()) << whole.ToString();
  EXPECT_GT(calls, 0);
  EXPECT_LT(std::max(longest, Now() - last), kLongestStretch)
      << "after " << at << " of the job, of " << calls << " calls";
  for (const double share : {0.0, 0.3, 0.7, 0.95}) {
    const int stop_at = 1 + static_cast<int>(share * double(calls));
    int seen = 0;
    double stopped_at = 0.0;
    const Diagnostics findings = job([&](double) {
      stopped_at = Now();
      return ++seen < stop_at;
    });
    EXPECT_LT(Now() - stopped_at, kLongestStretch);
    // How often it asks depends on the clock: it may have come to its end.
    if (seen < stop_at) continue;
    ASSERT_EQ(findings.all().size(), 1U);
    EXPECT_EQ(findings.all().front().kind, "stopped");
  }
}

TEST(StopSlow, Solve) {
  const mocap::MarkerTake take = Markers(LongWalk()).value().take;
  for (const SolveMethod method :
       {SolveMethod::kLeastSquares, SolveMethod::kPhysical}) {
    SCOPED_TRACE(ToString(method));
    Check([&](const Progress& progress) {
      SolveOptions options;
      options.method = method;
      options.progress = progress;
      return Solve(take, options).diagnostics();
    });
  }
}

TEST(StopSlow, SolveWithoutLabels) {
  mocap::MarkerTake take =
      Markers(LoadClip(test::BundledData("clips/walk.bvh")).value())
          .value()
          .take;
  for (std::size_t i = 0; i < take.labels().size(); ++i) {
    std::string label = "*";
    label += std::to_string(i);
    take.SetLabel(static_cast<int>(i), label);
  }
  Check([&](const Progress& progress) {
    SolveOptions options;
    options.progress = progress;
    return Solve(take, options).diagnostics();
  });
}

TEST(StopSlow, Retarget) {
  const figure::Motion clip = LongWalk();
  const RetargetTarget target = LoadTarget("fat_man").value();
  Check([&](const Progress& progress) {
    RetargetOptions options;
    options.progress = progress;
    return Retarget(clip, target, options).diagnostics();
  });
}

TEST(StopSlow, RetargetWithBodies) {
  const figure::Motion clip =
      LoadClip(test::BundledData("clips/walk.bvh")).value();
  const RetargetTarget target = LoadTarget("fat_man").value();
  Check([&](const Progress& progress) {
    RetargetOptions options;
    options.dynamic_strength = 1.0;
    options.progress = progress;
    return Retarget(clip, target, options).diagnostics();
  });
}

TEST(StopSlow, Edit) {
  const figure::Motion clip =
      LoadClip(test::BundledData("clips/walk.bvh")).value();
  const std::vector<Event> events = {
      Push{.segment = "chest", .at = 0.5, .impulse = {20, 0, 0}}};
  Check([&](const Progress& progress) {
    EditOptions options;
    options.progress = progress;
    return Edit(clip, events, options).diagnostics();
  });
}

TEST(StopSlow, CombineMeasureMarkers) {
  const figure::Motion clip = LongWalk();
  const std::vector<figure::Motion> clips = {clip, clip};
  Check([&](const Progress& progress) {
    CombineOptions options;
    options.progress = progress;
    return Combine(clips, options).diagnostics();
  });
  Check([&](const Progress& progress) {
    MeasureOptions options;
    options.against = &clip;
    options.progress = progress;
    return Measure(clip, options).diagnostics();
  });
  Check([&](const Progress& progress) {
    MarkersOptions options;
    options.progress = progress;
    return Markers(clip, options).diagnostics();
  });
}

TEST(StopSlow, Simulate) {
  Check([&](const Progress& progress) {
    SimulateOptions options;
    options.progress = progress;
    return Simulate("umbrella", options).diagnostics();
  });
}

}  // namespace
}  // namespace limber::jobs
