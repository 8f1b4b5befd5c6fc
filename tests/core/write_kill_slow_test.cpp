// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/random_kills.h"

namespace limber {
namespace {

TEST(WriteKillSlowTest, FiveHundredKillsLeaveTheOldFileOrTheNewOne) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("limber_500_kills_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  test::KillAtRandomTimes(folder, 500);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace limber
