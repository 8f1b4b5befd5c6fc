// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The demonstrations of Dynamo [Barenbrug 2000, chapter 5] as scene files, each
// with what must come out of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "dynamics/constraints/point_on_curve.h"
#include "dynamics/forces/torque_spring.h"
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

void RunTo(Scene& scene, double time,
           const std::function<void()>& after_step = {}) {
  while (scene.world.time() < time - 0.5 * scene.step) {
    scene.world.Step(scene.step);
    if (after_step) after_step();
  }
}

double AngleOf(const Scene& scene, const std::string& joint) {
  return dynamic_cast<const Joint&>(scene.ConstraintNamed(joint))
      .Position(scene.world.motions(), 0);
}

// Dynamo D1: the chain holds while it swings; cut, its lower half falls freely
// and goes on turning.
TEST(DynamoScenes, ChainOfCubesIsCutAndItsLowerHalfFalls) {
  Scene scene = Load("chain_of_cubes.json");
  double worst = 0.0;
  RunTo(scene, 70.0, [&] { worst = std::max(worst, scene.world.MaxError()); });
  EXPECT_LT(worst, 1e-3);
  const auto fallen = [&scene] {
    Vector3 sum = Vector3::Zero();
    for (int i = 7; i < 15; ++i) {
      sum += scene.world.motion(scene.Body("cube " + std::to_string(i))).p_WC;
    }
    return Vector3(sum / 8.0);
  };
  // The first step after the cut falls with the velocity from before.
  RunTo(scene, 70.1);
  const Vector3 p0 = fallen();
  RunTo(scene, 70.6);
  const Vector3 p1 = fallen();
  RunTo(scene, 71.1);
  const Vector3 p2 = fallen();
  const Vector3 acceleration = (p2 - 2.0 * p1 + p0) / 0.25;
  EXPECT_NEAR(acceleration.y(), -1.0, 0.05);
  EXPECT_NEAR(acceleration.x(), 0.0, 0.05);
  double spin = 0.0;
  for (int i = 7; i < 15; ++i) {
    spin = std::max(spin,
                    scene.world.motion(scene.Body("cube " + std::to_string(i)))
                        .w_WB.norm());
  }
  EXPECT_GT(spin, 0.02);
}

double LeanOf(const Scene& scene) {
  // The frame's Z axis is level while it is upright.
  return std::asin(scene.world.motion(scene.Body("frame")).R_WB(1, 2));
}

// Dynamo D2: with a bent fork the push is ridden out, with a straight one the
// bicycle falls. (Self-stable between 4.29 and 6.02 m/s: Meijaard et al. 2007.)
TEST(DynamoScenes, BicycleWithTrailRightsItselfAndWithoutFalls) {
  Scene scene = Load("bicycle.json");
  double most = 0.0;
  RunTo(scene, scene.duration,
        [&] { most = std::max(most, std::abs(LeanOf(scene))); });
  EXPECT_GT(most, 0.02);
  EXPECT_LT(most, 0.3);
  EXPECT_LT(std::abs(LeanOf(scene)), 0.15 * most);
  EXPECT_LT(scene.world.MaxError(), 1e-3);

  Scene straight = Load("bicycle_straight_fork.json");
  RunTo(straight, 3.0);
  EXPECT_GT(std::abs(LeanOf(straight)), 0.5);
}

// The same bicycle outside the stable speeds: at 3.5 m/s the weave grows.
TEST(DynamoScenes, BicycleBelowTheStableSpeedsWeavesMoreAndMore) {
  Scene scene = Load("bicycle.json");
  for (const auto& [name, body] : scene.bodies) {
    if (body == kGround) continue;
    const BodyMotion& motion = scene.world.motion(body);
    scene.world.SetVelocity(body, 0.7 * motion.v_WC, 0.7 * motion.w_WB);
  }
  double early = 0.0;
  double late = 0.0;
  RunTo(scene, 6.0, [&] {
    double& most = scene.world.time() < 2.5 ? early : late;
    most = std::max(most, std::abs(LeanOf(scene)));
  });
  EXPECT_GT(late, 1.5 * early);
}

/// Largest angle of the right pendulum late in a run with the crank at `speed`.
double RightAmplitude(double speed) {
  Scene scene = Load("coupled_pendula.json");
  scene.world.SetVelocity(scene.Body("crank"), Vector3::Zero(),
                          Vector3(0, 0, speed));
  double most = 0.0;
  RunTo(scene, 80.0, [&] {
    if (scene.world.time() > 40.0) {
      most = std::max(most, std::abs(AngleOf(scene, "right pivot")));
    }
  });
  for (const char* held : {"left pivot", "crank pin", "bar end"}) {
    EXPECT_LT(scene.world.Error(scene.ConstraintNamed(held)), 1e-4) << held;
  }
  return most;
}

// Dynamo D4: the right pendulum's peak lies within 3 % of
// sqrt((m g d + k a^2) / I), a the spring's distance from the pivot.
TEST(DynamoScenes, CoupledPendulaResonateWhereTheFormulaSays) {
  const Scene scene = Load("coupled_pendula.json");
  const MassProperties& mass = scene.world.mass(scene.Body("right"));
  const double d = 0.5;
  const double a = 0.3;
  const double k = 2.0;
  const double inertia = mass.I_BC(2, 2) + mass.mass * d * d;
  const double expected =
      std::sqrt((mass.mass * kGravity * d + k * a * a) / inertia);
  double best_speed = 0.0;
  double best = 0.0;
  for (double factor = 0.91; factor < 1.1; factor += 0.015) {
    const double amplitude = RightAmplitude(factor * expected);
    if (amplitude > best) {
      best = amplitude;
      best_speed = factor * expected;
    }
  }
  EXPECT_NEAR(best_speed, expected, 0.03 * expected);
  EXPECT_GT(best, 3.0 * RightAmplitude(0.5 * expected));
}

// Dynamo D5: closing time and overshoot respond monotonically to damping.
TEST(DynamoScenes, DoorSpringClosesSlowerWithMoreDamping) {
  double last_time = 0.0;
  double last_speed = 1e9;
  for (const double damping : {1.0, 2.0, 4.0, 8.0}) {
    Scene scene = Load("door_spring.json");
    auto& closer = dynamic_cast<TorqueSpring&>(*scene.forces.at("closer"));
    TorqueSpringSettings settings = closer.settings();
    settings.damping = damping;
    closer.set_settings(settings);
    RunTo(scene, 1.5);
    EXPECT_LT(AngleOf(scene, "hinge"), -0.5) << damping;
    double closed_at = 0.0;
    double speed = 0.0;
    RunTo(scene, 30.0, [&] {
      if (closed_at > 0.0) return;
      const double angle = AngleOf(scene, "hinge");
      if (angle > -0.02) {
        closed_at = scene.world.time();
      } else {
        speed = scene.world.motion(scene.Body("door")).w_WB.norm();
      }
    });
    EXPECT_GT(closed_at, last_time) << damping;
    EXPECT_LT(speed, last_speed) << damping;
    EXPECT_LT(scene.world.Error(scene.ConstraintNamed("rail")), 1e-6);
    last_time = closed_at;
    last_speed = speed;
  }
}

// Dynamo D6: the cart stays on the track through hill, loop and spiral, and
// its speed is what the lost height gives, less the drag.
TEST(DynamoScenes, RollerCoasterRunsItsRound) {
  Scene scene = Load("roller_coaster.json");
  const BodyId cart = scene.Body("cart");
  double worst = 0.0;
  double fastest = 0.0;
  double last_energy = 1e9;
  double gain = 0.0;
  RunTo(scene, 12.0, [&] {
    worst = std::max(worst, scene.world.MaxError());
    fastest = std::max(fastest, scene.world.motion(cart).v_WC.norm());
    const double energy =
        scene.world.KineticEnergy() + scene.world.PotentialEnergy();
    gain = std::max(gain, energy - last_energy);
    last_energy = energy;
  });
  EXPECT_LT(worst, 5e-3);
  EXPECT_GT(fastest, 10.0);
  EXPECT_LT(fastest, std::sqrt(9.0 + 2 * kGravity * 11.0));
  // Energy only goes down, but for the rounding of the track by the steps.
  EXPECT_LT(gain, 0.001 * 400.0 * kGravity * 11.0);
  EXPECT_TRUE(scene.ConstraintNamed("front wheel").enabled());
}

}  // namespace
}  // namespace limber::dynamics
