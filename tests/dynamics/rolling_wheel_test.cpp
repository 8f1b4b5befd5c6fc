// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Rolling without slip, and another nonholonomic row.
#include "dynamics/constraints/rolling_wheel.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

using test::AddBody;
using test::Advance;
using test::PreciseWorld;

// A thin disc of radius r and 1 kg about its z axis.
MassProperties Disc(double radius) {
  MassProperties disc;
  const double I = 0.25 * radius * radius;
  disc.I_BC = Vector3(I, I, 2.0 * I).asDiagonal();
  return disc;
}

Vector3 SlipOf(const World& world, const RollingWheel& wheel, BodyId disc) {
  // Pose and velocity of one instant.
  const std::vector<BodyMotion> bodies = world.SynchronisedMotions();
  return MotionOf(bodies, disc).PointVelocity(wheel.ContactPoint(bodies));
}

// D-20, Dynamo-097: a = 2/3 g sin, on 30 and on 10 degrees.
TEST(RollingWheel, DiscOnASlopeRunsAtTwoThirds) {
  for (const double degrees : {30.0, 10.0}) {
    const double slope = degrees * kPi / 180.0;
    for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kAcceleration}) {
      WorldSettings settings;
      settings.scheme = scheme;
      World world(settings);
      const double r = 0.3;
      const Vector3 n(std::sin(slope), std::cos(slope), 0.0);
      const Vector3 down(std::cos(slope), -std::sin(slope), 0.0);
      const BodyId disc =
          AddBody(world, Disc(r), {Quaternion::Identity(), r * n});
      RollingWheel& wheel = world.Add(
          RollingWheel({disc}, Vector3::UnitZ(), r, Vector3::Zero(), n));
      Advance(world, 0.005, 2.0);
      const double a = 2.0 / 3.0 * kGravity * std::sin(slope);
      EXPECT_NEAR(down.dot(world.motion(disc).p_WC), 0.5 * a * 4.0, 1e-6);
      EXPECT_LT(SlipOf(world, wheel, disc).norm(), 1e-6);
      EXPECT_LT(world.Error(wheel), 1e-9);
    }
  }
}

// A leaning coin that rolls in a circle: lean a of its plane from the vertical,
// centre on radius R, turning at W about the vertical. With dL/dt = W x L and
// the torque of the ground about the centre,
//
//     g tan a = W^2 (3/2 R + r sin a / 4)
TEST(RollingWheel, LeaningCoinRollsItsCircle) {
  const double r = 0.25;
  const double R = 1.0;
  const double lean = 0.3;
  const double W = std::sqrt(4.0 * kGravity * std::tan(lean) /
                             (6.0 * R + r * std::sin(lean)));
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kAcceleration}) {
    WorldSettings settings;
    settings.scheme = scheme;
    World world(settings);
    // Centre on +x at distance R, top of the disc leaning inwards (to -x); the
    // axle z of the disc points outwards and up.
    const Vector3 axle(std::cos(lean), std::sin(lean), 0.0);
    const Vector3 up(-std::sin(lean), std::cos(lean), 0.0);
    Matrix3 R_WB;
    R_WB.col(2) = axle;
    R_WB.col(1) = up;
    R_WB.col(0) = up.cross(axle);
    // v_c = W Y x R X = -W R Z. No slip: v_c = w x (r up); w = W Y + s axle.
    const double spin = -(W * R + W * r * std::sin(lean)) / r;
    const Vector3 w = W * Vector3::UnitY() + spin * axle;
    const Vector3 v = r * w.cross(up);
    const BodyId disc =
        AddBody(world, Disc(r),
                {Quaternion(R_WB), Vector3(R, r * std::cos(lean), 0)}, v, w);
    RollingWheel& wheel = world.Add(RollingWheel(
        {disc}, Vector3::UnitZ(), r, Vector3::Zero(), Vector3::UnitY()));
    ASSERT_LT(SlipOf(world, wheel, disc).norm(), 1e-12);
    const double energy = world.KineticEnergy() + world.PotentialEnergy();
    // Steady leaning rolling is only weakly stable: one second, a third turn.
    double largest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      world.Step(0.001);
      const Vector3& p = world.motion(disc).p_WC;
      largest = std::max(largest, std::abs(std::hypot(p.x(), p.z()) - R));
    }
    EXPECT_LT(largest, 1e-3);
    EXPECT_NEAR(world.motion(disc).p_WC.y(), r * std::cos(lean), 1e-3);
    EXPECT_NEAR(
        std::atan2(-world.motion(disc).p_WC.z(), world.motion(disc).p_WC.x()),
        W, 2e-3);
    EXPECT_NEAR(world.KineticEnergy() + world.PotentialEnergy(), energy,
                1e-3 * energy);
  }
}

// Dynamo-097: free rolling of a wobbling disc over 1000 steps keeps its energy
// within 1 %; it does not slip to the side.
TEST(RollingWheel, FreeRollingKeepsItsEnergy) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kAcceleration}) {
    WorldSettings settings;
    settings.scheme = scheme;
    World world(settings);
    const double r = 0.3;
    const Quaternion R = ExpRotation(Vector3(0.2, 0.0, 0.0));
    const Vector3 up = R * Vector3::UnitY();
    const Vector3 w = R * Vector3(0.0, 0.3, -12.0);
    const BodyId disc =
        AddBody(world, Disc(r), {R, r * up}, r * w.cross(up), w);
    RollingWheel& wheel = world.Add(RollingWheel(
        {disc}, Vector3::UnitZ(), r, Vector3::Zero(), Vector3::UnitY()));
    const double energy = world.KineticEnergy() + world.PotentialEnergy();
    double largest_change = 0.0;
    double largest_slip = 0.0;
    for (int i = 0; i < 1000; ++i) {
      world.Step(0.005);
      largest_change = std::max(
          largest_change,
          std::abs(world.KineticEnergy() + world.PotentialEnergy() - energy));
      largest_slip = std::max(largest_slip, SlipOf(world, wheel, disc).norm());
    }
    EXPECT_LT(largest_change, 0.01 * energy);
    EXPECT_TRUE(wheel.enabled());
    EXPECT_GT(world.motion(disc).p_WC.norm(), 1.0);
    // The leapfrog meets rows that turn with the disc to order h only: 0.3 % of
    // the speed of 3.6 m/s.
    EXPECT_LT(largest_slip, scheme == Scheme::kLeapfrog ? 0.012 : 1e-4);
  }
}

// Dynamo-097: a disc that lies too flat is let go.
TEST(RollingWheel, FlatDiscIsLetGo) {
  World world;
  const double r = 0.3;
  const Quaternion R = ExpRotation(Vector3(0.5, 0.0, 0.0));
  const BodyId disc = AddBody(world, Disc(r), {R, r * (R * Vector3::UnitY())});
  RollingWheel& wheel = world.Add(RollingWheel(
      {disc}, Vector3::UnitZ(), r, Vector3::Zero(), Vector3::UnitY()));
  Advance(world, 0.002, 1.0);
  EXPECT_FALSE(wheel.enabled());
}

// A blade at the mass centre: no velocity along the body's x axis.
class KnifeEdge : public Constraint {
 public:
  explicit KnifeEdge(BodyId body) : bodies_{body} {}
  std::span<const BodyId> bodies() const override { return bodies_; }
  void AddRows(BodyMotions bodies, double, RowBuffer& rows) const override {
    const BodyMotion& body = MotionOf(bodies, bodies_[0]);
    const Vector3 side = body.R_WB.col(0);
    rows.Add(0.0, 0.0, body.w_WB.cross(side).dot(body.v_WC), {});
    rows.Touch(bodies_[0], side, Vector3::Zero());
  }

 private:
  std::array<BodyId, 1> bodies_;
};

// D-27: a knife edge on a slope, turning at w about the normal. With a = g sin
// and the blade pointing down the slope (z) at the start, at rest:
//
//     z = a / (2 w^2) sin^2(w t),  x = a / (2 w^2) (w t - sin(2 w t) / 2)
//
// It does not slide down for ever but drifts across the slope.
TEST(Nonholonomic, KnifeEdgeFollowsItsCycloid) {
  const double w = 2.0;
  const double a = 3.0;
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kAcceleration}) {
    WorldSettings settings;
    settings.scheme = scheme;
    settings.gravity = Vector3(0.0, 0.0, a);
    World world(settings);
    MassProperties mass;
    const BodyId blade =
        AddBody(world, mass, {}, Vector3::Zero(), Vector3(0.0, w, 0.0));
    world.Add(KnifeEdge(blade));
    Advance(world, 0.001, 3.0);
    const double t = world.time();
    const double k = a / (2.0 * w * w);
    const double s = std::sin(w * t);
    EXPECT_NEAR(world.motion(blade).p_WC.z(), k * s * s, 2e-5);
    EXPECT_NEAR(world.motion(blade).p_WC.x(),
                k * (w * t - 0.5 * std::sin(2.0 * w * t)), 2e-5);
  }
}

}  // namespace
}  // namespace limber::dynamics
