// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

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

TEST_F(FileTest, WriteThenReadGivesTheSameBytes) {
  const std::string bytes(3'000'001, '\r');
  ASSERT_TRUE(WriteWholeFile(folder_ / "a", bytes).all().empty());
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), bytes);
}

TEST_F(FileTest, KilledAtAnyMomentLeavesTheOldFileOrTheNewOne) {
  constexpr std::size_t kSize = 8'000'000;
  ASSERT_TRUE(
      WriteWholeFile(folder_ / "a", std::string(kSize, 'o')).all().empty());
  for (int run = 0; run < 20; ++run) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string bytes(kSize, 'n');
      while (true) WriteWholeFile(folder_ / "a", bytes);
    }
    ::usleep(3'000 + 1'700 * static_cast<useconds_t>(run));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string found = ReadWholeFile(folder_ / "a").value();
    ASSERT_EQ(found.size(), kSize);
    EXPECT_EQ(std::ranges::count(found, found.front()), std::ptrdiff_t(kSize));
  }
}

TEST_F(FileTest, WriteLeavesNoTemporaryBehind) {
  WriteWholeFile(folder_ / "a", "x");
  WriteWholeFile(folder_ / "a", "y");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
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

}  // namespace
}  // namespace limber
