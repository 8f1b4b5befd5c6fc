// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "mocap/io/bvh.h"

namespace limber::mocap {
namespace {

using figure::UpAxis;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr BvhUnits kMetres = {1.0, UpAxis::kY};

// The whole text of the findings; the reader was told the name "f".
std::string Findings(std::string_view text, bool strict = false) {
  return ParseBvh(text, {.file = "f", .strict = strict})
      .diagnostics()
      .ToString();
}

// A small good file.
const std::string kGood = R"(HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  CHANNELS 4 Xposition Zposition Yrotation Xrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 1 Zrotation
    End Site
    {
      OFFSET 0 5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.05
7 9 30 0 90
8 9 0 40 -90
)";

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ReadBvh, GoodFileGivesSkeletonAndPoses) {
  const auto motion = ReadBvh(kGood, {0.01, UpAxis::kY});
  ASSERT_EQ(motion.diagnostics().ToString(), "");
  EXPECT_EQ(motion->num_frames(), 2);
  EXPECT_EQ(motion->rate_hz(), 20.0);
  const figure::Skeleton& skeleton = motion->skeleton();
  ASSERT_EQ(skeleton.num_joints(), 2);
  EXPECT_EQ(skeleton.joint(1).name, "Spine");
  EXPECT_EQ(skeleton.joint(1).parent, 0);
  EXPECT_TRUE(skeleton.joint(1).offset.isApprox(Vector3(0, 0.1, 0)));
  ASSERT_EQ(skeleton.sites().size(), 1u);
  EXPECT_EQ(skeleton.sites()[0].joint, 1);
  EXPECT_TRUE(skeleton.sites()[0].offset.isApprox(Vector3(0, 0.05, 0)));
  // Positions replace the offset where there is a channel: x and z, not y.
  const figure::Pose pose = motion->pose(0);
  EXPECT_TRUE(pose.X_PJ[0].p.isApprox(Vector3(0.07, 0.02, 0.09)));
  EXPECT_LT(AngleBetween(pose.X_PJ[0].R, ExpRotation(Vector3(0, kPi / 6, 0))),
            1e-14);
  // The spine's quarter turn about z lays the end site along -x of the hips.
  const auto X_WJ = figure::WorldTransforms(skeleton, pose);
  EXPECT_LT((X_WJ[0].Inverse() * figure::SitePositions(skeleton, X_WJ)[0] -
             Vector3(-0.05, 0.1, 0))
                .norm(),
            1e-14);
}

// The file's axes become Limber's: a file that is Z up and the same scene in
// Y up give the same world.
TEST(ReadBvh, ZUpIsTurnedToYUp) {
  const std::string z_up = R"(HIERARCHY
ROOT a
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT b
{
OFFSET 1 2 3
CHANNELS 1 Xrotation
End Site
{
OFFSET 3 -1 2
}
}
}
MOTION
Frames: 1
Frame Time: 0.01
10 20 30 40 50 60 70
)";
  const auto file = ReadBvh(z_up, kMetres);
  const auto world = ReadBvh(z_up, {1.0, UpAxis::kZ});
  const auto tip = [](const figure::Motion& motion) {
    const auto X_WJ =
        figure::WorldTransforms(motion.skeleton(), motion.pose(0));
    return figure::SitePositions(motion.skeleton(), X_WJ)[0];
  };
  const Vector3 p = tip(*file);
  EXPECT_LT((tip(*world) - Vector3(p.x(), p.z(), -p.y())).norm(), 1e-12);
  EXPECT_EQ(world->source().up, UpAxis::kZ);
}

TEST(ReadBvh, FrameTimeWithFewDigitsIsTheWholeRateItMeans) {
  const auto rate = [](const char* frame_time) {
    return ParseBvh(Replaced(kGood, "0.05", frame_time))->rate_hz;
  };
  EXPECT_EQ(rate("0.008333"), 120.0);
  EXPECT_EQ(rate("8.333333e-003"), 120.0);
  EXPECT_EQ(rate(".0083333"), 120.0);
  EXPECT_EQ(rate("0.0333333"), 30.0);
  EXPECT_EQ(rate("0.016667"), 60.0);
  EXPECT_EQ(rate("0.04"), 25.0);
  EXPECT_EQ(rate("1"), 1.0);
  // More than one whole rate prints like this: no guess.
  EXPECT_EQ(rate("0.03"), 1.0 / 0.03);
  EXPECT_EQ(rate("0.0083"), 1.0 / 0.0083);
  // None does.
  EXPECT_EQ(rate("0.01537"), 1.0 / 0.01537);
}

TEST(ReadBvh, RowsMayBeWrappedAndSurroundedByBlankLines) {
  const auto document =
      ParseBvh(Replaced(kGood, "7 9 30 0 90\n", "\n  7 9\n\n 30\t0\n90 \n \n"));
  ASSERT_TRUE(document.ok()) << document.diagnostics().ToString();
  EXPECT_THAT(document->values, ElementsAre(7, 9, 30, 0, 90, 8, 9, 0, 40, -90));
}

TEST(ReadBvh, WrongFrameCountWarnsAndUsesTheRows) {
  const std::string text = Replaced(kGood, "Frames: 2", "Frames: 2000000000");
  const auto document = ParseBvh(text);
  EXPECT_EQ(document->num_frames, 2);
  EXPECT_EQ(document.diagnostics().CountOf("frame-count"), 1);
  EXPECT_EQ(Findings(text),
            "f:17:1: warning: \"Frames: 2000000000\" but 2 rows follow; using "
            "2\n");
  EXPECT_EQ(Findings(Replaced(kGood, "Frames: 2", "FRAMES :1")),
            "f:17:1: warning: \"Frames: 1\" but 2 rows follow; using 2\n");
}

TEST(ReadBvh, StrictRefusesWhatIsOtherwiseRepaired) {
  const std::string text = Replaced(kGood, "Frames: 2", "Frames: 3");
  EXPECT_FALSE(ParseBvh(text, {.file = "f", .strict = true}).ok());
  EXPECT_EQ(Findings(text, true),
            "f:17:1: error: \"Frames: 3\" but 2 rows follow; using 2\n");
}

TEST(ReadBvh, JointWithoutChannelsIsFixedWithAWarning) {
  const std::string text = Replaced(
      Replaced(Replaced(kGood, "    CHANNELS 1 Zrotation\n", ""), "0 90", "0"),
      "40 -90", "40");
  const auto document = ParseBvh(text);
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->channels.size(), 4u);
  EXPECT_EQ(Findings(text),
            "f:13:3: warning: joint \"Spine\" has no CHANNELS; taking it as "
            "fixed\n");
}

TEST(ReadBvh, RepeatedNameIsKeptWithAWarning) {
  const std::string text = Replaced(kGood, "JOINT Spine", "JOINT Hips");
  EXPECT_EQ(ParseBvh(text)->joints[1].name, "Hips");
  EXPECT_EQ(Findings(text),
            "f:6:3: warning: more than one joint is called \"Hips\"\n");
}

TEST(ReadBvh, NameThatIsNotUtf8IsReadAsLatin1WithAWarning) {
  const std::string text = Replaced(kGood, "JOINT Spine", "JOINT T\xEAte");
  EXPECT_EQ(ParseBvh(text)->joints[1].name, "T\xC3\xAAte");
  EXPECT_EQ(Findings(text),
            "f:6:3: warning: name \"T\xC3\xAAte\" is not UTF-8; reading it as "
            "Latin-1\n");
}

TEST(ReadBvh, NoChannelsAtAllGiveNoFrames) {
  const std::string text =
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 3\n"
      "Frame Time: 0.1\n\n\n\n";
  EXPECT_EQ(ParseBvh(text)->num_frames, 0);
  EXPECT_EQ(Findings(text),
            "f:8:1: warning: \"Frames: 3\" but 0 rows follow; using 0\n");
}

// Every error: its words and its place.
struct ErrorCase {
  const char* from;
  const char* to;
  const char* findings;
};

class ReadBvhError : public testing::TestWithParam<ErrorCase> {};

TEST_P(ReadBvhError, SaysWhatAndWhere) {
  const std::string text = Replaced(kGood, GetParam().from, GetParam().to);
  EXPECT_FALSE(ParseBvh(text).ok());
  EXPECT_EQ(Findings(text), GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadBvhError,
    testing::Values(
        ErrorCase{"HIERARCHY", "hello",
                  "f:1:1: error: expected \"HIERARCHY\", found \"hello\"\n"},
        ErrorCase{"ROOT Hips", "MOTION",
                  "f:2:1: error: expected \"ROOT\", found \"MOTION\"\n"},
        ErrorCase{"MOTION", "JOINT x",
                  "f:16:1: error: expected \"ROOT\" or \"MOTION\", found "
                  "\"JOINT\"\n"},
        ErrorCase{"ROOT Hips", "ROOT {", "f:2:1: error: ROOT needs a name\n"},
        ErrorCase{"Spine\n  {", "Spine\n  OFFSET",
                  "f:7:3: error: expected \"{\", found \"OFFSET\"\n"},
        ErrorCase{"OFFSET 0 10 0", "OFFSET 0.0 5.21",
                  "f:8:5: error: OFFSET needs 3 numbers, found 2: \"0.0 "
                  "5.21\"\n"},
        ErrorCase{"OFFSET 0 5 0", "OFFSET 0 nan 0",
                  "f:12:7: error: OFFSET needs 3 numbers, found 1: \"0 nan "
                  "0\"\n"},
        ErrorCase{"OFFSET 0 5 0", "OFFSET 0 0 1e10",
                  "f:12:7: error: OFFSET needs 3 numbers, found 2: \"0 0 "
                  "1e10\"\n"},
        ErrorCase{"    OFFSET 0 10 0\n", "",
                  "f:13:3: error: joint \"Spine\" ends without an OFFSET\n"},
        ErrorCase{"    OFFSET 0 10 0\n", "OFFSET 0 0 0\nOFFSET 0 0 0\n",
                  "f:9:1: error: second OFFSET of one joint\n"},
        ErrorCase{"CHANNELS 1 Zrotation", "CHANNELS 0\nCHANNELS 0",
                  "f:10:1: error: second CHANNELS of one joint\n"},
        ErrorCase{"  CHANNELS 4 Xposition Zposition Yrotation Xrotation\n"
                  "  JOINT Spine",
                  "JOINT x{OFFSET 0 0 0 CHANNELS 0}\nCHANNELS 0 JOINT y",
                  "f:6:1: error: CHANNELS must come before the joint's "
                  "children\n"},
        ErrorCase{"CHANNELS 1 ", "CHANNELS 7 ",
                  "f:9:14: error: expected a number of channels from 0 to 6, "
                  "found \"7\"\n"},
        ErrorCase{"CHANNELS 1 Zrotation", "CHANNELS 2 Zrotation",
                  "f:10:5: error: expected channel 2 of 2 (Xposition ... "
                  "Zrotation), found \"End\"\n"},
        ErrorCase{"CHANNELS 1 Zrotation", "CHANNELS 1 Wrotation",
                  "f:9:16: error: expected channel 1 of 1 (Xposition ... "
                  "Zrotation), found \"Wrotation\"\n"},
        ErrorCase{"Yrotation Xrotation", "Yrotation yROTATION",
                  "f:5:44: error: channel \"yROTATION\" repeats\n"},
        ErrorCase{"CHANNELS 1 Zrotation", "CHANNELS 1 Zrotation Xrotation",
                  "f:9:26: error: expected \"OFFSET\", \"CHANNELS\", "
                  "\"JOINT\", \"End Site\" or \"}\", found \"Xrotation\"\n"},
        ErrorCase{"End Site", "End Cite",
                  "f:10:9: error: expected \"Site\" after \"End\", found "
                  "\"Cite\"\n"},
        ErrorCase{"OFFSET 0 5 0", "CHANNELS 0",
                  "f:12:7: error: expected \"OFFSET\" of the end site, found "
                  "\"CHANNELS\"\n"},
        ErrorCase{"OFFSET 0 5 0", "OFFSET 0 5 0 JOINT",
                  "f:12:20: error: expected \"}\", found \"JOINT\"\n"},
        ErrorCase{"Frames: 2", "Frames 2",
                  "f:17:1: error: expected \"Frames:\", found \"Frames\"\n"},
        ErrorCase{"Frames: 2", "Frames: 2.5",
                  "f:17:1: error: \"Frames:\" needs a whole number from 0, "
                  "found \"2.5\"\n"},
        ErrorCase{"Frames: 2", "Frames: -1",
                  "f:17:1: error: \"Frames:\" needs a whole number from 0, "
                  "found \"-1\"\n"},
        ErrorCase{"Frame Time: 0.05\n", "",
                  "f:18:1: error: expected \"Frame Time:\", found \"7\"\n"},
        ErrorCase{"0.05", "0",
                  "f:18:1: error: \"Frame Time:\" needs a positive number of "
                  "seconds, found \"0\"\n"},
        ErrorCase{"0.05", "-0.05",
                  "f:18:1: error: \"Frame Time:\" needs a positive number of "
                  "seconds, found \"-0.05\"\n"},
        ErrorCase{"0.05", "1e-320",
                  "f:18:1: error: \"Frame Time:\" needs a positive number of "
                  "seconds, found \"1e-320\"\n"},
        ErrorCase{"7 9 30 0 90", "7 9 30 0",
                  "f:19: error: frame 0 has 4 values, the hierarchy declares 5 "
                  "channels\n"},
        ErrorCase{"8 9 0 40 -90", "8 9 0 40",
                  "f:20: error: frame 1 has 4 values, the hierarchy declares 5 "
                  "channels\n"},
        ErrorCase{"8 9 0 40 -90", "8 9 0 40 -90 1 2",
                  "f:20: error: frame 1 has 7 values, the hierarchy declares 5 "
                  "channels\n"},
        ErrorCase{"8 9 0 40 -90", "8 9 0 40 nan",
                  "f:20:10: error: frame 1, Zrotation of \"Spine\": expected a "
                  "number, found \"nan\"\n"},
        ErrorCase{"8 9 0 40 -90", "8 9,5 0 40 -90",
                  "f:20:3: error: frame 1, Zposition of \"Hips\": expected a "
                  "number, found \"9,5\"\n"},
        ErrorCase{"8 9 0 40 -90", "8 3.4e38 0 40 -90",
                  "f:20:3: error: frame 1, Zposition of \"Hips\": expected a "
                  "number, found \"3.4e38\"\n"},
        ErrorCase{"40 -90\n", "40 -90\nEND",
                  "f:21:1: error: frame 2, Xposition of \"Hips\": expected a "
                  "number, found \"END\"\n"}));

TEST(ReadBvh, EndOfFileIsNamedAsSuch) {
  EXPECT_EQ(Findings(""),
            "f:1:1: error: expected \"HIERARCHY\", found the end of the "
            "file\n");
  EXPECT_EQ(Findings("HIERARCHY\r\nROOT a\r\n{\r\n"),
            "f:4:1: error: expected \"OFFSET\", \"CHANNELS\", \"JOINT\", "
            "\"End Site\" or \"}\", found the end of the file\n");
}

TEST(ReadBvh, RowsOfAHierarchyWithoutChannelsAreRefused) {
  EXPECT_EQ(Findings("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n"
                     "MOTION\nFrames: 1\nFrame Time: 1\n5 6\n"),
            "f:10: error: frame 0 has 2 values, the hierarchy declares 0 "
            "channels\n");
}

// A deep chain: no recursion, no quadratic work, and it goes through the
// writer as well.
TEST(ReadBvh, HundredThousandNestedJointsAreRead) {
  constexpr int kDepth = 100000;
  std::string text = "HIERARCHY\nROOT r{OFFSET 0 0 0 CHANNELS 1 Xrotation\n";
  for (int i = 1; i < kDepth; ++i) {
    text += "JOINT j" + std::to_string(i) + "\n{OFFSET 0 1 0 CHANNELS 0\n";
  }
  text.append(kDepth, '}');
  text += "\nMOTION\nFrames: 1\nFrame Time: 1\n90\n";
  const auto motion = ReadBvh(text, kMetres);
  ASSERT_EQ(motion.diagnostics().ToString(), "");
  const auto X_WJ =
      figure::WorldTransforms(motion->skeleton(), motion->pose(0));
  EXPECT_LT((X_WJ.back().p - Vector3(0, 0, kDepth - 1)).norm(), 1e-6);
  const auto written = WriteBvh(*motion);
  ASSERT_TRUE(written.ok());
  EXPECT_LT(written->size(), 300u * kDepth);
  EXPECT_EQ(ReadBvh(*written, kMetres)->skeleton().num_joints(), kDepth);
}

TEST(ReadBvhFile, MissingFileIsNamed) {
  const auto motion = ReadBvhFile("no/such.bvh", kMetres);
  EXPECT_FALSE(motion.ok());
  EXPECT_THAT(motion.diagnostics().ToString(),
              HasSubstr("no/such.bvh: error: cannot open"));
}

TEST(MakeMotion, UnitMustBePositive) {
  EXPECT_THROW(ReadBvh(kGood, {0.0, UpAxis::kY}), std::invalid_argument);
}

}  // namespace
}  // namespace limber::mocap
