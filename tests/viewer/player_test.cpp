// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/player.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber::viewer {
namespace {

TEST(Player, FollowsTheWallClockTimesItsSpeed) {
  Player player(10.0, 1.0 / 60);
  player.Advance(0.1);
  EXPECT_NEAR(player.time(), 0.1, 1e-12);
  player.SetSpeed(2.0);
  player.Advance(0.1);
  EXPECT_NEAR(player.time(), 0.3, 1e-12);
  player.SetSpeed(-1.0);
  player.Advance(0.2);
  EXPECT_NEAR(player.time(), 0.1, 1e-12);
}

TEST(Player, LatePictureDropsTimeInsteadOfRunningAfterIt) {
  Player player(100.0, 1.0 / 60);
  player.Advance(3.0);
  EXPECT_NEAR(player.time(), 0.25, 1e-12);
  EXPECT_NEAR(player.dropped(), 2.75, 1e-12);
}

TEST(Player, LoopsOrStopsAtTheEnd) {
  Player player(1.0, 1.0 / 60);
  player.Seek(0.95);
  player.Advance(0.1);
  EXPECT_NEAR(player.time(), 0.05, 1e-12);
  player.SetLooping(false);
  player.Seek(0.95);
  player.Advance(0.1);
  EXPECT_EQ(player.time(), 1.0);
  EXPECT_FALSE(player.playing());
}

TEST(Player, StepsLandOnFramesAndPause) {
  Player player(1.0, 0.1);
  player.Seek(0.33);
  player.StepFrames(1);
  EXPECT_NEAR(player.time(), 0.4, 1e-12);
  EXPECT_FALSE(player.playing());
  player.StepFrames(-2);
  EXPECT_NEAR(player.time(), 0.2, 1e-12);
  player.StepFrames(-100);
  EXPECT_EQ(player.time(), 0.0);
}

TEST(Player, SeekStaysInsideAndRefusesNaN) {
  Player player(2.0, 0.1);
  player.Seek(5.0);
  EXPECT_EQ(player.time(), 2.0);
  player.Seek(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(player.time(), 0.0);
}

TEST(Player, EmptyShowStandsStill) {
  Player player(0.0, 0.1);
  player.Advance(0.1);
  EXPECT_EQ(player.time(), 0.0);
}

}  // namespace
}  // namespace limber::viewer
