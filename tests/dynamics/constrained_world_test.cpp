// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Bodies under constraints: forces, stabilisation, both levels, breaking.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/world.h"

namespace limber::dynamics {
namespace {

// A uniform rod along X, m = 1 kg, L = 1 m, with a round cross-section.
BodySpec Rod(const Vector3& centre, double mass = 1.0) {
  BodySpec spec;
  spec.mass.mass = mass;
  spec.mass.I_BC = (mass * Vector3(1e-3, 1.0 / 12.0, 1.0 / 12.0)).asDiagonal();
  spec.X_WB.p = centre;
  return spec;
}
const Vector3 kStart(-0.5, 0, 0);
const Vector3 kEnd(0.5, 0, 0);

RowSettings With(const Stabilisation& stabilisation) {
  RowSettings settings;
  settings.stabilisation = stabilisation;
  return settings;
}

// V-4, B-23, Dynamo-064: link k of a hanging chain carries what is below it.
TEST(ConstrainedWorld, HangingChainCarriesTheWeightBelowEachLink) {
  for (const Scheme scheme :
       {Scheme::kLeapfrog, Scheme::kEuler, Scheme::kAcceleration}) {
    World world(WorldSettings{.scheme = scheme});
    std::vector<PointToPoint*> links;
    BodyPoint above = WorldPoint(Vector3::Zero());
    for (int i = 0; i < 10; ++i) {
      BodySpec spec = Rod(Vector3(0, -0.5 - i, 0));
      // Its +X end up.
      spec.X_WB.R = ExpRotation(Vector3(0, 0, kPi / 2));
      const BodyId body = world.AddBody(spec);
      links.push_back(&world.Add(
          PointToPoint(above, {body, kEnd}, PointToPoint::Axes::kWorld)));
      above = {body, kStart};
    }
    const double h = 1.0 / 240.0;
    for (int i = 0; i < 20; ++i) world.Step(h);
    for (int i = 0; i < 10; ++i) {
      const std::span<const double> impulse =
          links[static_cast<std::size_t>(i)]->impulses();
      EXPECT_NEAR(impulse[1] / h, (10 - i) * kGravity, 1e-8) << i;
      EXPECT_NEAR(impulse[0] / h, 0.0, 1e-8);
    }
  }
}

// B-31: Newton III inside a falling compound pendulum: the upper rod moves as
// its weight and the two joint forces say.
TEST(ConstrainedWorld, JointForcesAccountForTheMotionOfARod) {
  World world(WorldSettings{.scheme = Scheme::kEuler});
  const BodyId upper = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  const BodyId lower = world.AddBody(Rod(Vector3(1.5, 0, 0)));
  PointNail& nail = world.Add(PointNail({upper, kStart}, Vector3::Zero()));
  PointToPoint& elbow = world.Add(PointToPoint({upper, kEnd}, {lower, kStart}));
  const double h = 1e-3;
  for (int i = 0; i < 300; ++i) {
    const Vector3 before = world.motion(upper).v_WC;
    const Matrix3 R_WA = world.motion(upper).R_WB;
    world.Step(h);
    // The nail's rows are along the world's axes, the elbow's along those of
    // the upper rod.
    const std::span<const double> n = nail.impulses();
    const std::span<const double> e = elbow.impulses();
    const Vector3 force =
        Vector3(0, -kGravity, 0) +
        (Vector3(n[0], n[1], n[2]) - R_WA * Vector3(e[0], e[1], e[2])) / h;
    const Vector3 acceleration = (world.motion(upper).v_WC - before) / h;
    ASSERT_LT((acceleration - force).norm(), 1e-9);
  }
}

// V-5: a joint pulled 1 cm apart comes back at the rate of its law.
TEST(ConstrainedWorld, SeparatedJointReturnsAtTheAnalyticRate) {
  const double h = 1.0 / 240.0;
  WorldSettings settings{.gravity = Vector3::Zero(), .scheme = Scheme::kEuler};
  World world(settings);
  const BodyId rod = world.AddBody(Rod(Vector3(0.51, 0, 0)));
  PointNail& nail = world.Add(PointNail({rod, kStart}, Vector3::Zero()));
  nail.set_settings(With(Stabilisation::Baumgarte(20.0, 0.0)));
  double expected = 0.01;
  int steps = 0;
  while (expected > 1e-4) {
    world.Step(h);
    expected *= 1.0 - 20.0 * h;
    ASSERT_NEAR(world.Error(nail), expected, 1e-12);
    ++steps;
  }
  EXPECT_LT(steps * h, 0.25);

  // Acceleration level, alpha = beta: D = D0 (1 + alpha t) exp(-alpha t).
  settings.scheme = Scheme::kAcceleration;
  World smooth(settings);
  const BodyId other = smooth.AddBody(Rod(Vector3(0.51, 0, 0)));
  PointNail& second = smooth.Add(PointNail({other, kStart}, Vector3::Zero()));
  second.set_settings(With(Stabilisation::Baumgarte(20.0, 20.0)));
  for (int i = 0; i < 120; ++i) smooth.Step(h);
  EXPECT_NEAR(smooth.Error(second), 0.01 * 11.0 * std::exp(-10.0), 1e-8);
}

// B-20, B-13: critically damped convergence of every constraint, whatever the
// mass and gravity; and the closed form of the force at the start.
TEST(ConstrainedWorld, CriticallyDampedErrorFollowsItsClosedForm) {
  for (const double mass : {2.0, 40.0}) {
    const double tau = 0.5;
    World world(WorldSettings{.scheme = Scheme::kAcceleration});
    BodySpec ball = Rod(Vector3(1, 0, 0), mass);
    const BodyId body = world.AddBody(ball);
    PointNail& nail =
        world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
    nail.set_settings(With(Stabilisation::CriticallyDamped(tau)));
    const double h = tau / 100.0;
    const double expected[] = {0.735759, 0.040428, 4.99399e-4};
    int next = 0;
    for (int i = 1; i <= 1000; ++i) {
      world.Step(h);
      const double D = world.motion(body).p_WC.x();
      EXPECT_GT(D, 0.0) << "overshoot";
      if (i == 100 || i == 500 || i == 1000) {
        EXPECT_NEAR(D, expected[next], 1e-6);
        ++next;
      }
    }
    // B-13: at rest the force is the weight.
    EXPECT_NEAR(nail.impulses()[1] / h, mass * kGravity, 1e-2 * mass);
  }
}

// B-13: Fc(0) = (-8, 19.62, 0) for m = 2, tau = 0.5, D0 = (1, 0, 0).
TEST(ConstrainedWorld, FirstForceOfANailAtTheMassCentreIsTheClosedForm) {
  WorldSettings settings{.scheme = Scheme::kAcceleration};
  settings.ode_method = OdeMethod::kEuler;
  World world(settings);
  const BodyId body = world.AddBody(Rod(Vector3(1, 0, 0), 2.0));
  PointNail& nail =
      world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
  nail.set_settings(With(Stabilisation::CriticallyDamped(0.5)));
  world.Step(1e-3);
  EXPECT_NEAR(nail.impulses()[0] / 1e-3, -8.0, 1e-9);
  EXPECT_NEAR(nail.impulses()[1] / 1e-3, 19.62, 1e-9);
  EXPECT_NEAR(nail.impulses()[2], 0.0, 1e-12);
}

// B-20 on velocity level: the implicit form is stable for any step and comes
// to the same law as h goes to 0.
TEST(ConstrainedWorld, CriticallyDampedHoldsOnVelocityLevel) {
  const double tau = 0.5;
  const auto error_after_five_tau = [tau](double h) {
    World world(WorldSettings{.scheme = Scheme::kEuler});
    const BodyId body = world.AddBody(Rod(Vector3(1, 0, 0)));
    PointNail& nail =
        world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
    nail.set_settings(With(Stabilisation::CriticallyDamped(tau)));
    for (int i = 0; i < std::lround(5 * tau / h); ++i) world.Step(h);
    return world.motion(body).p_WC.x();
  };
  EXPECT_NEAR(error_after_five_tau(tau / 1000), 0.040428, 3e-4);
  EXPECT_GT(error_after_five_tau(tau * 2), 0.0);
  EXPECT_LT(error_after_five_tau(tau * 2), 0.3);
}

// V-9: a rod on a nail struck at its free end: w = P L / (m L^2 / 3).
TEST(ConstrainedWorld, VelocityRowsAnswerAnImpulse) {
  World world(WorldSettings{.gravity = Vector3::Zero()});
  const BodyId rod = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  world.Add(PointNail({rod, kStart}, Vector3::Zero()));
  world.ApplyImpulse(rod, kEnd, Vector3(0, 1, 0));
  world.ProjectVelocities();
  EXPECT_NEAR(world.motion(rod).w_WB.z(), 3.0, 1e-12);
  EXPECT_NEAR(world.motion(rod).v_WC.y(), 1.5, 1e-12);
}

// V-10: velocity and acceleration level agree as h goes to zero, each at the
// order of its method.
TEST(ConstrainedWorld, BothLevelsAgreeAtTheOrderOfTheMethod) {
  const auto tip = [](Scheme scheme, OdeMethod method, double h) {
    WorldSettings settings{.scheme = scheme};
    settings.ode_method = method;
    World world(settings);
    const BodyId upper = world.AddBody(Rod(Vector3(0.5, 0, 0)));
    const BodyId lower = world.AddBody(Rod(Vector3(1.5, 0, 0)));
    world.Add(PointNail({upper, kStart}, Vector3::Zero()));
    world.Add(PointToPoint({upper, kEnd}, {lower, kStart}));
    for (int i = 0; i < std::lround(0.5 / h); ++i) world.Step(h);
    return Vector3(world.motion(lower).p_WC);
  };
  const Vector3 exact =
      tip(Scheme::kAcceleration, OdeMethod::kRungeKutta4, 1.0 / 4000);
  const auto order = [&](Scheme scheme, OdeMethod method, double h) {
    const double coarse = (tip(scheme, method, h) - exact).norm();
    const double fine = (tip(scheme, method, h / 2) - exact).norm();
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(order(Scheme::kEuler, OdeMethod::kEuler, 1.0 / 400), 1.0, 0.1);
  EXPECT_NEAR(order(Scheme::kLeapfrog, OdeMethod::kEuler, 1.0 / 200), 2.0,
              0.15);
  EXPECT_NEAR(order(Scheme::kAcceleration, OdeMethod::kEuler, 1.0 / 800), 1.0,
              0.15);
  EXPECT_NEAR(order(Scheme::kAcceleration, OdeMethod::kMidpoint, 1.0 / 200),
              2.0, 0.25);
  EXPECT_NEAR(order(Scheme::kAcceleration, OdeMethod::kRungeKutta4, 1.0 / 100),
              4.0, 0.4);
}

// B-22: a swinging pendulum holds its nail for a minute.
TEST(ConstrainedWorld, NailHoldsForAMinute) {
  World world;
  const BodyId rod = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  PointNail& nail = world.Add(PointNail({rod, kStart}, Vector3::Zero()));
  double largest = 0.0;
  for (int i = 0; i < 60 * 240; ++i) {
    world.Step(1.0 / 240.0);
    largest = std::max(largest, world.Error(nail));
  }
  EXPECT_LT(largest, 1e-6);
}

// The report's counts are those of one island, whatever solver there is and
// however many islands.
TEST(ConstrainedWorld, ReportCountsTheIslandThatNeedsMost) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    for (const SolverKind solver :
         {SolverKind::kTree, SolverKind::kDense, SolverKind::kGaussSeidel}) {
      const auto counts = [&](int num_islands) {
        World world(WorldSettings{.scheme = scheme, .solver = solver});
        for (int i = 0; i < num_islands; ++i) {
          const BodyId body = world.AddBody(Rod(Vector3(0.5, 0, i)));
          world.Add(BallJoint(kGround, Vector3(0, 0, i), body, kStart));
        }
        world.Step(1.0 / 240.0);
        const StepReport& report = world.Step(1.0 / 240.0);
        return std::pair(report.factorisations, report.solves);
      };
      EXPECT_GT(counts(1).second, 0);
      EXPECT_EQ(counts(1), counts(5));
    }
  }
}

// Dynamo-065: breaks above its strength, not below; and a bound clamps.
TEST(ConstrainedWorld, NailBreaksAboveItsStrengthAndReportsIt) {
  const auto run = [](double max_force) {
    World world(WorldSettings{.scheme = Scheme::kEuler});
    const BodyId body = world.AddBody(Rod(Vector3::Zero()));
    PointNail& nail =
        world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
    nail.set_breaking(max_force, kInfinity);
    for (int i = 0; i < 100; ++i) world.Step(0.01);
    return std::pair(nail.enabled(), world.TakeEvents());
  };
  const auto [broken_enabled, broken_events] = run(9.0);
  EXPECT_FALSE(broken_enabled);
  ASSERT_EQ(broken_events.size(), 1u);
  EXPECT_EQ(broken_events[0].kind, Event::Kind::kBroken);
  EXPECT_NEAR(broken_events[0].force, kGravity, 1e-9);
  EXPECT_NEAR(broken_events[0].time, 0.01, 1e-12);
  const auto [held_enabled, held_events] = run(10.5);
  EXPECT_TRUE(held_enabled);
  EXPECT_TRUE(held_events.empty());
}

// Dynamo-065, V-6: a bound of 9 N lets 1 kg sink at 0.81 m/s^2.
TEST(ConstrainedWorld, BoundedNailLetsTheMassSink) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    World world(WorldSettings{.scheme = scheme});
    const BodyId body = world.AddBody(Rod(Vector3::Zero()));
    PointNail& nail =
        world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
    RowSettings settings;
    settings.lo = -9.0;
    settings.hi = 9.0;
    nail.set_settings(settings);
    const double h = 1.0 / 240.0;
    for (int i = 0; i < 240; ++i) {
      world.Step(h);
      ASSERT_LE(nail.impulses()[1], 9.0 * h * (1.0 + 1e-12));
    }
    EXPECT_NEAR(world.motion(body).p_WC.y(), -0.405, 0.002);
  }
}

// D-22, B-9: a constraint switched off has no force in the next step.
TEST(ConstrainedWorld, SwitchedOffNailLetsGoAtItsTime) {
  World world;
  const BodyId body = world.AddBody(Rod(Vector3::Zero()));
  PointNail& nail =
      world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
  world.At(1.0, [&nail](World&) { nail.set_enabled(false); });
  const double h = 0.01;
  for (int i = 0; i < 100; ++i) world.Step(h);
  EXPECT_NEAR(nail.impulses()[1] / h, kGravity, 1e-9);
  // Then it flies along a parabola.
  double y[3] = {0.0, 0.0, world.motion(body).p_WC.y()};
  for (int i = 0; i < 100; ++i) {
    world.Step(h);
    ASSERT_TRUE(nail.impulses().empty());
    y[0] = y[1];
    y[1] = y[2];
    y[2] = world.motion(body).p_WC.y();
    if (i > 0) {
      ASSERT_NEAR(y[2] - 2.0 * y[1] + y[0], -kGravity * h * h, 1e-12);
    }
  }
  // The velocity of the leapfrog is known to half a step.
  EXPECT_NEAR(y[2], -0.5 * kGravity, 0.5 * kGravity * h * 1.01);
}

}  // namespace
}  // namespace limber::dynamics
