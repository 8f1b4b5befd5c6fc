// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/time_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::viewer {
namespace {

std::vector<TimeLine::Tick> Labelled(const TimeLine& line) {
  std::vector<TimeLine::Tick> ticks = line.Ticks();
  std::erase_if(ticks, [](const auto& tick) { return tick.label.empty(); });
  return ticks;
}

/// The least distance between two ticks of another place [px].
double Nearest(const TimeLine& line) {
  std::vector<double> places;
  for (const TimeLine::Tick& tick : line.Ticks()) places.push_back(tick.x);
  std::ranges::sort(places);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double apart = places[i] - places[i - 1];
    if (apart > 1e-6) nearest = std::min(nearest, apart);
  }
  return nearest;
}

TEST(TimeLine, PixelsAndTimesAreTheSameThing) {
  TimeLine line(2.0, 60.0);
  line.SetWidth(1024.0);
  EXPECT_EQ(line.XOf(0.0), 0.0);
  EXPECT_EQ(line.XOf(1.0), 512.0);
  EXPECT_EQ(line.XOf(9.0), 1024.0);
  EXPECT_EQ(line.TimeAt(512.0), 1.0);
  EXPECT_EQ(line.TimeAt(-5.0), 0.0);
  EXPECT_EQ(line.TimeAt(5000.0), 2.0);
}

TEST(TimeLine, APixelIsTheNearestFrame) {
  TimeLine line(2.0, 60.0);
  line.SetWidth(1000.0);
  for (double x = 0.0; x <= 1000.0; x += 7.3) {
    const double frame = line.TimeAt(x) * 60.0;
    EXPECT_NEAR(frame, std::round(frame), 1e-9);
    EXPECT_LE(std::abs(line.XOf(line.TimeAt(x)) - x),
              0.5 * 1000.0 / 120.0 + 1e-9);
  }
}

// Labels can be read beside one another in the smallest window and in the
// largest, of a clip and of an hour; and there are never fewer than could be.
TEST(TimeLine, LabelsCanBeReadAndAreNotRare) {
  for (const double width : {320.0, 1024.0, 1366.0, 1920.0, 3840.0}) {
    for (const double duration : {0.1, 0.5, 2.0, 10.0, 61.0, 3600.0}) {
      TimeLine line(duration, 120.0);
      line.SetWidth(width);
      const auto ticks = Labelled(line);
      ASSERT_GE(ticks.size(), 2U) << width << " " << duration;
      for (std::size_t i = 1; i < ticks.size(); ++i) {
        const double apart = ticks[i].x - ticks[i - 1].x;
        EXPECT_GE(apart, 60.0 - 1e-6);
        // The next finer step of 1, 2, 5 would be too near.
        EXPECT_LE(apart, 2.5 * 60.0 + 1e-6);
      }
      EXPECT_GE(Nearest(line), 6.0 - 1e-6) << width << " " << duration;
    }
  }
}

TEST(TimeLine, FramesAreTicksWhereTheyCanBeToldApart) {
  TimeLine line(1.0, 60.0);
  line.SetWidth(60.0 * 6.0);
  EXPECT_NEAR(Nearest(line), 6.0, 1e-9);
  // A little narrower they would run into one another.
  line.SetWidth(60.0 * 5.9);
  EXPECT_GT(Nearest(line), 6.0);
}

TEST(TimeLine, LabelsAreRoundSeconds) {
  TimeLine line(2.0, 60.0);
  line.SetWidth(1024.0);
  const auto ticks = Labelled(line);
  ASSERT_EQ(ticks.size(), 11U);
  EXPECT_EQ(ticks[0].label, "0.0");
  EXPECT_EQ(ticks[6].label, "1.2");
  EXPECT_NEAR(ticks[6].x, 1.2 * 512.0, 1e-9);
}

TEST(TimeLine, ReadsInSecondsAndFrames) {
  EXPECT_EQ(TimeLine(2.0, 60.0).Reading(1.2),
            "1.20 s of 2.00 s, frame 72 of 120");
}

TEST(TimeLine, OneFrameHasNoTicks) {
  TimeLine line(0.0, 60.0);
  line.SetWidth(500.0);
  EXPECT_TRUE(line.Ticks().empty());
  EXPECT_EQ(line.TimeAt(300.0), 0.0);
}

}  // namespace
}  // namespace limber::viewer
