// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// The demonstration scenes V-50 to V-62, headless, with their pass criteria.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/mass_properties.h"
#include "figure/dynamic/aim_servo.h"
#include "figure/figure_file.h"
#include "tests/scenes/figure_scenes.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

using dynamics::BodyId;
using dynamics::World;
using scenes::BodyFor;
using scenes::LoadClip;
using scenes::Play;
using scenes::PlayedClip;
using scenes::PlayOptions;
using scenes::SegmentsWith;

constexpr double kDegree = kPi / 180.0;
// The bundled walk's feet strike the floor; above that frequency it only jerks
// [Hz].
constexpr double kMovement = 12.0;

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

Motion Bundled(const char* name) {
  return LoadClip(test::SourceDir() / "data/clips" / name);
}

// Largest error of some segments between two times.
double LargestError(const Recorder& recorder, const std::vector<int>& segments,
                    double from, double to) {
  double largest = 0.0;
  for (const StepRecord& step : recorder.steps()) {
    if (step.time < from || step.time > to) continue;
    for (const int s : segments) {
      largest = std::max(largest, step.error[Index(s)]);
    }
  }
  return largest;
}

std::vector<int> AllJoints(const FigureModel& model) {
  std::vector<int> all;
  for (int s = 0; s < model.num_segments(); ++s) {
    if (model.segments[Index(s)].parent >= 0) all.push_back(s);
  }
  return all;
}

// Largest change of a segment's angular velocity in its parent from one step to
// the next, between two times [rad/s].
double LargestKick(const Recorder& recorder, const std::vector<int>& segments,
                   double from, double to) {
  double largest = 0.0;
  const std::vector<SegmentPose>& poses = recorder.poses();
  const std::vector<double>& times = recorder.times();
  for (std::size_t i = 2; i < poses.size(); ++i) {
    if (times[i] < from || times[i] > to) continue;
    const double h = times[i] - times[i - 1];
    for (const int s : segments) {
      const Quaternion& a = poses[i - 2][Index(s)].R;
      const Quaternion& b = poses[i - 1][Index(s)].R;
      const Quaternion& c = poses[i][Index(s)].R;
      const Vector3 change =
          LogRotation(c * b.conjugate()) - LogRotation(b * a.conjugate());
      largest = std::max(largest, change.norm() / h);
    }
  }
  return largest;
}

TEST(Scene, V50AnimationStaysWithinADegreeUntilItIsDragged) {
  const Motion clip = Bundled("wave.bvh");
  PlayOptions options;
  options.strength = Strength::Kinematic();
  PlayedClip played = Play(clip, BodyFor(clip), options);
  const FigureModel& model = *played.model;
  std::vector<int> soft = scenes::Arms(model);
  for (const int s : SegmentsWith(model, {Role::kSpine, Role::kChest})) {
    soft.push_back(s);
  }
  played.task->schedule().Change(soft, 0.0, 0.0, Strength::Powered(0.5));
  const int hand = SegmentsWith(model, {Role::kLeftHand}).at(0);
  const BodyId body = played.performer->figure().body(hand);
  played.stage->Run(1.5);
  EXPECT_LT(LargestError(played.recorder(), AllJoints(model), 0.0, 1.5),
            1.0 * kDegree);

  // Dragged by 25 cm: it follows, and the legs do not care.
  const Vector3 from = played.stage->world().motion(body).p_WB;
  PointAt& drag = played.stage->AddGoal(std::make_unique<PointAt>(
      *played.stage, body, Vector3::Zero(),
      [&](double) { return Vector3(from + Vector3(0.1, 0.1, 0.2)); }));
  drag.set_max_force(300.0);
  const double before = drag.Distance(*played.stage);
  played.stage->Run(0.3);
  EXPECT_LT(drag.Distance(*played.stage), 0.3 * before);
  EXPECT_LT(LargestError(played.recorder(), scenes::Legs(model), 0.0, 1.8),
            1.0 * kDegree);
}

TEST(Scene, V51LooseArmsSwingWithinTheirLimitsAndComeBack) {
  const Motion clip = Bundled("walk.bvh");
  PlayOptions options;
  options.low_pass_hz = kMovement;
  PlayedClip played = Play(clip, BodyFor(clip), options);
  const FigureModel& model = *played.model;
  const std::vector<int> shoulders =
      SegmentsWith(model, {Role::kLeftUpperArm, Role::kRightUpperArm});
  const std::vector<int> elbows =
      SegmentsWith(model, {Role::kLeftForearm, Role::kRightForearm});
  const std::vector<int> arms = scenes::Arms(model);
  StrengthSchedule& schedule = played.task->schedule();
  schedule.Change(shoulders, 0.5, 0.2, Strength::Loose());
  // Stiff: nothing draws the elbow, but it resists.
  schedule.Change(elbows, 0.5, 0.2, {0.0, 0.25, 0.05, 0.0});
  schedule.Change(shoulders, 2.5, 0.3, Strength::Powered());
  schedule.Change(elbows, 2.5, 0.3, Strength::Powered());
  played.stage->Run(4.0);

  const Recorder& recorder = played.recorder();
  EXPECT_LT(LargestError(recorder, scenes::Legs(model), 0.0, 4.0),
            1.0 * kDegree);
  const double swing = LargestError(recorder, arms, 0.7, 2.5);
  EXPECT_GT(swing, 5.0 * kDegree);
  EXPECT_LT(recorder.Summary().max_limit_violation, 1.0 * kDegree);
  // Back within 2 degrees in less than a second, and never a jump of velocity
  // above the clip's own.
  EXPECT_LT(LargestError(recorder, arms, 3.5, 4.0), 2.0 * kDegree);
  const double own = LargestKick(recorder, AllJoints(model), 0.01, 0.5);
  const double while_loose = LargestKick(recorder, arms, 0.5, 2.5);
  const double coming_back = LargestKick(recorder, arms, 2.5, 4.0);
  std::printf(
      "loose arms: swing %.1f deg, velocity changes of a step: clip %.3f, "
      "loose %.3f, back %.3f rad/s, error 1 s after %.3f deg\n",
      swing / kDegree, own, while_loose, coming_back,
      LargestError(recorder, arms, 3.5, 4.0) / kDegree);
  EXPECT_LT(coming_back, own);
}

TEST(Scene, V52ChestHitTurnsAWalkIntoARagDollThatRests) {
  const Motion clip = Bundled("walk.bvh");
  PlayOptions options;
  options.ground = true;
  options.low_pass_hz = kMovement;
  options.seconds = 12.0;
  PlayedClip played = Play(clip, BodyFor(clip), options);
  const FigureModel& model = *played.model;
  LetGo rule;
  rule.joint_angle = 25.0 * kDegree;
  rule.root_distance = 0.5;
  played.task->set_let_go(rule);
  const int chest = SegmentsWith(model, {Role::kChest}).at(0);
  const BodyId body = played.performer->figure().body(chest);
  played.stage->Run(1.5);
  // The feet bend on the floor; everything else follows.
  const std::vector<int> feet = SegmentsWith(
      model,
      {Role::kLeftFoot, Role::kRightFoot, Role::kLeftToes, Role::kRightToes});
  std::vector<int> others;
  for (const int s : AllJoints(model)) {
    if (std::find(feet.begin(), feet.end(), s) == feet.end()) {
      others.push_back(s);
    }
  }
  const double before = LargestError(played.recorder(), others, 0.0, 1.5);
  EXPECT_LT(before, 3.0 * kDegree);
  std::printf("limited forces: feet off by %.2f deg\n",
              LargestError(played.recorder(), feet, 0.0, 1.5) / kDegree);
  ASSERT_FALSE(played.task->let_go_time());

  played.stage->Push(body, Vector3(0.0, 0.1, 0.1), Vector3(120.0, 0.0, -60.0));
  while (!played.task->let_go_time() && played.stage->time() < 3.0) {
    played.stage->Step();
  }
  // Velocities are kept through the switch: one step changes them little.
  const Vector3 chest_speed = played.stage->world().motion(body).v_WC;
  EXPECT_GT(chest_speed.norm(), 0.3);
  played.stage->Step();
  EXPECT_LT((played.stage->world().motion(body).v_WC - chest_speed).norm(),
            0.1 * chest_speed.norm());
  played.stage->Run(10.0);
  ASSERT_TRUE(played.task->let_go_time());
  const World* world = &played.stage->world();
  std::printf(
      "limited forces: error before the hit %.2f deg, let go after %.3f s, "
      "speed at the end %.4f m/s, chest height %.2f m, gap %.1e m\n",
      before / kDegree, *played.task->let_go_time() - 1.5,
      scenes::LargestSpeed(*world, played.performer->figure()),
      world->motion(body).p_WC.y() - played.floor,
      played.recorder().Summary().max_dislocation);
  EXPECT_LT(world->motion(body).p_WC.y() - played.floor, 0.5);
  EXPECT_LT(scenes::LargestSpeed(*world, played.performer->figure()), 0.05);
  EXPECT_LT(played.recorder().Summary().max_dislocation, 1e-3);
}

TEST(Scene, V54HandStaysAtAPointWhileTheClipPlays) {
  const Motion clip = Bundled("squat.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const FigureModel& model = *played.model;
  const std::vector<int> arm = SegmentsWith(
      model, {Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand});
  played.task->schedule().Change(arm, 0.2, 0.3, Strength::Loose());
  const int shoulder = arm.at(0);
  const int hand = arm.at(2);
  World& world = played.stage->world();
  played.stage->Run(0.2);
  // A point of the world before the shoulder.
  const Vector3 fixed =
      world.motion(played.performer->figure().body(shoulder)).p_WB +
      Vector3(0.0, -0.25, 0.35);
  const auto target = [fixed](double) { return fixed; };
  PointAt& point = played.stage->AddGoal(std::make_unique<PointAt>(
      *played.stage, played.performer->figure().body(hand), Vector3::Zero(),
      target));
  played.stage->Run(1.0);
  double farthest = 0.0;
  for (int i = 0; i < 400; ++i) {
    played.stage->Step();
    farthest = std::max(farthest, point.Distance(*played.stage));
  }
  std::printf("pointing arm: farthest %.4f m\n", farthest);
  EXPECT_LT(farthest, 0.02);
  EXPECT_LT(played.recorder().Summary().max_dislocation, 1e-3);
}

// Out of reach: the arm is stretched at the point, and does not shake.
TEST(Scene, V54HandStretchesTowardsAPointOutOfReachWithoutShaking) {
  const Motion clip = Bundled("wave.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const FigureModel& model = *played.model;
  const std::vector<int> arm = SegmentsWith(
      model, {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftHand});
  played.task->schedule().Change(arm, 0.0, 0.2, Strength::Loose());
  World& world = played.stage->world();
  const Vector3 far =
      world.motion(played.performer->figure().body(arm[0])).p_WB +
      Vector3(0.4, 0.2, 1.5);
  PointAt& point = played.stage->AddGoal(std::make_unique<PointAt>(
      *played.stage, played.performer->figure().body(arm[2]), Vector3::Zero(),
      [far](double) { return far; }));
  point.set_max_force(40.0);
  played.stage->Run(3.0);
  EXPECT_GT(point.Distance(*played.stage), 0.3);
  EXPECT_LT(LargestKick(played.recorder(), arm, 2.0, 3.0), 0.2);
}

PlayedClip WithBasket(double kilograms, double& deflection, double& gap) {
  const Motion clip = Bundled("walk.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const FigureModel& model = *played.model;
  const int hand = SegmentsWith(model, {Role::kRightHand}).at(0);
  const BodyId body = played.performer->figure().body(hand);
  World& world = played.stage->world();
  if (kilograms > 0.0) {
    const Vector3 p_BA(0.0, -0.08, 0.0);
    const Vector3 handle = world.motion(body).Point(p_BA);
    dynamics::BodySpec basket;
    basket.mass = dynamics::MassOfBox({0.3, 0.2, 0.2},
                                      dynamics::Material::WithMass(kilograms));
    basket.X_WB.p = handle - Vector3(0.0, 0.25, 0.0);
    basket.v_WC = world.motion(body).v_WC;
    const BodyId load = world.AddBody(basket);
    dynamics::BallJoint& joint = world.Add(
        dynamics::BallJoint(body, p_BA, load, Vector3(0.0, 0.25, 0.0)));
    // Friction of the handle.
    dynamics::PoweredAxis friction;
    friction.drive = dynamics::PoweredAxis::Drive::kSpeed;
    friction.max_force = 0.3;
    joint.set_drive(friction);
    played.stage->Run(3.0);
    gap = world.Error(joint);
  } else {
    played.stage->Run(3.0);
    gap = 0.0;
  }
  deflection = LargestError(
      played.recorder(),
      SegmentsWith(
          model, {Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand}),
      0.5, 3.0);
  return played;
}

TEST(Scene, V55BasketHangsFromTheHandAndLoadsTheArm) {
  double last_torque = 0.0;
  for (const double kilograms : {0.0, 2.0, 5.0, 10.0}) {
    double deflection = 0.0, gap = 0.0;
    const PlayedClip played = WithBasket(kilograms, deflection, gap);
    const int shoulder =
        SegmentsWith(*played.model, {Role::kRightUpperArm}).at(0);
    double torque = 0.0;
    double saturated = 0.0;
    for (const StepRecord& step : played.recorder().steps()) {
      torque += step.motors[Index(shoulder)].torque.norm();
      for (const int s : scenes::Arms(*played.model)) {
        saturated += step.motors[Index(s)].num_saturated;
      }
    }
    torque /= static_cast<double>(played.recorder().steps().size());
    std::printf(
        "basket of %4.1f kg: shoulder torque %.1f N m, arm off by %.2f deg, "
        "saturated samples %.0f, gap %.1e m\n",
        kilograms, torque, deflection / kDegree, saturated, gap);
    EXPECT_LT(gap, 1e-3);
    EXPECT_GT(torque, last_torque);
    EXPECT_LT(played.recorder().Summary().max_dislocation, 1e-3);
    last_torque = torque;
  }
}

TEST(Scene, V56UmbrellaStaysUprightWhileTheFigureBows) {
  const Motion clip = Bundled("bow.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const FigureModel& model = *played.model;
  const std::vector<int> arm = SegmentsWith(
      model, {Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand});
  played.task->schedule().Change(arm, 0.0, 0.2, Strength::Loose());
  const BodyId hand = played.performer->figure().body(arm[2]);
  const BodyId head =
      played.performer->figure().body(SegmentsWith(model, {Role::kHead}).at(0));
  World& world = played.stage->world();
  dynamics::BodySpec spec;
  spec.mass =
      dynamics::MassOfCylinder(0.05, 0.8, dynamics::Material::WithMass(0.5));
  spec.X_WB.p = world.motion(hand).p_WB + Vector3(0.0, 0.3, 0.0);
  const BodyId umbrella = world.AddBody(spec);
  // Anchored to the hand, upright, and the hand before the head.
  world.Add(dynamics::BallJoint(hand, Vector3::Zero(), umbrella,
                                Vector3(0.0, -0.3, 0.0)));
  dynamics::AlignAxis& upright = world.Add(dynamics::AlignAxis(
      umbrella, Vector3::UnitY(), dynamics::kGround, Vector3::UnitY()));
  dynamics::RowSettings bounded;
  bounded.lo = -20.0;
  bounded.hi = 20.0;
  bounded.stabilisation = dynamics::Stabilisation::Implicit();
  upright.set_settings(bounded);
  PointAt& before_head = played.stage->AddGoal(std::make_unique<PointAt>(
      *played.stage, hand, Vector3::Zero(), [&world, head](double) {
        return world.motion(head).Point(Vector3(-0.15, -0.15, 0.35));
      }));
  before_head.set_max_force(100.0);
  double tilt = 0.0;
  for (int i = 0; i < static_cast<int>(played.duration() * 240.0); ++i) {
    played.stage->Step();
    if (played.stage->time() < 0.5) continue;
    const Vector3 up = world.motion(umbrella).R_WB.col(1);
    tilt = std::max(tilt, std::acos(std::clamp(up.y(), -1.0, 1.0)));
  }
  std::printf("umbrella: tilt %.2f deg\n", tilt / kDegree);
  EXPECT_LT(tilt, 5.0 * kDegree);
  EXPECT_LT(played.recorder().Summary().max_dislocation, 1e-3);
}

TEST(Scene, V57FatManWalksWithTheSameData) {
  Result<FigureModel> read =
      ReadFigureFile(test::SourceDir() / "data/figures/fat_man.json");
  ASSERT_TRUE(read.ok());
  const auto model = std::make_shared<FigureModel>(std::move(read).value());
  const Motion clip = scenes::Recast(Bundled("walk.bvh"), *model);
  PlayOptions options;
  options.ground = true;
  PlayedClip played = Play(clip, model, options);
  played.stage->Run(played.duration());
  const PerformanceSummary summary = played.recorder().Summary();
  double lowest = 1.0;
  for (const SegmentPose& pose : played.recorder().poses()) {
    lowest = std::min(lowest, pose[0].p.y());
  }
  std::printf(
      "fat man: rms %.2f deg, root help %.3f, limits passed by %.2f deg, gap "
      "%.1e m, hips at %.2f m or above\n",
      summary.joint_rms / kDegree, summary.root_help_mean,
      summary.max_limit_violation / kDegree, summary.max_dislocation, lowest);
  EXPECT_LT(summary.max_dislocation, 1e-3);
  EXPECT_LT(summary.max_limit_violation, 1.0 * kDegree);
  EXPECT_GT(lowest, played.floor + 0.6);
  EXPECT_LT(scenes::DeepestOverlap(played.stage->world()), 5e-3);
}

// V-58, and V-38: no velocity step at the join above the clips' own.
TEST(Scene, V58TwoClipsJoinWithoutAStepOfVelocity) {
  const Motion walk = Bundled("walk.bvh");
  const Motion bow = Bundled("bow.bvh");
  for (const JoinOptions::Blend blend :
       {JoinOptions::Blend::kCarry, JoinOptions::Blend::kOverlap}) {
    MotionTrack track;
    JoinOptions first;
    first.to = 2.0;
    track.Append(std::make_shared<SmoothMotion>(walk), first);
    JoinOptions second;
    second.blend = blend;
    second.duration = 0.4;
    const double join =
        track.Append(std::make_shared<SmoothMotion>(bow), second);
    const auto model = BodyFor(walk);
    Stage stage;
    stage.AddFigure("figure", model,
                    std::make_shared<AnimationController>(
                        track, StrengthSchedule(model->num_segments(),
                                                Strength::Powered())));
    stage.Run(track.duration() - 0.01);
    const std::vector<int> all = AllJoints(*model);
    const double own = LargestKick(stage.recorder(), all, 0.01, join - 0.02);
    const double at_join =
        LargestKick(stage.recorder(), all, join - 0.02, join + 0.6);
    std::printf(
        "combined (%s): velocity changes of a step %.3f, at the join "
        "%.3f rad/s\n",
        blend == JoinOptions::Blend::kCarry ? "carry" : "overlap", own,
        at_join);
    EXPECT_LT(at_join, own);
    EXPECT_LT(stage.recorder().Summary().joint_rms, 2.0 * kDegree);
  }
}

TEST(Scene, V60HangedManHangsOnItsRopeAndSettles) {
  const auto model = BodyFor(Bundled("walk.bvh"));
  Stage stage;
  FigureBuildOptions air;
  air.damping = 0.3;
  Pose pose = RestPose(*model->skeleton);
  Performer& performer = stage.AddFigure(
      "figure", model,
      std::make_shared<RagDollController>(pose, Strength::Limp()), air);
  performer.set_raw(0, std::make_shared<NoControl>());
  const BodyId head =
      performer.figure().body(SegmentsWith(*model, {Role::kHead}).at(0));
  const Vector3 neck = stage.world().motion(head).p_WB;
  const double length = 0.8;
  const Vector3 hook = neck + Vector3(0.5, 0.6, 0.0);
  dynamics::Rope& rope = stage.world().Add(dynamics::Rope(
      {dynamics::kGround, hook}, {head, Vector3::Zero()}, length));
  double longest = 0.0;
  for (int i = 0; i < 240 * 30; ++i) {
    stage.Step();
    longest = std::max(longest, rope.Stretch(stage.world().motions()));
  }
  const double speed = scenes::LargestSpeed(stage.world(), performer.figure());
  std::printf(
      "hanged man: rope at most %.4f of %.1f m, speed after 30 s %.4f "
      "m/s, gap %.1e m\n",
      longest, length, speed, stage.recorder().Summary().max_dislocation);
  EXPECT_LT(longest, 1.01 * length);
  EXPECT_LT(speed, 0.1);
  EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-3);
}

TEST(Scene, V62WallWinsAgainstABoundedRoot) {
  const Motion clip = Bundled("walk.bvh");
  PlayOptions options;
  options.ground = true;
  PlayedClip played = Play(clip, BodyFor(clip), options);
  // Across the way, half of it along.
  const Vector3 start = clip.pose(0).X_PJ[0].p;
  const Vector3 end = clip.pose(clip.num_frames() - 1).X_PJ[0].p;
  const Vector3 way = (end - start).normalized();
  const Vector3 middle = 0.5 * (start + end);
  const Vector3 size(std::abs(way.x()) > 0.5 ? 0.2 : 3.0, 3.0,
                     std::abs(way.z()) > 0.5 ? 0.2 : 3.0);
  scenes::AddFixedBox(played.stage->world(),
                      {middle.x(), 1.5 + played.floor, middle.z()}, size);
  double deepest = 0.0;
  for (int i = 0; i < static_cast<int>(played.duration() * 240.0); ++i) {
    played.stage->Step();
    deepest = std::max(deepest, scenes::DeepestOverlap(played.stage->world()));
  }
  const PerformanceSummary summary = played.recorder().Summary();
  const double past = (played.performer->actual()[0].p - middle).dot(way);
  std::printf(
      "wall: hips %.2f m before the wall's middle, root pressed with "
      "%.2f of the weight at most, gap %.1e m, overlap %.4f m\n",
      -past, summary.root_help_max, summary.max_dislocation, deepest);
  EXPECT_LT(past, 0.0);
  EXPECT_LT(summary.max_dislocation, 1e-3);
  EXPECT_LT(summary.root_help_max, std::sqrt(3.0));
  EXPECT_TRUE(played.performer->figure().IsFinite(played.stage->world()));
}

TEST(Scene, LookAtAndHoldUprightTurnTheHead) {
  const Motion clip = Bundled("bow.bvh");
  PlayedClip played = Play(clip, BodyFor(clip));
  const int head = SegmentsWith(*played.model, {Role::kHead}).at(0);
  const BodyId body = played.performer->figure().body(head);
  World& world = played.stage->world();
  const auto look = std::make_shared<LookAt>();
  look->p_WT = world.motion(body).p_WB + Vector3(0.8, 0.0, 2.0);
  played.performer->set_raw(head, look);
  played.stage->Run(0.6);
  const Vector3 gaze = world.motion(body).R_WB.col(2);
  const Vector3 wanted = (look->p_WT - world.motion(body).p_WB).normalized();
  EXPECT_LT(std::acos(gaze.dot(wanted)), 2.0 * kDegree);

  // Upright while the trunk bows, as far as the neck can.
  played.performer->set_raw(head, std::make_shared<HoldUpright>());
  double tilt = 0.0;
  for (int i = 0; i < 240; ++i) {
    played.stage->Step();
    tilt =
        std::max(tilt, std::acos(std::min(1.0, world.motion(body).R_WB(1, 1))));
  }
  EXPECT_LT(tilt, 25.0 * kDegree);
}

}  // namespace
}  // namespace limber::figure
