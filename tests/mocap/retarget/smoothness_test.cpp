// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/smoothness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

using test::BundledBody;
using test::BundledClip;
using test::Compare;
using test::kDegree;

double PlaceJerk(const figure::Motion& motion, const HumanBody& body) {
  return figure::MeasureJerk(figure::TrackClip(motion, body.plan)).of_places;
}

Retargeted Carry(const figure::Motion& motion, const HumanBody& source,
                 const HumanBody& target, bool keep_smooth) {
  RetargetOptions options;
  options.keep_smooth = keep_smooth;
  return Retarget(motion, source, target, MakeJointMap(source, target),
                  options);
}

constexpr std::int64_t kTremorBegin = 120;
constexpr std::int64_t kTremorEnd = 180;

/// Stands for 300 frames of 120 Hz. From frame 120 to 180 the two joints of the
/// spine tremble against each other at 40 Hz, so that nothing above the second
/// turns.
figure::Motion MakeTrembling(
    const std::shared_ptr<const figure::Skeleton>& skeleton,
    const HumanBody& body) {
  figure::Motion motion(skeleton, 120.0);
  for (std::int64_t i = 0; i < 300; ++i) {
    figure::Pose pose = figure::RestPose(*skeleton);
    const double t = static_cast<double>(i) / 120.0;
    if (i >= kTremorBegin && i < kTremorEnd) {
      const double grows =
          std::sin(kPi * static_cast<double>(i - kTremorBegin) /
                   (kTremorEnd - kTremorBegin));
      const double angle =
          0.5 * kDegree * grows * std::sin(2.0 * kPi * 40.0 * t + 0.4);
      const Quaternion turn = ExpRotation(Vector3(angle, 0.0, 0.0));
      pose.X_PJ[body.plan.spine.front()].R = turn;
      pose.X_PJ[body.plan.spine.back()].R = turn.conjugate();
    }
    motion.Append(pose);
  }
  return motion;
}

/// A person whose lower spine is three times as long.
HumanBody WithLongSpine(const HumanBody& body) {
  std::vector<figure::Joint> joints = body.skeleton->joints();
  joints[body.plan.spine.back()].offset *= 3.0;
  return *MakeBody(
      figure::Skeleton::Make(std::move(joints), body.skeleton->sites()));
}

HumanBody MakePlainPerson() {
  return *MakeBody(test::MakePerson(
      {"Hips",         "Spine",         "Chest",    "Neck",
       "Head",         "LeftShoulder",  "LeftArm",  "LeftForeArm",
       "LeftHand",     "RightShoulder", "RightArm", "RightForeArm",
       "RightHand",    "LeftUpLeg",     "LeftLeg",  "LeftFoot",
       "LeftToeBase",  "RightUpLeg",    "RightLeg", "RightFoot",
       "RightToeBase", "HeadTop"}));
}

TEST(Smoothness, TremorThatGrowsIsTakenOutAndNothingElseChanges) {
  const HumanBody source = MakePlainPerson();
  const figure::Motion motion = MakeTrembling(source.skeleton, source);
  const HumanBody target = WithLongSpine(source);
  const double before = PlaceJerk(motion, source);
  const Retargeted copy = Carry(motion, source, target, false);
  const Retargeted result = Carry(motion, source, target, true);
  ASSERT_GT(PlaceJerk(copy.motion, target), 1.5 * before);
  // 1.1 times, and what is left of 40 Hz below the cutoff, a seventeenth.
  EXPECT_LT(PlaceJerk(result.motion, target), 1.1 * 18.0 / 17.0 * before);
  // No more than it takes.
  EXPECT_GT(PlaceJerk(result.motion, target), 0.9 * before);
  EXPECT_GT(result.report.smooth.frames, kTremorEnd - kTremorBegin - 1);
  EXPECT_LT(result.report.smooth.largest_turn, 0.5 * kDegree);
  // Half a second away from the tremor the copy stays as it is.
  for (const auto& [begin, end] :
       {std::pair<std::int64_t, std::int64_t>{0, 60}, {240, 300}}) {
    const auto difference = Compare(test::Cut(copy.motion, begin, end),
                                    test::Cut(result.motion, begin, end));
    EXPECT_EQ(difference.angle, 0.0);
    EXPECT_EQ(difference.place, 0.0);
  }
}

TEST(Smoothness, OwnAndScaledBodiesKeepTheirTremor) {
  const HumanBody source = MakePlainPerson();
  const figure::Motion motion = MakeTrembling(source.skeleton, source);
  for (const char* text : {"all=1", "all=0.4", "all=2"}) {
    EXPECT_EQ(Carry(motion, source, test::Scaled(source, text), true)
                  .report.smooth.frames,
              0)
        << text;
  }
}

// Longer arms have more jerk in every movement: that is not tremor.
TEST(Smoothness, MovementWithoutTremorIsLeftAlone) {
  const figure::Motion motion = BundledClip("wave.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = test::Scaled(source, "arms=1.5");
  const Retargeted result = Carry(motion, source, target, true);
  EXPECT_GT(PlaceJerk(result.motion, target), 1.2 * PlaceJerk(motion, source));
  EXPECT_EQ(result.report.smooth.frames, 0);
}

}  // namespace
}  // namespace limber::mocap
