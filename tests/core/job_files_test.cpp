// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/job_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/file.h"

namespace limber {
namespace {

namespace fs = std::filesystem;

class JobFilesTest : public testing::Test {
 protected:
  JobFilesTest() {
    fs::create_directories(folder_ / "sub");
    WriteWholeFile(folder_ / "a", "a");
    WriteWholeFile(folder_ / "b", "b");
  }
  ~JobFilesTest() override { fs::remove_all(folder_); }

  /// The kinds of what `CheckOutputs` finds, with a space after each.
  static std::string Kinds(const std::vector<fs::path>& inputs,
                           const std::vector<fs::path>& outputs) {
    std::string kinds;
    const Diagnostics found = CheckOutputs(inputs, outputs);
    for (const Diagnostic& one : found.all()) {
      kinds += one.kind + " ";
    }
    return kinds;
  }

  const fs::path folder_ = fs::temp_directory_path() /
                           ("limber_job_files_" + std::to_string(::getpid()));
};

TEST_F(JobFilesTest, OutputsApartFromInputsAreFine) {
  EXPECT_EQ(Kinds({folder_ / "a", "", folder_ / "a"},
                  {folder_ / "b", "", folder_ / "new", ""}),
            "");
}

TEST_F(JobFilesTest, OutputUnderAnotherNameOfAnInputIsFound) {
  fs::create_symlink("a", folder_ / "soft");
  fs::create_hard_link(folder_ / "a", folder_ / "hard");
  fs::create_directory_symlink(folder_, folder_ / "sub" / "up");
  for (const fs::path& name :
       {folder_ / "a", folder_ / "sub" / ".." / "a", folder_ / "soft",
        folder_ / "hard", folder_ / "sub" / "up" / "a"}) {
    EXPECT_EQ(Kinds({folder_ / "a"}, {name}), "output-is-input ") << name;
    EXPECT_EQ(Kinds({name}, {folder_ / "a"}), "output-is-input ") << name;
  }
}

TEST_F(JobFilesTest, OutputsThatAreNotThereYetAreComparedByTheirPlace) {
  fs::create_symlink("new", folder_ / "dangling");
  fs::create_directory_symlink(folder_, folder_ / "sub" / "up");
  for (const fs::path& name :
       {folder_ / "new", folder_ / "." / "new", folder_ / "dangling",
        folder_ / "sub" / "up" / "new", folder_ / "gone" / ".." / "new"}) {
    EXPECT_EQ(Kinds({}, {folder_ / "new", name}), "output-twice ") << name;
  }
  EXPECT_EQ(Kinds({}, {folder_ / "new", folder_ / "sub" / "new"}), "");
}

TEST_F(JobFilesTest, ALoopOfLinksEnds) {
  fs::create_symlink("y", folder_ / "x");
  fs::create_symlink("x", folder_ / "y");
  EXPECT_EQ(Kinds({folder_ / "a"}, {folder_ / "x"}), "");
}

// The system itself follows forty links; more lead nowhere.
TEST_F(JobFilesTest, AsManyLinksAreFollowedAsTheSystemFollows) {
  fs::create_symlink("new", folder_ / "l1");
  for (int i = 2; i <= 60; ++i) {
    fs::create_symlink("l" + std::to_string(i - 1),
                       folder_ / ("l" + std::to_string(i)));
  }
  EXPECT_EQ(Kinds({}, {folder_ / "new", folder_ / "l30"}), "output-twice ");
  EXPECT_EQ(ResolvedPath(folder_ / "l30").filename(), "new");
  EXPECT_NE(ResolvedPath(folder_ / "l60").filename(), "new");
}

TEST_F(JobFilesTest, DevicesMayBeUsedTwice) {
  EXPECT_EQ(Kinds({"/dev/null"}, {"/dev/null", "/dev/null"}), "");
}

TEST_F(JobFilesTest, MessagesNameBothFiles) {
  fs::create_hard_link(folder_ / "a", folder_ / "hard");
  const std::vector<fs::path> in = {folder_ / "a"};
  const std::vector<fs::path> out = {folder_ / "hard", folder_ / "b",
                                     folder_ / "b"};
  const std::string at = folder_.string();
  EXPECT_EQ(CheckOutputs(in, out).ToString(),
            at + "/hard: error: this output is the input \"" + at +
                "/a\" itself\n" + at +
                "/b: error: two outputs have this name\n");
}

TEST_F(JobFilesTest, GuardRefusesWhatTheWorkFindsOnItsWay) {
  const std::vector<fs::path> outputs = {folder_ / "out"};
  WriteWholeFile(folder_ / "out", "old");
  {
    FileGuard guard(outputs);
    // An input that is one of the outputs.
    EXPECT_FALSE(ReadWholeFile(folder_ / "out").ok());
    // Outputs that nobody named, one of them an input.
    EXPECT_TRUE(ReadWholeFile(folder_ / "a").ok());
    EXPECT_TRUE(WriteWholeFile(folder_ / "a", "lost").has_errors());
    const std::vector<fs::path> more = {folder_ / "a", folder_ / "c"};
    EXPECT_EQ(guard.AddOutputs(more).all().size(), 1u);
    // Twice under one name; inodes of replaced files may come again.
    EXPECT_FALSE(WriteWholeFile(folder_ / "b", "1").has_errors());
    EXPECT_TRUE(WriteWholeFile(folder_ / "b", "2").has_errors());
    for (int i = 0; i < 20; ++i) {
      EXPECT_FALSE(WriteWholeFile(folder_ / ("d" + std::to_string(i)), "x")
                       .has_errors());
    }
  }
  EXPECT_EQ(ReadWholeFile(folder_ / "a").value(), "a");
  EXPECT_EQ(ReadWholeFile(folder_ / "b").value(), "1");
  EXPECT_FALSE(WriteWholeFile(folder_ / "a", "free").has_errors());
}

}  // namespace
}  // namespace limber
