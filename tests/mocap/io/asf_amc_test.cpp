// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/angle.h"
#include "mocap/io/asf_amc.h"

namespace limber::mocap {
namespace {

using testing::HasSubstr;

// A small good skeleton: hip and shin, the shin with a bent axis frame, and an
// arm. The knee's values come in the order z, x.
const std::string kAsf = R"(# a comment
:version 1.10
:name Test man
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  words, :words and begin end
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name hip
    direction 1 0 0
    length 2
    axis 0 0 0 XYZ
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 5
    axis 10 20 30 XYZ
    dof rz rx
    limits (-10.0 170.0)
           (-inf 20)
  end
  begin
    id 3
    name arm
    direction 0 0 1
    length 3
    axis 0 0 0 XYZ
    dof ry
  end
:hierarchy
  begin
    root hip arm
    hip shin
  end
)";

const std::string kAmc = R"(#!OML:ASF name
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
arm 45
shin 15 -25
2
root 1 2 3 0 0 0
shin 0 0
arm 0
)";

constexpr double kCmu = 0.0254 / 0.45;

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string AsfFindings(const std::string& text) {
  return ReadAsf(text, {.file = "f"}).diagnostics().ToString();
}

std::string AmcFindings(const std::string& text) {
  return ReadAmc(text, *ReadAsf(kAsf), {.rate_hz = 120.0, .file = "f"})
      .diagnostics()
      .ToString();
}

Quaternion About(int axis, double degrees) {
  return ExpRotation(Radians(degrees) * Vector3::Unit(axis));
}

TEST(ReadAsf, BoneBecomesAJointAtItsStart) {
  const auto asf = ReadAsf(kAsf);
  ASSERT_EQ(asf.diagnostics().ToString(), "");
  EXPECT_EQ(asf->name, "Test man");
  EXPECT_DOUBLE_EQ(asf->metres_per_unit, kCmu);
  const figure::Skeleton& skeleton = *asf->skeleton;
  ASSERT_EQ(skeleton.num_joints(), 4);
  const int hip = skeleton.Find("hip");
  const int shin = skeleton.Find("shin");
  const int arm = skeleton.Find("arm");
  EXPECT_EQ(skeleton.joint(hip).parent, 0);
  EXPECT_EQ(skeleton.joint(shin).parent, hip);
  EXPECT_EQ(skeleton.joint(hip).offset, Vector3::Zero());
  EXPECT_TRUE(skeleton.joint(shin).offset.isApprox(Vector3(2 * kCmu, 0, 0)));
  EXPECT_EQ(skeleton.joint(arm).offset, Vector3::Zero());
  // Ends of the two bones without children.
  ASSERT_EQ(skeleton.sites().size(), 2u);
  EXPECT_EQ(skeleton.sites()[0].joint, shin);
  EXPECT_TRUE(skeleton.sites()[0].offset.isApprox(Vector3(0, -5 * kCmu, 0)));
}

TEST(ReadAsf, LimitsAreKeptPerChannel) {
  const auto asf = ReadAsf(kAsf);
  ASSERT_EQ(asf->limits.size(), 9u);
  EXPECT_EQ(asf->limits[0].low, -HUGE_VAL);
  // Channels 6 and 7 are rz and rx of the shin.
  EXPECT_EQ(asf->channels->channels()[6].axis, 2);
  EXPECT_NEAR(asf->limits[6].low, -Radians(10), 1e-15);
  EXPECT_NEAR(asf->limits[6].high, Radians(170), 1e-15);
  EXPECT_EQ(asf->limits[7].low, -HUGE_VAL);
  EXPECT_NEAR(asf->limits[7].high, Radians(20), 1e-15);
  EXPECT_EQ(asf->limits[8].high, HUGE_VAL);
}

TEST(ReadAmc, RotationsTurnInTheBonesAxisFrame) {
  const auto asf = ReadAsf(kAsf);
  const auto motion = ReadAmc(kAmc, *asf, {.rate_hz = 120.0});
  ASSERT_EQ(motion.diagnostics().ToString(), "");
  EXPECT_EQ(motion->num_frames(), 2);
  EXPECT_EQ(motion->rate_hz(), 120.0);
  const figure::Pose pose = motion->pose(0);
  // The first angle turns first, about fixed axes: R = Rz Ry Rx.
  EXPECT_TRUE(pose.X_PJ[0].p.isApprox(kCmu * Vector3(1, 2, 3)));
  EXPECT_LT(
      AngleBetween(pose.X_PJ[0].R, About(2, 30) * About(1, 20) * About(0, 10)),
      1e-14);
  // R_PJ = A M Aᵀ with A from the axis and M = Rx(-25) Rz(15).
  const Quaternion A = About(2, 30) * About(1, 20) * About(0, 10);
  const Quaternion M = About(0, -25) * About(2, 15);
  const int shin = asf->skeleton->Find("shin");
  EXPECT_LT(AngleBetween(pose.X_PJ[shin].R, A * M * A.conjugate()), 1e-14);
}

TEST(ReadAmc, RadiansAndDegreesGiveTheSamePoses) {
  const auto asf = ReadAsf(kAsf);
  std::string radians = kAmc;
  radians = Replaced(radians, ":DEGREES", ":radians");
  radians = Replaced(radians, "10 20 30",
                     "0.17453292519943295 0.3490658503988659 "
                     "0.5235987755982988");
  radians = Replaced(radians, "arm 45", "arm 0.7853981633974483");
  radians =
      Replaced(radians, "15 -25", "0.2617993877991494 -0.4363323129985824");
  const auto a = ReadAmc(kAmc, *asf, {.rate_hz = 120.0});
  const auto b = ReadAmc(radians, *asf, {.rate_hz = 120.0});
  for (int joint = 0; joint < 4; ++joint) {
    EXPECT_LT(AngleBetween(a->pose(0).X_PJ[joint].R, b->pose(0).X_PJ[joint].R),
              1e-14);
  }
  // The ASF's own angle unit is another matter.
  std::string asf_radians = Replaced(kAsf, "angle deg", "angle rad");
  asf_radians = Replaced(asf_radians, "10 20 30",
                         "0.17453292519943295 0.3490658503988659 "
                         "0.5235987755982988");
  const auto c = ReadAmc(kAmc, *ReadAsf(asf_radians), {.rate_hz = 120.0});
  EXPECT_LT(AngleBetween(a->pose(0).X_PJ[2].R, c->pose(0).X_PJ[2].R), 1e-14);
}

// The root's order, axis, position and orientation.
TEST(ReadAmc, RootFollowsItsOrderAndPreset) {
  std::string text =
      Replaced(kAsf, "order TX TY TZ RX RY RZ", "order rz tx ty tz ry");
  text = Replaced(text, "axis XYZ\n  position 0 0 0\n  orientation 0 0 0",
                  "axis ZYX\n  position 10 20 30\n  orientation 40 50 60");
  const auto asf = ReadAsf(text);
  ASSERT_EQ(asf.diagnostics().ToString(), "");
  const auto motion =
      ReadAmc(":DEGREES\n1\nroot 70 1 2 3 80\narm 0\nshin 0 0\n", *asf,
              {.rate_hz = 120.0});
  const Transform X_WJ = motion->pose(0).X_PJ[0];
  EXPECT_TRUE(X_WJ.p.isApprox(kCmu * Vector3(11, 22, 33)));
  const Quaternion A = About(0, 40) * About(1, 50) * About(2, 60);
  const Quaternion M = About(1, 80) * About(2, 70);
  EXPECT_LT(AngleBetween(X_WJ.R, A * M * A.conjugate()), 1e-14);
  // And back.
  EXPECT_THAT(*WriteAmc(*motion, *asf), HasSubstr("root 70 1 2 3 80\n"));
}

TEST(WriteAmc, FileThatWasReadKeepsValuesAndOrder) {
  const auto asf = ReadAsf(kAsf);
  const auto motion = ReadAmc(kAmc, *asf, {.rate_hz = 120.0});
  const auto written = WriteAmc(*motion, *asf);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  // The order of bones is that of the first frame, in every frame.
  EXPECT_EQ(*written,
            ":FULLY-SPECIFIED\n:DEGREES\n"
            "1\nroot 1 2 3 10 20 30\narm 45\nshin 15 -25\n"
            "2\nroot 1 2 3 0 0 0\narm 0\nshin 0 0\n");
}

TEST(WriteAmc, RadiansStayRadians) {
  const auto asf = ReadAsf(kAsf);
  const std::string text =
      ":FULLY-SPECIFIED\n:RADIANS\n1\nroot 1 2 3 0.123456789 7.5 -2\n"
      "shin 0.25 9\narm 1\n";
  EXPECT_EQ(*WriteAmc(*ReadAmc(text, *asf, {.rate_hz = 1.0}), *asf), text);
}

TEST(WriteAmc, NewPosesAreWrittenInTheChannelsOfTheAsf) {
  const auto asf = ReadAsf(kAsf);
  figure::Motion motion(asf->skeleton, 120.0);
  const auto wanted = ReadAmc(kAmc, *asf, {.rate_hz = 120.0});
  motion.Append(wanted->pose(0));
  const auto written = WriteAmc(motion, *asf);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  EXPECT_EQ(*written,
            ":FULLY-SPECIFIED\n:DEGREES\n"
            "1\nroot 1 2 3 10 20 30\nshin 15 -25\narm 45\n");
}

TEST(WriteAmc, RotationThatTheDofsCannotExpressWarnsWithItsSize) {
  const auto asf = ReadAsf(kAsf);
  figure::Motion motion(asf->skeleton, 120.0);
  figure::Pose pose = figure::RestPose(*asf->skeleton);
  pose.X_PJ[1].R = About(0, 12.5);
  motion.Append(pose);
  EXPECT_EQ(WriteAmc(motion, *asf, {.file = "o"}).diagnostics().ToString(),
            "o: warning: the channels cannot express every rotation; the "
            "worst, of \"hip\" in frame 0, is off by 12.5 degrees\n");
}

TEST(WriteAmc, OtherSkeletonIsRefused) {
  const auto asf = ReadAsf(kAsf);
  const auto one = figure::Skeleton::Make({{"root", -1, Vector3::Zero()}});
  EXPECT_EQ(WriteAmc(figure::Motion(one, 1.0), *asf).diagnostics().ToString(),
            "error: the motion has 1 joints, the ASF file 4\n");
  std::vector<figure::Joint> joints = asf->skeleton->joints();
  joints[2].name = "calf";
  EXPECT_EQ(WriteAmc(figure::Motion(figure::Skeleton::Make(joints), 1.0), *asf)
                .diagnostics()
                .ToString(),
            "error: joint 2 of the motion is \"calf\", of the ASF file "
            "\"shin\"\n");
  joints = asf->skeleton->joints();
  joints[2].parent = 0;
  EXPECT_EQ(WriteAmc(figure::Motion(figure::Skeleton::Make(joints), 1.0), *asf)
                .diagnostics()
                .ToString(),
            "error: joint 2 of the motion is \"shin\", of the ASF file "
            "\"shin\" on another joint\n");
  joints = asf->skeleton->joints();
  joints[2].offset.y() += 0.0015;
  EXPECT_EQ(WriteAmc(figure::Motion(figure::Skeleton::Make(joints), 1.0), *asf)
                .diagnostics()
                .ToString(),
            "warning: joint \"shin\" lies 1.5 mm from where the ASF file has "
            "it\n");
}

TEST(ReadAmc, RateMustBePositive) {
  EXPECT_THROW(ReadAmc(kAmc, *ReadAsf(kAsf), {.rate_hz = 0.0}),
               std::invalid_argument);
}

TEST(ReadAsfFile, MissingFilesAreNamed) {
  EXPECT_THAT(ReadAsfFile("no/a.asf").diagnostics().ToString(),
              HasSubstr("no/a.asf: error: cannot open"));
  EXPECT_THAT(ReadAmcFile("no/a.amc", *ReadAsf(kAsf), {.rate_hz = 1.0})
                  .diagnostics()
                  .ToString(),
              HasSubstr("no/a.amc: error: cannot open"));
}

// Every finding: its words and its place.
struct FindingCase {
  const char* from;
  const char* to;
  const char* findings;
};

class ReadAsfFinding : public testing::TestWithParam<FindingCase> {};

TEST_P(ReadAsfFinding, SaysWhatAndWhere) {
  EXPECT_EQ(AsfFindings(Replaced(kAsf, GetParam().from, GetParam().to)),
            GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadAsfFinding,
    testing::Values(
        FindingCase{":version 1.10", "hello",
                    "f:2:1: error: expected a section such as \":root\", found "
                    "\"hello\"\n"},
        FindingCase{":documentation", ":skin",
                    "f:8:1: warning: section \":skin\" is not known; ignoring "
                    "it\n"},
        FindingCase{":units\n  mass 1.0\n  length 0.45\n  angle deg\n", "",
                    "f:42:1: warning: no section \":units\"; taking inches and "
                    "degrees\n"},
        FindingCase{"mass 1.0", "speed 1",
                    "f:5:3: error: expected \"mass\", \"length\" or \"angle\", "
                    "found \"speed\"\n"},
        FindingCase{"mass 1.0", "mass heavy",
                    "f:5:8: error: mass: expected a number, found \"heavy\"\n"},
        FindingCase{"length 0.45", "length 0",
                    "f:6:10: error: expected a positive unit of length, found "
                    "\"0\"\n"},
        FindingCase{"angle deg", "angle grad",
                    "f:7:9: error: expected \"deg\" or \"rad\", found "
                    "\"grad\"\n"},
        FindingCase{"order TX TY TZ RX RY RZ", "order TX TX",
                    "f:11:12: error: channel \"TX\" repeats\n"},
        FindingCase{"  order TX TY TZ RX RY RZ\n", "",
                    "f:14:1: error: expected \"order\" with the channels of "
                    "the root, found \":bonedata\"\n"},
        FindingCase{"axis XYZ", "axis XYX",
                    "f:12:8: error: expected an order of axes such as XYZ, "
                    "found \"XYX\"\n"},
        FindingCase{"position 0 0 0", "position 0 nan 0",
                    "f:13:14: error: position: expected a number, found "
                    "\"nan\"\n"},
        FindingCase{"orientation", "rotation",
                    "f:14:3: error: expected \"order\", \"axis\", \"position\" "
                    "or \"orientation\", found \"rotation\"\n"},
        FindingCase{"  begin\n    id 1", "  id 1",
                    "f:16:3: error: expected \"begin\" of a bone, found "
                    "\"id\"\n"},
        FindingCase{"id 1", "colour red",
                    "f:17:5: warning: bone keyword \"colour\" is not known; "
                    "ignoring its line\n"},
        FindingCase{"name shin", "name hip",
                    "f:23:3: error: more than one bone is called \"hip\"\n"},
        FindingCase{"    name hip\n", "",
                    "f:16:3: error: bone \"\" has no name\n"},
        FindingCase{"    direction 1 0 0\n", "",
                    "f:16:3: error: bone \"hip\" has no direction\n"},
        FindingCase{"    length 2\n", "",
                    "f:16:3: error: bone \"hip\" has no length\n"},
        FindingCase{"    axis 0 0 0 XYZ\n", "",
                    "f:16:3: error: bone \"hip\" has no axis\n"},
        FindingCase{"direction 1 0 0", "direction 0 0 0",
                    "f:16:3: error: direction of bone \"hip\" is zero\n"},
        FindingCase{"direction 1 0 0", "direction 3 0 0",
                    "f:16:3: warning: direction of bone \"hip\" is not of "
                    "length 1; scaling it\n"},
        FindingCase{"dof rz rx", "dof rz tx",
                    "f:29:12: error: expected dof rx, ry or rz (a bone only "
                    "turns), found \"tx\"\n"},
        FindingCase{"dof rz rx", "dof rz RZ",
                    "f:29:12: error: dof \"RZ\" repeats\n"},
        FindingCase{"dof rz rx", "dof",
                    "f:30:5: error: expected dof rx, ry or rz, found "
                    "\"limits\"\n"},
        FindingCase{"(-inf 20)", "",
                    "f:30:5: warning: limits of bone \"shin\" are not a rising "
                    "pair for each of its 2 dof; ignoring them\n"},
        FindingCase{"(-inf 20)", "(20 -20)",
                    "f:30:5: warning: limits of bone \"shin\" are not a rising "
                    "pair for each of its 2 dof; ignoring them\n"},
        FindingCase{"    dof ry\n  end\n", "    dof ry\n",
                    "f:40:1: error: expected \"end\" of the bone, found "
                    "\":hierarchy\"\n"},
        FindingCase{":hierarchy\n  begin", ":hierarchy\n",
                    "f:43:5: error: expected \"begin\" of the hierarchy, found "
                    "\"root\"\n"},
        FindingCase{"hip shin", "hip shin leg",
                    "f:44:14: error: expected the name of a bone or \"end\", "
                    "found \"leg\"\n"},
        FindingCase{"begin\n    root hip", "begin hip",
                    "f:42:9: error: expected a parent bone at the start of a "
                    "line, found \"hip\"\n"},
        FindingCase{"hip shin", "hip shin arm",
                    "f:44:14: error: bone \"arm\" already has a parent\n"},
        FindingCase{"hip shin", "hip root",
                    "f:44:9: error: bone \"root\" already has a parent\n"},
        FindingCase{"hip shin", "",
                    "f:23:3: error: bone \"shin\" does not hang on the root in "
                    "\":hierarchy\"\n"},
        FindingCase{"hip shin", "shin shin",
                    "f:23:3: error: bone \"shin\" does not hang on the root in "
                    "\":hierarchy\"\n"}));

TEST(ReadAsf, MissingSectionsAreNamed) {
  EXPECT_EQ(AsfFindings(kAsf.substr(0, kAsf.find(":root"))),
            "f:10:1: error: expected section \":root\", found the end of the "
            "file\n");
  EXPECT_EQ(AsfFindings(kAsf.substr(0, kAsf.find(":hierarchy"))),
            "f:41:1: error: expected section \":hierarchy\", found the end of "
            "the file\n");
}

TEST(ReadAsf, StrictRefusesWhatIsOtherwiseRepaired) {
  EXPECT_FALSE(
      ReadAsf(Replaced(kAsf, "id 1", "colour red"), {.strict = true}).ok());
}

class ReadAmcFinding : public testing::TestWithParam<FindingCase> {};

TEST_P(ReadAmcFinding, SaysWhatAndWhere) {
  EXPECT_EQ(AmcFindings(Replaced(kAmc, GetParam().from, GetParam().to)),
            GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadAmcFinding,
    testing::Values(
        FindingCase{":DEGREES\n", "",
                    "f:3:1: warning: neither \":DEGREES\" nor \":RADIANS\"; "
                    "taking the unit of the ASF file\n"},
        FindingCase{":DEGREES\n", ":DEGREES\n:SAMPLES 5\n",
                    "f:4:1: warning: keyword \":SAMPLES\" is not known; "
                    "ignoring its line\n"},
        FindingCase{"2\nroot", "5\nroot",
                    "f:8:1: warning: frame number 5 follows 1; taking the "
                    "frames as consecutive\n"},
        FindingCase{"1\nroot", "root",
                    "f:4:1: error: expected a frame number, found \"root\"\n"},
        FindingCase{"1\nroot", "1 root",
                    "f:4:3: error: expected the end of the line after the "
                    "frame number, found \"root\"\n"},
        FindingCase{"arm 45", "leg 45",
                    "f:6:1: error: expected a bone of the ASF file or a frame "
                    "number, found \"leg\"\n"},
        FindingCase{"arm 45", "root 1 2 3 4 5 6",
                    "f:6:1: error: bone \"root\" repeats in frame 1\n"},
        FindingCase{"shin 15 -25", "shin 15",
                    "f:7:1: error: bone \"shin\" needs 2 numbers, found 1\n"},
        FindingCase{"shin 15 -25", "shin 15 nan",
                    "f:7:1: error: bone \"shin\" needs 2 numbers, found 1: "
                    "\"nan\"\n"},
        FindingCase{"shin 15 -25", "shin 15 -25 7",
                    "f:7:13: error: bone \"shin\" needs 2 numbers, found also "
                    "\"7\"\n"},
        FindingCase{"shin 15 -25\n", "",
                    "f:4:1: error: frame 1 lacks bone \"shin\"\n"},
        FindingCase{"shin 0 0\n", "",
                    "f:8:1: error: frame 2 lacks bone \"shin\"\n"}));

TEST(ReadAmc, FileWithoutFramesIsRefused) {
  EXPECT_EQ(AmcFindings(":FULLY-SPECIFIED\n:DEGREES\n"),
            "f:3:1: error: expected a frame number, found the end of the "
            "file\n");
}

}  // namespace
}  // namespace limber::mocap
