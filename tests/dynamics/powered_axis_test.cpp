// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/powered_axis.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include <cmath>
#include <memory>

#include "dynamics/controllers/controller.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

using Drive = PoweredAxis::Drive;

constexpr double kStep = 1e-3;
// Rows of a hinge or slider: five locked ones, then those of the axis.
constexpr std::size_t kFirstAxisRow = 5;

// One body of mass and inertia 2 on a hinge about z or a slider along z.
template <typename T>
struct OneJoint {
  explicit OneJoint(const WorldSettings& settings = Weightless(),
                    const Transform& X_WF = {})
      : world(settings) {
    body = world.AddBody(Solid(2.0, Vector3::Constant(2.0)));
    joint = &Join<T>(world, kGround, X_WF, body);
  }
  PoweredAxis& axis() { return joint->axis(0); }
  double q() const { return Position(world, *joint); }
  double speed() const { return Speed(world, *joint); }
  double AxisForce(std::size_t row) const {
    return RowForce(*joint, kFirstAxisRow + row, kStep);
  }

  World world;
  BodyId body;
  T* joint;
};

Transform Upwards() { return FrameAlong(Vector3::Zero(), Vector3::UnitY()); }

WorldSettings Euler() { return Weightless(Scheme::kEuler); }

// V-23, limits: a falling slider stops at its lower limit, which carries the
// weight and never pulls.
TEST(PoweredAxis, LimitStopsAndCarries) {
  OneJoint<SliderJoint> scene(WorldSettings{}, Upwards());
  scene.axis().lower = -0.5;
  scene.axis().upper = 3.0;
  double lowest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    scene.world.Step(kStep);
    lowest = std::min(lowest, scene.q());
    ASSERT_GE(scene.AxisForce(0), 0.0);
    ASSERT_LE(scene.AxisForce(1), 0.0);
    // Before the stop it falls freely.
    if (scene.world.time() < 0.3) {
      ASSERT_NEAR(scene.q(),
                  -0.5 * kGravity * scene.world.time() * scene.world.time(),
                  1e-9);
    }
  }
  EXPECT_NEAR(scene.q(), -0.5, 1e-9);
  EXPECT_GT(lowest, -0.5 - 1e-9);
  EXPECT_NEAR(scene.AxisForce(0), 2.0 * kGravity, 1e-6);
}

// V-23, desired angle: without a bound the target is met at the end of each
// step, whatever acts.
TEST(PoweredAxis, UnboundedPositionDriveIsAtItsTarget) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    OneJoint<HingeJoint> scene(Weightless(scheme));
    scene.axis().drive = Drive::kPosition;
    for (int i = 1; i <= 500; ++i) {
      scene.world.ApplyTorque(scene.body, Vector3(0, 0, 7.0));
      scene.axis().target_position = std::sin(0.01 * i);
      scene.world.Step(kStep);
      ASSERT_NEAR(scene.q(), std::sin(0.01 * i), 1e-9);
    }
  }
}

// V-23, desired angle with a bound: q = F t^2 / (2 I) while it is far away.
TEST(PoweredAxis, BoundedPositionDriveAcceleratesAtItsBound) {
  OneJoint<HingeJoint> scene;
  scene.axis().drive = Drive::kPosition;
  scene.axis().target_position = 1.5;
  scene.axis().max_force = 3.0;
  for (int i = 0; i < 1000; ++i) {
    scene.world.Step(kStep);
    const double t = scene.world.time();
    ASSERT_NEAR(scene.q(), 0.75 * t * t, 1e-9);
    ASSERT_LE(std::abs(scene.AxisForce(0)), 3.0);
  }
}

// V-23, desired velocity: q' = F t / m up to the target, then exactly there.
TEST(PoweredAxis, SpeedDriveSaturatesThenHoldsItsSpeed) {
  OneJoint<SliderJoint> scene(Euler());
  scene.axis().drive = Drive::kSpeed;
  scene.axis().target_speed = 0.6;
  scene.axis().max_force = 4.0;
  for (int i = 1; i <= 600; ++i) {
    scene.world.Step(kStep);
    ASSERT_NEAR(scene.speed(), std::min(2.0 * i * kStep, 0.6), 1e-9);
    ASSERT_LE(std::abs(scene.AxisForce(0)), 4.0);
  }
  EXPECT_NEAR(scene.AxisForce(0), 0.0, 1e-9);
}

TEST(PoweredAxis, SpeedDriveHoldsItsSpeedUnderLeapfrog) {
  OneJoint<HingeJoint> scene;
  scene.axis().drive = Drive::kSpeed;
  scene.axis().target_speed = -1.1;
  scene.axis().max_force = 50.0;
  RunUntil(scene.world, 0.5, kStep);
  EXPECT_NEAR(scene.speed(), -1.1, 1e-9);
}

// V-23: the limit wins; the motor pushes with its bound and no more.
TEST(PoweredAxis, LimitWinsOverMotor) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    OneJoint<HingeJoint> scene(Weightless(scheme));
    scene.axis().drive = Drive::kSpeed;
    scene.axis().target_speed = 1.0;
    scene.axis().max_force = 5.0;
    scene.axis().upper = 0.2;
    RunUntil(scene.world, 1.0, kStep);
    EXPECT_NEAR(scene.q(), 0.2, 1e-9);
    EXPECT_NEAR(scene.AxisForce(0), 5.0, 1e-9);
    EXPECT_NEAR(scene.AxisForce(1), -5.0, 1e-6);
  }
}

// V-23: a target beyond a limit is taken at the limit, even without a bound.
TEST(PoweredAxis, TargetBeyondALimitIsTakenThere) {
  OneJoint<HingeJoint> scene;
  scene.axis().drive = Drive::kPosition;
  scene.axis().target_position = 0.9;
  scene.axis().upper = 0.2;
  RunUntil(scene.world, 0.1, kStep);
  EXPECT_NEAR(scene.q(), 0.2, 1e-9);
  EXPECT_TRUE(scene.world.report().unmet.empty());
}

// V-23, softness: e = q' - u + s lambda gives way by s f h under a force f.
TEST(PoweredAxis, SoftDriveGivesWay) {
  OneJoint<SliderJoint> scene(Euler());
  scene.axis().drive = Drive::kSpeed;
  scene.axis().target_speed = 0.3;
  scene.axis().softness = 20.0;
  for (int i = 0; i < 2000; ++i) {
    scene.world.ApplyForce(scene.body, Vector3::Zero(), Vector3(0, 0, 5.0));
    scene.world.Step(kStep);
  }
  EXPECT_NEAR(scene.speed(), 0.3 + 20.0 * 5.0 * kStep, 1e-9);
}

// A bound is not a clamp: with one motor at its bound the other still meets its
// target; clamping the torques of the unbounded answer misses it.
TEST(PoweredAxis, BoundedSolveDiffersFromClampedForces) {
  const double bound = 0.5;
  const double h = 0.01;
  const auto arm = [](World& world) {
    const BodyId upper = world.AddBody(Solid(
        1.0, Vector3::Constant(0.1), {Quaternion::Identity(), {0.5, 0, 0}}));
    const BodyId lower = world.AddBody(Solid(
        1.0, Vector3::Constant(0.1), {Quaternion::Identity(), {1.5, 0, 0}}));
    HingeJoint& shoulder = Join<HingeJoint>(world, kGround, Transform(), upper);
    HingeJoint& elbow = Join<HingeJoint>(
        world, upper, {Quaternion::Identity(), Vector3(1, 0, 0)}, lower);
    return std::pair<HingeJoint*, HingeJoint*>(&shoulder, &elbow);
  };
  const auto drive = [](HingeJoint& joint, double speed, double max_force) {
    joint.axis(0).drive = Drive::kSpeed;
    joint.axis(0).target_speed = speed;
    joint.axis(0).max_force = max_force;
  };

  World bounded(Euler());
  const auto [shoulder, elbow] = arm(bounded);
  drive(*shoulder, 1.0, bound);
  drive(*elbow, -0.7, kInfinity);
  bounded.Step(h);
  EXPECT_NEAR(RowForce(*shoulder, kFirstAxisRow, h), bound, 1e-12);
  EXPECT_NEAR(Speed(bounded, *elbow), -0.7, 1e-9);
  EXPECT_LT(Speed(bounded, *shoulder), 0.9);

  World unbounded(Euler());
  const auto [free_shoulder, free_elbow] = arm(unbounded);
  drive(*free_shoulder, 1.0, kInfinity);
  drive(*free_elbow, -0.7, kInfinity);
  unbounded.Step(h);
  const double elbow_torque = RowForce(*free_elbow, kFirstAxisRow, h);
  ASSERT_GT(RowForce(*free_shoulder, kFirstAxisRow, h), bound);

  World clamped(Euler());
  const auto [limp_shoulder, limp_elbow] = arm(clamped);
  clamped.Add(
      OpenLoopController([=](double) { return bound; },
                         std::make_unique<JointActuator>(*limp_shoulder, 0)));
  clamped.Add(
      OpenLoopController([=](double) { return elbow_torque; },
                         std::make_unique<JointActuator>(*limp_elbow, 0)));
  clamped.Step(h);
  EXPECT_GT(std::abs(Speed(clamped, *limp_elbow) + 0.7), 0.1);
}

// D-14: T = 2 pi sqrt(m / k) on a slider, a hinge, the second axis of a
// universal joint and an axis of a ball joint.
TEST(PoweredAxis, SpringSwingsWithItsPeriod) {
  const double k = 50.0;
  const double period = 2.0 * kPi * std::sqrt(2.0 / k);
  const auto measure = [&](auto make) {
    World world(Weightless());
    const BodyId body = world.AddBody(Solid(2.0, Vector3::Constant(2.0)));
    auto& joint = make(world, body);
    const int axis = joint.num_free() - 1;
    joint.axis(axis).drive = Drive::kSpring;
    joint.axis(axis).stiffness = k;
    joint.axis(axis).target_position = 0.1;  // from rest at 0
    return MeanPeriod(UpwardCrossings(
        world, kStep, 6.0, [&] { return Position(world, joint, axis) - 0.1; }));
  };
  EXPECT_NEAR(measure([](World& world, BodyId body) -> Joint& {
                return Join<SliderJoint>(world, kGround, Transform(), body);
              }),
              period, 1e-3 * period);
  EXPECT_NEAR(measure([](World& world, BodyId body) -> Joint& {
                return Join<HingeJoint>(world, kGround, Transform(), body);
              }),
              period, 1e-3 * period);
  EXPECT_NEAR(measure([](World& world, BodyId body) -> Joint& {
                return Join<UniversalJoint>(world, kGround, Transform(), body);
              }),
              period, 1e-3 * period);
}

// D-14 with a rotation as target.
TEST(PoweredAxis, SpringsOfABallJointPullToTheTargetRotation) {
  World world(Weightless());
  const BodyId body = world.AddBody(Solid(2.0, Vector3(1.0, 1.5, 2.0)));
  BallJoint& joint = Join<BallJoint>(world, kGround, Transform(), body);
  joint.set_target(ExpRotation({0.4, 1.2, -0.8}));
  joint.set_drive(
      {.drive = Drive::kSpring, .stiffness = 100.0, .damping = 30.0});
  RunUntil(world, 6.0, kStep);
  EXPECT_LT(AngleBetween(world.X_WB(body).R, joint.target()), 1e-6);
}

// D-15: q' falls to 1/e in m / v seconds.
TEST(PoweredAxis, DamperHasItsTimeConstant) {
  OneJoint<SliderJoint> scene;
  scene.world.SetVelocity(scene.body, Vector3(0, 0, 3.0), Vector3::Zero());
  scene.axis().drive = Drive::kSpring;
  scene.axis().damping = 4.0;
  RunUntil(scene.world, 0.5, kStep);
  // The velocity is that of half a step ago.
  const double t = scene.world.time() - 0.5 * kStep;
  EXPECT_NEAR(scene.speed(), 3.0 * std::exp(-t / 0.5), 2e-3);
  EXPECT_NEAR(scene.q(), 1.5 * (1.0 - std::exp(-1.0)), 2e-3);
}

// D-16: I = 2, F = 4 gives q'' = 2; the work is F q.
TEST(PoweredAxis, MotorAcceleratesByForceOverInertia) {
  OneJoint<HingeJoint> scene;
  scene.world.Add(
      OpenLoopController([](double) { return 4.0; },
                         std::make_unique<JointActuator>(*scene.joint, 0)));
  RunUntil(scene.world, 1.0, kStep);
  EXPECT_NEAR(scene.q(), 1.0, 1e-9);
  const double start_of_step = 1.0 - kStep;
  EXPECT_NEAR(scene.world.KineticEnergy(), 4.0 * start_of_step * start_of_step,
              1e-9);
}

// D-17: a pendulum falls on a stop at 0 and is let go again.
TEST(PoweredAxis, PendulumOnAStopIsHeldAndNotPulled) {
  World world;
  BodySpec bob = Solid(1.0, Vector3::Constant(0.01));
  const Transform X_BM{Quaternion::Identity(), Vector3(0, 0.8, 0)};
  bob.X_WB =
      Transform{ExpRotation({0, 0, 1.0}), Vector3::Zero()} * X_BM.Inverse();
  const BodyId body = world.AddBody(bob);
  HingeJoint& hinge = world.Add(HingeJoint(kGround, Transform(), body, X_BM));
  hinge.axis(0).lower = 0.0;
  double deepest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world.Step(kStep);
    deepest = std::min(deepest, Position(world, hinge));
    ASSERT_GE(RowForce(hinge, kFirstAxisRow, kStep), 0.0);
  }
  EXPECT_GT(deepest, -1e-3);
  EXPECT_NEAR(Position(world, hinge), 0.0, 1e-6);

  // Pushed off, it moves like a pendulum without a stop (that has no history,
  // which the steps tell at the order of h^2).
  World without;
  bob.X_WB = world.X_WB(body);
  const BodyId other = without.AddBody(bob);
  const HingeJoint& plain =
      without.Add(HingeJoint(kGround, Transform(), other, X_BM));
  world.SetVelocity(body, Vector3::Zero(), Vector3::Zero());
  world.ApplyImpulse(body, Vector3::Zero(), Vector3(1.0, 0, 0));
  without.ApplyImpulse(other, Vector3::Zero(), Vector3(1.0, 0, 0));
  for (int i = 0; i < 300; ++i) {
    world.Step(kStep);
    without.Step(kStep);
    ASSERT_NEAR(Position(world, hinge), Position(without, plain), 1e-5);
    ASSERT_EQ(RowForce(hinge, kFirstAxisRow, kStep), 0.0);
  }
  EXPECT_GT(Position(world, hinge), 0.1);
}

// D-18: stiffness doubled at t = 1: the frequency rises by sqrt 2.
TEST(PoweredAxis, StiffnessMayChangeInTime) {
  OneJoint<SliderJoint> scene;
  scene.world.SetVelocity(scene.body, Vector3(0, 0, 1.0), Vector3::Zero());
  scene.axis().drive = Drive::kSpring;
  scene.axis().stiffness = 2000.0;
  scene.world.At(1.0, [&](World&) { scene.axis().stiffness = 4000.0; });
  const double h = 2e-4;
  const auto q = [&] { return scene.q(); };
  const double before = MeanPeriod(UpwardCrossings(scene.world, h, 1.0, q));
  const double after = MeanPeriod(UpwardCrossings(scene.world, h, 2.0, q));
  EXPECT_NEAR(before, 2.0 * kPi * std::sqrt(2.0 / 2000.0), 1e-3 * before);
  EXPECT_NEAR(before / after, std::sqrt(2.0), 2e-3);
}

// V-25: static deflection F / k, and not beyond the limit.
TEST(PoweredAxis, LimitedSpringDeflectsAndStops) {
  OneJoint<SliderJoint> scene;
  scene.axis() = {.drive = Drive::kSpring,
                  .lower = -0.25,
                  .upper = 0.25,
                  .stiffness = 80.0,
                  .damping = 25.0};
  const auto load = [&](double force, double seconds) {
    const double end = scene.world.time() + seconds;
    while (scene.world.time() < end - 0.5 * kStep) {
      scene.world.ApplyForce(scene.body, Vector3::Zero(), Vector3(0, 0, force));
      scene.world.Step(kStep);
    }
  };
  load(12.0, 6.0);
  EXPECT_NEAR(scene.q(), 12.0 / 80.0, 1e-9);
  load(50.0, 6.0);
  EXPECT_NEAR(scene.q(), 0.25, 1e-9);
  // Spring and stop share the load.
  EXPECT_NEAR(scene.AxisForce(0), -20.0, 1e-6);
  EXPECT_NEAR(scene.AxisForce(2), -30.0, 1e-6);
  load(0.0, 6.0);
  EXPECT_NEAR(scene.q(), 0.0, 1e-6);
}

// Dynamo-037: a controller holds 0.3 m on a vertical prism with the force m g.
TEST(JointController, HoldsThePrismWithItsWeight) {
  OneJoint<SliderJoint> scene(WorldSettings{}, Upwards());
  PidController& controller = scene.world.Add(PidController(
      [](double) { return 0.3; },
      std::make_unique<JointPositionSensor>(*scene.joint, 0),
      {.proportional = 200.0, .integral = 150.0, .derivative = 60.0},
      std::make_unique<JointActuator>(*scene.joint, 0)));
  RunUntil(scene.world, 15.0, kStep);
  EXPECT_NEAR(scene.q(), 0.3, 1e-4);
  EXPECT_NEAR(controller.actuator().applied(), 2.0 * kGravity,
              1e-3 * 2.0 * kGravity);
  JointSpeedSensor speed(*scene.joint, 0);
  EXPECT_NEAR(speed.Sense(scene.world.motions()), 0.0, 1e-4);
}

// Dynamo-038: spun at 2 rad/s for 10 s the angle reads 20.00 rad.
TEST(JointController, HingeAngleRunsOverManyTurns) {
  OneJoint<HingeJoint> scene;
  scene.axis().drive = Drive::kSpeed;
  scene.axis().target_speed = 2.0;
  JointPositionSensor angle(*scene.joint, 0);
  JointSpeedSensor speed(*scene.joint, 0);
  RunUntil(scene.world, 10.0, 0.01);
  EXPECT_NEAR(angle.Sense(scene.world.motions()), 20.0, 1e-9);
  EXPECT_NEAR(speed.Sense(scene.world.motions()), 2.0, 1e-9);
}

// A bad number set between steps is refused by name before anything moves.
TEST(PoweredAxis, BadNumbersAreRefusedBeforeTheStep) {
  for (const SolverKind solver :
       {SolverKind::kAutomatic, SolverKind::kDense, SolverKind::kGaussSeidel}) {
    const auto message = [solver](double PoweredAxis::*field, double value) {
      WorldSettings settings;
      settings.solver = solver;
      World world(settings);
      const BodyId body = world.AddBody(Solid(1.0, Vector3::Constant(0.01)));
      HingeJoint& hinge =
          world.Add(HingeJoint(kGround, Transform(), body, Transform()));
      hinge.axis(0).drive = PoweredAxis::Drive::kPosition;
      world.Step(kStep);
      hinge.axis(0).*field = value;
      const Vector3 before = world.motion(body).p_WC;
      try {
        world.Step(kStep);
      } catch (const std::invalid_argument& error) {
        EXPECT_EQ(before, world.motion(body).p_WC);
        return std::string(error.what());
      }
      return std::string("taken");
    };
    const double nan = std::nan("");
    EXPECT_NE(
        message(&PoweredAxis::target_position, nan).find("target_position"),
        std::string::npos);
    EXPECT_NE(message(&PoweredAxis::max_force, nan).find("max_force"),
              std::string::npos);
    EXPECT_NE(message(&PoweredAxis::max_force, -1.0).find("-1"),
              std::string::npos);
    EXPECT_NE(message(&PoweredAxis::stiffness, -2.0).find("stiffness"),
              std::string::npos);
    EXPECT_NE(message(&PoweredAxis::lower, nan).find("lower"),
              std::string::npos);
    EXPECT_EQ(message(&PoweredAxis::max_force, kInfinity), "taken");
  }
  BallJoint ball(kGround, Vector3::Zero(), BodyId{1}, Vector3::Zero());
  EXPECT_THROW(ball.set_target(Quaternion(2, 0, 0, 0)), std::invalid_argument);
  EXPECT_THROW(ball.set_target(Quaternion(std::nan(""), 0, 0, 0)),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics::test
