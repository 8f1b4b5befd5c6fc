// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/allocation_count.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

std::vector<BodyId> AddStack(World& world, int num, double half,
                             double density = 500.0) {
  std::vector<BodyId> boxes;
  for (int i = 0; i < num; ++i) {
    boxes.push_back(AddSolid(world, Shape::Box(Vector3::Constant(half)),
                             density, At(0.0, half * (2 * i + 1), 0.0)));
  }
  return boxes;
}

double LargestShift(const World& world, const std::vector<BodyId>& bodies,
                    const std::vector<Vector3>& places) {
  double shift = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    shift = std::max(shift, (world.motion(bodies[i]).p_WC - places[i]).norm());
  }
  return shift;
}

std::vector<Vector3> Places(const World& world,
                            const std::vector<BodyId>& bodies) {
  std::vector<Vector3> places;
  for (const BodyId body : bodies) places.push_back(world.motion(body).p_WC);
  return places;
}

// A stack of ten boxes stands for a minute, awake or asleep, and sleeps.
TEST(Pile, StackOfTenStandsAMinute) {
  for (const bool sleeping : {false, true}) {
    WorldSettings settings;
    settings.contact.sleeping = sleeping;
    World world(settings);
    AddFloor(world);
    const std::vector<BodyId> boxes = AddStack(world, 10, 0.1);
    // Without what the contacts sink at first: up to 0.11 mm each.
    Advance(world, 1.0);
    const std::vector<Vector3> start = Places(world, boxes);
    EXPECT_LT(Penetration(world), 2e-4);
    Advance(world, 60.0);
    EXPECT_LT(LargestShift(world, boxes, start), 1e-3) << sleeping;
    for (const BodyId box : boxes) EXPECT_EQ(world.asleep(box), sleeping);
  }
}

// A box of 1000 kg on one of 1 kg.
TEST(Pile, HeavyBoxOnALightOneHoldsWithinAMillimetre) {
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world);
  const double half = 0.1;
  const BodyId light = AddSolid(world, Shape::Box(Vector3::Constant(half)),
                                1.0 / 0.008, At(0.0, half, 0.0));
  const BodyId heavy = AddSolid(world, Shape::Box(Vector3::Constant(half)),
                                1000.0 / 0.008, At(0.0, 3 * half, 0.0));
  Advance(world, 10.0);
  EXPECT_NEAR(world.motion(light).p_WC.y(), half, 1e-3);
  EXPECT_NEAR(world.motion(heavy).p_WC.y(), 3 * half, 1e-3);
  EXPECT_LT(Penetration(world), 1e-3);
}

// Ten boxes, the top one up to a thousand times heavier than the lowest: every
// step is solved, and nothing sinks in.
TEST(Pile, HeavyTopsStandWithinAMillimetre) {
  for (const double ratio : {1.0, 100.0, 1000.0}) {
    WorldSettings settings;
    settings.contact.sleeping = false;
    World world(settings);
    AddFloor(world);
    for (int i = 0; i < 10; ++i) {
      AddSolid(world, Shape::Box(Vector3::Constant(0.5)),
               std::pow(ratio, i / 9.0), At(0.0, 0.5 + i, 0.0));
    }
    for (int i = 0; i < 480; ++i) {
      world.Step(kStep);
      ASSERT_EQ(world.report().status, LcpStatus::kSolved) << ratio;
      ASSERT_LT(Penetration(world), 1e-3) << ratio;
    }
  }
}

// V-20, V-81: sleeping bodies wake by a blow, by a push, by a force and by what
// falls on them, all that rest together.
TEST(Pile, SleepersWake) {
  const auto scene = [](World& world) {
    AddFloor(world);
    std::vector<BodyId> boxes = AddStack(world, 2, 0.1);
    Advance(world, 2.0);
    EXPECT_TRUE(world.asleep(boxes[0]));
    EXPECT_TRUE(world.asleep(boxes[1]));
    return boxes;
  };
  {
    World world;
    const auto boxes = scene(world);
    world.ApplyImpulse(boxes[0], Vector3::Zero(), Vector3(1.0, 0.0, 0.0));
    EXPECT_FALSE(world.asleep(boxes[1]));
  }
  {
    World world;
    const auto boxes = scene(world);
    world.ApplyForce(boxes[1], Vector3::Zero(), Vector3(10.0, 0.0, 0.0));
    world.Step(kStep);
    EXPECT_FALSE(world.asleep(boxes[0]));
  }
  {
    World world;
    const auto boxes = scene(world);
    const BodyId ball =
        AddSolid(world, Shape::Sphere(0.05), 1000.0, At(0.0, 0.6, 0.0));
    Advance(world, 0.15);
    EXPECT_TRUE(world.asleep(boxes[0]));  // It has not arrived.
    Advance(world, 0.15);
    EXPECT_FALSE(world.asleep(boxes[0]));
    EXPECT_GT(world.motion(ball).p_WC.y(), 0.44);
  }
  {
    World world;
    const auto boxes = scene(world);
    WorldSettings settings = world.settings();
    settings.gravity *= 0.5;
    world.set_settings(settings);
    EXPECT_FALSE(world.asleep(boxes[0]));
  }
}

// V-20: a disabled body stands still and is not touched.
TEST(Pile, DisabledBodiesTakeNoPart) {
  World world;
  AddFloor(world);
  const auto boxes = AddStack(world, 2, 0.1);
  world.SetEnabled(boxes[0], false);
  Advance(world, 1.0);
  EXPECT_EQ(world.motion(boxes[0]).p_WC.y(), 0.1);
  EXPECT_NEAR(world.motion(boxes[1]).p_WC.y(), 0.1, 1e-3);
  EXPECT_FALSE(world.enabled(boxes[0]));
}

// Groups, masks, families and pairs that do not touch.
TEST(Pile, FilteredPairsDoNotTouch) {
  World world;
  AddFloor(world);
  const auto add = [&](double x, std::uint32_t group, std::uint32_t mask,
                       int family) {
    BodySpec body;
    const ShapePointer shape = Shape::Box(Vector3::Constant(0.1));
    body.mass = MassOf(*shape, 500.0);
    body.X_WB.p = Vector3(x, 0.1, 0.0);
    const BodyId id = world.AddBody(body);
    ColliderSpec spec;
    spec.shape = shape;
    spec.group = group;
    spec.mask = mask;
    spec.family = family;
    world.AddCollider(id, spec);
    return id;
  };
  add(0.0, 2, ~2u, 0);
  add(0.05, 2, ~2u, 0);
  add(5.0, 1, ~0u, 7);
  add(5.05, 1, ~0u, 7);
  const BodyId a = add(10.0, 1, ~0u, 0);
  const BodyId b = add(10.05, 1, ~0u, 0);
  world.SetContact(a, b, false);
  Advance(world, 0.5);
  for (const Contact& contact : world.contacts()) {
    EXPECT_EQ(contact.body_a, kGround);
  }
  world.SetContact(a, b, true);
  world.Step(kStep);
  int between = 0;
  for (const Contact& contact : world.contacts()) {
    between += contact.body_a == a && contact.body_b == b;
  }
  EXPECT_GT(between, 0);
}

// V-26 friction: boxes on a desk on a frictionless table, struck by a ball: the
// boxes go along with the desk, and the momentum stays.
TEST(Pile, BoxesRideOnADeskThatIsStruck) {
  World world;
  AddFloor(world, Rough(0.0));
  const BodyId desk = AddSolid(world, Shape::Box(Vector3(0.5, 0.05, 0.3)),
                               300.0, At(0.0, 0.05, 0.0), Rough(0.8));
  std::vector<BodyId> boxes;
  for (int i = 0; i < 3; ++i) {
    boxes.push_back(AddSolid(world, Shape::Box(Vector3::Constant(0.05)), 300.0,
                             At(-0.3 + 0.3 * i, 0.15, 0.0), Rough(0.8)));
  }
  const BodyId ball =
      AddSolid(world, Shape::Sphere(0.04), 3000.0, At(-0.8, 0.05, 0.0),
               Rough(0.0), Vector3(3.0, 0.0, 0.0));
  const double momentum = 3.0 * world.mass(ball).mass;
  Advance(world, 1.0);
  const double v = world.motion(desk).v_WC.x();
  EXPECT_GT(v, 0.05);
  for (const BodyId box : boxes) {
    EXPECT_NEAR(world.motion(box).v_WC.x(), v, 0.01);
  }
  EXPECT_NEAR(world.LinearMomentum().x(), momentum, 0.01 * momentum);
}

// Two limp arms that fall on each other and on the floor: joints stay closed,
// energy does not rise.
TEST(Pile, JointedBodiesTouchEachOther) {
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world);
  const ShapePointer limb = Shape::Capsule(0.04, 0.15);
  std::vector<BallJoint*> joints;
  for (int arm = 0; arm < 4; ++arm) {
    BodyId last = kGround;
    for (int i = 0; i < 3; ++i) {
      Transform X_WB =
          At(0.3 * i + 0.05 * arm, 0.3 + 0.15 * arm, 0.03 * arm * arm);
      X_WB.R = ExpRotation(Vector3(0.0, 0.4 * arm, 0.0)) *
               ExpRotation(Vector3(0.0, 0.0, 0.5 * kPi));
      if (i > 0) {
        X_WB.p = world.X_WB(last) * Vector3(0.0, -0.3, 0.0);
      }
      const BodyId body = AddSolid(world, limb, 1000.0, X_WB);
      if (i > 0) {
        joints.push_back(&world.Add(BallJoint(last, Vector3(0.0, -0.15, 0.0),
                                              body, Vector3(0.0, 0.15, 0.0))));
      }
      last = body;
    }
  }
  double energy = 1e9;
  for (int i = 0; i < 720; ++i) {
    world.Step(kStep);
    const double now = Energy(world);
    if (i > 1) {
      EXPECT_LT(now, energy + 0.02) << i;
    }
    energy = now;
    ASSERT_LT(world.MaxError(), 1e-3);
    ASSERT_LT(Penetration(world), 0.01);
  }
  EXPECT_LT(world.KineticEnergy(), 0.05);
}

// No allocation once everything has been seen.
TEST(Pile, StepsDoNotAllocate) {
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world);
  AddStack(world, 8, 0.1);
  Advance(world, 0.5);
  const long before = limber::test::AllocationCount();
  Advance(world, 0.5);
  EXPECT_EQ(limber::test::AllocationCount(), before);
}

// The same calls give the same bits, and a saved state goes on as before.
TEST(Pile, SavedPileGoesOnBitForBit) {
  World world;
  AddFloor(world);
  const auto boxes = AddStack(world, 4, 0.1);
  const BodyId ball = AddSolid(world, Shape::Sphere(0.1), 2000.0,
                               At(-1.0, 0.5, 0.02), {}, Vector3(4, 0, 0));
  Advance(world, 0.2);
  const auto state = world.Save();
  Advance(world, 0.5);
  const Vector3 p = world.motion(boxes[3]).p_WC;
  const Vector3 q = world.motion(ball).p_WC;
  world.Restore(*state);
  Advance(world, 0.5);
  EXPECT_EQ(world.motion(boxes[3]).p_WC, p);
  EXPECT_EQ(world.motion(ball).p_WC, q);
}

}  // namespace
}  // namespace limber::dynamics::test
