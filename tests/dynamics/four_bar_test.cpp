// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

// Crank, coupler and rocker between two pivots of the ground, all hinges about
// z: in space, three of the twenty rows are redundant.
struct FourBar {
  static constexpr double kCrank = 0.3;
  static constexpr double kCoupler = 0.9;
  static constexpr double kRocker = 0.7;
  static constexpr double kGroundLink = 1.0;

  // Where the coupler meets the rocker when the crank stands at `angle`: the
  // upper meeting point of two circles.
  static Vector3 Joint3(double angle) {
    const Vector3 a = Joint2(angle);
    const Vector3 d = Vector3(kGroundLink, 0, 0) - a;
    const double length = d.norm();
    const double along =
        (length * length + kCoupler * kCoupler - kRocker * kRocker) /
        (2.0 * length);
    const double across = std::sqrt(kCoupler * kCoupler - along * along);
    const Vector3 u = d / length;
    return a + along * u + across * Vector3(-u.y(), u.x(), 0);
  }
  static Vector3 Joint2(double angle) {
    return kCrank * Vector3(std::cos(angle), std::sin(angle), 0);
  }
  // The coupler point 0.2 m beside the middle of the coupler.
  static Vector3 CouplerPoint(double angle) {
    const Vector3 a = Joint2(angle);
    const Vector3 u = (Joint3(angle) - a) / kCoupler;
    return a + 0.5 * kCoupler * u + 0.2 * Vector3(-u.y(), u.x(), 0);
  }

  explicit FourBar(const WorldSettings& settings) : world(settings) {
    const Vector3 O = Vector3::Zero();
    const Vector3 A = Joint2(kStart);
    const Vector3 B = Joint3(kStart);
    const Vector3 C(kGroundLink, 0, 0);
    crank = AddBar(O, A, 0.5);
    coupler = AddBar(A, B, 1.0);
    rocker = AddBar(C, B, 0.8);
    first = &Join<HingeJoint>(world, kGround, At(O), crank);
    Join<HingeJoint>(world, crank, At(A), coupler);
    Join<HingeJoint>(world, coupler, At(B), rocker);
    Join<HingeJoint>(world, kGround, At(C), rocker);
  }

  static Transform At(const Vector3& p) { return {Quaternion::Identity(), p}; }

  BodyId AddBar(const Vector3& from, const Vector3& to, double mass) {
    const Vector3 d = to - from;
    BodySpec bar;
    bar.mass = MassOfBox({d.norm(), 0.05, 0.05}, Material::WithMass(mass));
    bar.X_WB = {ExpRotation({0, 0, std::atan2(d.y(), d.x())}),
                0.5 * (from + to)};
    return world.AddBody(bar);
  }

  double angle() const { return kStart + Position(world, *first); }
  Vector3 coupler_point() const {
    return world.motion(coupler).Point(Vector3(0, 0.2, 0));
  }

  static constexpr double kStart = 0.4;
  World world;
  BodyId crank, coupler, rocker;
  HingeJoint* first;
};

// B-25, D-26: driven round and round, the loop stays closed and the coupler
// point runs on its curve.
TEST(FourBar, DrivenLinkageFollowsTheAnalyticCouplerCurve) {
  FourBar linkage{WorldSettings{}};
  linkage.first->axis(0).drive = PoweredAxis::Drive::kSpeed;
  linkage.first->axis(0).target_speed = 2.0;
  double gap = 0.0;
  double off_curve = 0.0;
  for (int i = 0; i < 7000; ++i) {
    linkage.world.Step(1e-3);
    gap = std::max(gap, linkage.world.MaxError());
    off_curve = std::max(off_curve, (linkage.coupler_point() -
                                     FourBar::CouplerPoint(linkage.angle()))
                                        .norm());
  }
  EXPECT_GT(linkage.angle(), 4.0 * kPi);
  EXPECT_LT(gap, 1e-8);
  EXPECT_LT(off_curve, 1e-7);
}

// Dynamo-063: 1000 frames of free swinging with three redundant rows.
TEST(FourBar, RedundantHingesKeepTheLoopClosed) {
  FourBar linkage{WorldSettings{}};
  const double energy = linkage.world.PotentialEnergy();
  double gap = 0.0;
  double drift = 0.0;
  for (int i = 0; i < 1000; ++i) {
    linkage.world.Step(1.0 / 60.0);
    gap = std::max(gap, linkage.world.MaxError());
    drift = std::max(drift, linkage.world.KineticEnergy() +
                                linkage.world.PotentialEnergy() - energy);
    ASSERT_TRUE(linkage.coupler_point().allFinite());
  }
  EXPECT_LT(gap, 1e-4);
  EXPECT_LT(drift, 0.05 * energy);
}

// B-25 on acceleration level: energy and closure of the free linkage.
TEST(FourBar, FreeLinkageKeepsItsEnergyOnAccelerationLevel) {
  WorldSettings settings;
  settings.scheme = Scheme::kAcceleration;
  FourBar linkage{settings};
  const double energy = linkage.world.PotentialEnergy();
  for (int i = 0; i < 2000; ++i) linkage.world.Step(1e-3);
  EXPECT_NEAR(linkage.world.KineticEnergy() + linkage.world.PotentialEnergy(),
              energy, 1e-6);
  EXPECT_LT(linkage.world.MaxError(), 1e-7);
  EXPECT_LT(
      (linkage.coupler_point() - FourBar::CouplerPoint(linkage.angle())).norm(),
      1e-6);
}

}  // namespace
}  // namespace limber::dynamics::test
