// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/core/random_kills.h"

namespace limber {
namespace {

class FileTest : public testing::Test {
 protected:
  FileTest()
      : folder_(
            std::filesystem::temp_directory_path() /
            ("limber_file_test_" + std::string(testing::UnitTest::GetInstance()
                                                   ->current_test_info()
                                                   ->name()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_;
};

mode_t ModeOf(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST_F(FileTest, WriteThenReadGivesTheSameBytes) {
  const std::string bytes(3'000'001, '\r');
  ASSERT_TRUE(WriteWholeFile(folder_ / "a", bytes).all().empty());
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), bytes);
}

TEST_F(FileTest, KilledAtRandomTimesLeavesTheOldFileOrTheNewOne) {
  test::KillAtRandomTimes(folder_, 30);
}

TEST_F(FileTest, WriteLeavesNoTemporaryBehind) {
  WriteWholeFile(folder_ / "a", "x");
  WriteWholeFile(folder_ / "a", "y");
  EXPECT_EQ(test::NumEntries(folder_), 1);
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), "y");
}

TEST_F(FileTest, MissingFileNamesFileAndReason) {
  const Result<std::string> result = ReadWholeFile("/no/such/file");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics().ToString(),
            "/no/such/file: error: cannot open: No such file or directory\n");
}

TEST_F(FileTest, FolderIsRefused) {
  EXPECT_EQ(ReadWholeFile(folder_).diagnostics().all()[0].kind, "is-directory");
}

TEST_F(FileTest, UnwritablePlaceIsReported) {
  const Diagnostics diagnostics = WriteWholeFile("/no/such/folder/a", "x");
  ASSERT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.all()[0].kind, "cannot-write");
}

TEST_F(FileTest, UnwritablePlacesAreKnownBefore) {
  const std::filesystem::path paths[] = {"/no/such/folder/a", folder_, "",
                                         folder_ / "new.txt"};
  const Diagnostics found = CheckWritable(paths);
  ASSERT_EQ(found.all().size(), 2u);
  EXPECT_EQ(found.ToString(),
            "/no/such/folder/a: error: cannot write: there is no folder "
            "\"/no/such/folder\"\n" +
                PathText(folder_) + ": error: cannot write: Is a directory\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new.txt"));
}

TEST_F(FileTest, ModeOfTheOldFileIsKept) {
  WriteWholeFile(folder_ / "a", "x");
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0640), 0);
  ASSERT_TRUE(WriteWholeFile(folder_ / "a", "y").all().empty());
  EXPECT_EQ(ModeOf(folder_ / "a"), mode_t{0640});
}

TEST_F(FileTest, SymbolicLinksAreWrittenThrough) {
  std::filesystem::create_directory(folder_ / "far");
  WriteWholeFile(folder_ / "far" / "a", "x");
  std::filesystem::create_symlink("far/a", folder_ / "to_a");
  std::filesystem::create_symlink("to_a", folder_ / "to_to_a");
  std::filesystem::create_symlink("far/new", folder_ / "to_new");
  ASSERT_TRUE(WriteWholeFile(folder_ / "to_to_a", "y").all().empty());
  ASSERT_TRUE(WriteWholeFile(folder_ / "to_new", "z").all().empty());
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "to_to_a"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "to_new"));
  EXPECT_EQ(ReadWholeFile(folder_ / "far" / "a").value(), "y");
  EXPECT_EQ(ReadWholeFile(folder_ / "far" / "new").value(), "z");
  EXPECT_EQ(test::NumEntries(folder_), 4);
}

TEST_F(FileTest, DevicesAndPipesAreWrittenAndNotReplaced) {
  ASSERT_TRUE(WriteWholeFile("/dev/null", "x").all().empty());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reading = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(WriteWholeFile(pipe, "hello").all().empty());
  std::array<char, 5> got{};
  EXPECT_EQ(::read(reading, got.data(), got.size()), 5);
  ::close(reading);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(FileTest, FullDeviceIsReported) {
  const Diagnostics found = WriteWholeFile("/dev/full", "x");
  EXPECT_EQ(found.ToString(),
            "/dev/full: error: cannot write: No space left on device\n");
}

TEST_F(FileTest, FileLongerThanTheLimitIsReportedAndTheOldOneStays) {
  const std::filesystem::path file = folder_ / "a";
  WriteWholeFile(file, "old");
  const pid_t child = ::fork();
  if (child == 0) {
    // The usual answer to the limit is a signal that ends the process.
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Diagnostics found = WriteWholeFile(file, std::string(5000, 'n'));
    const bool told =
        found.ToString().find("File too large") != std::string::npos;
    ::_exit(told ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(ReadWholeFile(file).value(), "old");
  EXPECT_EQ(test::NumEntries(folder_), 1);
}

TEST_F(FileTest, LeftoverOfAKilledWriterGoesAndALivingOneStays) {
  const std::filesystem::path dead = folder_ / ".a.limber-part0";
  const std::filesystem::path alive = folder_ / ".a.limber-part1";
  for (const auto& name : {dead, alive}) {
    ::close(::open(name.c_str(), O_CREAT | O_WRONLY, 0666));
  }
  const int lock = ::open(alive.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  ASSERT_TRUE(WriteWholeFile(folder_ / "a", "x").all().empty());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(alive));
  ::close(lock);
  ASSERT_TRUE(WriteWholeFile(folder_ / "a", "y").all().empty());
  EXPECT_EQ(test::NumEntries(folder_), 1);
}

// Sixteen programs may write one file at a time; the next is told so.
TEST_F(FileTest, SoManyMayWriteAtATime) {
  std::vector<int> locks;
  const auto add = [&](int number) {
    const auto name = folder_ / (".a.limber-part" + std::to_string(number));
    locks.push_back(::open(name.c_str(), O_CREAT | O_RDONLY, 0666));
    ASSERT_EQ(::flock(locks.back(), LOCK_EX), 0);
  };
  for (int i = 0; i < 15; ++i) add(i);
  EXPECT_FALSE(WriteWholeFile(folder_ / "a", "x").has_errors());
  add(15);
  EXPECT_TRUE(WriteWholeFile(folder_ / "a", "y").has_errors());
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), "x");
  for (const int lock : locks) ::close(lock);
}

TEST_F(FileTest, NamesAsLongAsTheSystemAllowsAreWritten) {
  const auto name = folder_ / std::string(255, 'n');
  EXPECT_FALSE(WriteWholeFile(name, "x").has_errors());
  EXPECT_FALSE(WriteWholeFile(name, "y").has_errors());
  EXPECT_EQ(ReadWholeFile(name).value(), "y");
  EXPECT_EQ(test::NumEntries(folder_), 1);
}

TEST_F(FileTest, PendingFileWithoutCommitLeavesNothing) {
  { const PendingFile file(folder_ / "a"); }
  EXPECT_EQ(test::NumEntries(folder_), 0);
  PendingFile file(folder_ / "a");
  const int other = ::open(file.WorkingName().c_str(), O_WRONLY);
  EXPECT_EQ(::write(other, "film", 4), 4);
  ::close(other);
  EXPECT_TRUE(file.Commit().all().empty());
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), "film");
}

}  // namespace
}  // namespace limber
