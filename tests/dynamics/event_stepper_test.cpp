// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/event_stepper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

constexpr double kRadius = 0.1;

BodyId AddBall(World& world, const Vector3& p, double restitution,
               const Vector3& v = Vector3::Zero()) {
  Transform X_WB;
  X_WB.p = p;
  return AddSolid(world, Shape::Sphere(kRadius), 1000.0, X_WB,
                  Rough(0.0, restitution), v);
}

// V-11: dropped from 1 m, sqrt(2 / g) = 0.451524 s to 1e-6.
TEST(EventStepper, V11_FindsTheTimeAtWhichADroppedBallTouches) {
  for (const double step : {1.0 / 240.0, 1.0 / 60.0, 0.013}) {
    World world;
    AddFloor(world, Rough(0.0));
    AddBall(world, Vector3(0.0, 1.0 + kRadius, 0.0), 0.0);
    EventStepper stepper(world, {.step = step});
    const std::vector<MeetingEvent> events = stepper.Advance(0.5);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_NEAR(events[0].time, std::sqrt(2.0 / kGravity), 1e-6);
    EXPECT_GT(stepper.num_refused(), 0);
  }
}

// D-51: impact time to 1e-6 s, and frame times unchanged by what happens
// between them.
TEST(EventStepper, D51_KeepsTheFrameGrid) {
  World world;
  AddFloor(world, Rough(0.0, 1.0));
  const BodyId ball = AddBall(world, Vector3(0.0, 1.0 + kRadius, 0.0), 1.0);
  EventStepper stepper(world);
  std::vector<MeetingEvent> events;
  for (int frame = 1; frame <= 120; ++frame) {
    for (const MeetingEvent& event : stepper.Advance(1.0 / 60.0)) {
      events.push_back(event);
    }
    EXPECT_NEAR(world.time(), frame / 60.0, 1e-12);
  }
  // Elastic: it comes back at t1, 3 t1, ... and rises to 1 m each time.
  const double t1 = std::sqrt(2.0 / kGravity);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].time, t1, 1e-6);
  EXPECT_NEAR(events[1].time, 3.0 * t1, 1e-4);
  EXPECT_LT(world.motion(ball).p_WC.y(), 1.0 + kRadius + 1e-3);
}

// Restitution e = 0.5 from 1 m: 0.25 m, within 1 % whatever the step.
TEST(EventStepper, BounceHeightDoesNotDependOnTheStep) {
  for (const double step : {1.0 / 500.0, 1.0 / 100.0, 1.0 / 33.0}) {
    World world;
    AddFloor(world, Rough(0.0, 0.5));
    const BodyId ball = AddBall(world, Vector3(0.0, 1.0 + kRadius, 0.0), 0.5);
    EventStepper stepper(world, {.step = step});
    stepper.Advance(std::sqrt(2.0 / kGravity) + 0.01);
    double highest = 0.0;
    for (int i = 0; i < 60; ++i) {
      stepper.Advance(0.005);
      highest = std::max(highest, world.motion(ball).p_WC.y() - kRadius);
    }
    EXPECT_NEAR(highest, 0.25, 0.0025) << step;
  }
}

// V-12: friction in an impact. A ball with restitution e comes in at the speeds
// v_n into the floor and v_t along it. Its friction impulse is mu times that of
// the normal, (1 + e) m v_n, until the rim rolls, which takes 2/7 m v_t:
//
//     v_t+ = v_t - min(mu (1 + e) v_n, 2/7 v_t) ,   w r = 5/2 (v_t - v_t+)
//
// `World::Step` alone, which treats the impact up to a step early, has up to 4
// % more spin: its arm is longer by the gap.
TEST(EventStepper, V12_ObliqueBounceHasItsFrictionImpulse) {
  const double r = 0.1;
  const double v_t = 2.0;
  const double v_n = 3.0;
  for (const double e : {0.0, 0.5}) {
    for (const double mu : {0.0, 0.05, 0.1, 0.3, 1.0}) {
      WorldSettings settings;
      settings.gravity.setZero();
      World world(settings);
      AddFloor(world, Rough(mu, e));
      Transform X_WB;
      X_WB.p = Vector3(0.0, r + 0.02, 0.0);
      const BodyId ball = AddSolid(world, Shape::Sphere(r), 1000.0, X_WB,
                                   Rough(mu, e), Vector3(v_t, -v_n, 0.0));
      EventStepper(world).Advance(0.1);
      const double lost = std::min(mu * (1.0 + e) * v_n, 2.0 / 7.0 * v_t);
      const BodyMotion& after = world.motion(ball);
      EXPECT_NEAR(after.v_WC.y(), e * v_n, 0.01 * v_n) << e << " " << mu;
      EXPECT_NEAR(after.v_WC.x(), v_t - lost, 0.01 * v_t) << e << " " << mu;
      EXPECT_NEAR(-after.w_WB.z() * r, 2.5 * lost, 0.01 * v_t)
          << e << " " << mu;
    }
  }
}

// D-48: a jump of momentum. A pendulum of inertia I struck at distance d by an
// impulse J turns with J d / I.
TEST(EventStepper, D48_PendulumStruckAtADistanceTakesUpThePercussion) {
  World world;
  WorldSettings settings;
  settings.gravity.setZero();
  world.set_settings(settings);
  BodySpec spec;
  spec.mass = MassOfCylinder(0.05, 1.0, Material::WithMass(2.0));
  spec.X_WB.p = Vector3(0.0, -0.5, 0.0);
  const BodyId rod = world.AddBody(spec);
  world.Add(HingeJoint(kGround, Transform{}, rod,
                       Transform{Quaternion::Identity(), Vector3(0, 0.5, 0)}));
  const double d = 0.8;
  const double J = 0.3;
  world.ApplyImpulse(rod, Vector3(0.0, 0.5 - d, 0.0), Vector3(J, 0.0, 0.0));
  const double I = spec.mass.I_BC(2, 2) + spec.mass.mass * 0.25;
  world.Step(1e-6);
  EXPECT_NEAR(world.motion(rod).w_WB.z(), J * d / I, 1e-9);
}

// At 200 m/s a step of 1/240 s is 83 cm; the board is 2 cm thick.
TEST(EventStepper, FastBallDoesNotPassThroughABoard) {
  World world;
  ColliderSpec board;
  board.shape = Shape::Box(Vector3(0.01, 1.0, 1.0));
  world.AddCollider(kGround, board);
  const BodyId ball =
      AddBall(world, Vector3(-3.0, 0.0, 0.0), 0.0, Vector3(200.0, 0.0, 0.0));
  EventStepper stepper(world);
  const std::vector<MeetingEvent> events = stepper.Advance(0.05);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(events[0].time, (3.0 - kRadius - 0.01) / 200.0, 1e-6);
  EXPECT_LT(world.motion(ball).p_WC.x(), 0.0);
}

// Infinitely many bounces end in rest.
TEST(EventStepper, BallComesToRest) {
  World world;
  AddFloor(world, Rough(0.0, 0.7));
  const BodyId ball = AddBall(world, Vector3(0.0, 0.3, 0.0), 0.7);
  EventStepper stepper(world);
  stepper.Advance(5.0);
  EXPECT_NEAR(world.motion(ball).p_WC.y(), kRadius, 1e-3);
  EXPECT_LT(world.motion(ball).v_WC.norm(), 0.02);
}

TEST(EventStepper, RefusesBadSettings) {
  World world;
  EXPECT_THROW(EventStepper(world, {.step = 0.0}), std::invalid_argument);
  EXPECT_THROW(EventStepper(world, {.time_tolerance = -1.0}),
               std::invalid_argument);
  EXPECT_THROW(EventStepper(world, {.max_events = -1}), std::invalid_argument);
  EventStepper stepper(world);
  EXPECT_THROW(stepper.Advance(0.0), std::invalid_argument);
  World other(WorldSettings{.scheme = Scheme::kEuler});
  EXPECT_THROW(EventStepper{other}, std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics::test
