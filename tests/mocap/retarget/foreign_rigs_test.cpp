// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/foreign_rigs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "mocap/retarget/rigged_clip.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using figure::Role;
using test::BundledClip;
using test::kDegree;
using test::RigStyle;

/// A rig with its clip, and what joints are what.
struct Character {
  explicit Character(const figure::Motion& clip)
      : motion(clip), rigged(*MakeRiggedClip(clip)) {}

  figure::Motion motion;  ///< As the file has it.
  RiggedClip rigged;
};

Character MakeCharacter(const std::string& clip, const RigStyle& style) {
  return Character(test::ReadBack(test::OnRig(BundledClip(clip), style)));
}

figure::Motion Carry(const Character& source, const Character& target) {
  const Retargeted result =
      Retarget(source.rigged.motion, source.rigged.body, target.rigged.body,
               MakeJointMap(source.rigged.body, target.rigged.body), {},
               target.motion.source());
  return figure::FromWorking(target.rigged.rig, result.motion,
                             target.motion.source());
}

/// How far the same joints of two clips of one rig are apart at most.
struct RoleDifference {
  std::map<Role, double> place;  ///< [m]
  std::map<Role, double> turn;   ///< Of R_WJ [rad].
  double farthest = 0.0;
  double most_turned = 0.0;
  Role worst = Role::kOther;
  Role worst_turned = Role::kOther;
};

RoleDifference CompareRoles(const figure::Motion& a, const figure::Motion& b,
                            const std::vector<Role>& roles) {
  RoleDifference result;
  for (std::int64_t i = 0; i < a.num_frames(); ++i) {
    const auto X_a = figure::WorldTransforms(a.skeleton(), a.pose(i));
    const auto X_b = figure::WorldTransforms(b.skeleton(), b.pose(i));
    for (std::size_t j = 0; j < roles.size(); ++j) {
      if (roles[j] == Role::kOther) continue;
      double& place = result.place[roles[j]];
      place = std::max(place, (X_a[j].p - X_b[j].p).norm());
      double& turn = result.turn[roles[j]];
      turn = std::max(turn, AngleBetween(X_a[j].R, X_b[j].R));
      if (place > result.farthest) {
        result.farthest = place;
        result.worst = roles[j];
      }
      if (turn > result.most_turned) {
        result.most_turned = turn;
        result.worst_turned = roles[j];
      }
    }
  }
  return result;
}

struct NamedStyle {
  std::string name;
  RigStyle style;
};
void PrintTo(const NamedStyle& style, std::ostream* out) { *out << style.name; }

std::vector<NamedStyle> Styles() {
  std::vector<NamedStyle> styles = {{"mixamo", test::MixamoLike()},
                                    {"bandai", test::BandaiLike()},
                                    {"neuron", test::NeuronLike()},
                                    {"daz", test::DazLike()}};
  RigStyle style = test::MixamoLike();
  style.prefix = "Anna_";
  style.roots = {"Armature", "Reference"};
  style.rest = test::RigRest::kArmsDown;
  styles.push_back({"armature", style});
  style = test::NeuronLike();
  style.zero_offsets = true;
  style.roots = {"Root"};
  style.root_travels = true;
  styles.push_back({"zero_offsets", style});
  style = test::BandaiLike();
  style.rest = test::RigRest::kT;
  style.hand_sites_down = true;
  styles.push_back({"sites_down", style});
  return styles;
}

class ForeignRigs : public testing::TestWithParam<NamedStyle> {};

TEST_P(ForeignRigs, HaveAllPartsOfABody) {
  const Character rig = MakeCharacter("walk.bvh", GetParam().style);
  for (int role = 1; role < figure::kNumRoles; ++role) {
    const Role part = static_cast<Role>(role);
    const Role left = figure::LeftOf(part);
    const bool is_finger = left >= Role::kLeftThumb && left <= Role::kLeftPinky;
    const bool has_fingers = GetParam().style.kind != test::RigKind::kBandai;
    const bool has_toes = GetParam().style.kind != test::RigKind::kNeuron;
    if (is_finger && !has_fingers) continue;
    if (left == Role::kLeftToes && !has_toes) continue;
    EXPECT_GE(figure::FindRole(rig.rigged.body.roles, part), 0)
        << figure::ToString(part);
  }
}

TEST_P(ForeignRigs, OwnRigGivesTheClipBack) {
  const Character rig = MakeCharacter("walk.bvh", GetParam().style);
  const figure::Motion result = Carry(rig, rig);
  const test::Difference difference = test::Compare(rig.motion, result);
  EXPECT_LT(difference.place, 1e-4);
  EXPECT_LT(difference.angle, 0.01 * kDegree);
}

// All rigs have the adult's bones and do exactly what the adult does, so where
// each joint must come out is known.
TEST_P(ForeignRigs, TakeTheClipOfEveryOtherRig) {
  const Character target = MakeCharacter("walk.bvh", GetParam().style);
  for (const NamedStyle& other : Styles()) {
    SCOPED_TRACE("from " + other.name);
    const Character source = MakeCharacter("walk.bvh", other.style);
    const figure::Motion result = Carry(source, target);
    // What the source does not have cannot be known.
    std::vector<Role> roles = target.rigged.body.roles;
    for (Role& role : roles) {
      if (figure::FindRole(source.rigged.body.roles, role) < 0) {
        role = Role::kOther;
      }
    }
    const RoleDifference difference =
        CompareRoles(result, target.motion, roles);
    // Where one rig has toes and the other none, feet roll over other points:
    // one 15 mm above the sole and one on it.
    const auto has_toes = [](const Character& rig) {
      return figure::FindRole(rig.rigged.body.roles, Role::kLeftToes) >= 0;
    };
    const double most_shift =
        has_toes(source) == has_toes(target) ? 0.01 : 0.036;  // [m]
    for (const auto& [role, place] : difference.place) {
      EXPECT_LT(place, most_shift) << figure::ToString(role);
    }
    // How the turn of an upper arm is shared out between its two bones depends
    // on the rest pose that it is measured from.
    const bool has_twist = GetParam().style.kind == test::RigKind::kDaz;
    for (const auto& [role, turn] : difference.turn) {
      const bool is_shared =
          has_twist && figure::LeftOf(role) == Role::kLeftUpperArm;
      EXPECT_LT(turn, (is_shared ? 11.5 : 5.1) * kDegree)
          << figure::ToString(role);
    }
  }
}

// Fingers, jaw and eyes have a motion of their own, and no prefix keeps them
// from it; the twist of limbs is shared out over the bones for it.
TEST(ForeignRigMap, FingersEyesAndTwistFollow) {
  RigStyle plain = test::MixamoLike();
  plain.prefix = "";
  const Character source = MakeCharacter("walk.bvh", plain);
  const Character mixamo = MakeCharacter("walk.bvh", test::MixamoLike());
  const Character daz = MakeCharacter("walk.bvh", test::DazLike());
  const auto follows = [](const Character& from, const Character& to,
                          const std::string& joint) -> std::string {
    const JointMap map = MakeJointMap(from.rigged.body, to.rigged.body);
    const JointPair& pair = map.pairs[to.motion.skeleton().Find(joint)];
    return pair.source < 0 ? ""
                           : from.motion.skeleton().joint(pair.source).name;
  };
  EXPECT_EQ(follows(source, mixamo, "mixamorig:LeftHandIndex3"),
            "LeftHandIndex3");
  EXPECT_EQ(follows(mixamo, source, "RightHandPinky2"),
            "mixamorig:RightHandPinky2");
  EXPECT_EQ(follows(source, daz, "lIndex2"), "LeftHandIndex2");
  EXPECT_EQ(follows(daz, source, "RightHandThumb3"), "rThumb3");
  EXPECT_EQ(follows(source, daz, "lForearmTwist"), "LeftForeArm");
  EXPECT_EQ(follows(daz, daz, "lowerJaw"), "lowerJaw");
  // The whole twist is in the last bone of a limb.
  EXPECT_EQ(follows(daz, source, "LeftArm"), "lShldrTwist");
}

TEST(ForeignRigMap, TwistIsHalfOfTheHandsOnABoneHalfWay) {
  RigStyle plain = test::MixamoLike();
  const Character source = MakeCharacter("wave.bvh", plain);
  const Character daz = MakeCharacter("wave.bvh", test::DazLike());
  const figure::Motion result = Carry(source, daz);
  const int bone = daz.motion.skeleton().Find("lForearmTwist");
  double worst = 0.0;
  for (std::int64_t i = 0; i < result.num_frames(); ++i) {
    const auto X_a = figure::WorldTransforms(result.skeleton(), result.pose(i));
    const auto X_b =
        figure::WorldTransforms(daz.motion.skeleton(), daz.motion.pose(i));
    worst = std::max(worst, AngleBetween(X_a[bone].R, X_b[bone].R));
  }
  EXPECT_LT(worst, 5.0 * kDegree);
}

/// Root mean square of the angles of all joints, and the farthest hands and
/// feet get.
struct RoundTrip {
  double rms = 0.0;
  double farthest = 0.0;
};

RoundTrip CompareTrip(const figure::Motion& a, const figure::Motion& b,
                      const std::vector<Role>& roles) {
  RoundTrip trip;
  double sum = 0.0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < a.num_frames(); ++i) {
    const figure::Pose pose_a = a.pose(i);
    const figure::Pose pose_b = b.pose(i);
    const auto X_a = figure::WorldTransforms(a.skeleton(), pose_a);
    const auto X_b = figure::WorldTransforms(b.skeleton(), pose_b);
    for (std::size_t j = 0; j < roles.size(); ++j) {
      sum += std::pow(AngleBetween(pose_a.X_PJ[j].R, pose_b.X_PJ[j].R), 2);
      ++count;
      const Role left = figure::LeftOf(roles[j]);
      if (left == Role::kLeftHand || left == Role::kLeftFoot) {
        trip.farthest = std::max(trip.farthest, (X_a[j].p - X_b[j].p).norm());
      }
    }
  }
  trip.rms = std::sqrt(sum / static_cast<double>(count));
  return trip;
}

// Five rigs with the same chains: other names, rest poses, roots and sizes.
TEST(ForeignRigMap, ThereAndBackAgain) {
  std::vector<RigStyle> styles(5, test::BandaiLike());
  styles[1].rest = test::RigRest::kT;
  styles[1].prefix = "Hero:";
  styles[1].size = 1.3;
  styles[2].rest = test::RigRest::kA;
  styles[2].roots = {"Armature"};
  styles[2].size = 0.7;
  styles[3].rest = test::RigRest::kArmsDown;
  styles[3].positions_everywhere = false;
  styles[4].rest = test::RigRest::kT;
  styles[4].roots = {};
  styles[4].size = 0.9;
  for (const char* clip : {"walk.bvh", "wave.bvh", "sit.bvh"}) {
    std::vector<Character> rigs;
    for (const RigStyle& style : styles) {
      rigs.push_back(MakeCharacter(clip, style));
    }
    for (std::size_t a = 0; a < rigs.size(); ++a) {
      for (std::size_t b = 0; b < rigs.size(); ++b) {
        if (a == b) continue;
        const Character there(Carry(rigs[a], rigs[b]));
        const figure::Motion back = Carry(there, rigs[a]);
        const RoundTrip trip =
            CompareTrip(rigs[a].motion, back, rigs[a].rigged.body.roles);
        std::printf("%s %zu -> %zu -> %zu: %.2f deg, %.1f mm\n", clip, a, b, a,
                    trip.rms / kDegree, 1000.0 * trip.farthest);
        EXPECT_LT(trip.rms, 2.0 * kDegree) << clip << " " << a << " " << b;
        EXPECT_LT(trip.farthest, 0.01) << clip << " " << a << " " << b;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ForeignRigs, testing::ValuesIn(Styles()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace limber::mocap
