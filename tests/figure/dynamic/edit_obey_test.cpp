// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_obey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/figure/dynamic/edit_excess.h"

namespace limber::figure {
namespace {

using internal::EvenCover;

TEST(EvenCover, CoversEveryNeedAndIsNothingWhereNothingIsNeeded) {
  std::mt19937 random(5);
  std::uniform_real_distribution<> share(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + std::size_t(share(random) * 80);
    std::vector<double> need(count, 0.0);
    std::vector<bool> is_fixed(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      is_fixed[i] = share(random) < 0.2;
      if (!is_fixed[i] && share(random) < 0.1) need[i] = share(random);
    }
    const std::int64_t half = 1 + std::int64_t(share(random) * 12);
    const std::vector<double> cover = EvenCover(need, is_fixed, half);
    ASSERT_EQ(cover.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_GE(cover[i], need[i] - 1e-12);
      ASSERT_TRUE(!is_fixed[i] || cover[i] == 0.0);
    }
  }
  EXPECT_EQ(EvenCover({0.0, 0.0, 0.0}, {false, false, false}, 2),
            (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(EvenCover, APeakIsLedToAndFromWithoutAJump) {
  std::vector<double> need(101, 0.0);
  need[50] = 1.0;
  const std::vector<double> cover =
      EvenCover(need, std::vector<bool>(101, false), 10);
  double largest_step = 0.0;
  for (std::size_t i = 1; i < cover.size(); ++i) {
    largest_step = std::max(largest_step, std::abs(cover[i] - cover[i - 1]));
  }
  EXPECT_NEAR(cover[50], 1.0, 1e-12);
  EXPECT_LT(largest_step, 0.15);
  EXPECT_EQ(cover[20], 0.0);
  EXPECT_EQ(cover[80], 0.0);
}

TEST(EditObey, RandomEditsStayWithinLimitsAndAboveTheFloor) {
  for (const char* name : {"walk.bvh", "run.bvh", "jump.bvh", "bow.bvh"}) {
    WorstOf(EditedClip::Bundled(name), 100, 5);
  }
}

}  // namespace
}  // namespace limber::figure
