// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/hand_contacts.h"

#include <gtest/gtest.h>

#include "figure/clip_tracks.h"
#include "mocap/retarget/limb.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::mocap {
namespace {

/// A standing person whose palms go to given places and stay there, half a
/// second on the way and a second in place.
figure::Motion ReachingClip(const HumanBody& body, const Vector3& left,
                            const Vector3& right) {
  figure::Motion motion(body.skeleton, 60.0);
  for (int i = 0; i < 90; ++i) {
    const double u = std::min(1.0, i / 30.0);
    figure::Pose pose = figure::RestPose(*body.skeleton);
    const auto X = figure::WorldTransforms(*body.skeleton, pose);
    for (int side = 0; side < 2; ++side) {
      const figure::ArmPlan& arm = body.plan.arms[side];
      const Vector3 goal = side == 0 ? left : right;
      const Vector3 palm = arm.palm.At(X) + u * (goal - arm.palm.At(X));
      const Limb limb{
          X[arm.forearm].p - X[arm.upper_arm].p,
          X[arm.hand].p - X[arm.forearm].p,
          side == 0 ? Vector3(-Vector3::UnitY()) : Vector3(Vector3::UnitY())};
      const LimbTurn turn =
          ReachFor(limb, limb.a + limb.b + palm - arm.palm.At(X));
      pose.X_PJ[arm.upper_arm].R = turn.Q_a;
      pose.X_PJ[arm.forearm].R = turn.Q_a.conjugate() * turn.Q_b;
      pose.X_PJ[arm.hand].R = turn.Q_b.conjugate();
    }
    motion.Append(pose);
  }
  return motion;
}

Vector3 Palm(const figure::Motion& motion, const HumanBody& body, int side,
             std::int64_t frame) {
  return body.plan.arms[side].palm.At(
      figure::WorldTransforms(motion.skeleton(), motion.pose(frame)));
}

HumanBody Person() {
  return *MakeBody(test::BundledClip("walk.bvh").shared_skeleton());
}

TEST(KeepHandsTouching, PalmsThatMeetStillMeetOnWideShoulders) {
  const HumanBody source = Person();
  const double h = 1.2;
  const figure::Motion motion =
      ReachingClip(source, {0.03, h, 0.25}, {-0.03, h, 0.25});
  const HumanBody target = test::Scaled(source, "shoulders=1.3,arms=0.9");
  const JointMap map = MakeJointMap(source, target);
  const double apart =
      (Palm(motion, source, 0, 80) - Palm(motion, source, 1, 80)).norm();
  ASSERT_LT(apart, 0.09);
  RetargetOptions copy;
  copy.keep_touching = false;
  const figure::Motion without =
      Retarget(motion, source, target, map, copy).motion;
  EXPECT_GT(
      (Palm(without, target, 0, 80) - Palm(without, target, 1, 80)).norm(),
      apart + 0.03);
  const Retargeted with = Retarget(motion, source, target, map);
  EXPECT_NEAR(
      (Palm(with.motion, target, 0, 80) - Palm(with.motion, target, 1, 80))
          .norm(),
      0.9 * apart, 1e-3);
  EXPECT_GT(with.report.hands.touching_frames, 30);
}

TEST(KeepHandsTouching, HandOnTheBellyStaysThereWithAShortTrunk) {
  const HumanBody source = Person();
  const auto X = figure::WorldTransforms(*source.skeleton,
                                         figure::RestPose(*source.skeleton));
  const int pelvis = source.plan.pelvis;
  const int chest = source.plan.spine.back();
  // Half-way up, in front.
  const Vector3 bone = X[chest].p - X[pelvis].p;
  const Vector3 place = X[pelvis].p + 0.5 * bone + Vector3(0, 0, 0.12);
  const figure::Motion motion =
      ReachingClip(source, place, Vector3(-0.5, 1.3, 0.2));
  ASSERT_LT((Palm(motion, source, 0, 80) - place).norm(), 1e-6);
  const HumanBody target = test::Scaled(source, "spine=0.8,upper-arms=0.95");
  const double k = target.plan.arms[0].length / source.plan.arms[0].length;
  const Retargeted with =
      Retarget(motion, source, target, MakeJointMap(source, target));
  const auto X_t =
      figure::WorldTransforms(with.motion.skeleton(), with.motion.pose(80));
  const Vector3 wanted = X_t[pelvis].p + 0.5 * (X_t[chest].p - X_t[pelvis].p) +
                         Vector3(0, 0, k * 0.12);
  EXPECT_LT((Palm(with.motion, target, 0, 80) - wanted).norm(), 2e-3);
  RetargetOptions copy;
  copy.keep_touching = false;
  const figure::Motion without =
      Retarget(motion, source, target, MakeJointMap(source, target), copy)
          .motion;
  EXPECT_GT((Palm(without, target, 0, 80) - wanted).norm(), 0.02);
}

/// A person who squats down and puts both hands on the floor, half a second on
/// the way and a second in place.
figure::Motion HandsOnFloorClip(const HumanBody& body) {
  figure::Motion motion(body.skeleton, 60.0);
  const auto X_rest =
      figure::WorldTransforms(*body.skeleton, figure::RestPose(*body.skeleton));
  for (int i = 0; i < 90; ++i) {
    const double u = std::min(1.0, i / 30.0);
    figure::Pose pose = figure::RestPose(*body.skeleton);
    // Knees bend and the trunk leans forward; ankles stay where they are.
    const double bend = 2.2 * u;
    const double lean = 1.5 * u;
    pose.X_PJ[body.plan.pelvis].R = ExpRotation(lean * Vector3::UnitX());
    for (int side = 0; side < 2; ++side) {
      const figure::LegPlan& leg = body.plan.legs[side];
      pose.X_PJ[leg.thigh].R = ExpRotation(Vector3(-0.5 * bend - lean, 0, 0));
      pose.X_PJ[leg.shank].R = ExpRotation(Vector3(bend, 0, 0));
      pose.X_PJ[leg.foot].R = ExpRotation(Vector3(-0.5 * bend, 0, 0));
    }
    auto X = figure::WorldTransforms(*body.skeleton, pose);
    pose.X_PJ[body.plan.pelvis].p +=
        X_rest[body.plan.legs[0].foot].p - X[body.plan.legs[0].foot].p;
    X = figure::WorldTransforms(*body.skeleton, pose);
    for (int side = 0; side < 2; ++side) {
      const figure::ArmPlan& arm = body.plan.arms[side];
      const Vector3 goal(side == 0 ? 0.2 : -0.2, 0.04, 0.45);
      const Vector3 palm = arm.palm.At(X);
      const Limb limb{X[arm.forearm].p - X[arm.upper_arm].p,
                      X[arm.hand].p - X[arm.forearm].p,
                      X[arm.forearm].R * (side == 0 ? Vector3(-Vector3::UnitY())
                                                    : Vector3::UnitY())};
      const LimbTurn turn = ReachFor(limb, limb.a + limb.b + u * (goal - palm));
      const auto parent = [&](int joint) {
        return X[body.skeleton->joint(joint).parent].R;
      };
      pose.X_PJ[arm.upper_arm].R =
          parent(arm.upper_arm).conjugate() * turn.Q_a * X[arm.upper_arm].R;
      pose.X_PJ[arm.forearm].R = (turn.Q_a * parent(arm.forearm)).conjugate() *
                                 turn.Q_b * X[arm.forearm].R;
      pose.X_PJ[arm.hand].R =
          (turn.Q_b * parent(arm.hand)).conjugate() * X[arm.hand].R;
    }
    motion.Append(pose);
  }
  return motion;
}

TEST(KeepHandsTouching, HandsOnTheFloorStayThereWithOtherArmsAndLegs) {
  const HumanBody source = Person();
  const figure::Motion motion = HandsOnFloorClip(source);
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const double floor = tracks.floor;
  ASSERT_LT(Palm(motion, source, 0, 80).y() - floor, 0.06);
  for (const char* text : {"arms=0.9", "arms=1.15", "legs=0.9,arms=1.1"}) {
    SCOPED_TRACE(text);
    const HumanBody target = test::Scaled(source, text);
    const JointMap map = MakeJointMap(source, target);
    const double k = target.plan.arms[0].length / source.plan.arms[0].length;
    const Retargeted with = Retarget(motion, source, target, map);
    RetargetOptions copy;
    copy.keep_touching = false;
    const figure::Motion without =
        Retarget(motion, source, target, map, copy).motion;
    for (int side = 0; side < 2; ++side) {
      const double wanted = with.report.floor_target +
                            k * (Palm(motion, source, side, 80).y() - floor);
      EXPECT_NEAR(Palm(with.motion, target, side, 80).y(), wanted, 2e-3);
      EXPECT_GT(std::abs(Palm(without, target, side, 80).y() - wanted), 0.02);
      // It does not slide.
      EXPECT_LT((Palm(with.motion, target, side, 85) -
                 Palm(with.motion, target, side, 60))
                    .norm(),
                2e-3);
    }
    EXPECT_GT(with.report.hands.touching_frames, 40);
    EXPECT_EQ(with.report.hands.missed_frames, 0);
  }
}

TEST(KeepHandsTouching, ArmTooShortForTheFloorIsReported) {
  const HumanBody source = Person();
  const figure::Motion motion = HandsOnFloorClip(source);
  const HumanBody target = test::Scaled(source, "arms=0.5");
  const Retargeted with =
      Retarget(motion, source, target, MakeJointMap(source, target));
  EXPECT_GT(with.report.hands.missed_frames, 0);
  ASSERT_FALSE(with.report.relaxed.empty());
  EXPECT_NE(with.report.relaxed.front().find("arm is too short"),
            std::string::npos);
}

TEST(KeepHandsTouching, HandsThatSwingByTouchNothing) {
  const figure::Motion motion = test::BundledClip("walk.bvh");
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const HumanBody target = test::Scaled(source, "arms=0.7");
  const Retargeted result =
      Retarget(motion, source, target, MakeJointMap(source, target));
  EXPECT_LT(result.report.hands.touching_frames, motion.num_frames() / 20);
}

}  // namespace
}  // namespace limber::mocap
