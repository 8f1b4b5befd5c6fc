// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Bundled clips on the rigs of other programs: feet on the floor, limbs where
// the source has them, and a verdict that says so.
#include "tests/scenes/named_rigs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mocap/retarget/judge.h"
#include "mocap/retarget/rigged_clip.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::test {

void PrintTo(const NamedRig& rig, std::ostream* out) { *out << rig.name; }

}  // namespace limber::test

namespace limber::mocap {
namespace {

using figure::Role;

/// The direction of the bone from one role's joint to another's.
Vector3 BoneOf(const HumanBody& body, const figure::Motion& motion,
               std::int64_t frame, Role from, Role to) {
  const auto X_WJ =
      figure::WorldTransforms(motion.skeleton(), motion.pose(frame));
  return (X_WJ[std::size_t(figure::FindRole(body.roles, to))].p -
          X_WJ[std::size_t(figure::FindRole(body.roles, from))].p)
      .normalized();
}

class NamedRigs : public testing::TestWithParam<test::NamedRig> {};

TEST_P(NamedRigs, TakeClipsWithTheirFeetOnTheFloor) {
  for (const double arms_down : {0.0, 0.8}) {
    const auto skeleton =
        figure::Skeleton::Make(test::Build(GetParam(), arms_down).joints);
    const std::optional<HumanBody> target = MakeBody(skeleton);
    ASSERT_TRUE(target) << GetParam().name;
    for (const char* name : {"walk.bvh", "squat.bvh", "wave.bvh", "run.bvh"}) {
      const figure::Motion clip = test::BundledClip(name);
      const RiggedClip source = *MakeRiggedClip(
          test::Cut(clip, 0, std::min<std::int64_t>(240, clip.num_frames())));
      const JointMap map = MakeJointMap(source.body, *target);
      const Retargeted result =
          Retarget(source.motion, source.body, *target, map);
      const Verdict verdict =
          JudgeRetarget(source.motion, source.body, *target, map, result);
      EXPECT_TRUE(verdict.looks_right())
          << GetParam().name << " " << name << " " << arms_down << ": "
          << verdict.ToString();
      double farthest = 0.0;
      for (std::int64_t t = 0; t < result.motion.num_frames(); t += 10) {
        for (const auto& [from, to] :
             {std::pair{Role::kLeftUpperArm, Role::kLeftForearm},
              std::pair{Role::kLeftForearm, Role::kLeftHand},
              std::pair{Role::kRightForearm, Role::kRightHand}}) {
          const double cosine =
              BoneOf(*target, result.motion, t, from, to)
                  .dot(BoneOf(source.body, source.motion, t, from, to));
          farthest = std::max(farthest, std::acos(std::min(1.0, cosine)));
        }
      }
      EXPECT_LT(farthest, 1 * test::kDegree)
          << GetParam().name << " " << name << " " << arms_down;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, NamedRigs,
                         testing::ValuesIn(test::NamedRigs()));

}  // namespace
}  // namespace limber::mocap
