// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "dynamics/collision/broad_phase.h"
#include "dynamics/collision/collide.h"
#include "tests/dynamics/allocation_count.h"
#include "tests/scenes/reference_distance.h"

namespace limber::dynamics {
namespace {

TEST(Collide, AllocatesNothingAfterWarmUp) {
  std::mt19937 random(51);
  std::vector<ShapePointer> movers;
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule,
                               ShapeKind::kBox, ShapeKind::kConvexHull}) {
    movers.push_back(scenes::RandomShape(kind, 0.5, random));
  }
  Transform aside;
  aside.p.x() = 0.6;
  movers.push_back(Shape::Compound({{movers[2], {}}, {movers[1], aside}}));
  std::vector<ShapePointer> others = movers;
  others.push_back(Shape::Plane());
  others.push_back(
      Shape::HeightField(20, 20, 0.2, std::vector<double>(400, 0.1)));
  others.push_back(Shape::TriangleMesh(
      others.back()->vertices(), others.back()->triangles(), MeshSides::kTwo));
  const auto play = [&] {
    std::mt19937 again(52);
    ManifoldList list;
    std::size_t count = 0;
    const auto round = [&] {
      for (int i = 0; i < 100; ++i) {
        const Transform X_WB = {
            scenes::RandomRotation(again),
            Vector3(2.0, 0.2, 2.0) + 0.3 * scenes::RandomUnit(again)};
        for (const ShapePointer& a : others) {
          for (const ShapePointer& b : movers) {
            list.clear();
            Collide(*a, {}, *b, X_WB, 0.05, list);
            count += list.size();
            Collide(*a, {X_WB.R, X_WB.p * 0.9}, *b, X_WB, 0.05, list);
            count += list.size();
          }
        }
      }
    };
    round();
    again.seed(52);
    const long before = test::AllocationCount();
    round();
    EXPECT_EQ(test::AllocationCount(), before);
    EXPECT_GT(count, 1000u);
  };
  play();
}

TEST(BroadPhase, AllocatesNothingAfterWarmUp) {
  std::mt19937 random(53);
  BroadPhase phase(0.01);
  const auto box = [&] {
    const Vector3 p = 2.0 * scenes::RandomUnit(random);
    return BoundingBox{p - Vector3::Constant(0.3), p + Vector3::Constant(0.3)};
  };
  for (int i = 0; i < 200; ++i) phase.Add(box());
  const auto round = [&] {
    random.seed(54);
    std::size_t pairs = 0;
    for (int step = 0; step < 20; ++step) {
      for (int i = 0; i < 200; ++i) phase.Update(i, box());
      pairs += phase.Pairs().size();
    }
    return pairs;
  };
  EXPECT_GT(round(), 100u);
  const long before = test::AllocationCount();
  round();
  EXPECT_EQ(test::AllocationCount(), before);
}

}  // namespace
}  // namespace limber::dynamics
