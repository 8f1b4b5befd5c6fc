// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Points nailed, tied and guided: closed forms in motion.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/edges.h"
#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/point_on_curve.h"
#include "dynamics/constraints/point_on_line.h"
#include "dynamics/constraints/point_on_surface.h"
#include "dynamics/constraints/point_to_point.h"
#include "tests/dynamics/constraint_checker.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::AddParticle;
using test::Advance;
using test::ForceOf;
using test::PreciseWorld;
using test::WeightlessWorld;

const double kSin30 = 0.5;
const double kCos30 = std::sqrt(0.75);

// B-10: position, velocity and acceleration of a control point.
TEST(BodyPoint, MotionMatchesDifferencesOfItsPosition) {
  std::mt19937 random(4);
  const std::vector<BodyMotion> start = test::RandomMotions(1, random);
  const std::vector<Vector6> V_rate = {
      Vector6::Zero(), (Vector6() << 1, -2, 3, 2, 1, -3).finished()};
  const BodyPoint point{BodyId{1}, Vector3(0.3, -0.4, 0.5)};
  const double s = 1e-4;
  const PointMotion now = MotionOfPoint(start, point);
  const Vector3 before =
      MotionOfPoint(test::Moved(start, V_rate, -s), point).position;
  const Vector3 after =
      MotionOfPoint(test::Moved(start, V_rate, s), point).position;
  const Vector3 r = now.position - start[1].p_WC;
  const Vector3 acceleration =
      V_rate[1].head<3>() + V_rate[1].tail<3>().cross(r) + now.drift;
  EXPECT_LT(((after - before) / (2 * s) - now.rate).norm(), 1e-6);
  EXPECT_LT(
      ((after - 2 * now.position + before) / (s * s) - acceleration).norm(),
      1e-6);
}

// B-12, D-3: a uniform rod of length 1 nailed at its end.
TEST(PointNail, RodReleasedHorizontalCarriesQuarterWeightThenTwoAndAHalf) {
  World world = PreciseWorld();
  const BodyId rod = AddBody(
      world, MassOfThinRod(1.0, Material::WithMass(2.0)),
      {ExpRotation(Vector3(0.0, 0.0, kPi / 2)), Vector3(0.5, 0.0, 0.0)});
  // The thin rod lies along its y axis, which now points along -x.
  PointNail& nail =
      world.Add(PointNail({rod, Vector3(0.0, 0.5, 0.0)}, Vector3::Zero()));
  nail.set_settings(test::WithoutFeedback());
  const double weight = 2.0 * kGravity;
  world.Step(1e-7);
  EXPECT_NEAR(ForceOf(nail, 1e-7).y(), weight / 4, 1e-5 * weight);
  double largest = 0.0;
  const double h = 1e-3;
  for (int i = 0; i < 600; ++i) {
    world.Step(h);
    largest = std::max(largest, ForceOf(nail, h).norm());
  }
  EXPECT_NEAR(largest, 2.5 * weight, 1e-4 * weight);
  EXPECT_LT(world.Error(nail), 1e-9);
}

// B-12, D-23: the reactions along the whole fall, to 1e-6 of the weight. At the
// angle a below the horizontal they are 5/2 m g sin(a) along the rod and
// m g cos(a) / 4 across it.
TEST(PointNail, ReactionsOfAFallingRodEqualTheClosedForm) {
  World world = PreciseWorld();
  const BodyId rod = AddBody(
      world, MassOfThinRod(1.0, Material::WithMass(2.0)),
      {ExpRotation(Vector3(0.0, 0.0, kPi / 2)), Vector3(0.5, 0.0, 0.0)});
  PointNail& nail =
      world.Add(PointNail({rod, Vector3(0.0, 0.5, 0.0)}, Vector3::Zero()));
  nail.set_settings(test::WithoutFeedback());
  const double weight = 2.0 * kGravity;
  const double h = 1e-3;
  for (int i = 0; i < 600; ++i) {
    // The forces kept of a step are those of its last stage.
    world.Step(h);
    const Vector3 along = -world.motion(rod).p_WC.normalized();
    const Vector3 across(along.y(), -along.x(), 0.0);
    const double sine = along.y();
    const double cosine = -along.x();
    const Vector3 force = ForceOf(nail, h);
    ASSERT_NEAR(force.dot(along), 2.5 * weight * sine, 1e-6 * weight) << i;
    ASSERT_NEAR(force.dot(across), 0.25 * weight * cosine, 1e-6 * weight) << i;
  }
}

// B-12: small swing, T = 2 pi sqrt(2 L / (3 g)) = 1.6379 s.
TEST(PointNail, RodSwingsWithItsPeriod) {
  World world;
  const double angle = 0.01;
  const Quaternion R = ExpRotation(Vector3(0.0, 0.0, angle));
  const BodyId rod = AddBody(world, MassOfThinRod(1.0, Material::WithMass(1.0)),
                             {R, R * Vector3(0.0, -0.5, 0.0)});
  world.Add(PointNail({rod, Vector3(0.0, 0.5, 0.0)}, Vector3::Zero()));
  const double h = 1e-3;
  double last = 1.0;
  double crossing = 0.0;
  int crossings = 0;
  while (crossings < 2) {
    const double before = world.motion(rod).p_WC.x();
    world.Step(h);
    last = world.motion(rod).p_WC.x();
    if (before < 0.0 && last >= 0.0) {
      const double t = world.time() - h * last / (last - before);
      if (++crossings == 2) {
        EXPECT_NEAR(t - crossing, 1.6379, 0.0005);
      }
      crossing = t;
    }
  }
}

// B-13: a ball pulled to a nail at its centre has a closed form.
TEST(PointNail, PullAtTheCentreEqualsClosedForm) {
  World world = PreciseWorld();
  const BodyId ball = AddParticle(world, 2.0, Vector3(1.0, 0.0, 0.0));
  PointNail& nail = world.Add(PointNail({ball}, Vector3::Zero()));
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(0.5);
  nail.set_settings(settings);
  world.Step(1e-9);
  EXPECT_LT((ForceOf(nail, 1e-9) - Vector3(-8.0, 19.62, 0.0)).norm(), 1e-6);
  Advance(world, 0.01, 20.0);
  EXPECT_LT((ForceOf(nail, 0.01) - Vector3(0.0, 19.62, 0.0)).norm(), 1e-9);
}

// B-20: D(t) = (D0 + (D0' + D0/tau) t) e^(-t/tau), whatever the mass.
TEST(PointNail, CriticallyDampedDecayIsThatOfTheLaw) {
  for (const double mass : {0.1, 50.0}) {
    World world = PreciseWorld();
    const BodyId ball = AddParticle(world, mass, Vector3(0.0, 1.0, 0.0));
    PointNail& nail = world.Add(PointNail({ball}, Vector3::Zero()));
    RowSettings settings;
    settings.stabilisation = Stabilisation::CriticallyDamped(0.2);
    nail.set_settings(settings);
    double at[11] = {1.0};
    for (int i = 1; i <= 10; ++i) {
      Advance(world, 0.002, 0.2);
      at[i] = world.motion(ball).p_WC.y();
      EXPECT_GT(at[i], 0.0);
      EXPECT_LT(at[i], at[i - 1]);
    }
    EXPECT_NEAR(at[1], 0.7358, 1e-4);
    EXPECT_NEAR(at[5], 0.0404, 1e-4);
    EXPECT_NEAR(at[10], 4.99e-4, 1e-6);
  }
}

// B-15: circle of radius 1 at 1 rad/s, start 0.5 off with the path's velocity.
TEST(PointOnPath, BallJoinsTheCircleAndIsHeldOnIt) {
  World world = PreciseWorld();
  const double tau = 0.1;
  const double mass = 3.0;
  const BodyId ball =
      AddParticle(world, mass, Vector3(1.5, 0.0, 0.0), Vector3(0, 0, 1));
  PointOnPath& path = world.Add(PointOnPath({ball}, [](double t) {
    const Vector3 out(std::cos(t), 0.0, std::sin(t));
    const Vector3 along(-std::sin(t), 0.0, std::cos(t));
    return PointOnPath::Sample{out, along, -out};
  }));
  RowSettings settings;
  settings.stabilisation = Stabilisation::CriticallyDamped(tau);
  path.set_settings(settings);
  Advance(world, 0.001, 10 * tau);
  EXPECT_LT(world.Error(path), 5e-4 * 0.5);
  Advance(world, 0.001, 3.0);
  // m r w^2 inward - Fg; the forces are those of the last stage, at the end.
  const double t = world.time();
  const Vector3 expected(-mass * std::cos(t), mass * kGravity,
                         -mass * std::sin(t));
  EXPECT_LT((ForceOf(path, 0.001) - expected).norm(), 1e-6);
}

// H-5: a nail that moves at 1 m/s is met with an error of order h^2 in a step.
TEST(PointOnPath, MovingNailIsMetToSecondOrder) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    WorldSettings euler;
    euler.scheme = Scheme::kEuler;
    World world(euler);
    const BodyId rod =
        AddBody(world, MassOfThinRod(1.0, Material::WithMass(1.0)), {});
    PointOnPath& path =
        world.Add(PointOnPath({rod, Vector3(0.0, 0.5, 0.0)}, [](double t) {
          return PointOnPath::Sample{{t, 0.5, 0.0}, Vector3::UnitX()};
        }));
    world.Step(i == 0 ? 0.02 : 0.01);
    error[i] = world.Error(path);
  }
  EXPECT_LT(error[0], 0.02 * 0.02);
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.5);
}

// B-17: a bead on a line of 30 degrees runs at g/2; off the line by nothing.
TEST(PointOnLine, BeadRunsDownAtHalfG) {
  World world;
  const BodyId bead = AddParticle(world, 0.3, Vector3::Zero());
  const Vector3 down(kCos30, -kSin30, 0.0);
  PointOnLine& line =
      world.Add(PointOnLine({bead}, WorldPoint(Vector3::Zero()), down));
  Advance(world, 0.01, 2.0);
  EXPECT_NEAR(down.dot(world.motion(bead).p_WC), 0.5 * 4.905 * 4.0, 1e-9);
  EXPECT_LT(world.Error(line), 1e-9);
}

// B-19, Dynamo-085: puck on a plane of 30 degrees.
TEST(PointOnPlane, PuckRunsDownAtHalfGAndPressesWithItsShare) {
  World world = PreciseWorld();
  const BodyId puck = AddParticle(world, 2.0, Vector3::Zero());
  const Vector3 n(kSin30, kCos30, 0.0);
  PointOnPlane& plane =
      world.Add(PointOnPlane({puck}, WorldPoint(Vector3::Zero()), n));
  Advance(world, 0.01, 2.0);
  EXPECT_NEAR(world.motion(puck).p_WC.dot(Vector3(kCos30, -kSin30, 0.0)),
              0.5 * 4.905 * 4.0, 1e-9);
  EXPECT_NEAR(plane.impulses()[0] / 0.01, 2.0 * kGravity * kCos30, 1e-9);
  EXPECT_LT(world.Error(plane), 1e-12);
}

// B-18: a ball on a fixed ball is held past the place where it would fly off:
// the force turns tensile at cos = 2/3 (and a little for the starting speed).
TEST(SphereOnSphere, PullsPastTheFlyOffAngle) {
  World world = PreciseWorld();
  const double radius = 1.2;
  const double v0 = 0.1;
  const BodyId ball =
      AddParticle(world, 1.5, Vector3(0.0, radius, 0.0), Vector3(v0, 0.0, 0.0));
  SphereOnSphere& touch =
      world.Add(SphereOnSphere(WorldPoint(Vector3::Zero()), 1.0, {ball}, 0.2));
  const double h = 1e-4;
  double fly_off = 0.0;
  double last_force = 1.0;
  for (int i = 0; i < 20000; ++i) {
    world.Step(h);
    const double force = touch.impulses()[0] / h;
    const double cosine = world.motion(ball).p_WC.y() / radius;
    if (last_force > 0.0 && force <= 0.0 && fly_off == 0.0) fly_off = cosine;
    last_force = force;
    if (cosine < -0.5) break;
  }
  EXPECT_NEAR(fly_off, 2.0 / 3.0 + v0 * v0 / (3.0 * kGravity * radius), 1e-3);
  EXPECT_LT(last_force, 0.0);
  EXPECT_LT(world.Error(touch), 1e-7);
}

// Dynamo-093, H-7: two points of 1 kg, 1 m apart, turning at 2 rad/s.
TEST(DistanceRod, SpinningPairPullsWithTwoNewton) {
  World world = PreciseWorld(Vector3::Zero());
  const BodyId a =
      AddParticle(world, 1.0, Vector3(-0.5, 0, 0), Vector3(0, -1, 0));
  const BodyId b =
      AddParticle(world, 1.0, Vector3(0.5, 0, 0), Vector3(0, 1, 0));
  DistanceRod& rod = world.Add(DistanceRod({a}, {b}, 1.0));
  rod.set_settings(test::WithoutFeedback());
  Advance(world, 0.01, 10.0);
  EXPECT_NEAR(-rod.impulses()[0] / 0.01, 2.0, 0.0005);
  EXPECT_LT(world.Error(rod), 1e-4);
  World stepped = WeightlessWorld();
  const BodyId c =
      AddParticle(stepped, 1.0, Vector3(-0.5, 0, 0), Vector3(0, -1, 0));
  const BodyId d =
      AddParticle(stepped, 1.0, Vector3(0.5, 0, 0), Vector3(0, 1, 0));
  DistanceRod& bar = stepped.Add(DistanceRod({c}, {d}, 1.0));
  Advance(stepped, 0.01, 10.0);
  EXPECT_LT(stepped.Error(bar), 1e-4);
  EXPECT_NEAR(-bar.impulses()[0] / 0.01, 2.0, 0.002);
}

// H-1: a hanging chain of points: each row carries the weight below it.
TEST(DistanceRod, HangingChainCarriesTheWeightBelow) {
  World world = PreciseWorld();
  std::vector<DistanceRod*> rods;
  BodyPoint above = WorldPoint(Vector3::Zero());
  for (int i = 1; i <= 10; ++i) {
    const BodyId node = AddParticle(world, 0.5, Vector3(0.0, -i, 0.0));
    rods.push_back(&world.Add(DistanceRod(above, {node}, 1.0)));
    above = {node};
  }
  Advance(world, 0.01, 1.0);
  for (int i = 0; i < 10; ++i) {
    const double tension = -rods[static_cast<std::size_t>(i)]->impulses()[0];
    EXPECT_NEAR(tension / 0.01, 0.5 * kGravity * (10 - i), 1e-8);
  }
}

// H-8: a node hung on a point stays there.
TEST(PointNail, NailedNodeDoesNotMove) {
  World world;
  const BodyId node = AddParticle(world, 1.0, Vector3(0.3, 0.4, 0.5));
  const BodyId swing = AddParticle(world, 1.0, Vector3(1.3, 0.4, 0.5));
  world.Add(PointNail({node}, Vector3(0.3, 0.4, 0.5)));
  world.Add(DistanceRod({node}, {swing}, 1.0));
  for (int i = 0; i < 300; ++i) {
    world.Step(0.01);
    ASSERT_LT((world.motion(node).p_WC - Vector3(0.3, 0.4, 0.5)).norm(), 1e-12);
  }
}

// H-9: a right angle between two bars of three points, hung at one end.
TEST(EdgeAngle, RightAngleIsHeldUnderGravity) {
  World world;
  const BodyId corner = AddParticle(world, 1.0, Vector3(1.0, 0.0, 0.0));
  const BodyId end = AddParticle(world, 1.0, Vector3(1.0, 0.0, 1.0));
  const BodyPoint nail = WorldPoint(Vector3::Zero());
  world.Add(DistanceRod(nail, {corner}, 1.0));
  world.Add(DistanceRod({corner}, {end}, 1.0));
  EdgeAngle& angle =
      world.Add(EdgeAngle({{corner}, nail}, {{corner}, {end}}, kPi / 2));
  for (int i = 0; i < 500; ++i) {
    world.Step(0.01);
    ASSERT_LT(world.Error(angle), 1e-4);
  }
  // It did something: the corner moved.
  EXPECT_GT((world.motion(corner).p_WC - Vector3(1, 0, 0)).norm(), 0.1);
}

// H-10: two bars hung by one end each are kept parallel.
TEST(EdgesParallel, BarsStayParallel) {
  World world;
  const BodyId a = AddParticle(world, 1.0, Vector3(1.0, 0.0, 0.0));
  const BodyId b =
      AddParticle(world, 2.0, Vector3(1.0, 0.0, 1.0), Vector3(0.0, 0.0, 1.0));
  const BodyPoint nail_a = WorldPoint(Vector3::Zero());
  const BodyPoint nail_b = WorldPoint(Vector3(0.0, 0.0, 1.0));
  world.Add(DistanceRod(nail_a, {a}, 1.0));
  world.Add(DistanceRod(nail_b, {b}, 1.0));
  world.Add(EdgesParallel({nail_a, {a}}, {nail_b, {b}}, world.motions()));
  for (int i = 0; i < 500; ++i) {
    world.Step(0.01);
    const Vector3 p = world.motion(a).p_WC.normalized();
    const Vector3 q =
        (world.motion(b).p_WC - Vector3(0.0, 0.0, 1.0)).normalized();
    ASSERT_LT(p.cross(q).norm(), 1e-4) << "step " << i;
  }
}

// H-12: any algebraic relation: a bead in the bowl y = x^2 + z^2.
TEST(FunctionConstraint, BeadStaysInTheBowlAndKeepsItsEnergy) {
  World world = PreciseWorld();
  const BodyId bead =
      AddParticle(world, 1.0, Vector3(0.5, 0.25, 0.0), Vector3(0.0, 0.0, 1.0));
  FunctionConstraint& bowl = world.Add(FunctionConstraint(
      {bead}, 1, [bead](BodyMotions bodies, double, std::span<double> phi) {
        const Vector3& p = MotionOf(bodies, bead).p_WC;
        phi[0] = p.y() - p.x() * p.x() - p.z() * p.z();
      }));
  const double energy = world.KineticEnergy() + world.PotentialEnergy();
  Advance(world, 0.002, 4.0);
  EXPECT_LT(world.Error(bowl), 1e-6);
  EXPECT_NEAR(world.KineticEnergy() + world.PotentialEnergy(), energy, 1e-5);
}

// D-21, D-22: valid * (x - x0) switched off on the time line.
TEST(FunctionConstraint, SwitchedOffLeavesNoForceInTheNextStep) {
  World world = PreciseWorld();
  const BodyId ball = AddParticle(world, 1.0, Vector3::Zero());
  FunctionConstraint& hold = world.Add(FunctionConstraint(
      {ball}, 1, [ball](BodyMotions bodies, double, std::span<double> phi) {
        phi[0] = MotionOf(bodies, ball).p_WC.y();
      }));
  world.At(1.0, [&hold](World&) { hold.set_valid(0.0); });
  const double h = 0.01;
  Advance(world, h, 1.0);
  ASSERT_EQ(hold.impulses().size(), 1u);
  EXPECT_NEAR(hold.impulses()[0] / h, kGravity, 1e-6);
  Advance(world, h, 0.5);
  EXPECT_TRUE(hold.impulses().empty());
  EXPECT_NEAR(world.motion(ball).p_WC.y(), -0.5 * kGravity * 0.25, 1e-6);
}

// Dynamo-082: equal velocities keep the offset, with a drift that is small and
// larger than that of PointToPoint.
TEST(VelocityMatch, OffsetDriftsLittleButMoreThanAPointToPoint) {
  double drift[2];
  for (const bool by_velocity : {false, true}) {
    World world;
    const Vector3 top(0.0, 0.5, 0.0);
    const BodyId rod =
        AddBody(world, MassOfThinRod(1.0, Material::WithMass(1.0)),
                {ExpRotation(Vector3(0.0, 0.0, 1.0)), Vector3::Zero()});
    const Vector3 anchor = world.motion(rod).Point(top);
    if (by_velocity) {
      world.Add(VelocityMatch(WorldPoint(anchor), {rod, top}));
    } else {
      world.Add(PointToPoint(WorldPoint(anchor), {rod, top}));
    }
    Advance(world, 0.005, 10.0);
    drift[by_velocity] = (world.motion(rod).Point(top) - anchor).norm();
  }
  RecordProperty("velocity_match_drift_m", std::to_string(drift[1]));
  EXPECT_LT(drift[1], 1e-2);
  EXPECT_LT(drift[0], drift[1]);
}

// Dynamo-083: a bead on a vertical ring, released at the height of its centre.
TEST(PointOnCurve, BeadOnARingHasTheSpeedAndForceOfTheBottom) {
  World world = PreciseWorld();
  const auto ring = std::make_shared<Circle>(Vector3::Zero(), Vector3::UnitZ(),
                                             Vector3::UnitX(), 1.0);
  const BodyId bead = AddParticle(world, 1.0, Vector3(1.0, 0.0, 0.0));
  PointOnCurve& guide = world.Add(PointOnCurve({bead}, kGround, ring, 0.0));
  const double h = 1e-3;
  while (world.motion(bead).p_WC.x() > 0.0) {
    world.Step(h);
    ASSERT_LT(world.time(), 1.0);
  }
  EXPECT_NEAR(world.motion(bead).v_WC.norm(), 4.429, 0.002);
  EXPECT_NEAR(std::hypot(guide.impulses()[0], guide.impulses()[1]) / h, 29.43,
              0.005 * 29.43);
  EXPECT_LT(world.Error(guide), 1e-6);
  // The parameter followed: three quarters of a turn, by way of -pi/2.
  EXPECT_NEAR(guide.s(), 1.5 * kPi, 0.01);
}

// Dynamo-083: at the end of an open curve the constraint lets go.
TEST(PointOnCurve, LeavingTheEndSwitchesItOff) {
  World world = WeightlessWorld();
  const auto rail =
      std::make_shared<LineSegment>(Vector3::Zero(), Vector3(1.0, 0.0, 0.0));
  const BodyId bead =
      AddParticle(world, 1.0, Vector3(0.5, 0.0, 0.0), Vector3(1.0, 0.0, 0.0));
  PointOnCurve& guide = world.Add(PointOnCurve({bead}, kGround, rail, 0.5));
  Advance(world, 0.01, 0.4);
  EXPECT_FALSE(guide.left_domain());
  EXPECT_NEAR(guide.s(), 0.9, 1e-9);
  Advance(world, 0.01, 0.2);
  EXPECT_TRUE(guide.left_domain());
  EXPECT_FALSE(guide.enabled());
}

// Dynamo-080: the guiding axes stay at right angles over many turns, and a
// constraint without rows changes nothing.
TEST(PointOnCurve, AxesStayOrthonormalOverManyTurns) {
  const auto ring = std::make_shared<Circle>(Vector3::Zero(), Vector3::UnitZ(),
                                             Vector3::UnitX(), 1.0);
  PointOnCurve guide({BodyId{1}}, kGround, ring, 0.0);
  std::vector<BodyMotion> bodies(2);
  RowBuffer rows;
  for (int i = 0; i < 100000; ++i) {
    const double s = 0.3 * i;
    bodies[1].p_WB = bodies[1].p_WC = Vector3(std::cos(s), std::sin(s), 0.0);
    guide.AfterStep(bodies, 0.0);
  }
  guide.AddRows(bodies, 0.0, rows);
  const Vector3 u = rows.entries(0)[0].linear;
  const Vector3 v = rows.entries(1)[0].linear;
  EXPECT_NEAR(u.norm(), 1.0, 1e-10);
  EXPECT_NEAR(v.norm(), 1.0, 1e-10);
  EXPECT_NEAR(u.dot(v), 0.0, 1e-10);
}

class EmptyConstraint : public Constraint {
 public:
  explicit EmptyConstraint(BodyId body) : bodies_{body} {}
  std::span<const BodyId> bodies() const override { return bodies_; }
  void AddRows(BodyMotions, double, RowBuffer&) const override {}

 private:
  std::array<BodyId, 1> bodies_;
};

TEST(Constraint, WithoutRowsChangesNothing) {
  Vector3 end[2];
  for (const bool with : {false, true}) {
    World world;
    const BodyId ball = AddParticle(world, 1.0, Vector3(1.0, 0.0, 0.0));
    world.Add(DistanceRod(WorldPoint(Vector3::Zero()), {ball}, 1.0));
    if (with) world.Add(EmptyConstraint(ball));
    Advance(world, 0.01, 2.0);
    end[with] = world.motion(ball).p_WC;
  }
  EXPECT_EQ(end[0], end[1]);
}

// Dynamo-085: on the unit sphere from the equator, through the lower pole.
TEST(PointOnSurface, ParticleRunsDownTheSphereThroughThePole) {
  World world = PreciseWorld();
  const auto sphere =
      std::make_shared<Ellipsoid>(Ellipsoid::Sphere(Vector3::Zero(), 1.0));
  const BodyId bead = AddParticle(world, 1.0, Vector3(1.0, 0.0, 0.0));
  PointOnSurface& guide = world.Add(PointOnSurface({bead}, kGround, sphere));
  double fastest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    world.Step(1e-3);
    fastest = std::max(fastest, world.motion(bead).v_WC.norm());
  }
  EXPECT_NEAR(fastest, 4.429, 0.002);
  EXPECT_LT(world.Error(guide), 1e-6);
  EXPECT_FALSE(guide.left_domain());
}

TEST(PointOnSurface, LeavingTheEdgeSwitchesItOff) {
  World world = WeightlessWorld();
  const auto table = std::make_shared<Plane>(
      Plane::Rectangle(Vector3::Zero(), Vector3::UnitZ(), Vector3::UnitX()));
  const BodyId bead =
      AddParticle(world, 1.0, Vector3(0.5, 0.0, 0.5), Vector3(1.0, 0.0, 0.0));
  PointOnSurface& guide = world.Add(PointOnSurface({bead}, kGround, table));
  Advance(world, 0.01, 0.4);
  EXPECT_TRUE(guide.enabled());
  Advance(world, 0.01, 0.2);
  EXPECT_TRUE(guide.left_domain());
  EXPECT_FALSE(guide.enabled());
}

// Dynamo-016: a kinematic anchor on a circle drags a linked body.
TEST(PointToPoint, KinematicAnchorDragsABodyAndIsNotMovedByIt) {
  World world;
  BodySpec spec;
  spec.kind = BodyKind::kKinematic;
  spec.X_WB.p = Vector3(1.0, 0.0, 0.0);
  const BodyId anchor = world.AddBody(spec);
  const BodyId ball =
      AddBody(world, MassOfSphere(0.1, Material::WithMass(1.0)),
              {Quaternion::Identity(), Vector3(1.0, -0.5, 0.0)});
  PointToPoint& link =
      world.Add(PointToPoint({anchor}, {ball, Vector3(0.0, 0.5, 0.0)}));
  const double h = 0.01;
  Vector3 expected(1.0, 0.0, 0.0);
  for (int i = 0; i < 500; ++i) {
    const double t = i * h;
    const Vector3 v(-std::sin(t), 0.0, std::cos(t));
    world.SetVelocity(anchor, v, Vector3::Zero());
    world.Step(h);
    expected += h * v;
    ASSERT_LT(world.Error(link), 1e-4);
    ASSERT_LT((world.motion(anchor).p_WC - expected).norm(), 1e-12);
  }
}

// The parameter and axes of a curve are part of the world's saved state.
TEST(PointOnCurve, RestoredWorldRepeatsItselfToTheBit) {
  World world;
  const std::array<Vector3, 5> points = {
      Vector3(0.0, 0.0, 0.0), Vector3(1.0, -1.0, 0.3), Vector3(2.0, 0.0, 1.0),
      Vector3(3.0, -1.0, 0.0), Vector3(4.0, 0.0, 0.0)};
  const auto track =
      std::make_shared<CubicSpline>(CubicSpline::CatmullRom(points));
  const BodyId bead = AddParticle(world, 1.0, track->Position(0.2));
  PointOnCurve& guide = world.Add(PointOnCurve({bead}, kGround, track, 0.2));
  Advance(world, 0.01, 0.4);
  const auto saved = world.Save();
  const double s = guide.s();
  Advance(world, 0.01, 0.4);
  const Vector3 end = world.motion(bead).p_WC;
  EXPECT_GT(guide.s(), s + 0.1);
  world.Restore(*saved);
  EXPECT_EQ(guide.s(), s);
  Advance(world, 0.01, 0.4);
  EXPECT_EQ(world.motion(bead).p_WC, end);
  EXPECT_LT(world.Error(guide), 1e-6);
}

// A form and the rows it stands for say the same.
TEST(PointForm, TellsTheRowsOfNailAndPath) {
  std::mt19937 random(11);
  const std::vector<BodyMotion> motions = test::RandomMotions(1, random);
  const BodyPoint point{BodyId{1}, Vector3(0.3, -0.4, 0.5)};
  const PointNail nail(point, Vector3(1.0, 2.0, 3.0));
  const PointOnPath path(point, [](double t) {
    return PointOnPath::Sample{Vector3(t, t * t, 0.0), Vector3(1.0, 2 * t, 0.0),
                               Vector3(0.0, 2.0, 0.0)};
  });
  for (const Constraint* constraint : {static_cast<const Constraint*>(&nail),
                                       static_cast<const Constraint*>(&path)}) {
    PointForm form;
    ASSERT_TRUE(constraint->GetPointForm(0.7, form));
    RowBuffer rows;
    constraint->AddRows(motions, 0.7, rows);
    ASSERT_EQ(rows.size(), 3);
    const BodyMotion& body = motions[1];
    const Vector3 p_WA = body.Point(form.p_BA);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(form.body, point.body);
      EXPECT_NEAR(rows.row(i).error, (p_WA - form.p_WT)[i], 1e-14);
      EXPECT_NEAR(rows.row(i).rate_bias, -form.v_WT[i], 1e-14);
      EXPECT_NEAR(rows.Speed(i, motions), body.PointVelocity(p_WA)[i], 1e-14);
      EXPECT_EQ(rows.row(i).settings.softness, form.settings->softness);
    }
  }
  EXPECT_FALSE(PointToPoint(point, WorldPoint(Vector3::Zero()))
                   .GetPointForm(0.0, *std::make_unique<PointForm>()));
}

}  // namespace
}  // namespace limber::dynamics
