// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace limber {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void PassFor(double seconds) {
  for (const auto begin = Clock::now(); SecondsSince(begin) < seconds;) {
    Checkpoint();
  }
}

TEST(Checkpoint, LooksAboutFiftyTimesASecond) {
  constexpr double kSeconds = 0.2;
  constexpr double kUsually = 0.02 / kSeconds;
  int most = 0;
  // Another program may have the processor for a while: the best of several.
  for (int i = 0; i < 10; ++i) {
    int looks = 0;
    const auto begin = Clock::now();
    {
      const CheckpointScope scope([&looks] { ++looks; });
      PassFor(kSeconds);
    }
    const double passed = SecondsSince(begin) / kSeconds;
    EXPECT_LE(looks, 1.5 * passed / kUsually);
    most = std::max(most, looks);
  }
  EXPECT_GE(most, 0.5 / kUsually);
}

TEST(Checkpoint, TheInnermostScopeOfTheThreadLooks) {
  int outer = 0, inner = 0;
  Checkpoint();
  const CheckpointScope one([&outer] { ++outer; });
  {
    const CheckpointScope two([&inner] { ++inner; });
    PassFor(0.05);
  }
  EXPECT_EQ(outer, 0);
  EXPECT_GE(inner, 1);
  const int before = inner;
  std::thread([] { PassFor(0.05); }).join();
  EXPECT_EQ(outer, 0);
  PassFor(0.05);
  EXPECT_GE(outer, 1);
  EXPECT_EQ(inner, before);
}

TEST(Checkpoint, WhatTheScopeThrowsEndsTheWork) {
  {
    const CheckpointScope scope([] { throw std::runtime_error("enough"); });
    EXPECT_THROW(PassFor(10.0), std::runtime_error);
  }
  PassFor(0.05);
}

}  // namespace
}  // namespace limber
