// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A pendulum in eight lines (B-33). See README.md.
#include <cstdio>

#include "dynamics/joints/hinge_joint.h"
#include "dynamics/world.h"

using namespace limber;
using namespace limber::dynamics;

int main() {
  World world;
  BodySpec ball;
  ball.mass = MassOfSphere(0.1, Material::WithMass(1.0));
  ball.X_WB.p = Vector3::UnitX();
  const BodyId bob = world.AddBody(ball);
  auto& hinge = world.Add(HingeJoint(kGround, {}, bob, ball.X_WB.Inverse()));
  for (int i = 0; i < 240; ++i) world.Step(1.0 / 240.0);
  std::printf("at %.3f rad\n", hinge.Position(world.motions(), 0));
}
