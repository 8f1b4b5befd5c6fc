// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The bundled data is what its program makes, and what data/README.md says.
#include <set>
#include <string>

#include "figure/pose.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

std::set<std::string> FilesUnder(const std::filesystem::path& folder) {
  std::set<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") {
      files.insert(entry.path().lexically_relative(folder).generic_string());
    }
  }
  return files;
}

class BundledData : public ProgramTest {};

TEST_F(BundledData, MadeAgainItHasTheSameBytes) {
  const Outcome outcome = RunMakeData({In("data")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::set<std::string> files = FilesUnder(In("data"));
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) {
    EXPECT_TRUE(ReadWholeFile(In("data/" + file)).value() ==
                ReadWholeFile(Bundled(file)).value())
        << file << " differs: run limber_make_data data";
  }
}

TEST_F(BundledData, EveryFileHasItsLineInTheReadme) {
  const std::string readme = ReadWholeFile(Bundled("README.md")).value();
  for (const std::string& file : FilesUnder(Bundled(""))) {
    EXPECT_THAT(readme, testing::HasSubstr("`" + file + "`"));
  }
}

TEST_F(BundledData, LowerAnkleOfTheMarchStaysEightCentimetresHigh) {
  const figure::Motion march =
      mocap::ReadBvhFile(Bundled("clips/march.bvh"), {0.01, figure::UpAxis::kY})
          .value();
  const int left = march.skeleton().Find("LeftFoot");
  const int right = march.skeleton().Find("RightFoot");
  for (std::int64_t frame = 0; frame < march.num_frames(); ++frame) {
    const auto X_WJ =
        figure::WorldTransforms(march.skeleton(), march.pose(frame));
    const Vector3 p_left = X_WJ[static_cast<std::size_t>(left)].p;
    const Vector3 p_right = X_WJ[static_cast<std::size_t>(right)].p;
    EXPECT_NEAR(std::min(p_left.y(), p_right.y()), 0.08, 2e-5);
    EXPECT_NEAR(p_left.z(), 0.0, 1e-7);
    EXPECT_NEAR(p_left.x(), 0.09, 1e-7);
  }
}

TEST_F(BundledData, TakeIsTheSameInBothFormats) {
  const mocap::MarkerTake c3d =
      mocap::ReadC3d(Bundled("takes/march.c3d")).value();
  const mocap::MarkerTake trc =
      mocap::ReadTrc(Bundled("takes/march.trc")).value();
  ASSERT_EQ(c3d.labels(), trc.labels());
  ASSERT_EQ(c3d.num_frames(), trc.num_frames());
  for (std::int64_t frame = 0; frame < c3d.num_frames(); ++frame) {
    for (int marker = 0; marker < c3d.num_markers(); ++marker) {
      ASSERT_EQ(c3d.IsVisible(frame, marker), trc.IsVisible(frame, marker));
      if (!c3d.IsVisible(frame, marker)) continue;
      EXPECT_LE(
          (c3d.Position(frame, marker) - trc.Position(frame, marker)).norm(),
          2e-7);
    }
  }
}

}  // namespace
}  // namespace limber::test
