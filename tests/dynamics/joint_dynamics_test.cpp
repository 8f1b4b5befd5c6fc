// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "dynamics/constraints/align.h"
#include "dynamics/joints/ball_in_cylinder_joint.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/ball_on_plane_joint.h"
#include "dynamics/joints/cylinder_on_plane_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/free_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/planar_joint.h"
#include "dynamics/joints/screw_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

constexpr double kStep = 1e-3;
constexpr double kThirtyDegrees = kPi / 6.0;
// Down a slope of 30 degrees.
const Vector3 kDownhill(std::cos(kThirtyDegrees), -std::sin(kThirtyDegrees),
                        0.0);
const Vector3 kInertia(0.1, 0.2, 0.25);

// D-2: a welded pair moves as the single body it is.
TEST(WeldJoint, PairMovesAsOneBody) {
  WorldSettings settings;
  settings.scheme = Scheme::kAcceleration;
  const Transform X_AB{ExpRotation({0.4, -0.3, 0.8}), Vector3(0.5, 0.2, -0.1)};
  BodySpec a = Solid(2.0, kInertia);
  BodySpec b = Solid(1.0, {0.05, 0.03, 0.04}, X_AB, {0.02, 0.0, 0.05});
  const std::array<MassProperties, 2> parts{a.mass, Transformed(X_AB, b.mass)};
  BodySpec both;
  both.mass = Combined(parts);

  const Vector3 w(1.0, 2.0, -0.5);
  const Vector3 v(0.3, 4.0, 0.1);  // of the common mass centre
  const auto velocity_at = [&](const Vector3& p) {
    return Vector3(v + w.cross(p - both.mass.p_BC));
  };
  both.w_WB = a.w_WB = b.w_WB = w;
  both.v_WC = v;
  a.v_WC = velocity_at(Vector3::Zero());
  b.v_WC = velocity_at(X_AB * b.mass.p_BC);

  World pair(settings);
  const BodyId first = pair.AddBody(a);
  const BodyId second = pair.AddBody(b);
  WeldJoint& weld = Join<WeldJoint>(pair, first, X_AB, second);
  // Gains that do not grow with 1/h leave the method its fourth order.
  RowSettings hold;
  hold.stabilisation = Stabilisation::Baumgarte(20.0, 20.0);
  weld.set_locked_settings(hold);
  World single(settings);
  const BodyId whole = single.AddBody(both);
  for (int i = 0; i < 1000; ++i) {
    pair.Step(kStep);
    single.Step(kStep);
    ASSERT_LT((pair.X_WB(first).p - single.X_WB(whole).p).norm(), 1e-9);
    ASSERT_LT(AngleBetween(pair.X_WB(first).R, single.X_WB(whole).R), 1e-9);
    ASSERT_LT(pair.Error(weld), 1e-9);
  }
}

// D-3, Dynamo-087: T = 2 pi sqrt(2 L / (3 g)) = 1.6379 s for L = 1 m.
TEST(HingeJoint, RodSwingsWithItsPeriodInItsPlane) {
  World world;
  BodySpec rod;
  rod.mass = MassOfThinRod(1.0, Material::WithMass(0.7));
  const Transform X_BM{Quaternion::Identity(), Vector3(0, 0.5, 0)};
  rod.X_WB =
      Transform{ExpRotation({0, 0, 0.01}), Vector3::Zero()} * X_BM.Inverse();
  const BodyId body = world.AddBody(rod);
  const HingeJoint& hinge =
      world.Add(HingeJoint(kGround, Transform(), body, X_BM));
  double out_of_plane = 0.0;
  const std::vector<double> crossings =
      UpwardCrossings(world, kStep, 10.0, [&] {
        out_of_plane = std::max(out_of_plane, world.Error(hinge));
        return Position(world, hinge);
      });
  ASSERT_GE(crossings.size(), 5u);
  const double period = 2.0 * kPi * std::sqrt(2.0 / (3.0 * kGravity));
  EXPECT_NEAR(MeanPeriod(crossings), period, 1e-4 * period);
  EXPECT_LT(out_of_plane, 1e-5);
}

// D-4, Dynamo-091: g sin 30 along the rail, no turning though the force is off
// the mass centre.
TEST(SliderJoint, SlidesDownAnInclineWithoutTurning) {
  World world;
  const BodyId body = world.AddBody(Solid(3.0, kInertia, {}, {0.1, 0.3, -0.2}));
  const SliderJoint& slider = Join<SliderJoint>(
      world, kGround, FrameAlong(Vector3::Zero(), kDownhill), body);
  RunUntil(world, 1.0, kStep);
  EXPECT_NEAR(Position(world, slider), 0.5 * 4.905, 1e-9);
  EXPECT_LT(world.Error(slider), 1e-9);
}

// D-5: with p = lead / 2 pi, theta'' = m g p / (I + m p^2).
TEST(ScrewJoint, FallsAsItsThreadAllows) {
  World world;
  const BodyId body = world.AddBody(Solid(1.0, Vector3::Constant(0.01)));
  const ScrewJoint& screw = Join<ScrewJoint>(
      world, kGround, FrameAlong(Vector3::Zero(), -Vector3::UnitY()), body,
      0.1);
  RunUntil(world, 1.0, kStep);
  const double angular = 2.0 * Position(world, screw);
  const double linear = -2.0 * world.X_WB(body).p.y();
  EXPECT_NEAR(angular, 15.23, 0.005);
  EXPECT_NEAR(linear, 0.2424, 0.00005);
  const double p = 0.1 / (2.0 * kPi);
  EXPECT_NEAR(angular, kGravity * p / (0.01 + p * p), 1e-8);
  EXPECT_LT(world.Error(screw), 1e-9);
}

// D-6, Dynamo-088: slide and spin do not know of each other.
TEST(CylindricalJoint, SlidesAndSpinsIndependently) {
  const std::array<Vector3, 2> axes{Vector3(0, -1, 0), kDownhill};
  const std::array<double, 2> accelerations{kGravity, 4.905};
  for (std::size_t i = 0; i < 2; ++i) {
    World world;
    BodySpec spec = Solid(2.0, kInertia);
    spec.X_WB.R = FrameAlong(Vector3::Zero(), axes[i]).R;
    spec.w_WB = 3.0 * axes[i];
    const BodyId body = world.AddBody(spec);
    const CylindricalJoint& joint = Join<CylindricalJoint>(
        world, kGround, FrameAlong(Vector3::Zero(), axes[i]), body);
    RunUntil(world, 1.0, kStep);
    EXPECT_NEAR(Position(world, joint, 0), 3.0, 1e-9);
    EXPECT_NEAR(Speed(world, joint, 0), 3.0, 1e-9);
    EXPECT_NEAR(Position(world, joint, 1), 0.5 * accelerations[i], 1e-9);
  }
}

// D-7, Dynamo-092
TEST(PlanarJoint, PuckKeepsItsVelocityAndSpinAndItsPlane) {
  World world(Weightless());
  BodySpec spec = Solid(0.2, {0.01, 0.03, 0.02});
  const Transform X_WF = FrameAlong({1, 2, 3}, {1, -2, 2});
  spec.X_WB = X_WF;
  spec.v_WC = X_WF.R * Vector3(0.7, -0.4, 0);
  spec.w_WB = X_WF.R * Vector3(0, 0, 5.0);
  const BodyId body = world.AddBody(spec);
  const PlanarJoint& joint = Join<PlanarJoint>(world, kGround, X_WF, body);
  double error = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world.Step(kStep);
    error = std::max(error, world.Error(joint));
  }
  EXPECT_LT(error, 1e-9);
  EXPECT_NEAR(Speed(world, joint, 0), 5.0, 1e-6);
  EXPECT_NEAR(Speed(world, joint, 1), 0.7, 1e-6);
  EXPECT_NEAR(Speed(world, joint, 2), -0.4, 1e-6);
  EXPECT_NEAR(Position(world, joint, 0), 10.0, 1e-6);
}

// D-7: in the weight field of a tilted plane the puck slides and stays on it.
TEST(PlanarJoint, LoadedPuckKeepsItsPlane) {
  World world;
  const BodyId body =
      world.AddBody(Solid(0.2, {0.01, 0.03, 0.02}, {}, {0.0, 0.0, 0.1}));
  const Vector3 normal(std::sin(kThirtyDegrees), std::cos(kThirtyDegrees), 0);
  const PlanarJoint& joint = Join<PlanarJoint>(
      world, kGround, FrameAlong(Vector3::Zero(), normal), body);
  double error = 0.0;
  for (int i = 0; i < 1000; ++i) {
    world.Step(kStep);
    error = std::max(error, world.Error(joint));
  }
  EXPECT_LT(error, 1e-9);
  EXPECT_GT(world.X_WB(body).p.norm(), 1.0);
}

// D-8: a ball on a string of length L goes round in 2 pi sqrt(L cos a / g).
TEST(BallJoint, ConicalPendulumGoesRoundInItsPeriod) {
  const double L = 0.8;
  const double a = 0.5;
  const double period = 2.0 * kPi * std::sqrt(L * std::cos(a) / kGravity);
  World world;
  BodySpec bob = Solid(1.5, Vector3::Constant(0.02));
  bob.X_WB.p = L * Vector3(std::sin(a), -std::cos(a), 0);
  bob.w_WB = Vector3(0, 2.0 * kPi / period, 0);
  bob.v_WC = bob.w_WB.cross(bob.X_WB.p);
  const Vector3 start = bob.X_WB.p;
  const BodyId body = world.AddBody(bob);
  Join<BallJoint>(world, kGround, Transform(), body);
  const double h = period / 4000.0;
  for (int i = 0; i < 4000; ++i) {
    world.Step(h);
    ASSERT_NEAR(world.X_WB(body).p.y(), start.y(), 1e-5);
  }
  EXPECT_LT((world.X_WB(body).p - start).norm(), 1e-4);
}

// D-9: the cylinder rolls, slips and turns on a slope and lies on it.
TEST(CylinderOnPlaneJoint, LineContactIsKept) {
  World world;
  const Vector3 normal(std::sin(kThirtyDegrees), std::cos(kThirtyDegrees), 0);
  const Transform X_WF = FrameAlong({0, 0.1, 0}, normal);
  BodySpec spec = Solid(1.0, {0.005, 0.02, 0.02}, X_WF);
  spec.w_WB = X_WF.R * Vector3(4.0, 0.0, 1.5);
  const BodyId body = world.AddBody(spec);
  const CylinderOnPlaneJoint& joint =
      Join<CylinderOnPlaneJoint>(world, kGround, X_WF, body);
  double error = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world.Step(kStep);
    error = std::max(error, world.Error(joint));
  }
  EXPECT_LT(error, 1e-9);
  // Frictionless: turn and roll go on, the centre falls down the slope.
  EXPECT_NEAR(Speed(world, joint, 0), 1.5, 1e-6);
  EXPECT_NEAR(Position(world, joint, 0), 3.0, 1e-6);
  // The share of the step in a turn is (w h)^2 = 2e-5 at second order.
  EXPECT_NEAR(Position(world, joint, 1), 8.0, 2e-5);
  EXPECT_NEAR((world.X_WB(body).p - X_WF.p).norm(), 0.5 * 4.905 * 4.0, 1e-6);
}

// D-10
TEST(BallInCylinderJoint, SpinningBeadSlidesInItsTube) {
  World world;
  BodySpec spec = Solid(0.1, Vector3::Constant(1e-4));
  spec.w_WB = Vector3(2.0, -3.0, 5.0);
  const BodyId body = world.AddBody(spec);
  const BallInCylinderJoint& joint = Join<BallInCylinderJoint>(
      world, kGround, FrameAlong(Vector3::Zero(), kDownhill), body);
  RunUntil(world, 1.0, kStep);
  EXPECT_NEAR(Position(world, joint, 3), 0.5 * 4.905, 1e-9);
  EXPECT_LT((world.motion(body).w_WB - spec.w_WB).norm(), 1e-9);
  EXPECT_LT(world.Error(joint), 1e-9);
}

// D-11: the centre stays one radius above the slope.
TEST(BallOnPlaneJoint, CentreKeepsItsHeight) {
  const double radius = 0.15;
  const Vector3 normal(std::sin(kThirtyDegrees), std::cos(kThirtyDegrees), 0);
  World world;
  BodySpec spec = Solid(0.5, {0.001, 0.002, 0.0015});
  spec.X_WB.p = radius * normal;
  spec.w_WB = Vector3(6.0, -3.0, 5.0);
  spec.v_WC = Vector3(0, 0, 0.8);
  const BodyId body = world.AddBody(spec);
  Join<BallOnPlaneJoint>(world, kGround, FrameAlong(spec.X_WB.p, normal), body);
  for (int i = 0; i < 1000; ++i) {
    world.Step(kStep);
    ASSERT_NEAR(world.motion(body).p_WC.dot(normal), radius, 1e-9);
  }
  EXPECT_NEAR(world.motion(body).p_WC.z(), 0.8, 1e-9);
}

// D-12: thrown at 10 m/s and 45 degrees: v^2 / g = 10.194 m (B-7).
TEST(FreeJoint, FlyingBodyKnowsNothingOfIt) {
  World with;
  World without;
  BodySpec spec = Solid(0.5, {0.1, 0.2, 0.25});
  spec.v_WC = 10.0 * Vector3(std::sqrt(0.5), std::sqrt(0.5), 0);
  spec.w_WB = Vector3(3, 1, -2);
  const BodyId body = with.AddBody(spec);
  const FreeJoint& joint = Join<FreeJoint>(with, kGround, Transform(), body);
  without.AddBody(spec);
  double range = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const Vector3 before = with.X_WB(body).p;
    with.Step(kStep);
    without.Step(kStep);
    ASSERT_EQ(with.X_WB(body).p, without.X_WB(body).p);
    ASSERT_EQ(Position(with, joint, 4), with.X_WB(body).p.y());
    const Vector3 after = with.X_WB(body).p;
    if (before.y() > 0.0 && after.y() <= 0.0) {
      range = before.x() +
              (after.x() - before.x()) * before.y() / (before.y() - after.y());
    }
  }
  EXPECT_NEAR(range, 10.194, 0.010);
}

// Dynamo-081: the cube that swings from a corner (R1', its continuous limit).
TEST(BallJoint, CubePendulumReachesThePublishedPlace) {
  WorldSettings settings;
  settings.scheme = Scheme::kAcceleration;
  settings.gravity = Vector3(0, 3.75107, 0);
  World world(settings);
  BodySpec cube = Solid(1.0, Vector3::Constant(15000.0));
  cube.X_WB.p = Vector3(150, 150, -150);
  const BodyId body = world.AddBody(cube);
  const BallJoint& corner = Join<BallJoint>(world, kGround, Transform(), body);
  for (int i = 0; i < 2000; ++i) world.Step(0.25);
  EXPECT_LT((world.X_WB(body).p - Vector3(92.92, 224.12, -92.92)).norm(), 0.02);
  EXPECT_LT(world.Error(corner), 1e-3);
}

// Dynamo-081: fifteen cubes hanging on their corners (demo D1), cut at link 7.
TEST(BallJoint, ChainOfCubesHoldsAndItsCutPartFalls) {
  WorldSettings settings;
  settings.gravity = Vector3(0, -1, 0);
  World world(settings);
  std::vector<const BallJoint*> links;
  BodyId last = kGround;
  Vector3 centre(11.25, 26.25, 60.0);
  Vector3 anchor = centre + Vector3::Ones();
  BodyId last_body = kGround;
  for (int i = 0; i < 15; ++i) {
    BodySpec cube = Solid(1.0, Vector3::Ones());
    cube.X_WB.p = centre;
    cube.linear_damping = cube.angular_damping = -std::log(0.995);
    const BodyId body = world.AddBody(cube);
    links.push_back(&Join<BallJoint>(
        world, last, Transform{Quaternion::Identity(), anchor}, body));
    last = last_body = body;
    anchor = centre - Vector3::Ones();
    centre -= Vector3::Constant(2.0);
  }
  for (int i = 0; i < 1000; ++i) {
    world.Step(0.02);
    ASSERT_LT(world.MaxError(), 1e-4) << i;
  }
  world.Remove(*links[7]);
  const double height = world.X_WB(last_body).p.y();
  for (int i = 0; i < 250; ++i) world.Step(0.02);
  // Five seconds of free fall are 12.5 m; the chain's own speed is below 10
  // m/s.
  EXPECT_LT(world.X_WB(last_body).p.y(), height + 40.0);
  EXPECT_LT(world.MaxError(), 1e-4);
  const double fall = world.LinearMomentum().y();
  EXPECT_LT(fall, 0.0);
}

// Dynamo-089: two cubes of side 1, I = 2 (1/6 + 1/4) about their middle.
TEST(WeldJoint, WeldedCubesTurnWithTheirCommonInertia) {
  World world(Weightless());
  const BodyId a = world.AddBody(Solid(1.0, Vector3::Constant(1.0 / 6.0)));
  BodySpec other = Solid(1.0, Vector3::Constant(1.0 / 6.0));
  other.X_WB.p = Vector3(1, 0, 0);
  const BodyId b = world.AddBody(other);
  WeldJoint& weld = Join<WeldJoint>(
      world, a, {Quaternion::Identity(), Vector3(0.5, 0, 0)}, b);
  for (int i = 0; i < 1000; ++i) {
    world.ApplyTorque(a, Vector3(0, 0, 1));
    world.Step(kStep);
  }
  // The leapfrog's velocity is that of half a step ago.
  const double w = 1.2 * (world.time() - 0.5 * kStep);
  EXPECT_NEAR(world.motion(a).w_WB.z(), w, 1e-3 * w);
  EXPECT_NEAR(world.motion(b).w_WB.z(), w, 1e-3 * w);

  // Too great a torque breaks place and orientation together.
  weld.set_breaking(1e9, 10.0);
  world.ApplyTorque(a, Vector3(0, 0, 1000));
  world.Step(kStep);
  const std::vector<Event> events = world.TakeEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Event::Kind::kBroken);
  EXPECT_EQ(events[0].constraint, &weld);
  EXPECT_FALSE(weld.enabled());
  world.ApplyImpulse(a, Vector3::Zero(), Vector3(0, 0, 1));
  RunUntil(world, world.time() + 0.5, kStep);
  EXPECT_GT((world.X_WB(a).p - world.X_WB(b).p).norm(), 1.05);
}

// Dynamo-090: M = 3 on J = 1 locked to J = 2 at a distance.
TEST(AlignOrientation, BothBodiesTurnAlike) {
  World world(Weightless());
  const BodyId a = world.AddBody(Solid(1.0, Vector3::Constant(1.0)));
  BodySpec far = Solid(1.0, Vector3::Constant(2.0));
  far.X_WB.p = Vector3(3, 1, 0);
  const BodyId b = world.AddBody(far);
  world.Add(AlignOrientation(b, a, Quaternion::Identity()));
  for (int i = 0; i < 1000; ++i) {
    world.ApplyTorque(a, Vector3(0, 0, 3));
    world.Step(kStep);
  }
  const double w = world.time() - 0.5 * kStep;
  EXPECT_NEAR(world.motion(a).w_WB.z(), w, 1e-9);
  EXPECT_NEAR(world.motion(b).w_WB.z(), w, 1e-9);
  EXPECT_LT((world.X_WB(b).p - far.X_WB.p).norm(), 1e-12);
}

// Two bodies scattered at random whose ball joint draws them together.
struct Assembly {
  Assembly(Scheme scheme, const Vector3& inertia) : world(Weightless(scheme)) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const auto vector = [&] {
      const double x = normal(random);
      const double y = normal(random);
      return Vector3(x, y, normal(random));
    };
    std::array<BodyId, 2> bodies;
    for (BodyId& body : bodies) {
      BodySpec spec = Solid(1.0 + std::abs(normal(random)), inertia);
      spec.X_WB = {ExpRotation(vector()), vector()};
      spec.v_WC = vector();
      spec.w_WB = vector();
      body = world.AddBody(spec);
    }
    joint = &world.Add(BallJoint(bodies[0], Vector3(0.3, 0.1, -0.2), bodies[1],
                                 Vector3(-0.4, 0.2, 0.1)));
    RowSettings settings;
    settings.stabilisation = Stabilisation::CriticallyDamped(0.2);
    joint->set_locked_settings(settings);
  }
  World world;
  BallJoint* joint;
};

// B-14: parts fly together; the forces between them change no momentum, and the
// gap closes as (D0 + (D0' + D0/tau) t) exp(-t/tau) however the parts spin.
TEST(BallJoint, AssemblyConservesMomenta) {
  for (const Scheme scheme :
       {Scheme::kLeapfrog, Scheme::kEuler, Scheme::kAcceleration}) {
    Assembly scene(scheme, kInertia);
    World& world = scene.world;
    const Vector3 p = world.LinearMomentum();
    const Vector3 L = world.AngularMomentum();
    const double error = world.Error(*scene.joint);
    EXPECT_GT(error, 0.5);
    for (int i = 0; i < 2000; ++i) {
      world.Step(kStep);
      ASSERT_LT((world.LinearMomentum() - p).norm(), 1e-9);
      ASSERT_LT((world.AngularMomentum() - L).norm(), 1e-9);
    }
    // Ten time constants: 5.4e-4, and at first order in h on velocity level.
    const double left = scheme == Scheme::kAcceleration ? 6e-4 : 3e-3;
    EXPECT_LT(world.Error(*scene.joint), left * error);
  }
}

// B-14: double pendulum of two rods, released horizontally.
TEST(BallJoint, DoublePendulumKeepsItsEnergy) {
  World world;
  BodySpec rod = Solid(1.0, {1.0 / 12.0, 1e-3, 1.0 / 12.0});
  rod.X_WB = {ExpRotation({0, 0, kPi / 2}), Vector3(0.5, 0, 0)};
  const BodyId upper = world.AddBody(rod);
  rod.X_WB.p = Vector3(1.5, 0, 0);
  const BodyId lower = world.AddBody(rod);
  Join<BallJoint>(world, kGround, Transform(), upper);
  Join<BallJoint>(world, upper, {Quaternion::Identity(), Vector3(1, 0, 0)},
                  lower);
  // From the start at rest to the lowest place it has 2 m g L of energy.
  const double scale = 4.0 * kGravity;
  double drift = 0.0;
  for (int i = 0; i < 10000; ++i) {
    world.Step(kStep);
    drift = std::max(drift,
                     std::abs(world.KineticEnergy() + world.PotentialEnergy()));
  }
  EXPECT_LT(drift, 1e-3 * scale);
  EXPECT_LT(world.MaxError(), 1e-6);
}

// V-22: free directions do no work: energy stays for every joint, hanging from
// a ball joint, with all its free directions in motion.
TEST(Joint, NoJointDoesWork) {
  const Transform X_WF{ExpRotation({0.5, -0.4, 0.9}), Vector3(0.6, -0.5, 0.1)};
  const std::vector<std::pair<
      const char*, std::function<const Joint&(World&, BodyId, BodyId)>>>
      joints{
          {"Weld",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<WeldJoint>(w, a, X_WF, b);
           }},
          {"Slider",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<SliderJoint>(w, a, X_WF, b);
           }},
          {"Hinge",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<HingeJoint>(w, a, X_WF, b);
           }},
          {"Screw",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<ScrewJoint>(w, a, X_WF, b, 0.3);
           }},
          {"Cylindrical",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<CylindricalJoint>(w, a, X_WF, b);
           }},
          {"Planar",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<PlanarJoint>(w, a, X_WF, b);
           }},
          {"Universal",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<UniversalJoint>(w, a, X_WF, b);
           }},
          {"CylinderOnPlane",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<CylinderOnPlaneJoint>(w, a, X_WF, b);
           }},
          {"Ball",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<BallJoint>(w, a, X_WF, b);
           }},
          {"BallInCylinder",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<BallInCylinderJoint>(w, a, X_WF, b);
           }},
          {"BallOnPlane",
           [&](World& w, BodyId a, BodyId b) -> const Joint& {
             return Join<BallOnPlaneJoint>(w, a, X_WF, b);
           }},
      };
  for (const auto& [name, join] : joints) {
    WorldSettings settings;
    settings.scheme = Scheme::kAcceleration;
    World world(settings);
    BodySpec spec = Solid(2.0, kInertia);
    spec.X_WB = {ExpRotation({0.2, 0.1, -0.4}), Vector3(0.3, -0.3, 0.1)};
    spec.w_WB = Vector3(1.0, -0.5, 2.0);
    const BodyId a = world.AddBody(spec);
    spec.X_WB = {ExpRotation({-0.6, 0.4, 0.3}), Vector3(0.9, -0.8, 0.0)};
    spec.w_WB = Vector3(-2.0, 1.5, 0.5);
    spec.v_WC = Vector3(0.3, 0.2, -0.9);
    const BodyId b = world.AddBody(spec);
    Join<BallJoint>(world, kGround, Transform(), a);
    const Joint& joint = join(world, a, b);
    world.ProjectVelocities();
    const double energy = world.KineticEnergy() + world.PotentialEnergy();
    ASSERT_GT(world.KineticEnergy(), 0.1) << name;
    for (int i = 0; i < 500; ++i) {
      world.Step(kStep);
      ASSERT_NEAR(world.KineticEnergy() + world.PotentialEnergy(), energy, 1e-6)
          << name;
    }
    for (int k = 0; k < joint.num_free(); ++k) {
      EXPECT_GT(std::abs(Speed(world, joint, k)), 1e-3) << name << k;
    }
    EXPECT_LT(world.Error(joint), 1e-7) << name;
  }
}

// Self-assembly: an axis that starts almost upside down finds its place.
TEST(HingeJoint, AssemblesFromUpsideDown) {
  for (const double angle : {3.0, 3.1415, kPi}) {
    World world(Weightless());
    BodySpec spec = Solid(1.0, kInertia);
    spec.X_WB = {ExpRotation({angle, 0, 0}), Vector3(0.2, -0.1, 0.3)};
    const BodyId body = world.AddBody(spec);
    HingeJoint& hinge =
        world.Add(HingeJoint(kGround, Transform(), body, Transform()));
    RowSettings settings;
    settings.stabilisation = Stabilisation::CriticallyDamped(0.1);
    hinge.set_locked_settings(settings);
    RunUntil(world, 2.0, 2e-3);
    EXPECT_LT(world.Error(hinge), 1e-4) << angle;
    EXPECT_GT(world.motion(body).R_WB(2, 2), 0.999) << angle;
  }
}

// Dynamo-038: the count of turns belongs to the state of the world.
TEST(HingeJoint, TurnsSurviveSaveAndRestore) {
  World world(Weightless());
  BodySpec spec = Solid(1.0, kInertia);
  spec.w_WB = Vector3(0, 0, 8.0);
  const BodyId body = world.AddBody(spec);
  const HingeJoint& hinge = Join<HingeJoint>(world, kGround, Transform(), body);
  RunUntil(world, 2.0, 0.01);
  const std::shared_ptr<const World::State> state = world.Save();
  const double angle = Position(world, hinge);
  EXPECT_NEAR(angle, 16.0, 1e-9);
  RunUntil(world, 5.0, 0.01);
  world.Restore(*state);
  EXPECT_EQ(Position(world, hinge), angle);
}

}  // namespace
}  // namespace limber::dynamics::test
