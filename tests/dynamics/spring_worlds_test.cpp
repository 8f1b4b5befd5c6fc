// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Random worlds of joints, springs, dampers and drag of all sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "dynamics/forces/drag.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "tests/dynamics/energy_meter.h"

namespace limber::dynamics {
namespace {

constexpr double kStep = 1.0 / 240.0;

struct SpringWorld {
  std::unique_ptr<World> world;
  std::unique_ptr<test::EnergyMeter> meter;
};

// A tree of limbs of 0.2 to 5 kg that hangs on the ground, or floats without
// weight. The same seed gives the same world.
SpringWorld MakeSpringWorld(unsigned seed, SolverKind solver, Scheme scheme) {
  std::mt19937 random(seed);
  const auto uniform = [&random](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto pick = [&random](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(random);
  };
  const auto vector = [&uniform](double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return Vector3(x, y, uniform(-size, size));
  };
  const auto any_size = [&] { return std::pow(10.0, uniform(-3.0, 9.0)); };
  // Drives of joints count J V+ for the rate of their dampers, with the bend of
  // the path in it, and are not closed: beyond this they gain some per mille.
  const auto drive_size = [&] { return std::pow(10.0, uniform(-3.0, 6.0)); };
  // By how much a spring is stretched at first: up to `most`, and to 5 J.
  const auto stretch_of = [&](double stiffness, double most) {
    return uniform(-1.0, 1.0) *
           std::min(most, std::sqrt(2.0 * 5.0 / stiffness));
  };

  const bool held = pick(3) > 0;
  WorldSettings settings;
  settings.solver = solver;
  settings.scheme = scheme;
  if (!held) settings.gravity.setZero();
  SpringWorld made;
  made.world = std::make_unique<World>(settings);
  World& world = *made.world;
  made.meter = std::make_unique<test::EnergyMeter>(world, kStep);

  const int n = 2 + pick(7);
  std::vector<BodyId> bodies;
  const Vector3 v = held ? Vector3(Vector3::Zero()) : vector(1.0);
  for (int i = 0; i < n; ++i) {
    BodySpec spec;
    spec.mass = MassOfBox(
        Vector3(uniform(0.05, 0.2), uniform(0.1, 0.4), uniform(0.05, 0.2)),
        Material::WithMass(uniform(0.2, 5.0)));
    spec.v_WC = v;
    const BodyId parent =
        i == 0 ? kGround : bodies[static_cast<std::size_t>(pick(i))];
    const Quaternion R = ExpRotation(vector(2.0));
    const Vector3 p_BM(0.0, 0.15, 0.0);
    const Vector3 p_PF =
        i == 0 ? Vector3(0.0, 1.0, 0.0) : Vector3(0.0, -0.15, 0.0);
    const Vector3 p_WM = world.motion(parent).Point(p_PF);
    spec.X_WB = {R, p_WM - R * p_BM};
    bodies.push_back(world.AddBody(spec));
    if (i == 0 && !held) continue;
    const Transform X_BM{ExpRotation(vector(1.0)), p_BM};
    const Transform X_PF =
        world.X_WB(parent).Inverse() * world.X_WB(bodies.back()) * X_BM;
    const auto drive = [&](Joint& joint, bool spring) {
      for (int k = 0; k < joint.num_free(); ++k) {
        if (pick(3) > 0) continue;
        PoweredAxis& axis = joint.axis(k);
        axis.drive = PoweredAxis::Drive::kSpring;
        axis.damping = drive_size();
        if (spring && pick(2) == 0) {
          axis.stiffness = drive_size();
          axis.target_position = stretch_of(axis.stiffness, 0.5);
        }
      }
      if (spring) made.meter->Follow(joint);
    };
    switch (pick(5)) {
      case 0:
        drive(world.Add(HingeJoint(parent, X_PF, bodies.back(), X_BM)), true);
        break;
      case 1:
        drive(world.Add(UniversalJoint(parent, X_PF, bodies.back(), X_BM)),
              true);
        break;
      case 2:
        world.Add(WeldJoint(parent, X_PF, bodies.back(), X_BM));
        break;
      default:
        drive(world.Add(BallJoint(parent, X_PF, bodies.back(), X_BM)), false);
    }
  }
  const int num_springs = 1 + pick(n);
  for (int i = 0; i < num_springs; ++i) {
    const int from = pick(n), to = held ? pick(n + 1) : pick(n);
    if (from == to) continue;
    SpringDamperSettings spring;
    if (pick(4) > 0) spring.stiffness = any_size();
    if (pick(2) == 0) spring.damping = any_size();
    const double stretch = stretch_of(spring.stiffness, 0.3);
    const BodyId other =
        to < n ? bodies[static_cast<std::size_t>(to)] : kGround;
    const BodyPoint a{bodies[static_cast<std::size_t>(from)], vector(0.2)};
    const Vector3 p_WA = world.motion(a.body).Point(a.p_BA);
    const Vector3 direction = vector(1.0).normalized();
    BodyPoint b{other, other == kGround
                           ? Vector3(Vector3(0.0, 1.0, 0.0) + vector(1.0))
                           : vector(0.2)};
    if (pick(4) == 0) {
      // From point to point.
      b.p_BA = world.X_WB(other).Inverse() *
               Vector3(p_WA + std::abs(stretch) * direction);
    } else {
      const double now = (p_WA - world.motion(other).Point(b.p_BA)).norm();
      spring.rest_length = std::max(0.3 * now, now + stretch);
    }
    world.Add(SpringDamper(a, b, spring));
    made.meter->Follow(a, b, spring);
  }
  if (pick(3) == 0) {
    DragSettings drag;
    if (pick(2) == 0) drag.linear = any_size();
    if (pick(2) == 0) drag.quadratic = any_size();
    if (pick(2) == 0) drag.angular = any_size();
    world.Add(
        Drag({bodies[static_cast<std::size_t>(pick(n))], vector(0.1)}, drag));
  }
  return made;
}

void ExpectNoRise(SolverKind solver, Scheme scheme) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SpringWorld made = MakeSpringWorld(seed, solver, scheme);
    double worst = 0.0;
    int at = 0;
    for (int i = 0; i < 500; ++i) {
      made.world->Step(kStep);
      const double rise = made.meter->Rise();
      if (i > 1 && !(rise <= worst)) {
        worst = rise;
        at = i;
      }
    }
    EXPECT_LT(worst, 1e-3) << "seed " << seed << " step " << at;
  }
}

TEST(SpringWorlds, GainNothingByTrees) {
  ExpectNoRise(SolverKind::kTree, Scheme::kLeapfrog);
}
TEST(SpringWorlds, GainNothingByTheDenseSolver) {
  ExpectNoRise(SolverKind::kDense, Scheme::kLeapfrog);
}

}  // namespace
}  // namespace limber::dynamics
