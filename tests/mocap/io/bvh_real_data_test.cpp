// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// What every BVH file of the real recordings must give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using figure::UpAxis;

constexpr double kCmu = 0.0254 / 0.45;
constexpr double kUnknown = 0.01;  // What the guess takes when it is not sure.

struct FileCase {
  const char* file;
  int frames;
  int joints;
  int sites;
  int channels;
  double rate_hz;
  double metres_per_unit;  // Guessed.
  bool unit_sure;
  UpAxis up;  // Guessed.
};

// No file but bad_counts.bvh (below) gives a warning.
const std::vector<FileCase> kFiles = {
    {"bvh-zoo/DAZ3D.bvh", 1, 170, 92, 513, 100, 0.01, true, UpAxis::kY},
    {"bvh-zoo/bvh_test2.bvh", 61, 23, 5, 72, 120, 0.01, true, UpAxis::kY},
    {"bvh-zoo/bvh_test3.bvh", 100, 60, 13, 183, 120, 0.0254, true, UpAxis::kZ},
    {"bvh-zoo/louise.bvh", 2998, 18, 5, 57, 100, 0.01, true, UpAxis::kY},
    {"bvh-zoo/milad.bvh", 422, 59, 13, 354, 125, 0.01, true, UpAxis::kY},
    {"bvh-zoo/rotation_first_root.bvh", 4, 4, 2, 15, 25, kUnknown, false,
     UpAxis::kY},
    {"bvh-zoo/sinusoidal.bvh", 120, 4, 0, 15, 60, kUnknown, false, UpAxis::kY},
    {"bvh-zoo/walk01.bvh", 101, 19, 5, 60, 24, 0.01, true, UpAxis::kY},
    {"bvh-zoo/handmade/loose_syntax.bvh", 2, 3, 1, 9, 120, kUnknown, false,
     UpAxis::kY},
    {"bvh-zoo/handmade/old_mac_cr.bvh", 2, 2, 1, 9, 20, kUnknown, false,
     UpAxis::kY},
    {"bvh-zoo/handmade/two_roots.bvh", 2, 4, 2, 18, 25, kUnknown, false,
     UpAxis::kY},
    {"bvh-zoo/handmade/utf8_bom_names.bvh", 2, 4, 2, 13, 60, kUnknown, false,
     UpAxis::kY},
    {"bvh-zoo/handmade/zero_frames.bvh", 0, 2, 1, 9, 30, kUnknown, false,
     UpAxis::kY},
    {"cmu-20/02_04.bvh", 484, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/05_02.bvh", 1124, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/08_03.bvh", 354, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/108_13.bvh", 157, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/10_01.bvh", 802, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/111_03.bvh", 1525, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/113_15.bvh", 954, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/113_19.bvh", 804, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/115_06.bvh", 358, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/118_01.bvh", 715, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/124_01.bvh", 644, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/127_23.bvh", 350, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/140_01.bvh", 831, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/143_37.bvh", 552, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/36_01.bvh", 558, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/60_01.bvh", 2243, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/69_70.bvh", 1045, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/81_05.bvh", 1365, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/88_07.bvh", 157, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu-20/90_18.bvh", 395, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/02/02_01.bvh", 344, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/07/07_01.bvh", 317, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/09/09_06.bvh", 142, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/131/131_04.bvh", 1087, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/16/16_07.bvh", 423, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/49/49_06.bvh", 482, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
    {"cmu/85/85_02.bvh", 811, 31, 7, 96, 120, kCmu, true, UpAxis::kY},
};

std::string TestName(const testing::TestParamInfo<FileCase>& info) {
  std::string name = std::filesystem::path(info.param.file).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

class RealBvh : public testing::TestWithParam<FileCase> {};

TEST_P(RealBvh, IsReadWithoutWarnings) {
  LIMBER_NEEDS_REAL_DATA();
  const FileCase& wanted = GetParam();
  const auto text = ReadWholeFile(test::RealData(wanted.file));
  const auto document = ParseBvh(*text);
  ASSERT_EQ(document.diagnostics().ToString(), "");
  EXPECT_EQ(document->num_frames, wanted.frames);
  EXPECT_EQ(document->joints.size(), static_cast<std::size_t>(wanted.joints));
  EXPECT_EQ(document->sites.size(), static_cast<std::size_t>(wanted.sites));
  EXPECT_EQ(document->channels.size(),
            static_cast<std::size_t>(wanted.channels));
  EXPECT_EQ(document->rate_hz, wanted.rate_hz);
  const BvhUnitsGuess guess = GuessBvhUnits(*document);
  EXPECT_EQ(guess.units.metres_per_unit, wanted.metres_per_unit)
      << guess.unit_reason;
  EXPECT_EQ(guess.unit_sure, wanted.unit_sure) << guess.unit_reason;
  EXPECT_EQ(guess.units.up, wanted.up) << guess.up_reason;
}

// Read, write, read: the same hierarchy, names, channels in the same order,
// and no value moved by more than 1e-6; written again, the same text.
TEST_P(RealBvh, RoundTripKeepsEveryValue) {
  LIMBER_NEEDS_REAL_DATA();
  const FileCase& wanted = GetParam();
  const auto text = ReadWholeFile(test::RealData(wanted.file));
  const auto before = ParseBvh(*text);
  ASSERT_TRUE(before.ok());
  const BvhUnits units = {wanted.metres_per_unit, wanted.up};
  const auto motion = ReadBvh(*text, units);
  const auto written = WriteBvh(*motion);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  const auto after = ParseBvh(*written);
  ASSERT_EQ(after.diagnostics().ToString(), "");
  EXPECT_EQ(after->rate_hz, before->rate_hz);
  EXPECT_EQ(after->num_frames, before->num_frames);
  EXPECT_EQ(after->channels, before->channels);
  ASSERT_EQ(after->joints.size(), before->joints.size());
  double offset_change = 0.0;
  for (std::size_t i = 0; i < before->joints.size(); ++i) {
    EXPECT_EQ(after->joints[i].name, before->joints[i].name);
    EXPECT_EQ(after->joints[i].parent, before->joints[i].parent);
    offset_change = std::max(
        offset_change, (after->joints[i].offset - before->joints[i].offset)
                           .cwiseAbs()
                           .maxCoeff());
  }
  ASSERT_EQ(after->sites.size(), before->sites.size());
  for (std::size_t i = 0; i < before->sites.size(); ++i) {
    EXPECT_EQ(after->sites[i].name, before->sites[i].name);
    EXPECT_EQ(after->sites[i].joint, before->sites[i].joint);
    offset_change = std::max(offset_change,
                             (after->sites[i].offset - before->sites[i].offset)
                                 .cwiseAbs()
                                 .maxCoeff());
  }
  EXPECT_LE(offset_change, 1e-6);
  ASSERT_EQ(after->values.size(), before->values.size());
  double change = 0.0;
  for (std::size_t i = 0; i < before->values.size(); ++i) {
    change = std::max(change, std::abs(after->values[i] - before->values[i]));
  }
  EXPECT_LE(change, 1e-6);
  EXPECT_EQ(*WriteBvh(*ReadBvh(*written, units)), *written);
}

// Without the file's own angles, from the poses alone: the same world, and no
// angle that jumps where the file's does not.
TEST_P(RealBvh, RewrittenFromPosesHasTheSamePosesWithoutFlips) {
  LIMBER_NEEDS_REAL_DATA();
  const FileCase& wanted = GetParam();
  const BvhUnits units = {wanted.metres_per_unit, wanted.up};
  const auto original = ReadBvhFile(test::RealData(wanted.file), units);
  figure::Motion motion(original->shared_skeleton(), original->rate_hz(),
                        original->source());
  for (std::int64_t frame = 0; frame < original->num_frames(); ++frame) {
    motion.Append(original->pose(frame));
  }
  const auto written = WriteBvh(motion);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  const auto again = ReadBvh(*written, units);
  ASSERT_EQ(again.diagnostics().ToString(), "");
  ASSERT_EQ(again->num_frames(), original->num_frames());
  double angle = 0.0;
  double distance = 0.0;
  double jump = 0.0;
  for (std::int64_t frame = 0; frame < original->num_frames(); ++frame) {
    const figure::Pose a = original->pose(frame);
    const figure::Pose b = again->pose(frame);
    for (int joint = 0; joint < a.num_joints(); ++joint) {
      angle = std::max(angle, AngleBetween(a.X_PJ[joint].R, b.X_PJ[joint].R));
      distance = std::max(distance, (a.X_PJ[joint].p - b.X_PJ[joint].p).norm());
    }
    if (frame == 0) continue;
    for (int i = 0; i < again->layout()->num_channels(); ++i) {
      if (again->layout()->channels()[i].kind !=
          figure::ChannelKind::kRotation) {
        continue;
      }
      jump = std::max(
          jump, std::abs(again->row(frame)[i] - again->row(frame - 1)[i]));
    }
  }
  EXPECT_LT(angle, 3 * Radians(0.5e-6));
  EXPECT_LT(distance, 1e-6 * wanted.metres_per_unit);
  // Half a turn is the most an angle needs for any step (a channel can always
  // be brought within that of the one before).
  EXPECT_LE(jump, kPi + 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Files, RealBvh, testing::ValuesIn(kFiles), TestName);

TEST(RealBvh, BadCountsIsRefusedAtTheNan) {
  LIMBER_NEEDS_REAL_DATA();
  const auto text =
      ReadWholeFile(test::RealData("bvh-zoo/handmade/bad_counts.bvh"));
  const auto document = ParseBvh(*text, {.file = "bad_counts.bvh"});
  EXPECT_FALSE(document.ok());
  EXPECT_EQ(document.diagnostics().ToString(),
            "bad_counts.bvh:20:14: error: frame 1, Zrotation of \"Spine\": "
            "expected a number, found \"nan\"\n");
}

// The table above and bad_counts.bvh are all there is.
TEST(RealBvh, EveryFileHasAnExpectation) {
  LIMBER_NEEDS_REAL_DATA();
  std::vector<std::string> known = {"bvh-zoo/handmade/bad_counts.bvh"};
  for (const FileCase& file : kFiles) known.push_back(file.file);
  const std::filesystem::path root = test::RealData("");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".bvh") continue;
    const std::string relative =
        entry.path().lexically_relative(root).generic_string();
    EXPECT_NE(std::find(known.begin(), known.end(), relative), known.end())
        << relative;
  }
}

TEST(RealBvh, NamesAreReadWhole) {
  LIMBER_NEEDS_REAL_DATA();
  const auto utf8 = ReadBvhFile(
      test::RealData("bvh-zoo/handmade/utf8_bom_names.bvh"), {1.0, UpAxis::kY});
  EXPECT_EQ(utf8->skeleton().joint(0).name, "mixamorig:Hips");
  EXPECT_EQ(utf8->skeleton().joint(2).name, "T\xC3\xAAte");
  EXPECT_EQ(utf8->skeleton().joint(3).name, "Bras gauche.L");
  const auto loose = ReadBvhFile(
      test::RealData("bvh-zoo/handmade/loose_syntax.bvh"), {1.0, UpAxis::kY});
  EXPECT_EQ(loose->skeleton().sites()[0].name, "tip");
  EXPECT_EQ(loose->row(1)[7], -Radians(1e-7));
}

// The root stands where its position says, not at the sum with its OFFSET; in
// milad.bvh that holds for every joint.
TEST(RealBvh, PositionReplacesTheOffset) {
  LIMBER_NEEDS_REAL_DATA();
  const auto walk =
      ReadBvhFile(test::RealData("bvh-zoo/walk01.bvh"), {1.0, UpAxis::kY});
  EXPECT_NEAR(walk->pose(0).X_PJ[0].p.y(), 103.511, 1e-9);
  const auto milad =
      ReadBvhFile(test::RealData("bvh-zoo/milad.bvh"), {1.0, UpAxis::kY});
  const figure::Pose pose = milad->pose(0);
  EXPECT_NEAR(pose.X_PJ[0].p.y(), milad->row(0)[1], 1e-12);
  for (int joint = 1; joint < pose.num_joints(); ++joint) {
    // The recording lets bones stretch by up to 0.3 %; added to the offset
    // the position would double them.
    const double length = milad->skeleton().joint(joint).offset.norm();
    EXPECT_NEAR(pose.X_PJ[joint].p.norm(), length, 0.005 * length);
  }
}

}  // namespace
}  // namespace limber::mocap
