// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/angle.h"
#include "figure/dynamic/stage.h"
#include "tests/figure/dynamic/hand_made_figure.h"

namespace limber::figure {
namespace {

using test::HandMadeClip;
using test::HandMadeFigure;

constexpr double kTwoHertz = 4.0 * kPi;  // [rad/s]

std::shared_ptr<AnimationController> Animation(
    const std::shared_ptr<const FigureModel>& model, const Motion& clip,
    const Strength& strength) {
  MotionTrack track;
  track.Append(std::make_shared<SmoothMotion>(clip));
  return std::make_shared<AnimationController>(
      track, StrengthSchedule(model->num_segments(), strength));
}

double LargestError(const Recorder& recorder, double from) {
  double largest = 0.0;
  for (const StepRecord& step : recorder.steps()) {
    if (step.time < from) continue;
    for (const double error : step.error) largest = std::max(largest, error);
  }
  return largest;
}

// V-34: a 2 Hz sine on every joint at once, V-35: and on the root.
TEST(AngleServo, V34TracksASineOfTwoHertzWithinATenthOfADegree) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.4, kTwoHertz);
  for (const Strength& strength :
       {Strength::Kinematic(), Strength::Powered()}) {
    Stage stage;
    Performer& performer =
        stage.AddFigure("figure", model, Animation(model, clip, strength));
    EXPECT_TRUE(performer.figure().IsFinite(stage.world()));
    stage.Run(1.9);
    EXPECT_LT(LargestError(stage.recorder(), 0.0), 0.1 * kRadiansPerDegree);
    EXPECT_LT(stage.recorder().Summary().root_rms, 1e-4);
    EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-5);
  }
}

TEST(AngleServo, V34ReportsSaturationWhenBounded) {
  const auto model = HandMadeFigure(1.5);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.4, kTwoHertz);
  Stage stage;
  stage.AddFigure("figure", model, Animation(model, clip, Strength::Powered()));
  stage.Run(1.9);
  const PerformanceSummary summary = stage.recorder().Summary();
  EXPECT_GT(summary.saturation, 0.1);
  EXPECT_GT(summary.joint_rms, kRadiansPerDegree);
  for (const StepRecord& step : stage.recorder().steps()) {
    for (std::size_t s = 1; s < step.motors.size(); ++s) {
      EXPECT_LE(step.motors[s].torque.cwiseAbs().maxCoeff(), 1.5 + 1e-9);
    }
  }
}

// (1) of docs/figures_dynamic.md: an error dies away critically damped, at the
// same speed whatever the step.
TEST(AngleServo, ErrorDecaysWithItsTimeConstantAtEveryRate) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.3, kTwoHertz);
  const Strength strength = {1.0, 0.1, 0.0, 0.0};
  for (const double rate_hz : {60.0, 240.0, 960.0}) {
    StageSettings settings;
    settings.rate_hz = rate_hz;
    Stage stage(settings);
    Performer& performer =
        stage.AddFigure("figure", model, Animation(model, clip, strength));
    stage.Run(0.5);
    // Turn the last link by 0.3 rad, at the speed it has.
    const dynamics::BodyId hand = performer.figure().body(3);
    const dynamics::Joint& joint = performer.figure().joint(3);
    const Transform X_WB = stage.world().X_WB(hand);
    const Vector3 axis =
        (X_WB.R * (joint.X_BM().R * Vector3::UnitZ())).normalized();
    stage.world().SetPose(hand, {ExpRotation(0.3 * axis) * X_WB.R, X_WB.p});
    stage.Run(0.3);
    // e(t) = e0 (1 + t/tau) exp(-t/tau) for e'(0) = 0.
    EXPECT_NEAR(stage.recorder().steps().back().error[3],
                0.3 * 4.0 * std::exp(-3.0), 0.004)
        << rate_hz;
  }
}

TEST(NextError, IsTheExactStepOfTheCriticallyDampedLaw) {
  const double tau = 0.07, h = 1.0 / 90.0, e0 = 0.2, slope = -1.4;
  const auto e = [&](double t) {
    return (e0 + (slope + e0 / tau) * t) * std::exp(-t / tau);
  };
  const Vector3 next =
      NextError(Vector3(e(0.0), 0.0, 0.0), Vector3(e(-h), 0.0, 0.0),
                std::exp(-h / tau), 1.0);
  EXPECT_NEAR(next.x(), e(h), 1e-14);
}

// Beyond the limit an error pulls as hard as at the limit: e'' is the same.
TEST(NextError, PullIsLimited) {
  const double rho = 0.9;
  const Vector3 e(2.0, 0.0, 0.0);
  const Vector3 next = NextError(e, e, rho, 0.5);
  const Vector3 near = NextError(0.25 * e, 0.25 * e, rho, 0.5);
  EXPECT_NEAR((next - e).x(), (near - 0.25 * e).x(), 1e-15);
}

// V-33: another kind of raw controller; the task controller is untouched and
// does its job as before.
TEST(Performer, V33SwappingARawControllerLeavesTheTaskUnchanged) {
  const auto model = HandMadeFigure(200.0);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.3, 3.0);
  const auto task = Animation(model, clip, Strength::Powered());
  Stage stage;
  Performer& performer = stage.AddFigure("figure", model, task);
  stage.Run(0.5);
  EXPECT_LT(LargestError(stage.recorder(), 0.0), 0.1 * kRadiansPerDegree);
  SegmentPose before, after;
  task->Reference(performer.figure(), 1.0, before);

  const auto spring = std::make_shared<AngleSpring>();
  for (int s = 1; s < model->num_segments(); ++s) performer.set_raw(s, spring);
  stage.Run(0.5);
  EXPECT_EQ(&performer.task(), task.get());
  task->Reference(performer.figure(), 1.0, after);
  for (std::size_t s = 0; s < before.size(); ++s) {
    EXPECT_EQ(before[s].R.coeffs(), after[s].R.coeffs());
  }
  // A spring follows, later and less exactly.
  const double sprung = LargestError(stage.recorder(), 0.5);
  EXPECT_GT(sprung, 0.1 * kRadiansPerDegree);
  EXPECT_LT(sprung, 10.0 * kRadiansPerDegree);

  // None at all: the joint hangs.
  performer.set_raw(1, std::make_shared<NoControl>());
  stage.Run(0.5);
  EXPECT_GT(stage.recorder().steps().back().error[1], 10.0 * kRadiansPerDegree);
  EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-4);
}

// V-35: the root's own bounds.
TEST(RootServo, V35TracksAndReportsSaturationWhenBounded) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.3, kTwoHertz);
  Stage stage;
  Performer& performer =
      stage.AddFigure("figure", model, Animation(model, clip, {}));
  const double weight = performer.figure().weight(stage.world());
  performer.root_servo().max_force = Vector3::Constant(0.9 * weight);
  stage.Run(0.5);
  const StepRecord& last = stage.recorder().steps().back();
  // Too weak to carry it: the figure sinks at the bound.
  EXPECT_NEAR(last.root_force.y(), 0.9 * weight, 1e-6);
  EXPECT_GE(last.motors[0].num_saturated, 1);
  EXPECT_LT(performer.actual()[0].p.y(), performer.demand().after[0].p.y());
}

// Released directions move by themselves.
TEST(RootServo, V35DrivesOnlyTheDirectionsItIsTold) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 2.0, 120.0, 0.0, 1.0);
  Stage stage;
  Performer& performer =
      stage.AddFigure("figure", model, Animation(model, clip, {}));
  performer.root_servo().driven = {true, true, true, true, false, true};
  stage.Run(0.5);
  const Vector3 moved = performer.actual()[0].p - Vector3(0.0, 1.0, 0.0);
  EXPECT_NEAR(moved.y(), -0.5 * kGravity * 0.25, 1e-3);
  EXPECT_LT(std::hypot(moved.x(), moved.z()), 1e-6);
}

// Root help: holding a figure still takes its weight, and no work.
TEST(Recorder, RootHelpOfAStillFigureIsItsWeight) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 1.0, 120.0, 0.0, 1.0);
  Stage stage;
  stage.AddFigure("figure", model, Animation(model, clip, {}));
  stage.Run(0.5);
  const PerformanceSummary summary = stage.recorder().Summary();
  EXPECT_NEAR(stage.recorder().steps().back().root_help, 1.0, 1e-9);
  EXPECT_NEAR(summary.root_work, 0.0, 1e-6);
}

// Frames at exact times, whether a step ends there or not.
TEST(Recorder, BakesAtTheRateAskedFor) {
  const auto model = HandMadeFigure(dynamics::kInfinity);
  const Motion clip = HandMadeClip(*model, 1.0, 120.0, 0.4, kTwoHertz);
  Stage stage;
  Performer& performer = stage.AddFigure(
      "figure", model, Animation(model, clip, Strength::Kinematic()));
  stage.Run(1.0);
  for (const double rate_hz : {120.0, 240.0, 100.0, 30.0}) {
    const Motion baked = stage.recorder().Bake(performer, rate_hz);
    ASSERT_EQ(baked.num_frames(), static_cast<int>(rate_hz) + 1);
    for (std::int64_t f = 0; f < baked.num_frames(); ++f) {
      const Pose wanted = test::HandMadePose(
          *model, static_cast<double>(f) / rate_hz, 0.4, kTwoHertz);
      const Pose pose = baked.pose(f);
      for (std::size_t j = 0; j < pose.X_PJ.size(); ++j) {
        EXPECT_LT(AngleBetween(pose.X_PJ[j].R, wanted.X_PJ[j].R), 3e-4);
      }
    }
  }
  EXPECT_THROW(stage.recorder().Bake(performer, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
