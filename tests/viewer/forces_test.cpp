// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces that are seen: B-32, Dynamo-110 to Dynamo-112.
#include "viewer/forces.h"

#include <gtest/gtest.h>

#include <memory>

#include "dynamics/constraints/point_to_point.h"
#include "viewer/internal/glyphs.h"
#include "viewer/scene_show.h"

namespace limber::viewer {
namespace {

using dynamics::BodyId;
using dynamics::World;

constexpr double kStep = 1.0 / 240.0;

BodyId AddBall(World& world, const Vector3& p) {
  dynamics::BodySpec ball;
  ball.mass = dynamics::MassOfSphere(0.1, dynamics::Material::WithMass(2.0));
  ball.X_WB.p = p;
  return world.AddBody(ball);
}

// Dynamo-110: a point to point link between two bodies has two forces, one of
// them a reaction, and they sum to zero.
TEST(ConstraintForces, LinkOfTwoBodiesHasAForceAndItsReaction) {
  World world;
  const BodyId a = AddBall(world, {0, 2, 0});
  const BodyId b = AddBall(world, {0.5, 2, 0});
  world.Add(dynamics::PointNail({a, {0, 0, 0}}, {0, 2, 0}));
  const auto& link =
      world.Add(dynamics::PointToPoint({a, {0.25, 0, 0}}, {b, {-0.25, 0, 0}}));
  EXPECT_TRUE(ConstraintForces(world, link, kStep).empty());
  world.Step(kStep);
  const std::vector<ForceOnBody> forces = ConstraintForces(world, link, kStep);
  ASSERT_EQ(forces.size(), 2u);
  EXPECT_EQ(forces[0].reaction + forces[1].reaction, 1);
  EXPECT_GT(forces[0].force.norm(), 0.1);
  EXPECT_LT((forces[0].force + forces[1].force).norm(), 1e-9);
  // Both act on one line, through the link.
  const Vector3 link_W = world.X_WB(a) * Vector3(0.25, 0, 0);
  for (const ForceOnBody& on : forces) {
    EXPECT_LT((link_W - on.p_W).cross(on.force.normalized()).norm(), 1e-3);
    EXPECT_LT(on.torque.norm(), 1e-9);
  }
}

TEST(ConstraintForces, NailCarriesTheWeight) {
  World world;
  const BodyId a = AddBall(world, {0, 2, 0});
  const auto& nail = world.Add(dynamics::PointNail({a, {0, 0, 0}}, {0, 2, 0}));
  for (int i = 0; i < 240; ++i) world.Step(kStep);
  const std::vector<ForceOnBody> forces = ConstraintForces(world, nail, kStep);
  ASSERT_FALSE(forces.empty());
  for (const ForceOnBody& on : forces) {
    if (on.reaction) continue;
    EXPECT_NEAR(on.force.y(), 2.0 * kGravity, 1e-6);
    EXPECT_LT((on.p_W - Vector3(0, 2, 0)).norm(), 1e-6);
  }
}

TEST(RoundForceScale, AMetreIsOneTwoOrFiveAndZeros) {
  // Newtons to a metre, for what would be so many exactly.
  const auto newtons = [](double exact) {
    return 1.0 / RoundForceScale(exact, 1.0);
  };
  EXPECT_NEAR(newtons(1.0), 1.0, 1e-12);
  EXPECT_NEAR(newtons(1.4), 1.0, 1e-12);
  EXPECT_NEAR(newtons(1.5), 2.0, 1e-12);
  EXPECT_NEAR(newtons(3.1), 2.0, 1e-12);
  EXPECT_NEAR(newtons(3.2), 5.0, 1e-12);
  EXPECT_NEAR(newtons(700.0), 500.0, 1e-9);
  EXPECT_NEAR(newtons(720.0), 1000.0, 1e-9);
  EXPECT_NEAR(newtons(0.03), 0.02, 1e-12);
}

// Dynamo-111: arrow length = scale * force.
TEST(AddArrow, IsAsLongAsTheForceTimesTheScale) {
  std::vector<Line> lines;
  internal::AddArrow({1, 2, 3}, 1e-3 * Vector3(0, 700, 0), palette::kForce,
                     lines);
  ASSERT_EQ(lines.size(), std::size_t(internal::kArrowLines));
  EXPECT_NEAR((lines[0].end - lines[0].begin).norm(), 0.7, 1e-12);
  EXPECT_EQ(lines[0].begin, Vector3(1, 2, 3));
  internal::AddArrow({1, 2, 3}, Vector3::Zero(), palette::kForce, lines);
  EXPECT_EQ(lines.size(), std::size_t(internal::kArrowLines));
}

int NumArrows(Show& show, double time, bool forces, bool reactions) {
  Layers layers;
  layers.forces = forces;
  layers.reactions = reactions;
  show.SetLayers(layers);
  Picture picture;
  show.Draw(time, picture);
  return int(picture.signs.size());
}

std::unique_ptr<Show> SceneOf(const std::string& text) {
  return ShowScene([text] {
    return std::make_shared<figure::FigureScene>(
        figure::ParseFigureScene(text, "test", {}).value());
  });
}

// B-32 and Dynamo-111: the key switches arrows on and off; the number of
// pictures does not depend on it; without reactions there are half as many.
TEST(ShowScene, ReactionsDoubleTheArrows) {
  const auto show = SceneOf(R"({"limber_scene": 1, "bodies": [
      {"name": "a", "mass": 2, "position": [0, 2, 0],
       "shapes": [{"kind": "sphere", "radius": 0.1}]},
      {"name": "b", "mass": 2, "position": [0.5, 2, 0],
       "shapes": [{"kind": "sphere", "radius": 0.1}]}],
      "links": [
      {"kind": "point_to_point", "a": {"body": "a", "position": [0.25, 2, 0]},
       "b": {"body": "b", "position": [0.25, 2, 0]}},
      {"kind": "point_to_point", "a": {"position": [0, 2, 0]},
       "b": {"body": "a", "position": [0, 2, 0]}}]})");
  EXPECT_EQ(NumArrows(*show, 0.5, false, false), 0);
  const int forces = NumArrows(*show, 0.5, true, false);
  EXPECT_EQ(forces, 2);
  EXPECT_EQ(NumArrows(*show, 0.5, true, true), 2 * forces);
}

// Dynamo-112: the force of a blow shorter than a frame is seen in exactly one.
TEST(ShowScene, BlowIsSeenInExactlyOneFrame) {
  const auto show = SceneOf(R"({"limber_scene": 1, "duration": 0.6,
      "floor": {"restitution": 1}, "bodies": [
      {"name": "a", "mass": 2, "position": [0, 1, 0],
       "shapes": [{"kind": "sphere", "radius": 0.1}],
       "contact": {"restitution": 1}}]})");
  int frames = 0;
  for (int i = 0; i <= 36; ++i)
    frames += NumArrows(*show, i / 60.0, true, false);
  EXPECT_EQ(frames, 1);
}

}  // namespace
}  // namespace limber::viewer
