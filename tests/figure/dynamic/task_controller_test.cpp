// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/task_controller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/angle.h"
#include "figure/dynamic/stage.h"
#include "tests/figure/dynamic/hand_made_figure.h"

namespace limber::figure {
namespace {

using test::HandMadeClip;
using test::HandMadeFigure;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Strength, BlendsFromLimpOverPoweredToKinematicWithoutJumps) {
  const Strength limp = Strength::Limp();
  const Strength kinematic = Strength::Kinematic();
  EXPECT_EQ(Blend(limp, kinematic, 0.0).torque, 0.0);
  EXPECT_EQ(Blend(limp, kinematic, 1.0).torque, kInfinity);
  // y = torque / (1 + torque) goes straight: half way is the motor's own.
  EXPECT_NEAR(Blend(limp, kinematic, 0.5).torque, 1.0, 1e-12);
  double last = -1.0;
  for (double x = 0.0; x < 1.0; x += 0.01) {
    const double torque = Blend(limp, kinematic, x).torque;
    EXPECT_GT(torque, last);
    last = torque;
  }
}

TEST(Strength, BadNumbersAreRefused) {
  Strength strength;
  strength.torque = -1.0;
  EXPECT_THROW(Validate(strength), std::invalid_argument);
  strength = Strength();
  strength.time_constant = std::nan("");
  EXPECT_THROW(Validate(strength), std::invalid_argument);
  EXPECT_NO_THROW(Validate(Strength::Kinematic()));
}

TEST(StrengthSchedule, ChangesBeginWhereTheLastOneHasGot) {
  StrengthSchedule schedule(2, Strength::Powered());
  const std::vector<int> first = {0};
  schedule.Change(first, 1.0, 1.0, {0.0, 0.03, 0.0, 0.0});
  schedule.Change(first, 1.5, 0.5, {1.0, 0.03, 0.0, 0.0});
  EXPECT_EQ(schedule.At(0, 0.9).torque, 1.0);
  EXPECT_EQ(schedule.At(1, 1.5).torque, 1.0);
  // Half of y = 1/2 is left at 1.5 s: torque = (1/4) / (3/4).
  EXPECT_NEAR(schedule.At(0, 1.5).torque, 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(schedule.At(0, 2.0).torque, 1.0, 1e-12);
  for (double t = 0.9; t < 2.2; t += 0.001) {
    EXPECT_NEAR(schedule.At(0, t + 0.001).torque, schedule.At(0, t).torque,
                0.01);
  }
  EXPECT_THROW(schedule.Change(first, 1.0, 0.0, {}), std::invalid_argument);
  const std::vector<int> none = {7};
  EXPECT_THROW(schedule.Change(none, 3.0, 0.0, {}), std::invalid_argument);
}

TEST(TimeWarp, SpeedIsTheDerivativeOfTheTrackTime) {
  TimeWarp warp(0.5);
  warp.ChangeSpeed(1.0, 0.5, 2.0);
  warp.ChangeSpeed(2.0, 0.2, 0.0);
  EXPECT_EQ(warp.TrackTime(0.3), 0.0);
  EXPECT_NEAR(warp.TrackTime(1.0), 0.5, 1e-12);
  // 0.5 + 0.5 (1 + 2)/2 after the first change, then twice as fast.
  EXPECT_NEAR(warp.TrackTime(1.5), 1.25, 1e-12);
  EXPECT_NEAR(warp.TrackTime(2.0), 2.25, 1e-12);
  EXPECT_NEAR(warp.TrackTime(2.2), 2.45, 1e-12);
  EXPECT_NEAR(warp.TrackTime(9.0), 2.45, 1e-12);
  const double d = 1e-5;
  EXPECT_NEAR((warp.TrackTime(1.25 + d) - warp.TrackTime(1.25 - d)) / (2 * d),
              1.5, 1e-6);
  EXPECT_THROW(warp.ChangeSpeed(2.1, 0.0, 1.0), std::invalid_argument);
}

std::shared_ptr<AnimationController> Animation(
    const std::shared_ptr<const FigureModel>& model, double seconds) {
  MotionTrack track;
  track.Append(std::make_shared<SmoothMotion>(
      HandMadeClip(*model, seconds, 60.0, 0.4, 3.0)));
  return std::make_shared<AnimationController>(
      track, StrengthSchedule(model->num_segments(), Strength::Powered()));
}

// V-38: a hit above the threshold makes it a rag doll that keeps its velocity;
// when allowed it comes back to the clip.
TEST(AnimationController, V38LetsGoWhenHitAndRecovers) {
  const auto model = HandMadeFigure(60.0);
  const auto task = Animation(model, 6.0);
  LetGo rule;
  rule.joint_angle = 4.0 * kRadiansPerDegree;
  rule.duration = 0.0;
  rule.recover_after = 1.0;
  task->set_let_go(rule);
  Stage stage;
  Performer& performer = stage.AddFigure("figure", model, task);
  performer.root_servo().max_force.setConstant(500.0);
  stage.Run(0.5);
  EXPECT_FALSE(task->let_go_time());
  const dynamics::BodyId link = performer.figure().body(2);
  stage.Push(link, Vector3(0.1, 0.0, 0.0), Vector3(0.0, 14.0, 0.0));
  while (!task->let_go_time() && stage.time() < 1.0) stage.Step();
  ASSERT_TRUE(task->let_go_time());
  // The step after letting go begins with the velocities there were.
  const Vector3 hit = stage.world().motion(link).w_WB;
  EXPECT_GT(hit.norm(), 3.0);
  stage.Step();
  EXPECT_LT((stage.world().motion(link).w_WB - hit).norm(), 0.2 * hit.norm());
  EXPECT_NEAR(task->StrengthOf(1, *task->let_go_time() + 0.5).torque, 0.0,
              1e-12);
  stage.Run(3.5);
  EXPECT_FALSE(task->let_go_time());
  for (std::size_t s = 1; s < performer.actual().size(); ++s) {
    EXPECT_LT(stage.recorder().steps().back().error[s], 2.0 * kRadiansPerDegree)
        << s;
  }
}

// The share goes over smoothly, and so does the reference.
TEST(MixController, FadesBetweenTwoTasksAndBack) {
  const auto model = HandMadeFigure(60.0);
  const auto clip = Animation(model, 6.0);
  const auto doll = std::make_shared<RagDollController>(
      RestPose(*model->skeleton), Strength::Limp());
  const auto mix = std::make_shared<MixController>(clip, doll);
  mix->Fade(1.0, 0.5, 1.0);
  mix->Fade(2.0, 0.5, 0.0);
  EXPECT_EQ(mix->Share(0.5), 0.0);
  EXPECT_NEAR(mix->Share(1.25), 0.5, 1e-12);
  EXPECT_EQ(mix->Share(1.7), 1.0);
  EXPECT_NEAR(mix->Share(2.5), 0.0, 1e-12);
  EXPECT_THROW(mix->Fade(1.0, 0.1, 0.0), std::invalid_argument);
  EXPECT_THROW(mix->Fade(3.0, 0.1, 1.5), std::invalid_argument);
  EXPECT_EQ(mix->StrengthOf(1, 1.7).torque, 0.0);

  Stage stage;
  Performer& performer = stage.AddFigure("figure", model, mix);
  auto root = std::make_shared<RootServo>();
  performer.set_raw(0, root);
  stage.Run(1.9);
  EXPECT_GT(stage.recorder().Summary().joint_rms, 1.0 * kRadiansPerDegree);
  stage.Run(2.0);
  for (std::size_t s = 1; s < performer.actual().size(); ++s) {
    EXPECT_LT(stage.recorder().steps().back().error[s], 2.0 * kRadiansPerDegree)
        << s;
  }
}

TEST(Stage, EventsRunAtTheirTimesInOrder) {
  Stage stage;
  std::vector<int> order;
  std::vector<double> times;
  const auto note = [&](int number) {
    return [&order, &times, number](Stage& at) {
      order.push_back(number);
      times.push_back(at.time());
    };
  };
  stage.At(0.5, note(2));
  stage.At(0.25, note(1));
  stage.At(0.5, note(3));
  stage.Run(1.0);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_NEAR(times[0], 0.25, 1e-9);
  EXPECT_NEAR(times[2], 0.5, 1e-9);
  EXPECT_THROW(stage.figure("nobody"), std::invalid_argument);
}

// V-37: it holds on where it has come to lie still, and lets go when moved.
TEST(RagDollController, HoldsOnWhileItLiesStill) {
  Strength strength = Strength::Powered(0.2);
  RagDollController doll(Pose(), strength);
  // Every joint of a doll has the friction of a living one.
  EXPECT_EQ(doll.StrengthOf(0, 0.0).friction, Strength::Limp().friction);
  SegmentPose pose(2);
  double time = 0.0;
  const auto observe = [&](double spin) {
    time += 0.01;
    pose[1].R = ExpRotation({0.01 * spin, 0.0, 0.0}) * pose[1].R;
    doll.Observe({time, &pose, &pose});
  };
  for (int i = 0; i < 100; ++i) observe(0.4);
  EXPECT_FALSE(doll.rests());
  for (int i = 0; i < 15; ++i) observe(0.1);
  EXPECT_FALSE(doll.rests());
  for (int i = 0; i < 10; ++i) observe(0.1);
  EXPECT_TRUE(doll.rests());
  EXPECT_EQ(doll.StrengthOf(1, time).torque, 0.0);
  EXPECT_NEAR(doll.StrengthOf(1, time).friction, 1.3 * 0.22, 1e-12);
  // A nudge does not wake it, a push does.
  observe(0.5);
  EXPECT_TRUE(doll.rests());
  observe(3.0);
  EXPECT_FALSE(doll.rests());
  EXPECT_EQ(doll.StrengthOf(1, time).torque, 0.2);
  // After seconds on the floor it holds on although a limb still turns at 0.7
  // rad/s, and not while one turns at 0.9.
  for (int i = 0; i < 300; ++i) observe(0.9);
  EXPECT_FALSE(doll.rests());
  for (int i = 0; i < 25; ++i) observe(0.7);
  EXPECT_TRUE(doll.rests());
}

}  // namespace
}  // namespace limber::figure
