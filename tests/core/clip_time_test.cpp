// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/clip_time.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace limber {
namespace {

TEST(FramesIn, RoundsAsAskedAndForgivesAMillionthOfAFrame) {
  EXPECT_EQ(FramesIn(0.5, 30.0), 15);
  EXPECT_EQ(FramesIn(0.51, 30.0), 15);
  EXPECT_EQ(FramesIn(0.99, 10.0, Frames::kDown), 9);
  EXPECT_EQ(FramesIn(0.99999999, 10.0, Frames::kDown), 10);
  EXPECT_EQ(FramesIn(0.91, 10.0, Frames::kUp), 10);
  EXPECT_EQ(FramesIn(0.90000001, 10.0, Frames::kUp), 9);
  EXPECT_EQ(FramesIn(0.0, 10.0), 0);
  // Half a millionth of a frame is forgiven, two millionths are not.
  EXPECT_EQ(FramesIn(9.0 + 0.5e-6, 1.0, Frames::kUp), 9);
  EXPECT_EQ(FramesIn(9.0 + 2e-6, 1.0, Frames::kUp), 10);
  EXPECT_EQ(FramesIn(9.0 - 0.5e-6, 1.0, Frames::kDown), 9);
  EXPECT_EQ(FramesIn(9.0 - 2e-6, 1.0, Frames::kDown), 8);
}

TEST(FramesIn, RefusesWhatNoJobCanHold) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FramesIn(100'000.0, 100.0), kMostFrames);
  EXPECT_THROW(FramesIn(100'001.0, 100.0), std::invalid_argument);
  EXPECT_THROW(FramesIn(1.0, 1e18), std::invalid_argument);
  EXPECT_THROW(FramesIn(1e300, 1e300), std::invalid_argument);
  EXPECT_THROW(FramesIn(-1.0, 30.0), std::invalid_argument);
  EXPECT_THROW(FramesIn(1.0, 0.0), std::invalid_argument);
  for (const double bad : {kInfinity, kNan}) {
    EXPECT_THROW(FramesIn(bad, 30.0), std::invalid_argument);
    EXPECT_THROW(FramesIn(1.0, bad), std::invalid_argument);
  }
}

TEST(DoubtRate, IsSaidBelowOneAndAboveTenThousand) {
  for (const double rate : {1.0, 24.0, 120.0, 10'000.0}) {
    Diagnostics none("f");
    DoubtRate(rate, "Frame Time", {}, none);
    EXPECT_TRUE(none.all().empty()) << rate;
  }
  // A third of the slowest and three times the fastest.
  for (const double rate : {1.0 / 3.0, 30'000.0}) {
    Diagnostics said("f");
    DoubtRate(rate, "Frame Time", {}, said);
    EXPECT_EQ(said.CountOf("rate-doubt"), 1) << rate;
  }
}

TEST(WhyNotWhole, ADayIsTheLongestClip) {
  EXPECT_EQ(WhyNotWhole(86'400.0, 30.0), "");
  EXPECT_EQ(WhyNotWhole(3.0 * 86'400.0, 30.0),
            "the clip lasts 3 days; this job takes clips of up to 24 h");
  EXPECT_EQ(WhyNotWhole(1.0, 1e9),
            "the clip has 1e+09 frames per second; this job takes up to 10000");
}

TEST(TimeText, ChoosesItsUnit) {
  EXPECT_EQ(TimeText(0.4), "0.4 s");
  EXPECT_EQ(TimeText(150.0), "2.5 min");
  EXPECT_EQ(TimeText(9000.0), "2.5 h");
  EXPECT_EQ(TimeText(1e11), "3169 years");
}

}  // namespace
}  // namespace limber
