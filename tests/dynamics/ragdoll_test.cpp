// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/ragdoll_scenes.h"

namespace limber::scenes {
namespace {

// S4: a limp figure falls on the ground. Joints, limits and contacts hold in
// every step, the impact's own included, and the energy never rises.
TEST(Ragdoll, DropKeepsJointsLimitsAndGround) {
  const RagdollScene scene = RagdollDrop();
  PlayedRagdolls played = Play(scene);
  double energy = 0.0;
  const double weight = 75.0 * kGravity;
  for (int i = 0; i < static_cast<int>(scene.length / scene.step); ++i) {
    played.world.Step(scene.step);
    ASSERT_LT(LargestGap(scene, played), 1e-3) << i;
    ASSERT_LT(GroundPenetration(scene, played), 5e-3) << i;
    ASSERT_LT(LimitViolation(scene, played), kPi / 180.0) << i;
    const double now =
        played.world.KineticEnergy() + played.world.PotentialEnergy();
    if (i > 1) {
      ASSERT_LT(now, energy + 1e-3 * weight) << i;
    }
    energy = now;
  }
  EXPECT_LT(RestSpeed(scene, played), 0.01);
}

}  // namespace
}  // namespace limber::scenes
