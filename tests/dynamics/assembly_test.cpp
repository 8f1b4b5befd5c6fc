// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Larger scenes: self-assembly and the carousel.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "dynamics/constraints/point_to_point.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/world.h"

namespace limber::dynamics {
namespace {

BodySpec Rod(double length, double mass) {
  BodySpec spec;
  spec.mass.mass = mass;
  const double across = mass * length * length / 12.0;
  spec.mass.I_BC = Vector3(0.01 * across, across, across).asDiagonal();
  return spec;
}

// B-21, Dynamo-055, B-25: twenty scattered rods fly together into a chain
// between two towers, and hold.
TEST(SelfAssembly, TwentyScatteredRodsBecomeAChainBetweenTowersAndHold) {
  const double tau = 0.2;
  World world(WorldSettings{.scheme = Scheme::kAcceleration});
  std::mt19937 random(20);
  std::uniform_real_distribution<double> place(-3.0, 3.0);
  std::normal_distribution<double> turn(0.0, 0.5);
  RowSettings pull;
  pull.stabilisation = Stabilisation::CriticallyDamped(tau);
  const Vector3 start(-0.5, 0, 0);
  const Vector3 end(0.5, 0, 0);
  BodyPoint last = WorldPoint(Vector3(-8, 0, 0));
  std::vector<const Constraint*> links;
  for (int i = 0; i < 20; ++i) {
    BodySpec spec = Rod(1.0, 1.0);
    spec.X_WB.p = Vector3(-8 + 0.8 * i + 0.4 + place(random), place(random),
                          place(random));
    spec.X_WB.R =
        ExpRotation(Vector3(turn(random), turn(random), turn(random)));
    spec.angular_damping = 1.0;
    spec.linear_damping = 1.0;
    const BodyId body = world.AddBody(spec);
    PointToPoint& link = world.Add(
        PointToPoint(last, {body, start}, PointToPoint::Axes::kWorld));
    link.set_settings(pull);
    links.push_back(&link);
    last = {body, end};
  }
  PointNail& nail = world.Add(PointNail(last, Vector3(8, 0, 0)));
  nail.set_settings(pull);
  links.push_back(&nail);

  const double D0 = world.MaxError();
  EXPECT_GT(D0, 2.0);
  for (int i = 0; i < 480; ++i) world.Step(1.0 / 240.0);
  EXPECT_LT(world.MaxError(), 5.1e-4 * D0);
  // It holds while it swings.
  double largest = 0.0;
  for (int i = 0; i < 240; ++i) {
    world.Step(1.0 / 240.0);
    largest = std::max(largest, world.MaxError());
  }
  EXPECT_LT(largest, 5.1e-4 * D0);
  // After 15 tau the law leaves (1 + 15) exp(-15) of the start; the errors of
  // the integrator come on top.
  EXPECT_LT(world.MaxError(), 2.0 * 16.0 * std::exp(-15.0) * D0);
}

// A spinning hub with four chains of four rods each (V-26's carousel).
double CarouselError(Scheme scheme, OdeMethod method) {
  WorldSettings settings{.scheme = scheme};
  settings.ode_method = method;
  World world(settings);
  const double spin = 3.0;
  BodySpec hub = Rod(2.0, 20.0);
  hub.mass.I_BC = Matrix3::Identity() * 8.0;
  hub.w_WB = Vector3(0, spin, 0);
  const BodyId hub_id = world.AddBody(hub);
  // z of the frame along the vertical axis.
  const Transform axis{ExpRotation(Vector3(-kPi / 2, 0, 0)), Vector3::Zero()};
  HingeJoint& bearing = world.Add(HingeJoint(kGround, axis, hub_id, axis));
  bearing.axis(0).drive = PoweredAxis::Drive::kSpeed;
  bearing.axis(0).target_speed = spin;
  std::vector<const Constraint*> links;
  for (int chain = 0; chain < 4; ++chain) {
    const Quaternion R = ExpRotation(Vector3(0, chain * kPi / 2, 0));
    const Vector3 out = R * Vector3::UnitX();
    BodyPoint last{hub_id, 1.0 * out};
    for (int i = 0; i < 4; ++i) {
      BodySpec spec = Rod(0.25, 0.5);
      spec.X_WB = {R, (1.0 + 0.125 + 0.25 * i) * out};
      spec.w_WB = Vector3(0, spin, 0);
      spec.v_WC = spec.w_WB.cross(spec.X_WB.p);
      const BodyId body = world.AddBody(spec);
      links.push_back(
          &world.Add(PointToPoint(last, {body, Vector3(-0.125, 0, 0)})));
      last = {body, Vector3(0.125, 0, 0)};
    }
  }
  double largest = 0.0;
  for (int i = 0; i < 720; ++i) {
    world.Step(1.0 / 240.0);
    for (const Constraint* link : links) {
      largest = std::max(largest, world.Error(*link));
    }
  }
  return largest;
}

// V-26: the error ranks Euler > midpoint > RK4 on acceleration level; Euler on
// velocity level stays below a millimetre.
TEST(Carousel, ConstraintErrorRanksByTheMethod) {
  const double euler = CarouselError(Scheme::kAcceleration, OdeMethod::kEuler);
  const double midpoint =
      CarouselError(Scheme::kAcceleration, OdeMethod::kMidpoint);
  const double rk4 =
      CarouselError(Scheme::kAcceleration, OdeMethod::kRungeKutta4);
  EXPECT_GT(euler, midpoint);
  EXPECT_GT(midpoint, rk4);
  EXPECT_LT(CarouselError(Scheme::kEuler, OdeMethod::kEuler), 1e-3);
  EXPECT_LT(CarouselError(Scheme::kLeapfrog, OdeMethod::kEuler), 1e-4);
}

}  // namespace
}  // namespace limber::dynamics
