// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Ropes and pulleys.
#include "dynamics/constraints/rope.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddParticle;
using test::Advance;
using test::PreciseWorld;

// Dynamo-094, H-11: a mass 0.2 m below its anchor on a rope of 1 m falls freely
// for 0.404 s; the rope is then taut within one step, and never pushes.
TEST(Rope, SlackUntilTheMassHasFallenThenTaut) {
  World world;
  const BodyId mass = AddParticle(world, 1.0, Vector3(0.0, -0.2, 0.0));
  Rope& rope = world.Add(Rope(WorldPoint(Vector3::Zero()), {mass}, 1.0));
  const double h = 0.005;
  double taut_at = 0.0;
  for (int i = 0; i < 400; ++i) {
    world.Step(h);
    ASSERT_GE(rope.tension_impulse(), 0.0);
    ASSERT_EQ(rope.taut(), rope.tension_impulse() > 0.0);
    if (rope.taut() && taut_at == 0.0) taut_at = world.time();
    if (taut_at == 0.0) {
      EXPECT_EQ(rope.tension_impulse(), 0.0);
    }
    ASSERT_LT(world.Error(rope), 1e-3);
  }
  EXPECT_NEAR(taut_at, 0.404, h + 0.0005);
  // It hangs in the end, at the full length.
  EXPECT_NEAR(rope.tension_impulse() / h, kGravity, 0.01);
  EXPECT_NEAR(rope.Stretch(world.motions()), 1.0, 1e-3);
}

// Dynamo-095: Atwood's machine, 1 kg and 2 kg over a fixed point.
TEST(Rope, AtwoodMachineHasItsAccelerationAndTension) {
  for (const Rope::Kind kind : {Rope::Kind::kMultibar, Rope::Kind::kRope}) {
    World world = PreciseWorld();
    const BodyId light = AddParticle(world, 1.0, Vector3(0.0, -1.0, 0.0));
    const BodyId heavy = AddParticle(world, 2.0, Vector3(0.0, -1.0, 0.0));
    const std::array points = {BodyPoint{light}, WorldPoint(Vector3::Zero()),
                               BodyPoint{heavy}};
    Rope& rope = world.Add(Rope(points, 2.0, kind));
    rope.set_settings(test::WithoutFeedback());
    Advance(world, 0.01, 0.5);
    EXPECT_NEAR(world.motion(heavy).p_WC.y(), -1.0 - 0.5 * 3.27 * 0.25, 1e-6);
    EXPECT_NEAR(rope.tension_impulse() / 0.01, 13.08, 1e-6);
  }
}

// Dynamo-096: 2:1 tackle: 1 kg on the free end balances 2 kg on the pulley.
class Tackle {
 public:
  explicit Tackle(World& world)
      : pulley_(AddParticle(world, 2.0, Vector3(0.0, -2.0, 0.0))),
        free_end_(AddParticle(world, 1.0, Vector3(0.0, -1.0, 0.0))) {
    const std::array points = {WorldPoint(Vector3::Zero()), BodyPoint{pulley_},
                               WorldPoint(Vector3::Zero()),
                               BodyPoint{free_end_}};
    rope_ = &world.Add(Rope(points, 5.0));
  }
  BodyId pulley() const { return pulley_; }
  BodyId free_end() const { return free_end_; }
  const Rope& rope() const { return *rope_; }

 private:
  BodyId pulley_;
  BodyId free_end_;
  Rope* rope_ = nullptr;
};

TEST(Rope, TackleOfTwoToOneBalances) {
  World world;
  const Tackle tackle(world);
  Advance(world, 0.01, 2.0);
  EXPECT_NEAR(world.motion(tackle.pulley()).p_WC.y(), -2.0, 1e-6);
  EXPECT_NEAR(world.motion(tackle.free_end()).p_WC.y(), -1.0, 1e-6);
  EXPECT_NEAR(tackle.rope().tension_impulse() / 0.01, kGravity, 1e-6);
}

TEST(Rope, LiftedPulleyReleasesTheTackle) {
  World world;
  const Tackle tackle(world);
  Advance(world, 0.01, 0.2);
  ASSERT_TRUE(tackle.rope().taut());
  for (int i = 0; i < 20; ++i) {
    world.ApplyForce(tackle.pulley(), Vector3::Zero(), Vector3(0.0, 100.0, 0));
    world.Step(0.01);
  }
  EXPECT_FALSE(tackle.rope().taut());
  EXPECT_EQ(tackle.rope().tension_impulse(), 0.0);
  EXPECT_GT(world.motion(tackle.pulley()).v_WC.y(), 1.0);
}

}  // namespace
}  // namespace limber::dynamics
