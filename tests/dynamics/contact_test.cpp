// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

constexpr double kDegree = kPi / 180.0;

// A box on an incline of `angle`, the plane through the origin turned about z.
struct Incline {
  World world;
  BodyId box;
  Vector3 downhill;

  Incline(double angle, const ContactSurface& surface) {
    Transform X_WS;
    X_WS.R = ExpRotation(Vector3(0.0, 0.0, -angle));
    AddFloor(world, surface, X_WS);
    Transform X_WB = X_WS;
    X_WB.p = X_WS.R * Vector3(0.0, 0.05, 0.0);
    box = AddSolid(world, Shape::Box(Vector3(0.1, 0.05, 0.08)), 500.0, X_WB,
                   surface);
    downhill = X_WS.R * Vector3::UnitX();
  }
  double Distance() const { return downhill.dot(world.motion(box).p_WC); }
};

// V-12: sticks below the angle of friction ...
TEST(Contact, BoxSticksOnAnInclineBelowTheFrictionAngle) {
  const double mu = 0.5;
  Incline scene(std::atan(mu) - 0.5 * kDegree, Rough(mu));
  const double start = scene.Distance();
  Advance(scene.world, 2.0);
  EXPECT_NEAR(scene.Distance(), start, 1e-4);
}

// V-12: ... and slides above it with a = g (sin - mu cos).
TEST(Contact, BoxSlidesOnAnInclineAboveTheFrictionAngle) {
  const double mu = 0.5;
  for (const double beyond : {0.5, 3.0, 10.0}) {
    const double angle = std::atan(mu) + beyond * kDegree;
    Incline scene(angle, Rough(mu));
    const double start = scene.Distance();
    Advance(scene.world, 2.0);
    const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(scene.Distance() - start, 2.0 * a, 0.02 * a) << beyond;
  }
}

// Dynamo-100: mu_s = 0.5 sticks at 26 degrees and slides at 27; mu_d = 0.4 at
// 30 degrees gives 1.507 m/s^2.
TEST(Contact, StaticAndDynamicFrictionDiffer) {
  ContactSurface surface;
  surface.static_friction = 0.5;
  surface.dynamic_friction = 0.4;
  Incline sticks(26.0 * kDegree, surface);
  const double start = sticks.Distance();
  Advance(sticks.world, 1.0);
  EXPECT_NEAR(sticks.Distance(), start, 1e-4);

  Incline slides(27.0 * kDegree, surface);
  Advance(slides.world, 1.0);
  EXPECT_GT(slides.Distance(), start + 0.1);

  Incline steep(30.0 * kDegree, surface);
  Advance(steep.world, 2.0);
  const double travelled = steep.Distance() - start;
  EXPECT_NEAR(travelled / 2.0, 1.507, 0.015);
}

// The wanted height of a bounce, measured at its highest point.
double ReboundHeight(double e_ball, double e_floor, double h) {
  World world;
  AddFloor(world, Rough(0.0, e_floor));
  const double radius = 0.1;
  const BodyId ball = AddSolid(world, Shape::Sphere(radius), 1000.0,
                               At(0.0, 1.0 + radius, 0.0), Rough(0.0, e_ball));
  double highest = 0.0;
  bool bounced = false;
  for (int i = 0; i < static_cast<int>(1.2 / h); ++i) {
    world.Step(h);
    bounced = bounced || world.motion(ball).v_WC.y() > 0.0;
    if (bounced) {
      highest = std::max(highest, world.motion(ball).p_WC.y() - radius);
    }
  }
  return highest;
}

// V-12, D-49, Dynamo-098: a drop from 1 m with e = 0.5 returns to 0.25 m, with
// e = (1 + 0.5) / 2 to 0.5625 m, whatever the step.
TEST(Contact, DropReturnsToTheHeightOfItsRestitution) {
  for (const double h : {1.0 / 60.0, 1.0 / 120.0, kStep, 1.0 / 480.0}) {
    EXPECT_NEAR(ReboundHeight(0.5, 0.5, h), 0.25, 0.0025) << h;
    EXPECT_NEAR(ReboundHeight(1.0, 0.5, h), 0.5625, 0.0056) << h;
  }
}

// Dynamo-098: fifty bounces with e = 1 keep the energy.
TEST(Contact, FiftyElasticBouncesKeepTheEnergy) {
  for (const double h : {1.0 / 30.0, 1.0 / 120.0, 1.0 / 480.0}) {
    World world;
    AddFloor(world, Rough(0.0, 1.0));
    const BodyId ball = AddSolid(world, Shape::Sphere(0.1), 1000.0,
                                 At(0.0, 1.1, 0.0), Rough(0.0, 1.0));
    world.Step(h);
    world.Step(h);
    const double before = Energy(world);
    int bounces = 0;
    double last = 0.0;
    while (bounces < 50 && world.time() < 60.0) {
      world.Step(h);
      const double v = world.motion(ball).v_WC.y();
      if (last < 0.0 && v > 0.0) ++bounces;
      last = v;
    }
    world.Step(h);
    EXPECT_EQ(bounces, 50) << h;
    EXPECT_NEAR(Energy(world) / before, 1.0, 1e-3) << h;
  }
}

// D-49: equal spheres swap their velocities.
TEST(Contact, EqualSpheresSwapVelocities) {
  WorldSettings settings;
  settings.gravity.setZero();
  World world(settings);
  const ShapePointer ball = Shape::Sphere(0.1);
  const BodyId a = AddSolid(world, ball, 1000.0, At(-0.5, 0.0, 0.0),
                            Rough(0.0, 1.0), Vector3(2.0, 0.0, 0.0));
  const BodyId b =
      AddSolid(world, ball, 1000.0, At(0.5, 0.0, 0.0), Rough(0.0, 1.0));
  Advance(world, 1.0);
  EXPECT_NEAR(world.motion(a).v_WC.norm(), 0.0, 1e-9);
  EXPECT_NEAR(world.motion(b).v_WC.x(), 2.0, 1e-9);
  // Met after 0.4 s with 0.8 m between them.
  EXPECT_NEAR(world.motion(b).p_WC.x(), 0.5 + 2.0 * 0.6, 1e-9);
}

// Newton's cradle: the last ball leaves with the speed of the first.
TEST(Contact, LastBallOfNewtonsCradleLeavesWithTheSpeedOfTheFirst) {
  WorldSettings settings;
  settings.gravity.setZero();
  World world(settings);
  const ShapePointer ball = Shape::Sphere(0.1);
  std::vector<BodyId> balls;
  for (int i = 0; i < 5; ++i) {
    balls.push_back(
        AddSolid(world, ball, 1000.0, At(i == 0 ? -0.5 : 0.2 * i, 0.0, 0.0),
                 Rough(0.0, 1.0), Vector3(i == 0 ? 1.0 : 0.0, 0.0, 0.0)));
  }
  Advance(world, 1.0);
  EXPECT_GT(world.motion(balls[4]).v_WC.x(), 0.98);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT(world.motion(balls[static_cast<std::size_t>(i)]).v_WC.norm(),
              0.02);
  }
}

// V-26 simultaneous impacts, Dynamo-099: a cube that falls flat does not spin,
// with and without restitution, and then stays where it is.
TEST(Contact, FlatCubeDoesNotSpin) {
  for (const double e : {0.0, 0.5}) {
    World world;
    AddFloor(world, Rough(0.5, e));
    const BodyId cube = AddSolid(world, Shape::Box(Vector3::Constant(0.1)),
                                 500.0, At(0.0, 0.6, 0.0), Rough(0.5, e));
    double tilt = 0.0;
    for (int i = 0; i < 480; ++i) {
      world.Step(kStep);
      tilt = std::max(tilt,
                      AngleBetween(world.X_WB(cube).R, Quaternion::Identity()));
    }
    EXPECT_LT(tilt, 0.1 * kDegree) << e;
    const Vector3 p = world.motion(cube).p_WC;
    Advance(world, 10.0);
    EXPECT_LT((world.motion(cube).p_WC - p).norm(), 1e-3) << e;
    EXPECT_NEAR(p.y(), 0.1, 1e-3);
  }
}

// V-26 contact stabilisation, V-80: bodies that start overlapped part slowly
// and are never thrown.
TEST(Contact, OverlappedBodiesPartSlowly) {
  World world;
  AddFloor(world);
  const ShapePointer cube = Shape::Box(Vector3::Constant(0.1));
  const BodyId lower = AddSolid(world, cube, 500.0, At(0.0, 0.07, 0.0));
  const BodyId upper = AddSolid(world, cube, 500.0, At(0.0, 0.24, 0.0));
  double fastest = 0.0;
  Vector3 last = world.motion(upper).p_WC;
  for (int i = 0; i < 480; ++i) {
    world.Step(kStep);
    fastest =
        std::max(fastest, (world.motion(upper).p_WC - last).norm() / kStep);
    last = world.motion(upper).p_WC;
    EXPECT_LT(world.motion(upper).v_WC.norm(), 0.1);
  }
  EXPECT_LT(fastest, 2.1);  // Both push, at 1 m/s each.
  EXPECT_NEAR(world.motion(lower).p_WC.y(), 0.1, 1e-3);
  EXPECT_NEAR(world.motion(upper).p_WC.y(), 0.3, 1e-3);
}

// V-19: a cube between two desks that close on it is stopped, not blown up.
TEST(Contact, CubeCrushedByTwoDesksStaysFinite) {
  World world;
  const ShapePointer desk = Shape::Box(Vector3(1.0, 0.1, 1.0));
  AddFixed(world, desk, At(0.0, -0.1, 0.0));
  const BodyId press =
      AddFixed(world, desk, At(0.0, 0.35, 0.0), {}, BodyKind::kKinematic);
  const BodyId cube = AddSolid(world, Shape::Box(Vector3::Constant(0.1)), 500.0,
                               At(0.0, 0.1, 0.0));
  world.SetVelocity(press, Vector3(0.0, -0.2, 0.0), Vector3::Zero());
  for (int i = 0; i < 480; ++i) {
    // It stops 2 mm deep in the cube.
    if (world.motion(press).p_WC.y() < 0.298) {
      world.SetVelocity(press, Vector3::Zero(), Vector3::Zero());
    }
    world.Step(kStep);
    ASSERT_TRUE(world.motion(cube).p_WC.allFinite());
    ASSERT_LT(world.motion(cube).v_WC.norm(), 1.0);
    ASSERT_LT(Penetration(world), 4e-3);
  }
  EXPECT_NEAR(world.motion(cube).p_WC.y(), 0.1, 3e-3);
}

// No tunnelling: a ball at 30 m/s does not pass a board of 2 cm.
TEST(Contact, FastBallDoesNotPassAThinBoard) {
  for (const double speed : {5.0, 10.0, 20.0, 30.0}) {
    World world;
    AddFixed(world, Shape::Box(Vector3(0.01, 1.0, 1.0)), At(0.0, 0.0, 0.0));
    for (int i = 0; i < 20; ++i) {
      const BodyId ball = AddSolid(world, Shape::Sphere(0.02), 1000.0,
                                   At(-1.0 - 0.0061 * i, 0.5 - 0.05 * i, 0.0),
                                   {}, Vector3(speed, 0.0, 0.0));
      (void)ball;
    }
    Advance(world, 0.3);
    for (int b = 2; b < world.num_bodies(); ++b) {
      EXPECT_LT(world.motion({b}).p_WC.x(), -0.025) << speed;
    }
  }
}

// Friction is opposite to the slip, whatever its direction, and a push across a
// slide turns it: the cone, not its axes, decides.
TEST(Contact, FrictionOfASlideHasTheDirectionOfTheSlip) {
  const double mu = 0.4;
  for (const double direction : {0.0, 0.3, 0.785, 2.0}) {
    World world;
    AddFloor(world, Rough(mu));
    const Vector3 along(std::cos(direction), 0.0, std::sin(direction));
    const BodyId box =
        AddSolid(world, Shape::Box(Vector3(0.1, 0.02, 0.1)), 500.0,
                 At(0.0, 0.02, 0.0), Rough(mu), 3.0 * along);
    Advance(world, 0.5);
    const Vector3 v = world.motion(box).v_WC;
    EXPECT_NEAR(v.dot(along), 3.0 - mu * kGravity * 0.5, 0.02);
    EXPECT_NEAR(v.cross(along).norm(), 0.0, 0.01);
  }
  // Pulled along x with 0.2 of its weight while sliding along z: at first the
  // whole pull accelerates.
  World world;
  AddFloor(world, Rough(mu));
  const BodyId box =
      AddSolid(world, Shape::Box(Vector3(0.1, 0.02, 0.1)), 500.0,
               At(0.0, 0.02, 0.0), Rough(mu), Vector3(0.0, 0.0, 5.0));
  const double pull = 0.2 * world.mass(box).mass * kGravity;
  for (int i = 0; i < 24; ++i) {
    world.ApplyForce(box, Vector3::Zero(), Vector3(pull, 0.0, 0.0));
    world.Step(kStep);
  }
  // x'' = 0.2 g - mu g x'/|v|, z'' = -mu g z'/|v| integrated finely.
  double x = 0.0, z = 5.0;
  for (int i = 0; i < 24000; ++i) {
    const double speed = std::hypot(x, z), h = kStep / 1000.0;
    x += h * kGravity * (0.2 - mu * x / speed);
    z -= h * kGravity * mu * z / speed;
  }
  EXPECT_NEAR(world.motion(box).v_WC.x(), x, 0.03 * x);
  EXPECT_NEAR(world.motion(box).v_WC.z(), z, 0.02);
}

// A conveyor carries what lies on it, at its speed; a kinematic body that moves
// carries it too.
TEST(Contact, ConveyorAndMovingDeskCarryABox) {
  World world;
  ContactSurface belt = Rough(0.5);
  belt.surface_velocity = Vector3(0.7, 0.0, 0.0);
  AddFloor(world, belt);
  const ShapePointer cube = Shape::Box(Vector3::Constant(0.1));
  const BodyId box =
      AddSolid(world, cube, 500.0, At(0.0, 0.1, 0.0), Rough(0.5));
  const BodyId desk =
      AddFixed(world, Shape::Box(Vector3(0.5, 0.1, 0.5)), At(0.0, 0.5, 5.0),
               Rough(0.5), BodyKind::kKinematic);
  const BodyId rider =
      AddSolid(world, cube, 500.0, At(0.0, 0.7, 5.0), Rough(0.5));
  world.SetVelocity(desk, Vector3(0.4, 0.1, 0.0), Vector3::Zero());
  Advance(world, 1.0);
  EXPECT_NEAR(world.motion(box).v_WC.x(), 0.7, 1e-3);
  EXPECT_NEAR(world.motion(rider).v_WC.x(), 0.4, 1e-3);
  EXPECT_NEAR(world.motion(rider).v_WC.y(), 0.1, 1e-3);
}

// What can be read: the weight of a box, shared by its four points.
TEST(Contact, ContactsOfARestingBoxCarryItsWeight) {
  World world;
  AddFloor(world);
  const BodyId box = AddSolid(world, Shape::Box(Vector3(0.2, 0.1, 0.1)), 500.0,
                              At(0.0, 0.1, 0.0));
  Advance(world, 0.4);
  ASSERT_EQ(world.contacts().size(), 4u);
  double impulse = 0.0;
  for (const Contact& contact : world.contacts()) {
    EXPECT_EQ(contact.body_a, kGround);
    EXPECT_EQ(contact.body_b, box);
    EXPECT_NEAR((contact.normal_W - Vector3::UnitY()).norm(), 0.0, 1e-9);
    EXPECT_EQ(contact.state, Contact::State::kSticking);
    EXPECT_LT(contact.friction_impulse_W.norm(), 1e-9);
    impulse += contact.normal_impulse;
  }
  EXPECT_NEAR(impulse / kStep, world.mass(box).mass * kGravity, 1e-6);
}

// A sphere that slides begins to roll without slipping at 5/7 of its speed.
TEST(Contact, SlidingSphereComesToRollAtFiveSevenths) {
  World world;
  AddFloor(world, Rough(0.3));
  const BodyId ball =
      AddSolid(world, Shape::Sphere(0.1), 1000.0, At(0.0, 0.1, 0.0), Rough(0.3),
               Vector3(2.0, 0.0, 0.7));
  Advance(world, 2.0);
  const Vector3 v = world.motion(ball).v_WC;
  EXPECT_NEAR(v.x(), 2.0 * 5.0 / 7.0, 0.01);
  EXPECT_NEAR(v.z(), 0.7 * 5.0 / 7.0, 0.01);
  EXPECT_NEAR(world.motion(ball).w_WB.z(), -v.x() / 0.1, 0.01);
}

// Rolling down: 5/7 g sin.
TEST(Contact, SphereRollsDownAnIncline) {
  const double angle = 20.0 * kDegree;
  World world;
  Transform X_WS;
  X_WS.R = ExpRotation(Vector3(0.0, 0.0, -angle));
  AddFloor(world, Rough(0.8), X_WS);
  const BodyId ball = AddSolid(
      world, Shape::Sphere(0.1), 1000.0,
      Transform{Quaternion::Identity(), X_WS.R * Vector3(0.0, 0.1, 0.0)},
      Rough(0.8));
  const Vector3 start = world.motion(ball).p_WC;
  Advance(world, 2.0);
  const double travelled =
      (world.motion(ball).p_WC - start).dot(X_WS.R * Vector3::UnitX());
  const double a = 5.0 / 7.0 * kGravity * std::sin(angle);
  EXPECT_NEAR(travelled, 2.0 * a, 0.02 * a);
}

// Rolling and torsional friction bring a rolling and a spinning ball to rest:
// spin about the normal slows by mu r m g / I.
TEST(Contact, RollingAndTorsionalFrictionSlow) {
  ContactSurface surface = Rough(0.5);
  surface.torsional_radius = 0.02;
  surface.rolling_radius = 0.005;
  World world;
  AddFloor(world, surface);
  const BodyId spins =
      AddSolid(world, Shape::Sphere(0.1), 1000.0, At(0.0, 0.1, 0.0), surface,
               Vector3::Zero(), Vector3(0.0, 20.0, 0.0));
  const BodyId rolls =
      AddSolid(world, Shape::Sphere(0.1), 1000.0, At(2.0, 0.1, 0.0), surface,
               Vector3(1.0, 0.0, 0.0), Vector3(0.0, 0.0, -10.0));
  Advance(world, 0.25);
  const double m = world.mass(spins).mass;
  const double inertia = 0.4 * m * 0.01;
  EXPECT_NEAR(world.motion(spins).w_WB.y(),
              20.0 - 0.25 * 0.5 * 0.02 * m * kGravity / inertia, 0.2);
  // Rolling: m v' = -F, I w' = F r - rho m g (decelerating), w = v / r.
  const double slower = 0.005 * kGravity / 0.1 / (1.0 + 0.4);
  EXPECT_NEAR(world.motion(rolls).v_WC.x(), 1.0 - 0.25 * slower, 0.01);
}

TEST(Contact, BadArgumentsAreNamed) {
  World world;
  const auto message = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  ColliderSpec spec;
  EXPECT_NE(message([&] { world.AddCollider(kGround, spec); }).find("shape"),
            std::string::npos);
  spec.shape = Shape::Sphere(1.0);
  spec.surface.restitution = 1.5;
  EXPECT_NE(
      message([&] { world.AddCollider(kGround, spec); }).find("restitution"),
      std::string::npos);
  spec.surface.restitution = 0.0;
  EXPECT_NE(message([&] { world.AddCollider({7}, spec); }).find("body 7"),
            std::string::npos);
  EXPECT_NE(message([&] { world.RemoveCollider({3}); }).find("collider 3"),
            std::string::npos);
  BodySpec body;
  body.mass = MassOf(*Shape::Sphere(1.0), 1.0);
  const BodyId id = world.AddBody(body);
  spec.shape = Shape::Plane();
  EXPECT_NE(message([&] { world.AddCollider(id, spec); }).find("dynamic"),
            std::string::npos);
}

// FindContacts reaches as far as it is asked to.
TEST(Contact, FindContactsSeesWhatIsNearerThanTheMargin) {
  World world;
  AddFloor(world);
  Transform X_WB;
  X_WB.p = Vector3(0.0, 2.0, 0.0);
  AddSolid(world, Shape::Sphere(0.5), 1000.0, X_WB);
  X_WB.p = Vector3(3.0, 2.0, 0.0);
  AddSolid(world, Shape::Sphere(0.5), 1000.0, X_WB);
  EXPECT_EQ(world.FindContacts(1.4).size(), 0u);
  EXPECT_EQ(world.FindContacts(1.6).size(), 2u);
  EXPECT_EQ(world.FindContacts(2.1).size(), 3u);
  EXPECT_EQ(world.FindContacts(1.6).size(), 2u);
}

}  // namespace
}  // namespace limber::dynamics::test
