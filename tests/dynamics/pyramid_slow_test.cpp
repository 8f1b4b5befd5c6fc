// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

// A pyramid of 200 boxes with edges as 3 : 4 : 5, in layers of 8 x 8 down to
// 3 x 3 and one on top, at 240 Hz: no contact is deeper than 2 mm, and it
// stands.
TEST(PyramidSlow, TwoHundredBoxesStayOutOfEachOther) {
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world);
  const Vector3 half(0.125, 0.075, 0.1);
  std::vector<BodyId> boxes;
  double y = half.y();
  for (const int n : {8, 7, 6, 5, 4, 3, 1}) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) {
        boxes.push_back(AddSolid(world, Shape::Box(half), 500.0,
                                 At(2.02 * half.x() * (i - 0.5 * (n - 1)), y,
                                    2.02 * half.z() * (k - 0.5 * (n - 1)))));
      }
    }
    y += 2.0 * half.y();
  }
  ASSERT_EQ(boxes.size(), 200u);
  double deepest = 0.0;
  for (int i = 0; i < static_cast<int>(4.0 / kStep); ++i) {
    world.Step(kStep);
    deepest = std::max(deepest, Penetration(world));
  }
  EXPECT_LT(deepest, 2e-3);
  EXPECT_NEAR(world.motion(boxes.back()).p_WC.y(), 13.0 * half.y(), 5e-3);
}

}  // namespace
}  // namespace limber::dynamics::test
