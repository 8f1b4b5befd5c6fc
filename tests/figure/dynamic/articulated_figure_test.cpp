// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/articulated_figure.h"

#include <gtest/gtest.h>

#include "dynamics/joints/ball_joint.h"
#include "tests/figure/dynamic/hand_made_figure.h"

namespace limber::figure {
namespace {

using dynamics::World;

// V-32: skeleton -> figure -> pose -> skeleton.
TEST(ArticulatedFigure, V32PoseGoesInAndComesOutUnchanged) {
  const auto model = test::HandMadeFigure(50.0);
  World world;
  const ArticulatedFigure figure(world, model, RestPose(*model->skeleton));
  EXPECT_EQ(world.num_bodies(), 1 + 6);
  for (double t = 0.0; t < 3.0; t += 0.17) {
    const Pose pose = test::HandMadePose(*model, t, 1.1, 2.0);
    const PoseLoss loss = figure.SetPose(world, pose);
    EXPECT_LT(loss.angle, 1e-12);
    EXPECT_LT(loss.distance, 1e-12);
    const Pose back = figure.ReadPose(world);
    ASSERT_EQ(back.num_joints(), pose.num_joints());
    for (std::size_t j = 0; j < pose.X_PJ.size(); ++j) {
      EXPECT_LT((back.X_PJ[j].p - pose.X_PJ[j].p).norm(), 1e-12);
      // The angle of two unit quaternions is 2 |a - b| for small ones.
      const Vector4 a = pose.X_PJ[j].R.coeffs();
      const Vector4 b = back.X_PJ[j].R.coeffs();
      EXPECT_LT(2.0 * std::min((a - b).norm(), (a + b).norm()), 1e-12);
    }
    EXPECT_LT(figure.Dislocation(world), 1e-14);
  }
}

TEST(ArticulatedFigure, SkeletonOfTheModelIsThatOfTheBodies) {
  const auto model = test::HandMadeFigure(50.0);
  World world;
  const Pose pose = test::HandMadePose(*model, 0.4, 0.9, 2.0);
  const ArticulatedFigure figure(world, model, pose);
  const std::vector<Transform> X_WJ = WorldTransforms(*model->skeleton, pose);
  for (int s = 0; s < figure.num_segments(); ++s) {
    const Transform X_WB = world.X_WB(figure.body(s));
    const Transform& joint =
        X_WJ[static_cast<std::size_t>(figure.segment(s).joint)];
    EXPECT_LT((X_WB.p - joint.p).norm(), 1e-12);
    EXPECT_LT(AngleBetween(X_WB.R, joint.R), 1e-7);
  }
}

TEST(ArticulatedFigure, TurnAHingeCannotTakeIsReported) {
  const auto model = test::HandMadeFigure(50.0);
  World world;
  Pose pose = test::HandMadePose(*model, 0.4, 0.5, 2.0);
  const ArticulatedFigure figure(world, model, pose);
  const Anchor& hinge = model->segments[3].anchor;
  pose.X_PJ[3].R =
      hinge.R_PF * ExpRotation({0.2, 0.0, 0.0}) * hinge.R_JM.conjugate();
  pose.X_PJ[2].p += Vector3(0.0, 0.03, 0.0);
  const PoseLoss loss = figure.SetPose(world, pose);
  EXPECT_NEAR(loss.angle, 0.2, 1e-9);
  EXPECT_NEAR(loss.distance, 0.03, 1e-9);
  EXPECT_LT(figure.Dislocation(world), 1e-14);
  EXPECT_LT(world.MaxError(), 1e-9);
}

// What welded joints turn in the clip is carried over to what hangs on them.
TEST(ArticulatedFigure, TurnOfAWeldedJointReachesItsChild) {
  const auto model = test::HandMadeFigure(50.0);
  World world;
  Pose pose = RestPose(*model->skeleton);
  pose.X_PJ[5].R = ExpRotation({0.0, 0.0, 0.4});
  const ArticulatedFigure figure(world, model, pose);
  EXPECT_NEAR(
      AngleBetween(world.X_WB(figure.body(5)).R, ExpRotation({0.0, 0.0, 0.4})),
      0.0, 1e-9);
}

// Velocities from two poses carry the figure from one to the other.
TEST(ArticulatedFigure, VelocitiesBetweenPosesMoveItFromOneToTheOther) {
  const auto model = test::HandMadeFigure(50.0);
  dynamics::WorldSettings settings;
  settings.gravity = Vector3::Zero();
  World world(settings);
  const double dt = 1e-3;
  const Pose a = test::HandMadePose(*model, 0.4 - 0.5 * dt, 0.9, 2.0);
  const Pose b = test::HandMadePose(*model, 0.4 + 0.5 * dt, 0.9, 2.0);
  const ArticulatedFigure figure(world, model, a);
  figure.SetVelocities(world, figure.VelocitiesBetween(a, b, dt));
  world.Step(dt);
  const Pose reached = figure.ReadPose(world);
  for (std::size_t j = 0; j < a.X_PJ.size(); ++j) {
    EXPECT_LT(AngleBetween(reached.X_PJ[j].R, b.X_PJ[j].R), 1e-5) << j;
    EXPECT_LT((reached.X_PJ[j].p - b.X_PJ[j].p).norm(), 1e-5) << j;
  }
}

TEST(ArticulatedFigure, BadArgumentsAreRefused) {
  const auto model = test::HandMadeFigure(50.0);
  World world;
  EXPECT_THROW(ArticulatedFigure(world, nullptr, Pose{}),
               std::invalid_argument);
  EXPECT_THROW(ArticulatedFigure(world, model, Pose{}), std::invalid_argument);
  const ArticulatedFigure figure(world, model, RestPose(*model->skeleton));
  EXPECT_THROW(figure.SetVelocities(world, {}), std::invalid_argument);
  const Pose rest = RestPose(*model->skeleton);
  EXPECT_THROW(figure.VelocitiesBetween(rest, rest, 0.0),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
