// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "core/angle.h"
#include "mocap/io/bvh.h"

namespace limber::mocap {
namespace {

using figure::UpAxis;
using testing::HasSubstr;

constexpr BvhUnits kCentimetres = {0.01, UpAxis::kY};

// As the writer itself lays files out.
const std::string kFile =
    "HIERARCHY\n"
    "ROOT Hips\n"
    "{\n"
    "\tOFFSET 1 2 3\n"
    "\tCHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition "
    "Zposition\n"
    "\tJOINT Left arm.L\n"
    "\t{\n"
    "\t\tOFFSET 0 10.25 0\n"
    "\t\tCHANNELS 1 Zrotation\n"
    "\t\tEnd Site tip\n"
    "\t\t{\n"
    "\t\t\tOFFSET 0 5 -0.000001\n"
    "\t\t}\n"
    "\t}\n"
    "\tJOINT fixed\n"
    "\t{\n"
    "\t\tOFFSET 0 1 0\n"
    "\t\tCHANNELS 0\n"
    "\t}\n"
    "}\n"
    "ROOT second\n"
    "{\n"
    "\tOFFSET 0 0 0\n"
    "\tCHANNELS 2 Yrotation Zrotation\n"
    "}\n"
    "MOTION\n"
    "Frames: 3\n"
    "Frame Time: 0.04\n"
    "10 90 20 7 8 9 400 0 0\n"
    "-500 -90.000001 1000000 0.1 0.000001 9 -720.5 1 2\n"
    "0 89.999999 180 0.3 0.7 9 0 3 4\n";

// Angles far beyond half a turn and right in gimbal lock come out as they went
// in, in every unit and up axis.
TEST(WriteBvh, FileThatWasReadIsWrittenCharacterByCharacter) {
  for (const UpAxis up : {UpAxis::kX, UpAxis::kY, UpAxis::kZ}) {
    for (const double unit : {1.0, 0.01, 0.0254 / 0.45, 0.001}) {
      const auto motion = ReadBvh(kFile, {unit, up});
      ASSERT_TRUE(motion.ok()) << motion.diagnostics().ToString();
      const auto written = WriteBvh(*motion);
      EXPECT_EQ(written.diagnostics().ToString(), "");
      EXPECT_EQ(*written, kFile);
    }
  }
}

TEST(WriteBvh, FrameTimeGivesBackTheRate) {
  for (const char* frame_time :
       {"0.008333", "0.0083", "0.03", "0.0333333", "0.01537", "1", "0.008",
        "7.77e-05", "123.4"}) {
    std::string text = kFile;
    text.replace(text.find("0.04"), 4, frame_time);
    const auto first = ReadBvh(text, kCentimetres);
    const auto second = ReadBvh(*WriteBvh(*first), kCentimetres);
    EXPECT_EQ(second->rate_hz(), first->rate_hz()) << frame_time;
  }
}

// Changed poses: the skeleton and the channel order stay, the world transforms
// are those of the new poses.
TEST(WriteBvh, ChangedMotionKeepsOrderAndPoses) {
  auto motion = ReadBvh(kFile, {0.01, UpAxis::kZ}).value();
  figure::Pose pose = motion.pose(1);
  pose.X_PJ[0].R = ExpRotation(Vector3(0.3, 1.2, -2.0));
  pose.X_PJ[0].p = Vector3(1, 2, 3);
  motion.SetPose(1, pose);
  const auto written = WriteBvh(motion);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  EXPECT_EQ(written->substr(0, written->find("MOTION")),
            kFile.substr(0, kFile.find("MOTION")));
  const auto again = ReadBvh(*written, {0.01, UpAxis::kZ});
  for (int frame = 0; frame < 3; ++frame) {
    const figure::Pose wanted = motion.pose(frame);
    const figure::Pose found = again->pose(frame);
    for (int joint = 0; joint < wanted.num_joints(); ++joint) {
      // Six decimals of a degree; three angles.
      EXPECT_LT(AngleBetween(wanted.X_PJ[joint].R, found.X_PJ[joint].R),
                3 * Radians(0.5e-6));
      EXPECT_LT((wanted.X_PJ[joint].p - found.X_PJ[joint].p).norm(), 1e-8);
    }
  }
}

// Three turns about every axis in turn, as poses: the written angles go on
// past 180 degrees and never jump.
TEST(WriteBvh, NewMotionHasNoFlips) {
  const auto skeleton = figure::Skeleton::Make(
      {{"a", -1, Vector3::Zero()}, {"b", 0, Vector3(0, 1, 0)}});
  figure::Motion motion(skeleton, 100.0);
  for (int i = 0; i < 1080; ++i) {
    const double angle = Radians(i);
    figure::Pose pose = figure::RestPose(*skeleton);
    pose.X_PJ[0].R = ExpRotation(Vector3(0, 0, angle));
    pose.X_PJ[1].R = ExpRotation(Vector3(angle, 0, 0));
    motion.Append(pose);
  }
  const auto document = ParseBvh(*WriteBvh(motion));
  const int width = static_cast<int>(document->channels.size());
  ASSERT_EQ(width, 9);
  for (int i = 0; i < 1080; ++i) {
    // Columns: 3 positions, Z X Y of a, Z X Y of b.
    EXPECT_NEAR(document->values[i * width + 3], i, 2e-6);
    EXPECT_NEAR(document->values[i * width + 7], i, 2e-6);
  }
}

TEST(WriteBvh, RotationThatTheChannelsCannotExpressWarnsWithItsSize) {
  auto motion = ReadBvh(kFile, kCentimetres).value();
  figure::Pose pose = motion.pose(2);
  // The arm has only Zrotation.
  pose.X_PJ[1].R = ExpRotation(Vector3(Radians(30), 0, 0));
  pose.X_PJ[2].p += Vector3(0, 0, 0.0125);
  motion.SetPose(2, pose);
  const auto written = WriteBvh(motion, {.file = "out.bvh"});
  EXPECT_TRUE(written.ok());
  EXPECT_EQ(written.diagnostics().ToString(),
            "out.bvh: warning: the channels cannot express every rotation; the "
            "worst, of \"Left arm.L\" in frame 2, is off by 30 degrees\n"
            "out.bvh: warning: the channels cannot express every translation; "
            "the worst, of \"fixed\" in frame 2, is off by 1.25 file units\n");
  EXPECT_FALSE(WriteBvh(motion, {.file = "out.bvh", .strict = true}).ok());
}

TEST(WriteBvh, NameThatBvhCannotHoldIsChangedWithAWarning) {
  const auto skeleton =
      figure::Skeleton::Make({{" a{b\n", -1, Vector3::Zero()}});
  const auto written = WriteBvh(figure::Motion(skeleton, 30.0));
  EXPECT_THAT(*written, HasSubstr("ROOT _a_b_\n"));
  EXPECT_EQ(written.diagnostics().ToString(),
            "warning: BVH cannot hold the joint name \" a{b?\"; writing "
            "\"_a_b_\"\n");
  const auto nameless = figure::Skeleton::Make({{"", -1, Vector3::Zero()}});
  EXPECT_THAT(*WriteBvh(figure::Motion(nameless, 30.0)),
              HasSubstr("ROOT joint0\n"));
}

// Joints listed level by level are written nested, and each row follows.
TEST(WriteBvh, JointsOutOfNestingOrderKeepTheirMotion) {
  const auto skeleton = figure::Skeleton::Make({{"a", -1, Vector3::Zero()},
                                                {"b", 0, Vector3(1, 0, 0)},
                                                {"c", 0, Vector3(2, 0, 0)},
                                                {"b1", 1, Vector3(3, 0, 0)}});
  figure::Motion motion(skeleton, 30.0);
  figure::Pose pose = figure::RestPose(*skeleton);
  for (int joint = 0; joint < 4; ++joint) {
    pose.X_PJ[joint].R = ExpRotation(Vector3(0, 0.1 * (joint + 1), 0));
  }
  motion.Append(pose);
  const auto again = ReadBvh(*WriteBvh(motion), {1.0, UpAxis::kY});
  for (int joint = 0; joint < 4; ++joint) {
    const int other = again->skeleton().Find(skeleton->joint(joint).name);
    ASSERT_GE(other, 0);
    EXPECT_LT(AngleBetween(again->pose(0).X_PJ[other].R, pose.X_PJ[joint].R),
              1e-7);
  }
  EXPECT_EQ(again->skeleton().Find("b1"), 2);
}

// What Blender's importer relies on: it splits at blanks, takes OFFSET two
// lines and CHANNELS three lines after ROOT or JOINT, one frame per line.
TEST(WriteBvh, LinesAreWhereBlendersImporterLooks) {
  const auto written = WriteBvh(*ReadBvh(kFile, kCentimetres));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < written->size();) {
    const std::size_t end = written->find('\n', at);
    const std::size_t first = written->find_first_not_of('\t', at);
    lines.push_back(written->substr(first, end - first));
    at = end + 1;
  }
  EXPECT_EQ(lines[0], "HIERARCHY");
  int joints = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("ROOT ") || lines[i].starts_with("JOINT ")) {
      ++joints;
      EXPECT_EQ(lines[i + 1], "{");
      EXPECT_TRUE(lines[i + 2].starts_with("OFFSET "));
      EXPECT_TRUE(lines[i + 3].starts_with("CHANNELS "));
    }
    if (lines[i].starts_with("End Site")) {
      EXPECT_EQ(lines[i + 1], "{");
      EXPECT_TRUE(lines[i + 2].starts_with("OFFSET "));
      EXPECT_EQ(lines[i + 3], "}");
    }
    if (lines[i] == "MOTION") {
      EXPECT_TRUE(lines[i + 1].starts_with("Frames: "));
      EXPECT_TRUE(lines[i + 2].starts_with("Frame Time: "));
      EXPECT_EQ(lines.size() - i - 3, 3u);
    }
  }
  EXPECT_EQ(joints, 4);
}

TEST(WriteBvhFile, WritesTheFileOrSaysWhyNot) {
  const auto motion = ReadBvh(kFile, kCentimetres);
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "limber_bvh_writer_test.bvh";
  EXPECT_EQ(WriteBvhFile(path, *motion).ToString(), "");
  const auto again = ReadBvhFile(path, kCentimetres);
  EXPECT_EQ(again->num_frames(), 3);
  EXPECT_EQ(again->source().file, path.string());
  std::filesystem::remove(path);
  EXPECT_THAT(WriteBvhFile("no/such/folder/a.bvh", *motion).ToString(),
              HasSubstr("no/such/folder/a.bvh: error: cannot write"));
}

}  // namespace
}  // namespace limber::mocap
