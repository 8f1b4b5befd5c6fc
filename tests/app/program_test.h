// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/file.h"
#include "tests/app/run_limber.h"
#include "tests/support/test_data.h"

namespace limber::test {

/// A test with a folder of its own that goes away afterwards.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("limber_program_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder_); }

  /// The path of `name` in the folder.
  std::string In(const std::string& name) const {
    return (folder_ / name).string();
  }
  /// Writes a file into the folder and returns its path.
  std::string Make(const std::string& name, std::string_view bytes) const {
    EXPECT_FALSE(WriteWholeFile(folder_ / name, bytes).has_errors());
    return In(name);
  }
  bool Exists(const std::string& name) const {
    return std::filesystem::exists(folder_ / name);
  }

  const std::filesystem::path folder_;
};

/// A file of data/.
inline std::string Bundled(const std::string& name) {
  return (SourceDir() / "data" / name).string();
}

/// A small good BVH: one root, one joint of a metre, two frames, in metres.
inline constexpr std::string_view kSmallBvh = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 1 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 0.5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.01
0 1 0 10 20 30 40
0.5 1.25 0 10 20 30 -40
)";

}  // namespace limber::test
