// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A chain of cubes swings, then a link is cut (Dynamo-113). See README.md.
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/world.h"

using namespace limber;
using namespace limber::dynamics;

/// What a program has of its own for each body, which it knows by its id.
struct Cube {
  BodyId body;
  Transform seen;     ///< Where it was drawn last.
  int num_drawn = 0;  ///< How often.
};

/// Called before each step, to move bodies, and after it, to see where they
/// are.
struct Companions {
  std::function<void(World&)> before;
  std::function<void(const World&)> after;
  void Step(World& world, double h) const {
    if (before) before(world);
    world.Step(h);
    if (after) after(world);
  }
};

int main() {
  constexpr double kStep = 0.02;
  const Vector3 corner(1.0, 1.0, 1.0), begin(11.25, 26.25, 60.0);
  World world({.gravity = {0.0, -1.0, 0.0}});
  std::vector<Cube> cubes(15);
  std::vector<const BallJoint*> links;
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    BodySpec spec;  // 1 kg, 1 kg m^2 about each axis.
    spec.X_WB.p = begin - 2.0 * static_cast<double>(i) * corner;
    spec.linear_damping = spec.angular_damping = -std::log(0.995);  // In 1 s.
    cubes[i].body = world.AddBody(spec);
    const BodyId above = i == 0 ? kGround : cubes[i - 1].body;
    const Vector3 hook = i == 0 ? Vector3(begin + corner) : Vector3(-corner);
    links.push_back(&world.Add(BallJoint(above, hook, cubes[i].body, corner)));
  }
  Companions companions;
  companions.after = [&](const World& now) {
    for (Cube& cube : cubes) {
      cube = {cube.body, now.X_WB(cube.body), cube.num_drawn + 1};
    }
  };
  double worst = 0.0;
  while (world.time() < 70.0 - 0.5 * kStep) {
    companions.Step(world, kStep);
    worst = std::max(worst, world.MaxError());
  }
  world.Remove(*links[7]);
  // The lower half falls as one: its mass centre sinks by g t^2 / 2 - v t.
  const auto height = [&] {
    double sum = 0.0;
    for (std::size_t i = 7; i < 15; ++i) sum += cubes[i].seen.p.y() / 8.0;
    return sum;
  };
  const double hung = height();
  companions.Step(world, kStep);
  const double v = (height() - hung) / kStep + 0.5 * kStep;
  while (world.time() < 75.0 - 0.5 * kStep) companions.Step(world, kStep);
  const double fell = hung - height(), exact = 12.5 - 5.0 * v;
  std::printf("links off by %.1e m; fell %.2f m, free fall is %.2f m\n", worst,
              fell, exact);
  const bool drawn = cubes[14].num_drawn == 3750;
  return worst < 1e-3 && std::abs(fell / exact - 1.0) < 0.03 && drawn ? 0 : 1;
}
