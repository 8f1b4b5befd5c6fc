// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/joint_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/bundled_figures.h"

namespace limber::figure {
namespace {

std::string RoleWord(std::string_view name) {
  return std::string(ToString(RoleOfName(name)));
}

TEST(RoleOfName, ReadsTheSpellingsOfCommonPrograms) {
  const std::vector<std::pair<const char*, const char*>> table = {
      // CMU BVH and ASF
      {"Hips", "pelvis"},
      {"LeftUpLeg", "left-upper-leg"},
      {"RightToeBase", "right-toes"},
      {"LowerBack", "spine"},
      {"lhumerus", "left-upper-arm"},
      {"rfemur", "right-upper-leg"},
      {"lclavicle", "left-clavicle"},
      {"thorax", "chest"},
      {"LThumb", "left-thumb"},
      // Mixamo, Rokoko, Perception Neuron
      {"mixamorig:LeftForeArm", "left-forearm"},
      {"mixamorig1:Hips", "pelvis"},
      {"Robot_RightHand", "right-hand"},
      {"LeftHandMiddle1", "left-middle"},
      // Xsens
      {"L5", "spine"},
      {"T8", "chest"},
      {"RightUpperLeg", "right-upper-leg"},
      // DAZ and Poser
      {"lThighBend", "left-upper-leg"},
      {"rShldr", "right-upper-arm"},
      {"rShin", "right-lower-leg"},
      {"lThighTwist", "other"},
      {"abdomenUpper", "spine"},
      // 3ds Max Biped
      {"Bip01 Pelvis", "pelvis"},
      {"Bip01 L UpperArm", "left-upper-arm"},
      {"Bip001 R Calf", "right-lower-leg"},
      {"Bip01 L Toe0", "left-toes"},
      {"Bip01 HeadNub", "other"},
      // VRM, Unreal, Blender Rigify
      {"J_Bip_L_UpperArm", "left-upper-arm"},
      {"J_Bip_C_Chest", "chest"},
      {"upperarm_l", "left-upper-arm"},
      {"calf_r", "right-lower-leg"},
      {"ball_l", "left-toes"},
      {"upper_arm.L", "left-upper-arm"},
      {"DEF-thigh.R", "right-upper-leg"},
      // OpenSim
      {"femur_r", "right-upper-leg"},
      {"calcn_l", "left-foot"},
      {"ulna_r", "right-forearm"},
      // joints instead of bones
      {"LeftKnee", "left-lower-leg"},
      {"rightelbow", "right-forearm"},
      {"LeftHip", "left-upper-leg"},
      {"hip", "pelvis"},
      // neither side nor meaning
      {"Tail3", "other"},
      {"arm", "other"},
      {"", "other"},
      {"\xe4\xb8\x8a", "other"},
  };
  for (const auto& [name, word] : table)
    EXPECT_EQ(RoleWord(name), word) << name;
}

TEST(Roles, MirrorTwiceIsTheSameAndWordsRoundTrip) {
  for (int i = 0; i < kNumRoles; ++i) {
    const Role role = static_cast<Role>(i);
    EXPECT_EQ(Mirrored(Mirrored(role)), role);
    EXPECT_EQ(RoleFromString(ToString(role)), role);
    if (SideOf(role) == Side::kLeft) {
      EXPECT_EQ(SideOf(Mirrored(role)), Side::kRight);
      std::string word(ToString(role));
      EXPECT_EQ("right" + word.substr(4), ToString(Mirrored(role)));
    }
  }
  EXPECT_FALSE(RoleFromString("left-wing").has_value());
}

/// A skeleton of one joint a line, each with its parent's index.
std::vector<std::string> RolesOf(
    const std::vector<std::pair<const char*, int>>& lines) {
  std::vector<Joint> joints;
  for (const auto& [name, parent] : lines) {
    joints.push_back({name, parent, Vector3(0.1, 0.1, 0.0)});
  }
  std::vector<std::string> words;
  for (const Role role : RecogniseRoles(*Skeleton::Make(joints))) {
    words.emplace_back(ToString(role));
  }
  return words;
}

TEST(RecogniseRoles, ShoulderIsClavicleOnlyWhereAnArmHangsOnIt) {
  EXPECT_THAT(RolesOf({{"Hips", -1},
                       {"LeftShoulder", 0},
                       {"LeftArm", 1},
                       {"LeftForeArm", 2}}),
              testing::ElementsAre("pelvis", "left-clavicle", "left-upper-arm",
                                   "left-forearm"));
  EXPECT_THAT(RolesOf({{"Hips", -1},
                       {"LeftCollar", 0},
                       {"LeftShoulder", 1},
                       {"LeftElbow", 2}}),
              testing::ElementsAre("pelvis", "left-clavicle", "left-upper-arm",
                                   "left-forearm"));
}

TEST(RecogniseRoles, FootBelowAnAnkleIsItsFront) {
  EXPECT_THAT(RolesOf({{"pelvis", -1},
                       {"left_hip", 0},
                       {"left_knee", 1},
                       {"left_ankle", 2},
                       {"left_foot", 3}}),
              testing::ElementsAre("pelvis", "left-upper-leg", "left-lower-leg",
                                   "left-foot", "left-toes"));
  // Where toes have a name, and where the ankle is below, the foot is the foot.
  EXPECT_THAT(
      RolesOf({{"pelvis", -1},
               {"left_ankle", 0},
               {"left_foot", 1},
               {"left_toes", 2}}),
      testing::ElementsAre("pelvis", "left-foot", "other", "left-toes"));
  EXPECT_THAT(RolesOf({{"pelvis", -1}, {"left_foot", 0}, {"left_ankle", 1}}),
              testing::ElementsAre("pelvis", "left-foot", "other"));
}

TEST(RecogniseRoles, CmuHipJointIsAHelper) {
  EXPECT_THAT(RolesOf({{"Hips", -1},
                       {"LHipJoint", 0},
                       {"LeftUpLeg", 1},
                       {"LeftLeg", 2},
                       {"LeftFoot", 3}}),
              testing::ElementsAre("pelvis", "other", "left-upper-leg",
                                   "left-lower-leg", "left-foot"));
}

TEST(RecogniseRoles, ForksOfLimbsArePelvisAndChestWhateverTheirNames) {
  EXPECT_THAT(RolesOf({{"thing", -1},
                       {"LeftUpLeg", 0},
                       {"RightUpLeg", 0},
                       {"a", 0},
                       {"b", 3},
                       {"LeftArm", 4},
                       {"RightArm", 4}}),
              testing::ElementsAre("pelvis", "left-upper-leg",
                                   "right-upper-leg", "spine", "chest",
                                   "left-upper-arm", "right-upper-arm"));
}

/// The skeleton with names that say nothing, turned about the vertical.
std::shared_ptr<const Skeleton> Nameless(const Skeleton& skeleton,
                                         double turn) {
  const Quaternion R = ExpRotation({0.0, turn, 0.0});
  std::vector<Joint> joints = skeleton.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].name = "bone_" + std::to_string(j);
    joints[j].offset = R * joints[j].offset;
  }
  std::vector<Site> sites = skeleton.sites();
  for (Site& site : sites) site.offset = R * site.offset;
  return Skeleton::Make(joints, sites);
}

TEST(RecogniseRoles, ShapeTellsABodyWithoutNames) {
  const FigureModel adult = MakePerson(Person());
  for (const double turn : {0.0, 1.0, 3.0}) {
    EXPECT_EQ(RecogniseRoles(*Nameless(*adult.skeleton, turn)), adult.roles);
  }
}

TEST(RecogniseRoles, ShapeOfAChainIsNoBody) {
  std::vector<Joint> joints = {{"a", -1, {0, 1, 0}}};
  for (int i = 0; i < 20; ++i) joints.push_back({"b", i, {0, 0.1, 0}});
  for (const Role role : RecogniseRoles(*Skeleton::Make(joints))) {
    EXPECT_EQ(role, Role::kOther);
  }
}

TEST(FindBodyAxes, FacesAwayFromTheCameraWhenLeftIsMinusX) {
  const auto skeleton = Skeleton::Make({{"Hips", -1, {0, 1, 0}},
                                        {"LeftUpLeg", 0, {-0.1, 0, 0}},
                                        {"RightUpLeg", 0, {0.1, 0, 0}}});
  const BodyAxes axes = FindBodyAxes(*skeleton, RecogniseRoles(*skeleton));
  EXPECT_LT((axes.left + Vector3::UnitX()).norm(), 1e-12);
  EXPECT_LT((axes.forward + Vector3::UnitZ()).norm(), 1e-12);
}

}  // namespace
}  // namespace limber::figure
