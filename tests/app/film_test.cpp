// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// limber view --record with ffmpeg, which `./run check` installs.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using FilmTest = ProgramTest;

TEST_F(FilmTest, IsWrittenAndRefusedWhereItCannotBe) {
  const std::vector<std::string> call = {
      "view",         Bundled("clips/march.bvh"),
      "--record",     In("a.mp4"),
      "--size",       "97x81",  // Odd: the film is a pixel smaller.
      "--frame-rate", "10"};
  const Outcome outcome = RunLimber(call);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // The box that every MP4 begins with.
  EXPECT_EQ(ReadWholeFile(In("a.mp4")).value().substr(4, 4), "ftyp");
  EXPECT_GT(std::filesystem::file_size(In("a.mp4")), 2000u);

  std::vector<std::string> unwritable = call;
  unwritable[3] = In("no/such/folder/a.mp4");
  const Outcome refused = RunLimber(unwritable);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, testing::HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace limber::test
