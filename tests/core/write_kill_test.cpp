// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A writer of a file is killed before and after each of its system calls, with
// files without a name and where these do not exist.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "core/file.h"

namespace limber {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__) && defined(O_TMPFILE)

/// Makes a call that is about to open a file without a name fail.
void ForbidNameless(pid_t child) {
  user_regs_struct registers{};
  ptrace(PTRACE_GETREGS, child, nullptr, &registers);
  const bool opens = registers.orig_rax == SYS_openat;
  if (!opens || (registers.rdx & O_TMPFILE) != O_TMPFILE) return;
  registers.orig_rax = ~0ULL;  // There is no such call.
  ptrace(PTRACE_SETREGS, child, nullptr, &registers);
}

enum class Ending { kKilled, kFinished, kNotTraced };

/// Writes `bytes` in a child that is killed at stop number `stop` of its
/// system calls; each call stops twice, before and after.
Ending WriteAndKill(const fs::path& file, const std::string& bytes, int stop,
                    bool nameless) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(42);
    ::raise(SIGSTOP);
    ::_exit(WriteWholeFile(file, bytes).has_errors() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) return Ending::kNotTraced;
  for (int i = 0; i < stop; ++i) {
    if (!nameless) ForbidNameless(child);
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      return Ending::kFinished;
    }
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return Ending::kKilled;
}

class WriteKillTest : public testing::TestWithParam<bool> {};

TEST_P(WriteKillTest, KilledAtEverySystemCallLeavesTheOldFileOrTheNewOne) {
  const fs::path folder = fs::temp_directory_path() /
                          ("limber_write_kill_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string old_bytes(100'000, 'o');
  const std::string new_bytes(100'000, 'n');
  int killed = 0;
  int saw_old = 0;
  int saw_new = 0;
  for (int stop = 1;; ++stop) {
    ASSERT_TRUE(WriteWholeFile(folder / "a", old_bytes).all().empty());
    const Ending ending =
        WriteAndKill(folder / "a", new_bytes, stop, GetParam());
    if (ending == Ending::kNotTraced) {
      fs::remove_all(folder);
      GTEST_SKIP() << "this system lets no process trace another";
    }
    const std::string found = ReadWholeFile(folder / "a").value();
    saw_old += found == old_bytes;
    saw_new += found == new_bytes;
    ASSERT_EQ(saw_old + saw_new, stop) << "half a file at stop " << stop;
    ASSERT_TRUE(WriteWholeFile(folder / "a", old_bytes).all().empty());
    ASSERT_EQ(std::distance(fs::directory_iterator(folder), {}), 1)
        << "a leftover after the next run, stop " << stop;
    if (ending == Ending::kFinished) break;
    ++killed;
  }
  fs::remove_all(folder);
  // Looking for leftovers, opening, writing, syncing, naming, renaming.
  EXPECT_GT(killed, 2 * 10);
  EXPECT_GT(saw_old, 0);
  EXPECT_GT(saw_new, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, WriteKillTest, testing::Values(true, false),
                         [](const testing::TestParamInfo<bool>& info) {
                           return info.param ? "Nameless" : "Named";
                         });

#endif

}  // namespace
}  // namespace limber
