// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/camera.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/angle.h"

namespace limber::viewer {
namespace {

TEST(Camera, TurnZeroLooksAlongMinusZ) {
  Camera camera;
  camera.turn = 0.0;
  camera.height = 0.0;
  EXPECT_LT((camera.Forward() - Vector3(0, 0, -1)).norm(), 1e-12);
  camera.turn = 90.0 * kRadiansPerDegree;
  EXPECT_LT((camera.Forward() - Vector3(-1, 0, 0)).norm(), 1e-12);
}

TEST(Camera, OrbitKeepsTargetAndDistance) {
  Camera camera;
  const Vector3 target = camera.target;
  camera.Orbit(1.0, 0.3);
  EXPECT_NEAR((camera.Eye() - target).norm(), camera.distance, 1e-12);
  EXPECT_EQ(camera.target, target);
  // Never over the pole.
  camera.Orbit(0.0, 100.0);
  EXPECT_LT(camera.height, 90.0 * kRadiansPerDegree);
}

TEST(Camera, RaysThroughTheCornersSpanTheFieldOfView) {
  const Camera camera;
  const Vector3 top = camera.RayThrough(0.0, 1.0, 16.0 / 9.0);
  const Vector3 bottom = camera.RayThrough(0.0, -1.0, 16.0 / 9.0);
  EXPECT_NEAR(std::acos(top.dot(bottom)), camera.field_of_view, 1e-12);
  EXPECT_LT((camera.RayThrough(0, 0, 2.0) - camera.Forward()).norm(), 1e-12);
}

TEST(Camera, FitSeesTheWholeSphere) {
  Camera camera;
  camera.Fit(1.3);
  const double half_angle = std::asin(1.3 / camera.distance);
  EXPECT_LT(half_angle, 0.5 * camera.field_of_view);
  EXPECT_GT(half_angle, 0.4 * camera.field_of_view);
}

TEST(Camera, PanMovesTheTargetInThePicturePlane) {
  Camera camera;
  const Vector3 before = camera.target;
  camera.Pan(0.25, -0.5);
  EXPECT_NEAR((camera.target - before).dot(camera.Forward()), 0.0, 1e-12);
  EXPECT_GT((camera.target - before).norm(), 0.1);
}

}  // namespace
}  // namespace limber::viewer
