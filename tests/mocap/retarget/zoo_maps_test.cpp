// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Which joint is which in the recordings of other programs, written down from
// their hierarchies, and which joint follows which between any two of them.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "mocap/retarget/rigged_clip.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using figure::Role;

/// The joints of one side; the same words with another side on the other.
struct SideNames {
  const char* clavicle;
  const char* upper_arm;
  const char* forearm;
  const char* hand;
  const char* thigh;
  const char* shin;
  const char* foot;
  const char* toes;  ///< Empty where the foot has none.
};

struct ZooBody {
  const char* file;
  int num_joints;
  const char* hips;  ///< What both legs and the trunk hang on.
  std::vector<std::string> spine;
  const char* chest;  ///< What both arms and the neck hang on.
  const char* neck;
  const char* head;
  std::array<SideNames, 2> sides;  ///< Left, right.
  /// The last bone before the next joint of upper arm, forearm and thigh, where
  /// bones for the twist follow the first one: it turns as the whole limb does.
  std::array<std::array<const char*, 3>, 2> last_bones = {};
};

void PrintTo(const ZooBody& body, std::ostream* out) { *out << body.file; }

const std::vector<ZooBody>& Zoo() {
  static const std::vector<ZooBody> zoo = {
      {"DAZ3D",
       170,
       "hip",
       {"abdomenLower", "abdomenUpper", "chestLower"},
       "chestUpper",
       "neckLower",
       "head",
       {{{"lCollar", "lShldrBend", "lForearmBend", "lHand", "lThighBend",
          "lShin", "lFoot", "lToe"},
         {"rCollar", "rShldrBend", "rForearmBend", "rHand", "rThighBend",
          "rShin", "rFoot", "rToe"}}},
       {{{"lShldrTwist", "lForearmTwist", "lThighTwist"},
         {"rShldrTwist", "rForearmTwist", "rThighTwist"}}}},
      {"bvh_test2",
       23,
       "Hips",
       {"Chest", "Chest2", "Chest3"},
       "Chest4",
       "Neck",
       "Head",
       {{{"LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist", "LeftHip",
          "LeftKnee", "LeftAnkle", "LeftToe"},
         {"RightCollar", "RightShoulder", "RightElbow", "RightWrist",
          "RightHip", "RightKnee", "RightAnkle", "RightToe"}}}},
      {"bvh_test3",
       60,
       "Hips",
       {"Spine", "Spine1", "Spine2"},
       "Spine3",
       "Neck",
       "Head",
       {{{"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg",
          "LeftLeg", "LeftFoot", "LeftForeFoot"},
         {"RightShoulder", "RightArm", "RightForeArm", "RightHand",
          "RightUpLeg", "RightLeg", "RightFoot", "RightForeFoot"}}}},
      {"louise",
       18,
       "Hips",
       {},
       "Chest",
       "Neck",
       "Head",
       {{{"LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist", "LeftHip",
          "LeftKnee", "LeftAnkle", ""},
         {"RightCollar", "RightShoulder", "RightElbow", "RightWrist",
          "RightHip", "RightKnee", "RightAnkle", ""}}}},
      {"milad",
       59,
       "Hips",
       {"Spine", "Spine1", "Spine2"},
       "Spine3",
       "Neck",
       "Head",
       {{{"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg",
          "LeftLeg", "LeftFoot", ""},
         {"RightShoulder", "RightArm", "RightForeArm", "RightHand",
          "RightUpLeg", "RightLeg", "RightFoot", ""}}}},
      {"walk01",
       19,
       "Hips",
       {"Spine"},
       "Spine1",
       "Neck",
       "Head",
       {{{"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg",
          "LeftLeg", "LeftFoot", ""},
         {"RightShoulder", "RightArm", "RightForeArm", "RightHand",
          "RightUpLeg", "RightLeg", "RightFoot", ""}}}},
  };
  return zoo;
}

/// A part of a body and the joint that is it.
struct Part {
  Role role;
  std::string joint;  ///< Empty where the body has none.
  std::string whole;  ///< The joint that turns as the whole part does.
};

std::vector<Part> PartsOf(const ZooBody& body) {
  std::vector<Part> parts = {{Role::kPelvis, body.hips, body.hips},
                             {Role::kChest, body.chest, body.chest},
                             {Role::kNeck, body.neck, body.neck},
                             {Role::kHead, body.head, body.head}};
  for (std::size_t side = 0; side < 2; ++side) {
    const SideNames& names = body.sides[side];
    const auto add = [&](Role left, const char* joint, const char* last) {
      parts.push_back({side == 0 ? left : figure::Mirrored(left), joint,
                       last != nullptr ? last : joint});
    };
    const std::array<const char*, 3>& last = body.last_bones[side];
    add(Role::kLeftClavicle, names.clavicle, nullptr);
    add(Role::kLeftUpperArm, names.upper_arm, last[0]);
    add(Role::kLeftForearm, names.forearm, last[1]);
    add(Role::kLeftHand, names.hand, nullptr);
    add(Role::kLeftUpperLeg, names.thigh, last[2]);
    add(Role::kLeftLowerLeg, names.shin, nullptr);
    add(Role::kLeftFoot, names.foot, nullptr);
    add(Role::kLeftToes, names.toes, nullptr);
  }
  return parts;
}

figure::Motion ReadZoo(const std::string& file) {
  return test::ReadClip(test::RealData("bvh-zoo/" + file + ".bvh"));
}

RiggedClip Load(const std::string& file) {
  const figure::Motion motion = ReadZoo(file);
  return *MakeRiggedClip(
      test::Cut(motion, 0, std::min<std::int64_t>(100, motion.num_frames())));
}

class ZooMaps : public testing::TestWithParam<ZooBody> {};

TEST_P(ZooMaps, EveryPartIsTheJointThatTheFileCallsSo) {
  LIMBER_NEEDS_REAL_DATA();
  const figure::Motion motion = ReadZoo(GetParam().file);
  const figure::Skeleton& skeleton = motion.skeleton();
  ASSERT_EQ(skeleton.num_joints(), GetParam().num_joints);
  const std::vector<Role> roles = figure::RecogniseRoles(skeleton);
  for (const Part& part : PartsOf(GetParam())) {
    const int joint = figure::FindRole(roles, part.role);
    EXPECT_EQ(joint < 0 ? "" : skeleton.joint(joint).name, part.joint)
        << figure::ToString(part.role);
  }
  std::vector<std::string> spine;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    if (roles[joint] == Role::kSpine) {
      spine.push_back(skeleton.joint(joint).name);
    }
  }
  EXPECT_EQ(spine, GetParam().spine);
}

TEST_P(ZooMaps, EveryPartFollowsTheSamePartOfEveryOtherFile) {
  LIMBER_NEEDS_REAL_DATA();
  const RiggedClip target = Load(GetParam().file);
  const std::vector<Part> to = PartsOf(GetParam());
  for (const ZooBody& other : Zoo()) {
    const RiggedClip source = Load(other.file);
    const std::vector<Part> from = PartsOf(other);
    const JointMap map = MakeJointMap(source.body, target.body);
    const bool is_own = std::string(other.file) == GetParam().file;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i].joint.empty() || from[i].joint.empty()) continue;
      const int joint = target.body.skeleton->Find(to[i].joint);
      // Necks of two joints share out what one joint turns, and one joint
      // follows the last of two.
      if (to[i].role == Role::kNeck) continue;
      const int followed = map.pairs[joint].source;
      ASSERT_GE(followed, 0) << other.file << " " << to[i].joint;
      EXPECT_EQ(source.body.skeleton->joint(followed).name,
                is_own ? from[i].joint : from[i].whole)
          << other.file << " -> " << GetParam().file << ", " << to[i].joint;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, ZooMaps, testing::ValuesIn(Zoo()),
                         [](const auto& info) { return info.param.file; });

TEST(ZooMap, FilesWithoutABodyHaveNone) {
  LIMBER_NEEDS_REAL_DATA();
  // Four joints each: a trunk with one leg, and a chain.
  for (const char* file : {"rotation_first_root", "sinusoidal"}) {
    const figure::Motion motion = ReadZoo(file);
    EXPECT_FALSE(figure::IsHumanoid(figure::RecogniseRoles(motion.skeleton())))
        << file;
    EXPECT_FALSE(MakeRiggedClip(motion)) << file;
  }
}

}  // namespace
}  // namespace limber::mocap
