// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Sensors, actuators, PID and cascades.
#include "dynamics/controllers/controller.h"

#include <gtest/gtest.h>

#include "dynamics/constraints/point_on_line.h"
#include "dynamics/forces/load.h"
#include "dynamics/forces/torque_spring.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::AddParticle;
using test::Advance;
using test::WeightlessWorld;

const Vector3 kAlong = Vector3::UnitX();

std::unique_ptr<Sensor> PlaceOf(BodyId body) {
  return std::make_unique<PositionSensor>(BodyPoint{body},
                                          WorldPoint(Vector3::Zero()), kAlong);
}

std::unique_ptr<Actuator> PushOn(BodyId body) {
  return std::make_unique<AxisForceActuator>(BodyPoint{body}, kGround, kAlong);
}

Reference Constant(double value) {
  return [value](double) { return value; };
}

// Dynamo-031.
TEST(Sensor, DistanceOfThreeFourFive) {
  std::vector<BodyMotion> bodies(2);
  bodies[1].p_WB = Vector3(3.0, 4.0, 0.0);
  DistanceSensor sensor(WorldPoint(Vector3::Zero()), {BodyId{1}});
  EXPECT_DOUBLE_EQ(sensor.Sense(bodies), 5.0);
}

// Dynamo-032; our +inf is the thesis's 0.
TEST(Actuator, LimitBoundsTheForce) {
  std::vector<BodyMotion> bodies(2);
  const std::unique_ptr<Actuator> actuator = PushOn(BodyId{1});
  const auto force = [&](double command) {
    ForceBuffer forces;
    actuator->Apply(command, bodies, forces);
    return forces.forces()[0].f_W.x();
  };
  EXPECT_EQ(force(25.0), 25.0);
  actuator->set_limit(10.0);
  EXPECT_EQ(force(25.0), 10.0);
  EXPECT_EQ(force(-25.0), -10.0);
  EXPECT_EQ(actuator->applied(), -10.0);
  EXPECT_THROW(actuator->set_limit(-1.0), std::invalid_argument);
}

TEST(Actuator, LineActuatorPushesBothEndsApart) {
  std::vector<BodyMotion> bodies(3);
  bodies[2].p_WB = bodies[2].p_WC = Vector3(0.0, 0.0, 2.0);
  LineActuator actuator({BodyId{1}}, {BodyId{2}});
  ForceBuffer forces;
  actuator.Apply(7.0, bodies, forces);
  ASSERT_EQ(forces.forces().size(), 2u);
  EXPECT_EQ(forces.forces()[0].f_W, Vector3(0.0, 0.0, -7.0));
  EXPECT_EQ(forces.forces()[1].f_W, Vector3(0.0, 0.0, 7.0));
}

// E7: the integral does not depend on the step.
TEST(Pid, IntegralCountsTime) {
  for (const double h : {0.01, 0.1}) {
    Pid pid({.integral = 3.0});
    double output = 0.0;
    for (int i = 0; i < std::lround(2.0 / h); ++i) output = pid.Update(0.5, h);
    EXPECT_NEAR(output, 3.0 * 0.5 * 2.0, 1e-12);
  }
}

TEST(Pid, TermsAreThoseOfTheLaw) {
  Pid pid({.proportional = 2.0,
           .integral = 10.0,
           .derivative = 0.5,
           .predict_half_step = true});
  EXPECT_NEAR(pid.Update(1.0, 0.1), 2.0 + 10.0 * 0.1, 1e-12);
  // i' = 20: 2 (3 + 0.05 * 20) + 10 (0.1 + 0.3) + 0.5 * 20
  EXPECT_NEAR(pid.Update(3.0, 0.1), 8.0 + 4.0 + 10.0, 1e-12);
  // d = 10, i' = 10 + (10 - 20) / 2 = 5
  EXPECT_NEAR(pid.Update(4.0, 0.1), 2.0 * 4.25 + 8.0 + 2.5, 1e-12);
  // A look between samples keeps integral and derivative.
  EXPECT_NEAR(pid.Update(5.0, 0.0), 10.0 + 8.0 + 2.5, 1e-12);
  EXPECT_NEAR(pid.integral(), 0.8, 1e-12);
  pid.Reset();
  EXPECT_NEAR(pid.Update(1.0, 0.1), 3.0, 1e-12);
}

// Dynamo-030: a deactivated controller applies nothing and needs no new start.
TEST(OpenLoopController, AppliesNothingWhileDeactivated) {
  World world = WeightlessWorld();
  const BodyId body = AddParticle(world, 1.0, Vector3::Zero());
  OpenLoopController& thrust =
      world.Add(OpenLoopController(Constant(2.0), PushOn(body)));
  Advance(world, 0.01, 1.0);
  thrust.set_enabled(false);
  const double v = world.motion(body).v_WC.x();
  EXPECT_NEAR(v, 2.0 * 0.995, 1e-12);
  Advance(world, 0.01, 1.0);
  EXPECT_EQ(world.motion(body).v_WC.x(), v);
  thrust.set_enabled(true);
  Advance(world, 0.01, 1.0);
  EXPECT_NEAR(world.motion(body).v_WC.x(), v + 2.0, 1e-12);
}

struct Response {
  double settled_at = 0.0;  ///< First time of the last entry into 2 %.
  double overshoot = 0.0;
  double end = 0.0;
};

// A unit mass 1 m from its reference at 0, with kp = 100, kd = 20.
Response Release(double h, double ki, double load, double duration) {
  World world = WeightlessWorld();
  const BodyId body = AddParticle(world, 1.0, Vector3(-1.0, 0.0, 0.0));
  world.Add(PointOnLine({body}, WorldPoint(Vector3::Zero()), kAlong));
  world.Add(
      PidController(Constant(0.0), PlaceOf(body),
                    {.proportional = 100.0, .integral = ki, .derivative = 20.0},
                    PushOn(body)));
  Response response;
  bool inside = false;
  for (int i = 0; i < std::lround(duration / h); ++i) {
    world.ApplyForce(body, Vector3::Zero(), load * kAlong);
    world.Step(h);
    response.end = world.motion(body).p_WC.x();
    response.overshoot = std::max(response.overshoot, response.end);
    const bool now_inside = std::abs(response.end) < 0.02;
    if (now_inside && !inside) response.settled_at = world.time();
    inside = now_inside;
  }
  return response;
}

// Dynamo-036.
TEST(PidController, ReleasedMassSettlesAsTheClosedFormSays) {
  const Response fine = Release(0.005, 0.0, 0.0, 3.0);
  EXPECT_NEAR(fine.settled_at, 0.58, 0.03);
  EXPECT_LT(fine.overshoot, 0.01);
  const Response coarse = Release(0.01, 0.0, 0.0, 3.0);
  EXPECT_NEAR(coarse.settled_at, 0.58, 0.03);
  EXPECT_LT(coarse.overshoot, 0.01);
  EXPECT_NEAR(coarse.settled_at, fine.settled_at, 0.02 * fine.settled_at);
}

TEST(PidController, IntegralTakesAwayTheOffsetOfALoad) {
  EXPECT_NEAR(Release(0.01, 0.0, 5.0, 5.0).end, 0.05, 1e-6);
  EXPECT_NEAR(Release(0.01, 200.0, 5.0, 20.0).end, 0.0, 1e-6);
}

TEST(PidController, HalfStepPredictionIsOffered) {
  World world = WeightlessWorld();
  const BodyId body = AddParticle(world, 1.0, Vector3(-1.0, 0.0, 0.0));
  PidController& controller = world.Add(PidController(
      Constant(0.0), PlaceOf(body),
      {.proportional = 100.0, .derivative = 20.0, .predict_half_step = true},
      PushOn(body)));
  Advance(world, 0.01, 3.0);
  EXPECT_NEAR(world.motion(body).p_WC.x(), 0.0, 1e-6);
  EXPECT_EQ(controller.num_stages(), 1);
  EXPECT_NEAR(controller.error(), 0.0, 1e-6);
}

// Dynamo-037: hold 0.3 m on a vertical slider against gravity: force m g.
TEST(PidController, HoldsASliderAgainstGravity) {
  World world;
  const double mass = 2.5;
  const BodyId body =
      AddBody(world, MassOfSphere(0.1, Material::WithMass(mass)), Transform{});
  // The slider's z axis points up.
  const Transform X_PF = FrameAlong(Vector3::Zero(), Vector3::UnitY());
  SliderJoint& slider = world.Add(SliderJoint(kGround, X_PF, body, X_PF));
  PidController& controller = world.Add(PidController(
      Constant(0.3), std::make_unique<JointPositionSensor>(slider, 0),
      {.proportional = 200.0, .integral = 200.0, .derivative = 50.0},
      std::make_unique<JointActuator>(slider, 0)));
  Advance(world, 0.01, 20.0);
  JointSpeedSensor speed(slider, 0);
  EXPECT_NEAR(world.motion(body).p_WC.y(), 0.3, 1e-4);
  EXPECT_NEAR(speed.Sense(world.motions()), 0.0, 1e-4);
  EXPECT_NEAR(controller.actuator().applied(), mass * kGravity,
              1e-3 * mass * kGravity);
}

// Dynamo-038: a hinge at 2 rad/s for 10 s reads 20.00 rad.
TEST(Sensor, HingeAngleCountsTurns) {
  World world = WeightlessWorld();
  MassProperties mass;
  const BodyId wheel =
      AddBody(world, mass, {}, Vector3::Zero(), Vector3(0.0, 0.0, 2.0));
  HingeJoint& hinge = world.Add(HingeJoint(kGround, {}, wheel, {}));
  const TurnAngle turn =
      TurnAngle::FromNow(world.motions(), kGround, Vector3::UnitZ(), wheel);
  AngleSensor angle(turn);
  AngularSpeedSensor angular_speed(turn);
  JointPositionSensor joint_angle(hinge, 0);
  JointSpeedSensor joint_speed(hinge, 0);
  for (int i = 0; i < 1000; ++i) {
    world.Step(0.01);
    angle.Sense(world.motions());
  }
  EXPECT_NEAR(angle.Sense(world.motions()), 20.0, 1e-9);
  EXPECT_NEAR(joint_angle.Sense(world.motions()), 20.0, 1e-9);
  EXPECT_NEAR(angular_speed.Sense(world.motions()), 2.0, 1e-12);
  EXPECT_NEAR(joint_speed.Sense(world.motions()), 2.0, 1e-12);
}

TEST(Actuator, TorqueTurnsBodyAgainstCarrier) {
  World world = WeightlessWorld();
  MassProperties two;
  two.I_BC = 2.0 * Matrix3::Identity();
  const BodyId carrier = AddBody(world, two, {});
  const BodyId wheel = AddBody(world, MassProperties{}, {});
  world.Add(HingeJoint(carrier, {}, wheel, {}));
  world.Add(OpenLoopController(
      Constant(4.0), std::make_unique<TorqueActuator>(TurnAngle::FromNow(
                         world.motions(), carrier, Vector3::UnitZ(), wheel))));
  Advance(world, 0.01, 1.0);
  EXPECT_NEAR(world.motion(wheel).w_WB.z(), 4.0 * 0.995, 1e-9);
  EXPECT_NEAR(world.motion(carrier).w_WB.z(), -2.0 * 0.995, 1e-9);
}

// Dynamo-040: position PID -> velocity PID -> force reaches the target, with
// the velocity never above the limit between the stages.
TEST(PidController, CascadeNeverExceedsItsInnerLimit) {
  World world = WeightlessWorld();
  const BodyId body = AddParticle(world, 2.0, Vector3::Zero());
  std::vector<PidController::Stage> stages;
  stages.push_back({PlaceOf(body), Pid({.proportional = 3.0}), 0.8});
  stages.push_back(
      {std::make_unique<VelocitySensor>(BodyPoint{body}, kGround, kAlong),
       Pid({.proportional = 40.0})});
  world.Add(PidController(Constant(5.0), std::move(stages), PushOn(body)));
  double fastest = 0.0;
  for (int i = 0; i < 1200; ++i) {
    world.Step(0.01);
    fastest = std::max(fastest, world.motion(body).v_WC.x());
  }
  EXPECT_LE(fastest, 0.8 + 1e-9);
  EXPECT_GT(fastest, 0.79);
  EXPECT_NEAR(world.motion(body).p_WC.x(), 5.0, 1e-3);
}

// Largest swing of the hands-hip pendulum after 20 periods of a driven hip, and
// the largest error of the hip's angle.
struct Pumped {
  double amplitude = 0.0;
  double hip_error = 0.0;
};

Pumped Pump(double frequency) {
  World world;
  // Upper body 1 m below the bar, legs 1 m below the hip, slender: a hinge
  // would have nothing to hold a one-dimensional rod by about its axis.
  const MassProperties half =
      MassOfCylinder(0.05, 1.0, Material::WithMass(30.0));
  const BodyId upper =
      AddBody(world, half, {Quaternion::Identity(), Vector3(0.0, -0.5, 0.0)});
  const BodyId legs =
      AddBody(world, half, {Quaternion::Identity(), Vector3(0.0, -1.5, 0.0)});
  world.Add(HingeJoint(kGround, {}, upper,
                       {Quaternion::Identity(), Vector3(0.0, 0.5, 0.0)}));
  HingeJoint& hip = world.Add(
      HingeJoint(upper, {Quaternion::Identity(), Vector3(0.0, -0.5, 0.0)}, legs,
                 {Quaternion::Identity(), Vector3(0.0, 0.5, 0.0)}));
  PidController& drive = world.Add(PidController(
      [frequency](double t) { return 0.3 * std::sin(frequency * t); },
      std::make_unique<JointPositionSensor>(hip, 0),
      {.proportional = 20000.0, .derivative = 600.0},
      std::make_unique<JointActuator>(hip, 0)));
  const double h = 0.002;
  const double period = 2.0 * kPi / frequency;
  Pumped pumped;
  const int steps = static_cast<int>(std::lround(20.0 * period / h));
  for (int i = 0; i < steps; ++i) {
    world.Step(h);
    pumped.hip_error = std::max(pumped.hip_error, std::abs(drive.error()));
    if (i > steps * 19 / 20) {
      const Vector3 hands_to_hip = -world.motion(upper).R_WB.col(1);
      pumped.amplitude =
          std::max(pumped.amplitude,
                   std::atan2(std::abs(hands_to_hip.x()), -hands_to_hip.y()));
    }
  }
  return pumped;
}

// Dynamo-039: a kinematic hip angle pumps a trapeze from rest: at the frequency
// of the stiff swing more than twice as high as at 1.5 times it.
TEST(PidController, TrapezeIsPumpedAtItsOwnFrequency) {
  // A rod of 2 m about its end: w = sqrt(3 g / (2 L)).
  const double swing = std::sqrt(3.0 * kGravity / (2.0 * 2.0));
  const Pumped tuned = Pump(swing);
  const Pumped off = Pump(1.5 * swing);
  EXPECT_GE(tuned.amplitude, 2.0 * off.amplitude);
  EXPECT_LT(tuned.hip_error, 5.0 * kPi / 180.0);
  EXPECT_LT(off.hip_error, 5.0 * kPi / 180.0);
}

// A saved world goes on bit for bit: integrals, last errors and turn counters
// of forces and controllers are saved with it, under every method.
TEST(World, RestoreBringsBackTheMemoryOfForcesAndControllers) {
  const auto check = [](const WorldSettings& settings) {
    World world(settings);
    const BodyId wheel = AddBody(
        world, MassOfBox(Vector3(0.2, 0.4, 0.3), Material::WithMass(2.0)), {},
        Vector3::Zero(), Vector3(0.0, 0.0, 9.0));
    world.Add(HingeJoint(kGround, {}, wheel, {}));
    const TurnAngle angle =
        TurnAngle::FromNow(world.motions(), kGround, Vector3::UnitZ(), wheel);
    TorqueSpring& spring =
        world.Add(TorqueSpring(angle, {.stiffness = 0.05, .damping = 0.01}));
    PidController& servo = world.Add(PidController(
        Constant(12.0), std::make_unique<AngleSensor>(angle),
        {.proportional = 1.0, .integral = 0.3, .derivative = 0.05},
        std::make_unique<TorqueActuator>(angle)));
    Load& load = world.Add(Load({wheel}, Vector3(1.0, 0.0, 0.0)));
    Advance(world, 0.01, 0.6);
    ASSERT_GT(spring.angle(), kPi);
    world.ApplyTorque(wheel, Vector3(0.0, 0.0, 0.3));
    const auto saved = world.Save();

    struct End {
      Vector3 w;
      double integral, error, applied, torque;
    };
    const auto run = [&] {
      Advance(world, 0.01, 1.5);
      return End{world.motion(wheel).w_WB, servo.pid().integral(),
                 servo.error(), servo.actuator().applied(), spring.torque()};
    };
    const End first = run();
    load.set_enabled(false);
    world.Restore(*saved);
    EXPECT_TRUE(load.enabled());
    const End second = run();
    EXPECT_EQ(first.w, second.w);
    EXPECT_EQ(first.integral, second.integral);
    EXPECT_EQ(first.error, second.error);
    EXPECT_EQ(first.applied, second.applied);
    EXPECT_EQ(first.torque, second.torque);
  };
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    WorldSettings settings;
    settings.scheme = scheme;
    check(settings);
  }
  for (const OdeMethod method :
       {OdeMethod::kRungeKutta4, OdeMethod::kDormandPrince,
        OdeMethod::kAdamsBashforth2}) {
    WorldSettings settings;
    settings.scheme = Scheme::kAcceleration;
    settings.ode_method = method;
    check(settings);
  }
}

TEST(PidController, MissingPartsAreRefused) {
  EXPECT_THROW(OpenLoopController(Constant(1.0), nullptr),
               std::invalid_argument);
  EXPECT_THROW(PidController(Constant(1.0), nullptr, {}, PushOn(BodyId{1})),
               std::invalid_argument);
  EXPECT_THROW(PidController({}, PlaceOf(BodyId{1}), {}, PushOn(BodyId{1})),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
