// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Ball joints with angles of a sequence of axes, beyond their poles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

constexpr double kStep = 1.0 / 240.0;
const Vector3 kInertia(0.1, 0.2, 0.25);

struct Whirl {
  World world{Weightless()};
  BodyId body;
  BallJoint* joint;

  explicit Whirl(const Vector3& w,
                 const Quaternion& R = Quaternion::Identity()) {
    BodySpec spec = Solid(1.0, kInertia, {R, Vector3::Zero()});
    spec.w_WB = w;
    body = world.AddBody(spec);
    joint = &world.Add(BallJoint(kGround, Transform{}, body, Transform{},
                                 BallJoint::Axes::kEulerXyz));
  }
  Vector3 Angles() const {
    return {Position(world, *joint, 0), Position(world, *joint, 1),
            Position(world, *joint, 2)};
  }
};

// The short ways by which the trees measure such a joint say what `Evaluate`
// says, also where the angles have run on beyond a quarter turn.
TEST(EulerBallJoint, ShortMeasurementsAgreeWithEvaluate) {
  Whirl whirl(Vector3(1.0, 4.0, -2.0));
  std::mt19937 random(20261117);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto vector = [&](double size) {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vector3(size * x, size * y, size * z);
  };
  const BallJoint& joint = *whirl.joint;
  double largest = 0.0;
  for (int i = 0; i < 600; ++i) {
    whirl.world.Step(kStep);
    BodyMotion parent = whirl.world.motion(kGround);
    BodyMotion child = whirl.world.motion(whirl.body);
    child.q_WB = ExpRotation(vector(0.2)) * child.q_WB;
    child.R_WB = child.q_WB.toRotationMatrix();
    child.p_WB += vector(0.01);
    child.w_WB += vector(1.0);
    parent.w_WB = vector(1.0);
    JointForm asked, given;
    joint.Evaluate(parent, child, asked);
    joint.EvaluateSequence(parent, child, given);
    const Vector3 angles = joint.Angles(parent, child);
    ASSERT_EQ(given.num_locked, asked.num_locked);
    ASSERT_EQ(given.num_free, asked.num_free);
    EXPECT_LT((given.child_point - asked.child_point).norm(), 1e-14);
    for (std::size_t k = 0; k < 3; ++k) {
      const JointForm::Free& a = asked.free[k];
      const JointForm::Free& b = given.free[k];
      // Rows grow like 1 / cos^2 q1.
      const double scale = 1.0 + a.row_angular.squaredNorm();
      EXPECT_NEAR(b.position, a.position, 1e-12 * scale);
      EXPECT_NEAR(angles[static_cast<Eigen::Index>(k)], a.position,
                  1e-12 * scale);
      EXPECT_LT((b.row_angular - a.row_angular).norm(), 1e-12 * scale);
      EXPECT_LT((b.column_angular - a.column_angular).norm(), 1e-12 * scale);
      EXPECT_EQ(b.has_position, a.has_position);
      EXPECT_LT((given.locked[k].linear - asked.locked[k].linear).norm(),
                1e-14);
      EXPECT_NEAR(given.locked[k].error, asked.locked[k].error, 1e-14);
      largest = std::max(largest, std::abs(a.position));
    }
  }
  EXPECT_GT(largest, kPi);
}

TEST(EulerBallJoint, AnglesRunOnThroughThePole) {
  // About the middle axis alone: q1 = w t, the others stay.
  Whirl whirl(Vector3(0.0, 3.0, 0.0));
  for (int i = 1; i <= 1000; ++i) {
    whirl.world.Step(kStep);
    const Vector3 q = whirl.Angles();
    EXPECT_NEAR(q.x(), 0.0, 1e-9);
    EXPECT_NEAR(q.y(), 3.0 * i * kStep, 1e-9);
    EXPECT_NEAR(q.z(), 0.0, 1e-9);
  }
}

TEST(EulerBallJoint, AnglesStayThoseOfTheRotationAndDoNotJump) {
  Whirl whirl(Vector3(2.0, 5.0, -1.0));
  Vector3 last = Vector3::Zero();
  for (int i = 0; i < 4000; ++i) {
    whirl.world.Step(kStep);
    const Vector3 q = whirl.Angles();
    const Quaternion R = ExpRotation(Vector3(q.x(), 0, 0)) *
                         ExpRotation(Vector3(0, q.y(), 0)) *
                         ExpRotation(Vector3(0, 0, q.z()));
    EXPECT_LT(AngleBetween(R, whirl.world.X_WB(whirl.body).R), 1e-9);
    EXPECT_LT((q - last).cwiseAbs().maxCoeff(), 0.6 * kPi) << i;
    last = q;
  }
}

TEST(EulerBallJoint, AnglesSurviveSaveAndRestore) {
  Whirl whirl(Vector3(2.0, 5.0, -1.0));
  for (int i = 0; i < 300; ++i) whirl.world.Step(kStep);
  const auto state = whirl.world.Save();
  const Vector3 q = whirl.Angles();
  for (int i = 0; i < 300; ++i) whirl.world.Step(kStep);
  whirl.world.Restore(*state);
  EXPECT_EQ(whirl.Angles(), q);
}

TEST(EulerBallJoint, RateIsTheDerivativeBeyondThePole) {
  Whirl whirl(Vector3(0.0, 3.0, 0.0));
  for (int i = 0; i < 160; ++i) whirl.world.Step(kStep);
  ASSERT_GT(whirl.Angles().y(), 0.6 * kPi);
  whirl.world.ApplyTorque(whirl.body, Vector3(20.0, -5.0, 30.0));
  whirl.world.Step(kStep);
  ASSERT_GT(std::abs(Speed(whirl.world, *whirl.joint, 0)), 0.1);
  const Vector3 before = whirl.Angles();
  const double h = 1e-5;
  whirl.world.Step(h);
  const Vector3 after = whirl.Angles();
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR((after[k] - before[k]) / h, Speed(whirl.world, *whirl.joint, k),
                1e-3 * (1.0 + std::abs(Speed(whirl.world, *whirl.joint, k))));
  }
}

TEST(EulerBallJoint, LimitThatIsFarOnTheWrongSideDoesNotThrow) {
  for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
    Whirl whirl(Vector3::Zero(), ExpRotation(Vector3(0.0, 0.0, 2.5)));
    WorldSettings settings = whirl.world.settings();
    settings.solver = solver;
    whirl.world.set_settings(settings);
    whirl.joint->axis(2).upper = 0.0;
    double fastest = 0.0;
    for (int i = 0; i < 480; ++i) {
      whirl.world.Step(kStep);
      fastest =
          std::max(fastest, std::abs(whirl.world.motion(whirl.body).w_WB.z()));
    }
    EXPECT_LT(fastest, 5.0);
    EXPECT_LT(whirl.Angles().z(), 1e-3);
  }
}

}  // namespace
}  // namespace limber::dynamics::test
