// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/velocity_constraint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/dynamics/constraint_checker.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

// A blade under the mass centre: no speed along the body's own z axis.
VelocityConstraint Blade(BodyId body) {
  return {{body},
          1,
          [body](BodyMotions bodies, double, int,
                 std::span<RowBuffer::Entry> entries, double&) {
            entries[0].linear = MotionOf(bodies, body).R_WB.col(2);
          }};
}

// D-27: rows with several bodies and a function of time are what their
// coefficients say, with the right change along a path.
TEST(VelocityConstraint, BiasesAreTheChangeOfTheRow) {
  const VelocityConstraint rows(
      {BodyId{1}, BodyId{2}}, 2,
      [](BodyMotions bodies, double time, int row,
         std::span<RowBuffer::Entry> entries, double& b) {
        const BodyMotion& first = bodies[1];
        const BodyMotion& second = bodies[2];
        entries[0].linear = first.R_WB.col(row) * std::cos(time);
        entries[0].angular = second.p_WC;
        entries[1].linear = -first.R_WB.col(row);
        entries[1].angular = second.R_WB.col(2);
        b = std::sin(3.0 * time) * first.p_WB.x();
      });
  std::mt19937 random(27);
  for (int i = 0; i < 20; ++i) {
    test::ConstraintCheck check{.rows_without_error = {0, 1}};
    EXPECT_TRUE(test::CheckConstraint(rows, test::RandomMotions(2, random), 0.3,
                                      check));
  }
}

// D-27: a blade on an inclined plane. Free of torques it turns with constant w,
// and with s the component of gravity down the plane and u the speed along it
//
//     u' = s cos(w t) ,  x = s/(2 w^2) sin^2(w t) ,
//     y = s/(2 w^2) (w t - sin(w t) cos(w t))
//
// where x points down the plane: it drifts across, not down.
TEST(VelocityConstraint, BladeOnAnInclineDrawsItsCycloid) {
  const double s = 0.5 * kGravity;
  const double w = 2.0;
  WorldSettings settings;
  settings.gravity = Vector3(s, 0.0, 0.0);
  settings.scheme = Scheme::kAcceleration;
  World world(settings);
  // The blade's own x axis is its edge, which at first points down the plane.
  const BodyId body = test::AddBody(
      world, MassOfBox(Vector3(0.3, 0.1, 0.05), Material::WithMass(2.0)), {},
      Vector3::Zero(), Vector3(0.0, w, 0.0));
  world.Add(Blade(body));
  const double h = 1e-3;
  for (int i = 0; i < 3000; ++i) {
    world.Step(h);
    const double a = w * world.time();
    const Vector3 p = world.motion(body).p_WC;
    const double scale = s / (2.0 * w * w);
    ASSERT_NEAR(p.x(), scale * std::sin(a) * std::sin(a), 1e-6) << i;
    ASSERT_NEAR(std::abs(p.z()), scale * (a - std::sin(a) * std::cos(a)), 1e-6)
        << i;
  }
}

// D-27: the default step keeps the row, too.
TEST(VelocityConstraint, BladeDoesNotSlipUnderTheLeapfrog) {
  World world(WorldSettings{.gravity = Vector3(5.0, 0.0, 0.0)});
  const BodyId body = test::AddBody(
      world, MassOfBox(Vector3(0.3, 0.1, 0.05), Material::WithMass(2.0)), {},
      Vector3::Zero(), Vector3(0.0, 2.0, 0.0));
  world.Add(Blade(body));
  for (int i = 0; i < 1000; ++i) {
    const Vector3 side = world.motion(body).R_WB.col(2);
    world.Step(1.0 / 240.0);
    ASSERT_LT(std::abs(side.dot(world.motion(body).v_WC)), 1e-9) << i;
  }
}

TEST(VelocityConstraint, BadArgumentsAreRefused) {
  const auto none = [](BodyMotions, double, int, std::span<RowBuffer::Entry>,
                       double&) {};
  EXPECT_THROW(VelocityConstraint({BodyId{1}}, 0, none), std::invalid_argument);
  EXPECT_THROW(VelocityConstraint({BodyId{1}}, 1, {}), std::invalid_argument);
  EXPECT_THROW(VelocityConstraint({BodyId{1}, BodyId{1}}, 1, none),
               std::invalid_argument);
  EXPECT_THROW(VelocityConstraint({kGround}, 1, none), std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
