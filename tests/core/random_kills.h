// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>

#include "core/file.h"

namespace limber::test {

inline std::ptrdiff_t NumEntries(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

/// Writes "a" anew again and again in another process, which is killed after a
/// while, `runs` times; the file is whole each time, and the next writer leaves
/// nothing but the file.
inline void KillAtRandomTimes(const std::filesystem::path& folder, int runs) {
  constexpr std::size_t kSize = 2'000'000;
  const std::filesystem::path file = folder / "a";
  ASSERT_TRUE(WriteWholeFile(file, std::string(kSize, 'o')).all().empty());
  std::mt19937 random(7);
  std::uniform_int_distribution<useconds_t> wait_us(0, 20'000);
  for (int run = 0; run < runs; ++run) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string bytes(kSize, 'n');
      while (true) WriteWholeFile(file, bytes);
    }
    ::usleep(wait_us(random));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string found = ReadWholeFile(file).value();
    ASSERT_EQ(found.size(), kSize);
    ASSERT_EQ(std::ranges::count(found, found.front()), std::ptrdiff_t(kSize));
    ASSERT_TRUE(WriteWholeFile(file, std::string(kSize, 'o')).all().empty());
    ASSERT_EQ(NumEntries(folder), 1);
  }
}

}  // namespace limber::test
