// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Parts placed anywhere fly together and hold (B-21, Dynamo-055), reach by one
// number where three are in the way (B-29), and follow tasks (D-43, D-44).
#include <gtest/gtest.h>

#include <random>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::Advance;
using test::PreciseWorld;

const Vector3 kTop(0.0, 0.5, 0.0);
const Vector3 kBottom(0.0, -0.5, 0.0);

RowSettings Within(double tau) {
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(tau);
  return settings;
}

Transform Anywhere(std::mt19937& random, double spread) {
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    const double x = normal(random);
    const double y = normal(random);
    return Vector3(x, y, normal(random));
  };
  const Vector3 turn = vector();
  return {ExpRotation(turn), spread * vector()};
}

MassProperties Rod() {
  // A rod with some thickness, so that it can spin about its length.
  return MassOfCylinder(0.05, 1.0, Material::WithMass(1.0));
}

// B-21: compound pendulum from a random start, tau = 0.2, gravity on.
TEST(SelfAssembly, CompoundPendulumIsTogetherAfterTenTau) {
  World world = PreciseWorld();
  std::mt19937 random(8);
  const BodyId upper = AddBody(world, Rod(), Anywhere(random, 1.0));
  const BodyId lower = AddBody(world, Rod(), Anywhere(random, 1.0));
  PointNail& nail = world.Add(PointNail({upper, kTop}, Vector3::Zero()));
  PointToPoint& knee = world.Add(PointToPoint({upper, kBottom}, {lower, kTop},
                                              PointToPoint::Axes::kWorld));
  nail.set_settings(Within(0.2));
  knee.set_settings(Within(0.2));
  const double start = world.MaxError();
  Advance(world, 0.001, 2.0);
  EXPECT_LT(world.MaxError(), 5e-4 * start);
}

// Dynamo-055: five scattered rods and four links with 10 % of the error taken
// away per frame and speeds damped by 0.9: below 1 mm within 200 frames.
TEST(SelfAssembly, FiveRodsComeTogetherSoftly) {
  WorldSettings settings;
  settings.scheme = Scheme::kEuler;
  settings.gravity.setZero();
  World world(settings);
  std::mt19937 random(55);
  const double h = 0.02;
  std::vector<BodyId> rods;
  std::vector<PointToPoint*> links;
  for (int i = 0; i < 5; ++i) {
    BodySpec spec;
    spec.mass = Rod();
    spec.X_WB = Anywhere(random, 2.0);
    spec.linear_damping = spec.angular_damping = -std::log(0.9) / h;
    rods.push_back(world.AddBody(spec));
  }
  for (std::size_t i = 1; i < rods.size(); ++i) {
    links.push_back(
        &world.Add(PointToPoint({rods[i - 1], kBottom}, {rods[i], kTop})));
    RowSettings row;
    row.stabilisation = Stabilisation::Baumgarte(0.1 / h, 0.0);
    links.back()->set_settings(row);
  }
  double largest_force = 0.0;
  for (int i = 0; i < 200; ++i) {
    world.Step(h);
    for (const PointToPoint* link : links) {
      largest_force = std::max(largest_force, test::ForceOf(*link, h).norm());
    }
  }
  EXPECT_LT(world.MaxError(), 1e-3);
  EXPECT_TRUE(std::isfinite(largest_force));
  RecordProperty("largest_force_N", std::to_string(largest_force));
}

// B-29: a rod nailed at one end shall reach a second nail that only a turn can
// reach. One row on the distance gets there; three rows ask for the straight
// way, which is barred, and are off their own law on the way.
TEST(SelfAssembly, ScalarDistanceReachesWhatOnlyATurnReaches) {
  const double tau = 0.2;
  const Vector3 goal = Vector3(1.0, 0.0, 0.0);
  double scalar_end = 0.0;
  double worst_scalar = 0.0;
  double worst_vector = 0.0;
  for (const bool scalar : {true, false}) {
    World world = PreciseWorld(Vector3::Zero());
    const double start_angle = 2.0;
    // The rod's bottom end starts 2 rad away from the goal.
    const Quaternion R = ExpRotation(Vector3(0.0, 0.0, kPi / 2 + start_angle));
    const BodyId rod = AddBody(world, Rod(), {R, R * kBottom});
    world.Add(PointNail({rod, kTop}, Vector3::Zero()));
    if (scalar) {
      world.Add(DistanceRod(WorldPoint(goal), {rod, kBottom}, 0.0))
          .set_settings(Within(tau));
    } else {
      world.Add(PointNail({rod, kBottom}, goal)).set_settings(Within(tau));
    }
    const auto distance = [&] {
      return (world.motion(rod).Point(kBottom) - goal).norm();
    };
    const double D0 = distance();
    const double h = 0.001;
    for (int i = 0; i < std::lround(10 * tau / h); ++i) {
      world.Step(h);
      const double x = world.time() / tau;
      const double law = D0 * (1.0 + x) * std::exp(-x);
      double& worst = scalar ? worst_scalar : worst_vector;
      worst = std::max(worst, std::abs(distance() - law));
    }
    if (scalar) scalar_end = distance();
  }
  EXPECT_LT(scalar_end, 1e-3);
  EXPECT_LT(worst_scalar, 1e-3);
  EXPECT_GT(worst_vector, 0.05);
}

// D-43, D-44: clavicle, upper arm, lower arm and hand on ball joints with
// stops; the hand's tip follows a reachable path by three task rows, without
// inverse dynamics.
TEST(Task, HandTipFollowsItsPathWithinTheJointLimits) {
  World world;
  const double lengths[] = {0.15, 0.30, 0.27, 0.18};
  const double masses[] = {1.0, 2.0, 1.3, 0.5};
  BodyId parent = kGround;
  Vector3 joint_in_parent = Vector3::Zero();
  double x = 0.0;
  std::vector<BallJoint*> joints;
  BodyId hand = kGround;
  for (int i = 0; i < 4; ++i) {
    const double length = lengths[i];
    const BodyId part = AddBody(
        world,
        MassOfBox(Vector3(length, 0.06, 0.05), Material::WithMass(masses[i])),
        {Quaternion::Identity(), Vector3(x + length / 2, 0.0, 0.0)});
    BallJoint& joint = world.Add(BallJoint(
        parent, Transform{Quaternion::Identity(), joint_in_parent}, part,
        Transform{Quaternion::Identity(), Vector3(-length / 2, 0.0, 0.0)},
        BallJoint::Axes::kEulerXyz));
    const double limit = i == 0 ? 0.3 : 1.2;
    for (int k = 0; k < 3; ++k) {
      PoweredAxis& axis = joint.axis(k);
      axis.lower = -limit;
      axis.upper = limit;
      // The tone of muscles: a damper on every axis.
      axis.drive = PoweredAxis::Drive::kSpring;
      axis.stiffness = 2.0;
      axis.damping = 0.5;
    }
    joints.push_back(&joint);
    parent = part;
    hand = part;
    joint_in_parent = Vector3(length / 2, 0.0, 0.0);
    x += length;
  }
  const BodyPoint tip{hand, joint_in_parent};
  // From the stretched arm inwards on a screw-like path.
  const double reach = x;
  const auto path = [reach](double t) {
    PointOnPath::Sample s;
    const double w = 1.5;
    const double c = std::cos(w * t);
    const double n = std::sin(w * t);
    s.position = Vector3(reach - 0.15 * (1 - c), 0.12 * (1 - c),
                         0.08 * (1 - std::cos(2 * w * t)));
    s.velocity =
        Vector3(-0.15 * w * n, 0.12 * w * n, 0.16 * w * std::sin(2 * w * t));
    s.acceleration = Vector3(-0.15 * w * w * c, 0.12 * w * w * c,
                             0.32 * w * w * std::cos(2 * w * t));
    return s;
  };
  PointOnPath& task = world.Add(PointOnPath(tip, path));
  const double h = 0.002;
  double worst_tip = 0.0;
  double worst_limit = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world.Step(h);
    worst_tip = std::max(worst_tip, world.Error(task));
    for (const BallJoint* joint : joints) {
      for (int k = 0; k < 3; ++k) {
        const double q = joint->Position(world.motions(), k);
        worst_limit = std::max(
            {worst_limit, q - joint->axis(k).upper, joint->axis(k).lower - q});
      }
    }
  }
  EXPECT_LT(worst_tip, 1e-4);
  EXPECT_LT(worst_limit, 1e-3);
}

}  // namespace
}  // namespace limber::dynamics
