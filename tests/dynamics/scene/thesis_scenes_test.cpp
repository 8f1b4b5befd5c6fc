// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// V-26: the scene tests of the thesis as scene files, each played for its full
// length with what must come out of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "dynamics/joint.h"
#include "dynamics/scene/scene.h"
#include "tests/support/test_data.h"

namespace limber::dynamics {
namespace {

Scene Load(const std::string& name) {
  Result<Scene> scene = ReadScene(test::BundledData("scenes/" + name));
  EXPECT_TRUE(scene) << scene.diagnostics().ToString();
  return std::move(scene).value();
}

/// Plays the whole scene; every body stays finite in every step.
void Play(Scene& scene, const std::function<void()>& after_step = {}) {
  while (scene.world.time() < scene.duration - 0.5 * scene.step) {
    scene.world.Step(scene.step);
    for (const BodyMotion& motion : scene.world.motions()) {
      ASSERT_TRUE(motion.p_WB.allFinite() && motion.v_WC.allFinite() &&
                  motion.w_WB.allFinite())
          << "at " << scene.world.time() << " s";
    }
    if (after_step) after_step();
  }
}

double DeepestContact(const Scene& scene) {
  double deepest = 0.0;
  for (const Contact& contact : scene.world.contacts()) {
    deepest = std::max(deepest, -contact.distance);
  }
  return deepest;
}

const BodyMotion& MotionOf(const Scene& scene, const std::string& body) {
  return scene.world.motion(scene.Body(body));
}

TEST(ThesisScenes, FlatCubeThatLandsOnFourCornersDoesNotSpin) {
  Scene scene = Load("simultaneous_impacts.json");
  double spin = 0.0;
  Play(scene,
       [&] { spin = std::max(spin, MotionOf(scene, "cube").w_WB.norm()); });
  EXPECT_LT(spin, 1e-6);
  EXPECT_NEAR(MotionOf(scene, "cube").p_WC.y(), 0.5, 2e-3);
}

TEST(ThesisScenes, SunkStackIsPushedApartAndNotThrown) {
  Scene scene = Load("sunk_stack.json");
  double fastest = 0.0;
  Play(scene, [&] {
    for (int i = 0; i < 5; ++i) {
      fastest = std::max(
          fastest, MotionOf(scene, "box " + std::to_string(i)).v_WC.norm());
    }
  });
  EXPECT_LT(fastest, 1.1);
  EXPECT_LT(DeepestContact(scene), 2e-3);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(MotionOf(scene, "box " + std::to_string(i)).p_WC.y(),
                0.2 + 0.4 * i, 5e-3);
  }
}

// V-19.
TEST(ThesisScenes, CubeUnderThePressStaysWhole) {
  Scene scene = Load("critical_contacts.json");
  double deepest = 0.0;
  Play(scene, [&] { deepest = std::max(deepest, DeepestContact(scene)); });
  EXPECT_LT(deepest, 2e-3);
  // The press stands on the cube and pushes with all it has.
  EXPECT_NEAR(MotionOf(scene, "press").p_WC.y(), 1.15 + 0.05, 5e-3);
  double force = 0.0;
  for (const Contact& contact : scene.world.contacts()) {
    if (contact.body_b == scene.Body("press") ||
        contact.body_a == scene.Body("press")) {
      force += contact.normal_impulse / scene.step;
    }
  }
  EXPECT_NEAR(force, 20000.0 + 100.0 * kGravity, 0.02 * 20000.0);
}

// The desk slides away for ever; the boxes end with its speed, by friction.
TEST(ThesisScenes, BoxesAreCarriedByTheStruckDesk) {
  Scene scene = Load("struck_desk.json");
  Play(scene);
  const double desk = MotionOf(scene, "desk").v_WC.x();
  EXPECT_GT(desk, 0.5);
  Vector3 momentum = Vector3::Zero();
  for (const auto& [name, body] : scene.bodies) {
    if (body == kGround) continue;
    momentum += scene.world.mass(body).mass * scene.world.motion(body).v_WC;
  }
  EXPECT_NEAR(momentum.x(), 36.0, 0.36);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(MotionOf(scene, "box " + std::to_string(i)).v_WC.x(), desk,
                0.02);
  }
}

TEST(ThesisScenes, ChainOfMixedJointsHoldsAndGainsNoEnergy) {
  Scene scene = Load("mixed_chain.json");
  double worst = 0.0;
  double highest = -1e9;
  const double start =
      scene.world.KineticEnergy() + scene.world.PotentialEnergy();
  Play(scene, [&] {
    worst = std::max(worst, scene.world.MaxError());
    highest = std::max(
        highest, scene.world.KineticEnergy() + scene.world.PotentialEnergy());
  });
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(highest - start, 0.01 * 32.0 * kGravity * 4.8);
}

TEST(ThesisScenes, TreeOf127SegmentsComesToRestAfterTheGust) {
  Scene scene = Load("tree.json");
  double moved = 0.0;
  const Vector3 before = MotionOf(scene, "b126").p_WC;
  Play(scene, [&] {
    moved = std::max(moved, (MotionOf(scene, "b126").p_WC - before).norm());
  });
  EXPECT_GT(moved, 0.02);
  EXPECT_LT(scene.world.KineticEnergy(), 0.5);
  for (const auto& [name, joint] : scene.constraints) {
    const auto& held = dynamic_cast<const Joint&>(*joint);
    const BodyMotion& parent = scene.world.motion(held.parent());
    const BodyMotion& child = scene.world.motion(held.child());
    EXPECT_LT((parent.Point(held.X_PF().p) - child.Point(held.X_BM().p)).norm(),
              1e-3)
        << name;
  }
}

TEST(ThesisScenes, RedundantLoopsSwingWithoutComingApart) {
  Scene scene = Load("joint_cycles.json");
  double worst = 0.0;
  double lowest = 1e9;
  Play(scene, [&] {
    worst = std::max(worst, scene.world.MaxError());
    lowest = std::min(lowest, MotionOf(scene, "right").p_WC.y());
  });
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(lowest, 1.5);
}

TEST(ThesisScenes, CarouselLiftsItsChainsAsItTurns) {
  Scene scene = Load("carousel.json");
  Play(scene);
  const auto& axle = dynamic_cast<const Joint&>(scene.ConstraintNamed("axle"));
  EXPECT_NEAR(axle.Speed(scene.world.motions(), 0), 3.0, 0.05);
  for (int c = 0; c < 4; ++c) {
    const Vector3 tip =
        MotionOf(scene, "chain " + std::to_string(c) + " link 4").p_WC;
    // Hanging straight it would be at a radius of 0.75 m.
    EXPECT_GT(std::hypot(tip.x(), tip.z()), 1.0);
  }
}

TEST(ThesisScenes, PoolFillsAndComesToRest) {
  Scene scene = Load("pool.json");
  double deepest = 0.0;
  Play(scene, [&] {
    if (scene.world.time() > 4.0) {
      deepest = std::max(deepest, DeepestContact(scene));
    }
  });
  EXPECT_LT(deepest, 5e-3);
  for (const auto& [name, body] : scene.bodies) {
    if (body == kGround) continue;
    const BodyMotion& motion = scene.world.motion(body);
    EXPECT_GT(motion.p_WC.y(), 0.05) << name;
    EXPECT_LT(motion.v_WC.norm(), 0.1) << name;
  }
}

TEST(ThesisScenes, VehicleWithTrailerDrivesOverABumpAndThroughABend) {
  Scene scene = Load("vehicle.json");
  double worst_hitch = 0.0;
  Play(scene, [&] {
    worst_hitch = std::max(worst_hitch,
                           scene.world.Error(scene.ConstraintNamed("hitch")));
  });
  EXPECT_LT(worst_hitch, 1e-3);
  const BodyMotion& car = MotionOf(scene, "chassis");
  EXPECT_GT(car.R_WB(1, 1), 0.98);         // Upright.
  EXPECT_GT(car.p_WC.x(), 11.0);           // Past the bump.
  EXPECT_GT(std::abs(car.p_WC.z()), 1.0);  // Round the bend.
  const BodyMotion& trailer = MotionOf(scene, "trailer");
  EXPECT_GT(trailer.R_WB(1, 1), 0.98);
}

}  // namespace
}  // namespace limber::dynamics
