// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Springs, dampers, drag and loads.
#include <gtest/gtest.h>

#include "dynamics/constraints/point_on_line.h"
#include "dynamics/forces/drag.h"
#include "dynamics/forces/load.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/forces/torque_spring.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::AddParticle;
using test::Advance;
using test::PreciseWorld;
using test::WeightlessWorld;

// B-7: a ball thrown at 10 m/s, 45 degrees, lands after 10.194 m.
TEST(World, ThrownBallHasItsRange) {
  World world;
  const double v = 10.0 / std::sqrt(2.0);
  const BodyId ball =
      AddParticle(world, 0.4, Vector3::Zero(), Vector3(v, v, 0.0));
  Vector3 before = Vector3::Zero();
  while (world.motion(ball).p_WC.y() >= 0.0) {
    before = world.motion(ball).p_WC;
    world.Step(1e-3);
  }
  const Vector3 after = world.motion(ball).p_WC;
  const double share = before.y() / (before.y() - after.y());
  EXPECT_NEAR(before.x() + share * (after.x() - before.x()), 10.194,
              0.001 * 10.194);
}

// D-13: gravity in any direction.
TEST(World, GravityPullsWhereItPoints) {
  WorldSettings settings;
  settings.gravity = Vector3(1.0, -2.0, 3.0);
  World world(settings);
  const BodyId a = AddParticle(world, 0.1, Vector3::Zero());
  const BodyId b = AddParticle(world, 100.0, Vector3::Zero());
  Advance(world, 0.01, 2.0);
  EXPECT_LT((world.motion(a).p_WC - 2.0 * settings.gravity).norm(), 1e-12);
  EXPECT_LT((world.motion(b).p_WC - 2.0 * settings.gravity).norm(), 1e-12);
}

// V-3, B-7: T = 2 pi sqrt(m / k), over ten swings.
TEST(SpringDamper, MassSpringHasItsPeriod) {
  World world = WeightlessWorld();
  const double mass = 2.0;
  const double k = 50.0;
  const BodyId ball = AddParticle(world, mass, Vector3(1.1, 0.0, 0.0));
  world.Add(SpringDamper(WorldPoint(Vector3::Zero()), {ball},
                         {.stiffness = k, .rest_length = 1.0}));
  const double h = 0.005;
  double first = 0.0;
  double last = 0.0;
  int crossings = 0;
  while (crossings < 11) {
    const double x0 = world.motion(ball).p_WC.x() - 1.0;
    world.Step(h);
    const double x1 = world.motion(ball).p_WC.x() - 1.0;
    if (x0 < 0.0 && x1 >= 0.0) {
      last = world.time() - h * x1 / (x1 - x0);
      if (crossings++ == 0) first = last;
    }
  }
  const double period = 2.0 * kPi * std::sqrt(mass / k);
  EXPECT_NEAR((last - first) / 10.0, period, 1e-3 * period);
}

// Dynamo-033: static stretch m g / c = 0.1 m; equal and opposite at the ends.
TEST(SpringDamper, HangsWithItsStaticStretch) {
  World world;
  const BodyId ball = AddParticle(world, 1.0, Vector3(0.0, -0.5, 0.0));
  world.Add(
      SpringDamper(WorldPoint(Vector3::Zero()), {ball},
                   {.stiffness = 98.1, .damping = 10.0, .rest_length = 0.5}));
  Advance(world, 0.01, 10.0);
  EXPECT_NEAR(-world.motion(ball).p_WC.y() - 0.5, 0.100, 1e-6);

  SpringDamper pair({BodyId{1}}, {BodyId{2}},
                    {.stiffness = 10.0, .damping = 2.0, .rest_length = 1.0});
  std::vector<BodyMotion> bodies(3);
  bodies[2].p_WB = bodies[2].p_WC = Vector3(0.0, 3.0, 0.0);
  bodies[2].v_WC = Vector3(5.0, 0.5, 0.0);
  ForceBuffer forces;
  pair.AddForces(bodies, 0.0, 0.01, forces);
  EXPECT_NEAR(pair.force(), 10.0 * 2.0 + 2.0 * 0.5, 1e-12);
  ASSERT_EQ(forces.forces().size(), 2u);
  EXPECT_LT((forces.forces()[0].f_W - Vector3(0.0, 21.0, 0.0)).norm(), 1e-12);
  EXPECT_LT((forces.forces()[1].f_W + Vector3(0.0, 21.0, 0.0)).norm(), 1e-12);
}

// Dynamo-034: with a force held over the step, x += h v + h^2 f / 2m and
// v += h f / m, the half-step prediction keeps the amplitude; without it the
// amplitude grows by 1.005^500 = 12.1 in 1000 steps.
TEST(SpringDamper, HalfStepPredictionKeepsTheAmplitude) {
  for (const bool predict : {true, false}) {
    SpringDamper spring(WorldPoint(Vector3::Zero()), {BodyId{1}},
                        {.stiffness = 100.0,
                         .rest_length = 100.0,
                         .predict_half_step = predict});
    std::vector<BodyMotion> bodies(2);
    double x = 101.0;
    double v = 0.0;
    const double h = 0.01;
    for (int i = 0; i < 1000; ++i) {
      bodies[1].p_WB = bodies[1].p_WC = Vector3(x, 0.0, 0.0);
      bodies[1].v_WC = Vector3(v, 0.0, 0.0);
      ForceBuffer forces;
      spring.AddForces(bodies, 0.0, h, forces);
      const double f = forces.forces()[0].f_W.x();
      x += h * v + 0.5 * h * h * f;
      v += h * f;
    }
    const double amplitude = std::hypot(x - 100.0, v / 10.0);
    if (predict) {
      EXPECT_NEAR(amplitude, 1.0, 0.005);
    } else {
      EXPECT_NEAR(amplitude, 12.1, 0.2);
    }
  }
}

// Dynamo-035: three turns read 18.850 rad, and the torque counts them.
TEST(TorqueSpring, CountsWholeTurns) {
  World world = WeightlessWorld();
  BodySpec spec;
  spec.kind = BodyKind::kKinematic;
  spec.w_WB = Vector3(0.0, 0.0, 2.0 * kPi);
  const BodyId wheel = world.AddBody(spec);
  const BodyId base = AddBody(world, MassProperties{}, {});
  TorqueSpring& spring = world.Add(TorqueSpring(
      TurnAngle::FromNow(world.motions(), base, Vector3::UnitZ(), wheel),
      {.stiffness = 1e-9, .rest_angle = 1.0}));
  Advance(world, 0.01, 3.01);
  EXPECT_NEAR(spring.angle(), 18.850, 1e-3);
  EXPECT_NEAR(spring.torque(), -1e-9 * (6.0 * kPi - 1.0), 1e-15);
}

// T = 2 pi sqrt(I / c).
TEST(TorqueSpring, BalanceWheelHasItsPeriod) {
  World world = WeightlessWorld();
  MassProperties mass;
  mass.I_BC = 0.5 * Matrix3::Identity();
  const BodyId wheel =
      AddBody(world, mass, {}, Vector3::Zero(), Vector3(0.0, 0.0, 10.0));
  TorqueSpring& spring = world.Add(TorqueSpring(
      TurnAngle::FromNow(world.motions(), kGround, Vector3::UnitZ(), wheel),
      {.stiffness = 2.0}));
  // Amplitude 10 / 2 = 5 rad, quarter period pi / 4.
  double largest = 0.0;
  double at = 0.0;
  for (int i = 0; i < 1500; ++i) {
    world.Step(0.001);
    if (spring.angle() > largest) {
      largest = spring.angle();
      at = world.time() - 0.001;
    }
  }
  EXPECT_NEAR(largest, 5.0, 1e-4);
  EXPECT_NEAR(at, kPi / 4, 0.005);
}

// D-15 between a point and the air: e-fold time m / d; with wind, the wind's
// speed is reached.
TEST(Drag, SpeedDiesAwayWithItsTimeAndFollowsTheWind) {
  World world = PreciseWorld(Vector3::Zero());
  const BodyId ball =
      AddParticle(world, 2.0, Vector3::Zero(), Vector3(3.0, 0.0, 0.0));
  world.Add(Drag({ball}, {.linear = 4.0}));
  Advance(world, 0.01, 0.5);
  EXPECT_NEAR(world.motion(ball).v_WC.x(), 3.0 * std::exp(-1.0), 1e-8);

  World windy = PreciseWorld(Vector3::Zero());
  const BodyId leaf = AddParticle(windy, 0.1, Vector3::Zero());
  windy.Add(Drag({leaf}, {.quadratic = 1.0, .wind = Vector3(2.0, 0.0, 1.0)}));
  Advance(windy, 0.01, 20.0);
  EXPECT_NEAR(windy.motion(leaf).v_WC.x(), 2.0, 0.01);
  EXPECT_NEAR(windy.motion(leaf).v_WC.z(), 1.0, 0.01);
}

// B-8: I = 2, T = 4 about a principal axis: w(1) = 2.
TEST(Load, PureTorqueTurnsTheBody) {
  World world = PreciseWorld(Vector3::Zero());
  MassProperties mass;
  mass.I_BC = Vector3(1.5, 2.0, 3.0).asDiagonal();
  const BodyId body = AddBody(world, mass, {});
  world.Add(Load({body}, Vector3::Zero(), Vector3(0.0, 4.0, 0.0)));
  Advance(world, 0.01, 1.0);
  EXPECT_LT((world.motion(body).w_WB - Vector3(0.0, 2.0, 0.0)).norm(), 1e-12);
  EXPECT_LT(world.motion(body).p_WC.norm(), 1e-15);
}

// D-19, B-3: a force at a point moves the centre by F / m and turns by b x F.
TEST(Load, PointForceMovesAndTurns) {
  World world = WeightlessWorld();
  MassProperties mass;
  mass.mass = 2.0;
  mass.I_BC = 0.5 * Matrix3::Identity();
  const BodyId body = AddBody(world, mass, {});
  const Vector3 b(0.3, -0.2, 0.5);
  const Vector3 F(1.0, 2.0, -3.0);
  world.Add(Load({body, b}, F));
  const double h = 1e-6;
  world.Step(h);
  // The first step of the leapfrog kicks by half a step.
  EXPECT_LT((world.motion(body).v_WC / (h / 2) - F / 2.0).norm(), 1e-12);
  EXPECT_LT((world.motion(body).w_WB / (h / 2) - b.cross(F) / 0.5).norm(),
            1e-9);
}

TEST(Load, FollowsItsTrajectory) {
  World world = PreciseWorld(Vector3::Zero());
  const BodyId body = AddParticle(world, 1.0, Vector3::Zero());
  world.Add(Load(
      {body}, [](double t) { return Vector3(6.0 * t, 0.0, 0.0); }, nullptr));
  Advance(world, 0.01, 1.0);
  EXPECT_NEAR(world.motion(body).p_WC.x(), 1.0, 1e-9);
}

TEST(UniformField, PullsAtTheMassCentre) {
  World world = PreciseWorld(Vector3::Zero());
  const MassProperties mass =
      Transformed({Quaternion::Identity(), Vector3(0.3, 0.0, 0.0)},
                  MassOfSphere(0.1, Material::WithMass(2.0)));
  const BodyId body = AddBody(world, mass, {});
  world.Add(UniformField({{body, 4.0}}, Vector3(0.0, 1.0, 0.0)));
  Advance(world, 0.01, 1.0);
  EXPECT_NEAR(world.motion(body).v_WC.y(), 2.0, 1e-12);
  EXPECT_LT(world.motion(body).w_WB.norm(), 1e-12);
}

TEST(ForceElements, BadArgumentsAreRefused) {
  const BodyPoint ground = WorldPoint(Vector3::Zero());
  EXPECT_THROW(SpringDamper(ground, ground, {}), std::invalid_argument);
  EXPECT_THROW(SpringDamper(ground, {BodyId{1}}, {.stiffness = -1.0}),
               std::invalid_argument);
  EXPECT_THROW(Drag(ground, {}), std::invalid_argument);
  EXPECT_THROW(Drag({BodyId{1}}, {.quadratic = -1.0}), std::invalid_argument);
  EXPECT_THROW(Load(ground, Vector3::Zero()), std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
