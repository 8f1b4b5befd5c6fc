// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "mocap/io/asf_amc.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;
using test::MakePerson;
using test::PersonNames;

/// "target joint" -> "source joint" for the joints that follow one.
std::map<std::string, std::string> Names(const JointMap& map,
                                         const HumanBody& source,
                                         const HumanBody& target) {
  std::map<std::string, std::string> names;
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    if (map.pairs[joint].source < 0) continue;
    names[target.skeleton->joint(joint).name] =
        source.skeleton->joint(map.pairs[joint].source).name;
  }
  return names;
}

const PersonNames kCmu = {
    "Hips",         "Spine",        "Spine1",      "Neck",      "Head",
    "LeftShoulder", "LeftArm",      "LeftForeArm", "LeftHand",  "RightShoulder",
    "RightArm",     "RightForeArm", "RightHand",   "LeftUpLeg", "LeftLeg",
    "LeftFoot",     "LeftToeBase",  "RightUpLeg",  "RightLeg",  "RightFoot",
    "RightToeBase", "HeadEnd"};

struct Style {
  const char* name;
  PersonNames joints;
};

const std::vector<Style>& Styles() {
  static const std::vector<Style> styles = {
      {"Mixamo", {"mixamorig:Hips",         "mixamorig:Spine",
                  "mixamorig:Spine1",       "mixamorig:Neck",
                  "mixamorig:Head",         "mixamorig:LeftShoulder",
                  "mixamorig:LeftArm",      "mixamorig:LeftForeArm",
                  "mixamorig:LeftHand",     "mixamorig:RightShoulder",
                  "mixamorig:RightArm",     "mixamorig:RightForeArm",
                  "mixamorig:RightHand",    "mixamorig:LeftUpLeg",
                  "mixamorig:LeftLeg",      "mixamorig:LeftFoot",
                  "mixamorig:LeftToeBase",  "mixamorig:RightUpLeg",
                  "mixamorig:RightLeg",     "mixamorig:RightFoot",
                  "mixamorig:RightToeBase", "mixamorig:HeadTop_End"}},
      {"Rokoko", {"Hips",      "Spine1",        "Spine2",    "Neck",
                  "Head",      "LeftShoulder",  "LeftArm",   "LeftForeArm",
                  "LeftHand",  "RightShoulder", "RightArm",  "RightForeArm",
                  "RightHand", "LeftThigh",     "LeftShin",  "LeftFoot",
                  "LeftToe",   "RightThigh",    "RightShin", "RightFoot",
                  "RightToe",  "HeadEnd"}},
      {"Xsens",
       {"Pelvis",
        "L5",
        "T8",
        "Neck",
        "Head",
        "LeftShoulder",
        "LeftUpperArm",
        "LeftForearm",
        "LeftHand",
        "RightShoulder",
        "RightUpperArm",
        "RightForearm",
        "RightHand",
        "LeftUpperLeg",
        "LeftLowerLeg",
        "LeftFoot",
        "LeftToe",
        "RightUpperLeg",
        "RightLowerLeg",
        "RightFoot",
        "RightToe",
        "HeadEnd"}},
      {"Perception Neuron",
       {"Robot_Hips",          "Robot_Spine",       "Robot_Spine3",
        "Robot_Neck",          "Robot_Head",        "Robot_LeftShoulder",
        "Robot_LeftArm",       "Robot_LeftForeArm", "Robot_LeftHand",
        "Robot_RightShoulder", "Robot_RightArm",    "Robot_RightForeArm",
        "Robot_RightHand",     "Robot_LeftUpLeg",   "Robot_LeftLeg",
        "Robot_LeftFoot",      "Robot_LeftToeBase", "Robot_RightUpLeg",
        "Robot_RightLeg",      "Robot_RightFoot",   "Robot_RightToeBase",
        "Robot_HeadEnd"}},
      {"DAZ",
       {"hip",        "abdomenLower", "chestUpper",   "neckLower",  "head",
        "lCollar",    "lShldrBend",   "lForearmBend", "lHand",      "rCollar",
        "rShldrBend", "rForearmBend", "rHand",        "lThighBend", "lShin",
        "lFoot",      "lToe",         "rThighBend",   "rShin",      "rFoot",
        "rToe",       "upperTeeth"}},
      {"Biped", {"Bip01 Pelvis",     "Bip01 Spine",      "Bip01 Spine1",
                 "Bip01 Neck",       "Bip01 Head",       "Bip01 L Clavicle",
                 "Bip01 L UpperArm", "Bip01 L Forearm",  "Bip01 L Hand",
                 "Bip01 R Clavicle", "Bip01 R UpperArm", "Bip01 R Forearm",
                 "Bip01 R Hand",     "Bip01 L Thigh",    "Bip01 L Calf",
                 "Bip01 L Foot",     "Bip01 L Toe0",     "Bip01 R Thigh",
                 "Bip01 R Calf",     "Bip01 R Foot",     "Bip01 R Toe0",
                 "Bip01 HeadNub"}},
      {"VRM", {"J_Bip_C_Hips",     "J_Bip_C_Spine",    "J_Bip_C_Chest",
               "J_Bip_C_Neck",     "J_Bip_C_Head",     "J_Bip_L_Shoulder",
               "J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand",
               "J_Bip_R_Shoulder", "J_Bip_R_UpperArm", "J_Bip_R_LowerArm",
               "J_Bip_R_Hand",     "J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg",
               "J_Bip_L_Foot",     "J_Bip_L_ToeBase",  "J_Bip_R_UpperLeg",
               "J_Bip_R_LowerLeg", "J_Bip_R_Foot",     "J_Bip_R_ToeBase",
               "J_Sec_Hair"}},
      {"OpenSim", {"pelvis",    "lumbar",    "torso",   "neck",    "head",
                   "scapula_l", "humerus_l", "ulna_l",  "hand_l",  "scapula_r",
                   "humerus_r", "ulna_r",    "hand_r",  "femur_l", "tibia_l",
                   "calcn_l",   "toes_l",    "femur_r", "tibia_r", "calcn_r",
                   "toes_r",    "hat"}},
      {"numbered suffixes",
       {"pelvis",     "spine_01",   "spine_02",   "neck_01", "head",
        "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l",  "clavicle_r",
        "upperarm_r", "lowerarm_r", "hand_r",     "thigh_l", "calf_l",
        "foot_l",     "ball_l",     "thigh_r",    "calf_r",  "foot_r",
        "ball_r",     "ponytail"}}};
  return styles;
}

TEST(MakeJointMap, StylesOfAllProgramsFindTheirParts) {
  const HumanBody target = *MakeBody(MakePerson(kCmu));
  for (const Style& style : Styles()) {
    SCOPED_TRACE(style.name);
    const std::optional<HumanBody> source = MakeBody(MakePerson(style.joints));
    ASSERT_TRUE(source);
    const JointMap map = MakeJointMap(*source, target);
    for (std::size_t i = 0; i < 21; ++i) {
      EXPECT_EQ(map.pairs[i].source, static_cast<int>(i))
          << kCmu[i] << " <- " << style.joints[i];
      EXPECT_GE(map.pairs[i].confidence, 0.7) << style.joints[i];
    }
  }
}

TEST(MakeJointMap, ThreeSpineBonesToOneAndBack) {
  // Hips with one spine joint against two: the chest follows the chest.
  const HumanBody two = *MakeBody(MakePerson(kCmu));
  const HumanBody one = BundledBody("adult12");
  const JointMap down = MakeJointMap(two, one);
  const int chest = one.plan.spine.back();
  EXPECT_EQ(down.pairs[chest].source, two.plan.spine.back());
  EXPECT_EQ(down.pairs[chest].next, -1);
  const JointMap up = MakeJointMap(one, two);
  // The lower of two turns half as far as the one: from pelvis to chest.
  const JointPair& lower = up.pairs[two.plan.spine.front()];
  EXPECT_EQ(lower.source, one.plan.pelvis);
  EXPECT_EQ(lower.next, one.plan.spine.back());
  EXPECT_DOUBLE_EQ(lower.share, 0.5);
}

TEST(ReadMapFile, OverridesRolesAndPairs) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "limber_map_test.json";
  ASSERT_FALSE(WriteWholeFile(path, R"({
  // Names of this rig say nothing.
  "source_roles": {"Bone.001": "left-foot"},
  "pairs": {"Head": null, "LeftHand": "RightHand"}
})")
                   .has_errors());
  const auto file = ReadMapFile(path);
  ASSERT_TRUE(file.ok()) << file.diagnostics().ToString();
  PersonNames names = kCmu;
  names[15] = "Bone.001";
  const auto skeleton = MakePerson(names);
  Diagnostics findings;
  const HumanBody target = *MakeBody(MakePerson(kCmu));
  EXPECT_FALSE(MakeBody(skeleton));
  const std::optional<HumanBody> source = MakeBody(
      skeleton, ApplyRoles(*skeleton, figure::RecogniseRoles(*skeleton),
                           file->source_roles, findings));
  ASSERT_TRUE(source);
  JointMap map = MakeJointMap(*source, target);
  ApplyPairs(*source, target, *file, map, findings);
  EXPECT_FALSE(findings.has_errors()) << findings.ToString();
  EXPECT_EQ(map.pairs[15].source, 15);
  EXPECT_EQ(map.pairs[4].source, -1);
  EXPECT_EQ(map.pairs[8].source, 12);
  std::filesystem::remove(path);
}

TEST(ReadMapFile, UnknownNamesAreErrorsAtTheirPlace) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "limber_map_bad.json";
  ASSERT_FALSE(WriteWholeFile(path, "{\n \"pairs\": {\"Tail\": \"Hips\"}\n}")
                   .has_errors());
  const auto file = ReadMapFile(path);
  ASSERT_TRUE(file.ok());
  const HumanBody body = *MakeBody(MakePerson(kCmu));
  JointMap map = MakeJointMap(body, body);
  Diagnostics findings;
  ApplyPairs(body, body, *file, map, findings);
  ASSERT_TRUE(findings.has_errors());
  EXPECT_EQ(findings.all().front().place.line, 2);
  EXPECT_THAT(findings.ToString(), testing::HasSubstr("Tail"));
  ASSERT_FALSE(
      WriteWholeFile(path, R"({"source_roles": {"Hips": "left-elbow"}})")
          .has_errors());
  const auto bad = ReadMapFile(path);
  EXPECT_FALSE(bad.ok());
  EXPECT_THAT(bad.diagnostics().ToString(), testing::HasSubstr("left-forearm"));
  std::filesystem::remove(path);
}

// What the joints of the 18-segment adult follow, one test per recording.
void ExpectMap(const HumanBody& source,
               const std::map<std::string, std::string>& expected) {
  const HumanBody target = BundledBody("adult18");
  const auto names = Names(MakeJointMap(source, target), source, target);
  for (const auto& [to, from] : expected) {
    const auto found = names.find(to);
    ASSERT_NE(found, names.end()) << to;
    EXPECT_EQ(found->second, from) << to;
  }
  EXPECT_EQ(static_cast<int>(names.size()), target.skeleton->num_joints())
      << "a joint of the adult follows nothing";
}

std::map<std::string, std::string> Sides(
    std::map<std::string, std::string> both,
    const std::map<std::string, std::string>& left, const std::string& from_l,
    const std::string& from_r) {
  for (const auto& [to, from] : left) {
    both["Left" + to] = from_l + from;
    both["Right" + to] = from_r + from;
  }
  return both;
}

TEST(MakeJointMap, RealCmuBvh) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* clip : {"02/02_01", "07/07_01", "09/09_06", "16/16_07",
                           "49/49_06", "85/85_02", "131/131_04"}) {
    SCOPED_TRACE(clip);
    const auto motion =
        test::ReadClip(test::RealData("cmu/" + std::string(clip) + ".bvh"));
    ExpectMap(*MakeBody(motion.shared_skeleton()),
              Sides({{"Hips", "Hips"}, {"Chest", "Spine1"}, {"Head", "Head"}},
                    {{"Arm", "Arm"},
                     {"ForeArm", "ForeArm"},
                     {"Hand", "Hand"},
                     {"UpLeg", "UpLeg"},
                     {"Leg", "Leg"},
                     {"Foot", "Foot"},
                     {"ToeBase", "ToeBase"}},
                    "Left", "Right"));
  }
}

TEST(MakeJointMap, RealCmuAmc) {
  LIMBER_NEEDS_REAL_DATA();
  const auto asf = ReadAsfFile(test::RealData("cmu/07/07.asf"));
  ASSERT_TRUE(asf.ok());
  ExpectMap(*MakeBody(asf->skeleton),
            Sides({{"Hips", "root"}, {"Chest", "thorax"}, {"Head", "head"}},
                  {{"Arm", "humerus"},
                   {"ForeArm", "radius"},
                   {"UpLeg", "femur"},
                   {"Leg", "tibia"},
                   {"Foot", "foot"},
                   {"ToeBase", "toes"}},
                  "l", "r"));
}

TEST(MakeJointMap, RealMilad) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/milad.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("adult18");
  const auto names = Names(MakeJointMap(source, target), source, target);
  EXPECT_EQ(names.at("Chest"), "Spine3");
  EXPECT_EQ(names.at("LeftHand"), "LeftHand");
  EXPECT_EQ(names.at("RightFoot"), "RightFoot");
  // This skeleton has no joint in the foot: the adult's toes follow nothing.
  EXPECT_EQ(names.count("LeftToeBase"), 0u);
}

TEST(MakeJointMap, RealLouise) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/louise.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("adult18");
  const auto names = Names(MakeJointMap(source, target), source, target);
  EXPECT_EQ(names.at("Chest"), "Chest");
  EXPECT_EQ(names.at("LeftArm"), "LeftShoulder");
  EXPECT_EQ(names.at("LeftForeArm"), "LeftElbow");
  EXPECT_EQ(names.at("LeftHand"), "LeftWrist");
  EXPECT_EQ(names.at("LeftUpLeg"), "LeftHip");
  EXPECT_EQ(names.at("RightLeg"), "RightKnee");
  EXPECT_EQ(names.at("RightFoot"), "RightAnkle");
}

TEST(MakeJointMap, RealWalk01) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/walk01.bvh"));
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = BundledBody("adult18");
  const auto names = Names(MakeJointMap(source, target), source, target);
  EXPECT_EQ(names.at("Chest"), "Spine1");
  EXPECT_EQ(names.at("LeftArm"), "LeftArm");
  EXPECT_EQ(names.at("LeftLeg"), "LeftLeg");
}

TEST(MakeJointMap, RealBvhTest2) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/bvh_test2.bvh"));
  ExpectMap(*MakeBody(motion.shared_skeleton()),
            Sides({{"Hips", "Hips"}, {"Chest", "Chest4"}, {"Head", "Head"}},
                  {{"Arm", "Shoulder"},
                   {"ForeArm", "Elbow"},
                   {"Hand", "Wrist"},
                   {"UpLeg", "Hip"},
                   {"Leg", "Knee"},
                   {"Foot", "Ankle"},
                   {"ToeBase", "Toe"}},
                  "Left", "Right"));
}

TEST(MakeJointMap, RealBvhTest3) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/bvh_test3.bvh"));
  ExpectMap(*MakeBody(motion.shared_skeleton()),
            Sides({{"Hips", "Hips"}, {"Chest", "Spine3"}, {"Head", "Head"}},
                  {{"Arm", "Arm"},
                   {"ForeArm", "ForeArm"},
                   {"Hand", "Hand"},
                   {"UpLeg", "UpLeg"},
                   {"Leg", "Leg"},
                   {"Foot", "Foot"},
                   {"ToeBase", "ForeFoot"}},
                  "Left", "Right"));
}

TEST(MakeJointMap, RealDaz3d) {
  LIMBER_NEEDS_REAL_DATA();
  const auto motion = test::ReadClip(test::RealData("bvh-zoo/DAZ3D.bvh"));
  ExpectMap(*MakeBody(motion.shared_skeleton()),
            Sides({{"Hips", "hip"}, {"Chest", "chestUpper"}, {"Head", "head"}},
                  {// Joints for the twist lie between: the last one counts.
                   {"Arm", "ShldrTwist"},
                   {"ForeArm", "ForearmTwist"},
                   {"Hand", "Hand"},
                   {"UpLeg", "ThighTwist"},
                   {"Leg", "Shin"},
                   {"Foot", "Foot"}},
                  "l", "r"));
}

}  // namespace
}  // namespace limber::mocap
