// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Somebody works, and the process is killed at any moment: nothing that was
// done is lost.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/jobs/bench_parts.h"

namespace limber::jobs {
namespace {

/// Works for ever; says every list that it has got to through `pipe`, each
/// ended by a zero.
[[noreturn]] void Work(unsigned seed, const WorkbenchClip& clip,
                       const WorkbenchFolders& folders, int pipe) {
  std::mt19937 random(seed);
  Workbench bench(clip, folders);
  const auto say = [&] {
    const std::string text = TextOf(bench) + '\0';
    if (::write(pipe, text.data(), text.size()) < 0) ::_exit(1);
  };
  while (true) {
    DoAnything(random, bench, say);
    say();
    bench.Update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// All that comes through the pipe until its writer is gone.
std::vector<std::string> ListsFrom(int pipe) {
  std::vector<std::string> lists(1);
  char part[4096];
  while (true) {
    const ssize_t got = ::read(pipe, part, sizeof part);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; ++i) {
      if (part[i] == '\0') {
        lists.emplace_back();
      } else {
        lists.back() += part[i];
      }
    }
  }
  lists.pop_back();  // Half of one, or nothing.
  return lists;
}

/// The first lists that `Work` gets to with this seed.
std::vector<std::string> FirstLists(unsigned seed, const WorkbenchClip& clip,
                                    std::size_t count) {
  std::mt19937 random(seed);
  Workbench bench(clip, {});
  std::vector<std::string> lists;
  const auto note = [&] { lists.push_back(TextOf(bench)); };
  while (lists.size() < count) {
    DoAnything(random, bench, note);
    note();
  }
  return lists;
}

TEST(JournalKill, FiftyKillsLoseNothingThatWasDone) {
  const WorkbenchClip clip = BundledBow();
  std::mt19937 random(26);
  std::size_t num_lists = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const BenchFolder folder("kill" + std::to_string(seed) + "_");
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t worker = ::fork();
    ASSERT_GE(worker, 0);
    if (worker == 0) Work(seed, clip, folder.folders(), ends[1]);
    ::close(ends[1]);
    // It is read all the time, so that the writer never waits for us.
    std::vector<std::string> lists;
    std::thread reader([&] { lists = ListsFrom(ends[0]); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 200));
    ::kill(worker, SIGKILL);
    ::waitpid(worker, nullptr, 0);
    reader.join();
    ::close(ends[0]);
    num_lists += lists.size();
    Workbench again(clip, folder.folders());
    if (lists.empty()) continue;
    ASSERT_EQ(again.offered().size(), 1U) << seed;
    again.TakeOffered();
    // What was said last, or the list after it, which could not be said any
    // more.
    const std::vector<std::string> planned =
        FirstLists(seed, clip, lists.size() + 1);
    EXPECT_EQ(lists.back(), planned[lists.size() - 1]);
    EXPECT_THAT(TextOf(again),
                testing::AnyOf(lists.back(), planned[lists.size()]))
        << seed;
  }
  EXPECT_GT(num_lists, 500U);
}

}  // namespace
}  // namespace limber::jobs
