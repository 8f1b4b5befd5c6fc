// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/formats.h"

#include <gtest/gtest.h>

#include <string>

namespace limber::jobs {
namespace {

TEST(FormatFromName, CaseOfTheExtensionDoesNotMatter) {
  EXPECT_EQ(FormatFromName("a/TYPE-4.C3D"), Format::kC3d);
  EXPECT_EQ(FormatFromName("walk.Bvh"), Format::kBvh);
  EXPECT_EQ(FormatFromName("walk.bvh.txt"), std::nullopt);
  EXPECT_EQ(FormatFromName("c3d"), std::nullopt);
}

TEST(FormatFromContent, FirstWordsTellTheFormat) {
  EXPECT_EQ(FormatFromContent("\xEF\xBB\xBF hierarchy\r\nROOT a"),
            Format::kBvh);
  EXPECT_EQ(FormatFromContent("PathFileType\t4\t(X/Y/Z)\ta.trc\n"),
            Format::kTrc);
  EXPECT_EQ(FormatFromContent("# a comment\n\n  :version 1.10\n"),
            Format::kAsf);
  EXPECT_EQ(FormatFromContent("#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\n"),
            Format::kAmc);
  EXPECT_EQ(FormatFromContent("# no keywords\n1\nroot 0 0 0\n"), Format::kAmc);
}

TEST(FormatFromContent, ArchivesAreNpzAndUsdSaysSo) {
  EXPECT_EQ(FormatFromContent("PK\x03\x04 and so on"), Format::kNpz);
  EXPECT_EQ(FormatFromContent("PK\x05\x06"), Format::kNpz);
  EXPECT_EQ(FormatFromContent("#usda 1.0\n"), Format::kUsd);
  EXPECT_EQ(FormatFromName("poses.NPZ"), Format::kNpz);
}

TEST(FormatFromContent, C3dNeedsKeyAndAWholeBlock) {
  std::string header(512, '\0');
  header[0] = 2;
  header[1] = 0x50;
  EXPECT_EQ(FormatFromContent(header), Format::kC3d);
  EXPECT_EQ(FormatFromContent(header.substr(0, 511)), std::nullopt);
  header[1] = 0x51;
  EXPECT_EQ(FormatFromContent(header), std::nullopt);
}

TEST(FormatFromContent, OtherContentGivesNothing) {
  EXPECT_EQ(FormatFromContent(""), std::nullopt);
  EXPECT_EQ(FormatFromContent(" \n\t"), std::nullopt);
  EXPECT_EQ(FormatFromContent("<?xml version=\"1.0\"?>"), std::nullopt);
  EXPECT_EQ(FormatFromContent("12\n"), std::nullopt);
  // Text that happens to begin like a C3D key.
  EXPECT_EQ(FormatFromContent(std::string("PP") + std::string(600, 'x')),
            std::nullopt);
}

TEST(OtherUse, SaysWhatAFileIsAndWhichCommandTakesIt) {
  EXPECT_EQ(
      OtherUse("{\"limber_scene\": 1, \"bodies\": []}"),
      "this is a scene (\"limber_scene\"), which `limber simulate` plays");
  EXPECT_EQ(
      OtherUse("<?xml version=\"1.0\"?>\n<OpenSimDocument Version=\"1\">"),
      "this is a document of OpenSim: `limber solve` takes models by "
      "--model and set-ups of inverse kinematics by --tasks");
  EXPECT_EQ(OtherUse("{\"limber_figure\": 1}"), "");
  EXPECT_EQ(OtherUse(""), "");
}

}  // namespace
}  // namespace limber::jobs
