// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace limber::dynamics {
namespace {

constexpr Scheme kAllSchemes[] = {Scheme::kLeapfrog, Scheme::kEuler,
                                  Scheme::kImprovedImplicit,
                                  Scheme::kAcceleration};

WorldSettings Weightless(Scheme scheme = Scheme::kLeapfrog) {
  WorldSettings settings;
  settings.gravity.setZero();
  settings.scheme = scheme;
  return settings;
}

BodySpec Box(double mass, const Vector3& inertia,
             const Vector3& p_WB = Vector3::Zero()) {
  BodySpec spec;
  spec.mass.mass = mass;
  spec.mass.I_BC = inertia.asDiagonal();
  spec.X_WB.p = p_WB;
  return spec;
}

// Applies a force in the body's x direction that turns with it.
class Thruster : public Force {
 public:
  explicit Thruster(BodyId body) : body_(body) {}
  void AddForces(BodyMotions bodies, double, double,
                 ForceBuffer& forces) override {
    forces.AddForce(body_, Vector3::Zero(),
                    MotionOf(bodies, body_).R_WB.col(0));
  }

 private:
  BodyId body_;
};

// Dynamo-001: to local and back, point velocity against finite differences.
TEST(World, PointsOfABodyMoveAsItsMotionSays) {
  World world(Weightless());
  BodySpec spec = Box(2.0, Vector3(0.1, 0.2, 0.25), Vector3(1, 2, 3));
  spec.mass.p_BC = Vector3(0.1, -0.2, 0.05);
  spec.X_WB.R = ExpRotation(Vector3(0.3, -0.8, 0.4));
  spec.v_WC = Vector3(0.5, 0.1, -0.3);
  spec.w_WB = Vector3(1.0, -2.0, 0.7);
  const BodyId body = world.AddBody(spec);
  const Vector3 p_BA(0.4, 0.3, -0.6);
  const Vector3 p_WA = world.motion(body).Point(p_BA);
  const Vector3 back = world.X_WB(body).Inverse() * p_WA;
  EXPECT_LT((back - p_BA).norm(), 1e-12);
  const Vector3 velocity = world.motion(body).PointVelocity(p_WA);
  const double h = 1e-6;
  world.Step(h);
  const Vector3 difference = (world.motion(body).Point(p_BA) - p_WA) / h;
  EXPECT_LT((velocity - difference).norm(), 1e-4);
}

// Dynamo-002: bad masses are refused, a free sphere keeps its spin.
TEST(World, BadMassPropertiesAreRefusedByName) {
  World world;
  for (const double mass : {0.0, -1.0, std::nan(""), kInfinity}) {
    EXPECT_THROW(world.AddBody(Box(mass, Vector3::Ones())),
                 std::invalid_argument)
        << mass;
  }
  EXPECT_THROW(world.AddBody(Box(1.0, Vector3(-1, 1, 1))),
               std::invalid_argument);
  try {
    BodySpec spec = Box(1.0, Vector3::Ones());
    spec.linear_damping = -2.0;
    world.AddBody(spec);
    FAIL() << "negative damping was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("linear_damping"),
              std::string::npos);
    EXPECT_NE(std::string(error.what()).find("-2"), std::string::npos);
  }
}

// Dynamo-002
TEST(World, FreeSphereKeepsItsSpin) {
  for (const Scheme scheme : kAllSchemes) {
    World world(Weightless(scheme));
    BodySpec spec = Box(1.0, Vector3::Constant(0.4));
    spec.w_WB = Vector3(3, -1, 2);
    const BodyId body = world.AddBody(spec);
    for (int i = 0; i < 1000; ++i) world.Step(0.01);
    EXPECT_LT((world.motion(body).w_WB - spec.w_WB).norm(), 1e-12);
  }
}

// V-1, B-1: a tumbling box keeps L and energy, and flips (Dzhanibekov).
TEST(World, TumblingBoxKeepsMomentumAndEnergyAndFlips) {
  World world(Weightless());
  BodySpec spec = Box(1.0, Vector3(1, 2, 3));
  spec.w_WB = Vector3(0.01, 2, 0.01);
  const BodyId body = world.AddBody(spec);
  const Vector3 L0 = world.AngularMomentum();
  const double E0 = world.KineticEnergy();
  double lowest = 1.0;
  for (int i = 0; i < 10000; ++i) {
    world.Step(1e-3);
    ASSERT_LT((world.AngularMomentum() - L0).norm(), 1e-9 * L0.norm());
    ASSERT_NEAR(world.KineticEnergy(), E0, 1e-6 * E0);
    lowest = std::min(lowest, world.motion(body).R_WB(1, 1));
  }
  EXPECT_LT(lowest, -0.9) << "the middle axis never turned over";
}

// Dynamo-004: the turning follows the right-hand rule.
TEST(World, SpinAboutZCarriesXToY) {
  for (const Scheme scheme : kAllSchemes) {
    World world(Weightless(scheme));
    BodySpec spec = Box(1.0, Vector3::Constant(1.0));
    spec.w_WB = Vector3(0, 0, 1);
    const BodyId body = world.AddBody(spec);
    for (int i = 0; i < 1000; ++i) world.Step(kPi / 2000.0);
    EXPECT_LT(
        (world.motion(body).Point(Vector3::UnitX()) - Vector3::UnitY()).norm(),
        1e-9);
  }
}

// Dynamo-005, B-3: a couple turns and does not move; T = b x F.
TEST(World, OppositeForcesGiveAPureTorque) {
  for (const Scheme scheme : kAllSchemes) {
    World world(Weightless(scheme));
    const BodyId body = world.AddBody(Box(1.0, Vector3::Constant(2.0)));
    const double h = 1e-3;
    world.ApplyForce(body, Vector3(0.25, 0, 0), Vector3(0, 3, 0));
    world.ApplyForce(body, Vector3(-0.25, 0, 0), Vector3(0, -3, 0));
    world.Step(h);
    EXPECT_LT(world.motion(body).p_WC.norm(), 1e-12);
    // The leapfrog's first kick takes half a step.
    const double kick = scheme == Scheme::kLeapfrog ? h / 2 : h;
    EXPECT_NEAR(world.motion(body).w_WB.z(), 0.5 * 3.0 / 2.0 * kick, 1e-12);
    // Dynamo-012: forces last for one step.
    const Vector3 w = world.motion(body).w_WB;
    world.Step(h);
    if (scheme != Scheme::kLeapfrog) {
      EXPECT_LT((world.motion(body).w_WB - w).norm(), 1e-12);
    }
  }
}

// B-8: I = 2, T = 4 about a principal axis gives w(1) = 2.
TEST(World, ConstantTorqueSpinsUpLinearly) {
  World world(Weightless(Scheme::kEuler));
  const BodyId body = world.AddBody(Box(1.0, Vector3(1, 1, 2)));
  for (int i = 0; i < 100; ++i) {
    world.ApplyTorque(body, Vector3(0, 0, 4));
    world.Step(0.01);
  }
  EXPECT_NEAR(world.motion(body).w_WB.z(), 2.0, 1e-12);
}

// Dynamo-006: action and reaction cancel with every integrator.
TEST(World, PairOfForcesChangesNoMomentum) {
  for (const Scheme scheme : kAllSchemes) {
    World world(Weightless(scheme));
    const BodyId a = world.AddBody(Box(1.0, Vector3(1, 2, 2.5)));
    const BodyId b =
        world.AddBody(Box(5.0, Vector3(3, 4, 5), Vector3(2, 0, 0)));
    for (int i = 0; i < 50; ++i) {
      const Vector3 f(1.0, std::sin(0.3 * i), -0.5);
      world.ApplyForce(a, Vector3(0.1, 0.2, 0.3), f);
      world.ApplyForce(b, Vector3(-0.3, 0.1, 0.0), -f);
      world.Step(0.01);
    }
    EXPECT_LT(world.LinearMomentum().norm(), 1e-13);
  }
}

// Dynamo-007: the torque of a force follows the turning point of attack:
// theta'' = -cos(theta), order 4 with RK4.
TEST(World, TorqueIsTakenAnewInEveryStage) {
  const auto angle = [](double h) {
    WorldSettings settings = Weightless(Scheme::kAcceleration);
    settings.ode_method = OdeMethod::kRungeKutta4;
    World world(settings);
    const BodyId body = world.AddBody(Box(1.0, Vector3::Ones()));
    const int steps = static_cast<int>(std::lround(2.0 / h));
    for (int i = 0; i < steps; ++i) {
      world.ApplyForce(body, Vector3::UnitX(), Vector3(0, -1, 0));
      world.Step(h);
    }
    const Vector3 x = world.motion(body).R_WB.col(0);
    return std::atan2(x.y(), x.x());
  };
  const double exact = angle(1e-3);
  const double coarse = std::abs(angle(0.1) - exact);
  const double fine = std::abs(angle(0.05) - exact);
  EXPECT_GT(coarse / fine, 14.0);
}

// Dynamo-008, B-7: free fall is exact for every step, gravity may change.
TEST(World, FreeFallIsExactForEveryStep) {
  for (const double h : {0.001, 0.1, 1.0}) {
    World world;
    const BodyId body = world.AddBody(Box(1.0, Vector3::Ones()));
    const int steps = static_cast<int>(std::lround(10.0 / h));
    for (int i = 0; i < steps; ++i) world.Step(h);
    const double exact = -0.5 * kGravity * 100.0;
    EXPECT_NEAR(world.motion(body).p_WC.y(), exact, 1e-11 * -exact) << h;
  }
}

// B-7: range 10.194 m of a ball thrown at 10 m/s under 45 degrees.
TEST(World, ThrownBallFliesItsRange) {
  World world;
  BodySpec spec = Box(1.0, Vector3::Ones());
  spec.v_WC = Vector3(std::sqrt(50.0), std::sqrt(50.0), 0);
  const BodyId body = world.AddBody(spec);
  Vector3 last = Vector3::Zero();
  while (world.motion(body).p_WC.y() >= 0.0) {
    last = world.motion(body).p_WC;
    world.Step(1e-3);
  }
  const Vector3 now = world.motion(body).p_WC;
  const double range =
      last.x() + (now.x() - last.x()) * last.y() / (last.y() - now.y());
  EXPECT_NEAR(range, 10.194, 0.001 * 10.194);
}

// Dynamo-009, V-9: a rod struck across its end.
TEST(World, ImpulseChangesVelocityAtOnceAndNotThePlace) {
  World world(Weightless());
  // Uniform rod m = 1, L = 1: I = 1/12 across.
  const BodyId rod = world.AddBody(Box(1.0, Vector3(1.0 / 12, 1e-3, 1.0 / 12)));
  world.ApplyImpulse(rod, Vector3(0, 0.5, 0), Vector3(0, 0, 1));
  EXPECT_LT((world.motion(rod).v_WC - Vector3(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((world.motion(rod).w_WB - Vector3(6, 0, 0)).norm(), 1e-13);
  EXPECT_EQ(world.motion(rod).p_WC.norm(), 0.0);
}

// Dynamo-010: damping does not depend on the step.
TEST(World, DampingDoesNotDependOnTheStep) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    const auto speed = [scheme](double h) {
      World world(Weightless(scheme));
      BodySpec spec = Box(1.0, Vector3::Ones());
      spec.linear_damping = -std::log(0.995);
      spec.v_WC = Vector3(1, 0, 0);
      const BodyId body = world.AddBody(spec);
      for (int i = 0; i < std::lround(1.0 / h); ++i) world.Step(h);
      return world.motion(body).v_WC.x();
    };
    EXPECT_NEAR(speed(0.01), 0.995, 1e-12);
    EXPECT_NEAR(speed(0.01), speed(0.02), 1e-12);
  }
}

// Dynamo-013: everything falls alike; gravity may be switched off.
TEST(World, GravityActsAlikeAndCanBeSwitchedOff) {
  World world(WorldSettings{.scheme = Scheme::kEuler});
  const BodyId feather = world.AddBody(Box(0.001, Vector3::Constant(1e-6)));
  const BodyId anvil =
      world.AddBody(Box(100.0, Vector3::Constant(9.0), Vector3(1, 0, 0)));
  for (int i = 0; i < 100; ++i) world.Step(0.01);
  EXPECT_DOUBLE_EQ(world.motion(feather).p_WC.y(),
                   world.motion(anvil).p_WC.y());
  WorldSettings off = world.settings();
  off.gravity.setZero();
  world.set_settings(off);
  const Vector3 v = world.motion(anvil).v_WC;
  world.Step(0.01);
  EXPECT_EQ((world.motion(anvil).v_WC - v).norm(), 0.0);
}

// D-13: gravity in any direction.
TEST(World, GravityPointsWhereItIsTold) {
  WorldSettings settings;
  settings.gravity = Vector3(1, -2, 3);
  World world(settings);
  const BodyId body = world.AddBody(Box(3.0, Vector3::Ones()));
  for (int i = 0; i < 100; ++i) world.Step(0.01);
  EXPECT_LT((world.motion(body).p_WC - 0.5 * settings.gravity).norm(), 1e-12);
}

// Dynamo-015: a rod without inertia about its axis.
TEST(World, OneDimensionalBodyIgnoresTorqueAboutItsAxis) {
  const auto run = [](double axial_inertia, double axial_torque) {
    World world(Weightless());
    BodySpec spec = Box(1.0, Vector3(axial_inertia, 1.0 / 12, 1.0 / 12));
    spec.w_WB = Vector3(0, 0.5, 0);
    const BodyId rod = world.AddBody(spec);
    for (int i = 0; i < 200; ++i) {
      const Vector3 axis = world.motion(rod).R_WB.col(0);
      const Vector3 across = Vector3(0, 0, 0.1) - 0.1 * axis.z() * axis;
      world.ApplyTorque(rod, axial_torque * axis + across);
      world.Step(0.01);
    }
    return world.motion(rod);
  };
  const BodyMotion thin = run(0.0, 0.3);
  ASSERT_TRUE(thin.R_WB.allFinite());
  ASSERT_TRUE(thin.w_WB.allFinite());
  const BodyMotion nearly = run(1e-6, 0.0);
  EXPECT_LT((thin.R_WB.col(0) - nearly.R_WB.col(0)).norm(), 1e-4);
}

// Dynamo-001: a body has two states, at the start and at the end of a step. In
// both points go to body coordinates and back, and the velocity of a point is
// the slope of its path: off by less than the step, by half as much at half of
// it.
TEST(World, BothStatesOfAStepSayHowPointsMove) {
  const Vector3 p_BA(0.4, 0.3, -0.6);
  const auto slope_error = [&p_BA](double h) {
    World world(Weightless());
    BodySpec spec = Box(2.0, Vector3(0.1, 0.2, 0.25), Vector3(1, 2, 3));
    spec.mass.p_BC = Vector3(0.1, -0.2, 0.05);
    spec.X_WB.R = ExpRotation(Vector3(0.3, -0.8, 0.4));
    spec.v_WC = Vector3(0.5, 0.1, -0.3);
    spec.w_WB = Vector3(1.0, -2.0, 0.7);
    const BodyId body = world.AddBody(spec);
    world.Step(h);
    world.Step(h);
    const BodyMotion first =
        world.SynchronisedMotions()[static_cast<std::size_t>(body.value)];
    const BodyMotion second = world.motion(body);
    double worst = 0.0;
    const Vector3 slope = (second.Point(p_BA) - first.Point(p_BA)) / h;
    for (const BodyMotion* state : {&first, &second}) {
      const Vector3 p_WA = state->Point(p_BA);
      const Vector3 back = state->R_WB.transpose() * (p_WA - state->p_WB);
      EXPECT_LT((back - p_BA).norm(), 1e-12);
      worst = std::max(worst, (state->PointVelocity(p_WA) - slope).norm());
    }
    return worst;
  };
  // |w|^2 |r| is about 5 m/s^2.
  EXPECT_LT(slope_error(1e-3), 5e-3);
  EXPECT_NEAR(slope_error(1e-3) / slope_error(5e-4), 2.0, 0.05);
}

// Dynamo-018, Dynamo-019: h may differ from step to step; the clock is their
// sum.
TEST(World, StepsMayDifferAndTheClockIsTheirSum) {
  World world;
  const BodyId body = world.AddBody(Box(1.0, Vector3::Ones()));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> step(0.005, 0.02);
  double sum = 0.0;
  while (sum < 10.0) {
    const double h = step(random);
    world.Step(h);
    sum += h;
  }
  EXPECT_NEAR(world.time(), sum, 1e-12);
  // The leapfrog's kicks reach from half step to half step.
  EXPECT_NEAR(world.motion(body).p_WC.y(), -0.5 * kGravity * sum * sum, 1e-9);
}

TEST(World, BadStepIsRefused) {
  World world;
  for (const double h : {0.0, -0.1, std::nan(""), kInfinity}) {
    EXPECT_THROW(world.Step(h), std::invalid_argument) << h;
  }
}

TEST(World, UnknownBodyIsRefused) {
  World world;
  EXPECT_THROW(world.motion(BodyId{5}), std::invalid_argument);
  EXPECT_THROW(world.ApplyForce(BodyId{-1}, Vector3::Zero(), Vector3::Zero()),
               std::invalid_argument);
}

TEST(World, ForceThatFollowsTheBodyIsAskedEveryStep) {
  World world(Weightless());
  const BodyId body = world.AddBody(Box(1.0, Vector3::Ones()));
  Thruster& thruster = world.Add(Thruster(body));
  for (int i = 0; i < 100; ++i) world.Step(0.01);
  EXPECT_NEAR(world.motion(body).p_WC.x(), 0.5, 1e-12);
  thruster.set_enabled(false);
  world.Step(0.01);
  const Vector3 v = world.motion(body).v_WC;
  world.Step(0.01);
  EXPECT_EQ((world.motion(body).v_WC - v).norm(), 0.0);
}

// Kinematic bodies keep to their velocity whatever pulls at them.
TEST(World, KinematicBodyMovesByItsVelocityAlone) {
  for (const Scheme scheme : kAllSchemes) {
    World world(WorldSettings{.scheme = scheme});
    BodySpec spec;
    spec.kind = BodyKind::kKinematic;
    spec.v_WC = Vector3(1, 0, 0);
    spec.w_WB = Vector3(0, 0, 2);
    const BodyId body = world.AddBody(spec);
    world.ApplyForce(body, Vector3::Zero(), Vector3(0, 100, 0));
    for (int i = 0; i < 100; ++i) world.Step(0.01);
    EXPECT_LT((world.motion(body).p_WC - Vector3(1, 0, 0)).norm(), 1e-12);
    EXPECT_LT(
        AngleBetween(world.motion(body).q_WB, ExpRotation(Vector3(0, 0, 2))),
        1e-12);
  }
}

// B-9: the time line switches things at its times, in order.
TEST(World, ScheduledActionsRunAtTheirTimes) {
  World world(Weightless(Scheme::kEuler));
  const BodyId body = world.AddBody(Box(1.0, Vector3::Ones()));
  std::vector<double> times;
  world.At(0.2, [&](World& w) { times.push_back(w.time()); });
  world.At(0.1, [&](World& w) {
    times.push_back(w.time());
    w.ApplyImpulse(body, Vector3::Zero(), Vector3(1, 0, 0));
  });
  for (int i = 0; i < 30; ++i) world.Step(0.01);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.1, 1e-9);
  EXPECT_NEAR(times[1], 0.2, 1e-9);
  EXPECT_NEAR(world.motion(body).p_WC.x(), 0.2, 1e-9);
  EXPECT_EQ(world.TakeEvents().size(), 2u);
  EXPECT_TRUE(world.TakeEvents().empty());
}

TEST(World, RestoredStateReplaysBitForBit) {
  World world;
  BodySpec spec = Box(1.0, Vector3(0.1, 0.2, 0.25));
  spec.w_WB = Vector3(3, 1, 2);
  const BodyId body = world.AddBody(spec);
  for (int i = 0; i < 10; ++i) world.Step(0.01);
  const auto saved = world.Save();
  for (int i = 0; i < 50; ++i) world.Step(0.01);
  const BodyMotion first = world.motion(body);
  world.Restore(*saved);
  EXPECT_NEAR(world.time(), 0.1, 1e-12);
  for (int i = 0; i < 50; ++i) world.Step(0.01);
  EXPECT_EQ(first.q_WB.coeffs(), world.motion(body).q_WB.coeffs());
  EXPECT_EQ(first.p_WC, world.motion(body).p_WC);
  EXPECT_EQ(first.w_WB, world.motion(body).w_WB);
}

}  // namespace
}  // namespace limber::dynamics
