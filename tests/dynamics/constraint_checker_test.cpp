// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamics/constraint_checker.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace limber::dynamics::test {
namespace {

using testing::HasSubstr;

// C = |p_B - a(t)|^2 / 2 for the point p_B of body 1 and the moving target
// a(t) = (sin t, 0, 0); one part at a time can be made wrong.
class ToMovingPoint : public Constraint {
 public:
  enum class Wrong {
    kNothing,
    kLinear,
    kAngular,
    kBias,
    kRate,
    kBody,
    kVelocity
  };

  explicit ToMovingPoint(Wrong wrong = Wrong::kNothing) : wrong_(wrong) {}

  std::span<const BodyId> bodies() const override { return bodies_; }

  void AddRows(BodyMotions bodies, double time,
               RowBuffer& rows) const override {
    const BodyMotion& body = bodies[1];
    const Vector3 p = body.Point(p_BA_);
    const Vector3 a(std::sin(time), 0.0, 0.0);
    const Vector3 a_rate(std::cos(time), 0.0, 0.0);
    const Vector3 d = p - a;
    const Vector3 d_rate = body.PointVelocity(p) - a_rate;
    // C'' = |d'|^2 + d . d'', d'' = point's acceleration - a''.
    const Vector3 r = p - body.p_WC;
    const Vector3 bias = body.w_WB.cross(body.w_WB.cross(r)) + a;
    double error = 0.5 * d.squaredNorm();
    double rate_bias = -d.dot(a_rate);
    double acceleration_bias = d_rate.squaredNorm() + d.dot(bias);
    if (wrong_ == Wrong::kVelocity) error += 1e-9 * body.v_WC.x();
    if (wrong_ == Wrong::kRate) rate_bias += 1e-4;
    if (wrong_ == Wrong::kBias) acceleration_bias += 1e-4;
    rows.Add(error, rate_bias, acceleration_bias, {});
    Vector3 linear = d;
    Vector3 angular = r.cross(d);
    if (wrong_ == Wrong::kLinear) linear.y() += 1e-4;
    if (wrong_ == Wrong::kAngular) angular = -angular;
    rows.Touch(BodyId{1}, linear, angular);
    if (wrong_ == Wrong::kBody) {
      rows.Touch(BodyId{2}, Vector3::Zero(), Vector3::Zero());
    }
  }

 private:
  Wrong wrong_;
  std::array<BodyId, 1> bodies_{BodyId{1}};
  Vector3 p_BA_{0.3, -0.2, 0.5};
};

std::string FaultOf(ToMovingPoint::Wrong wrong) {
  std::mt19937 random(3);
  return CheckConstraint(ToMovingPoint(wrong), RandomMotions(2, random), 0.7)
      .message();
}

TEST(ConstraintChecker, RightRowsPass) {
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(CheckConstraint(ToMovingPoint(), RandomMotions(2, random),
                                0.1 * i, {.tolerance = 1e-8}));
  }
}

TEST(ConstraintChecker, WrongPartsAreNamed) {
  using Wrong = ToMovingPoint::Wrong;
  EXPECT_EQ(FaultOf(Wrong::kNothing), "");
  EXPECT_THAT(FaultOf(Wrong::kLinear), HasSubstr("J of body 1 along 1"));
  EXPECT_THAT(FaultOf(Wrong::kAngular), HasSubstr("J of body 1 along 5"));
  EXPECT_THAT(FaultOf(Wrong::kBias), HasSubstr("acceleration_bias"));
  EXPECT_THAT(FaultOf(Wrong::kRate), HasSubstr("rate_bias"));
  EXPECT_THAT(FaultOf(Wrong::kBody), HasSubstr("touches unnamed body 2"));
  EXPECT_THAT(FaultOf(Wrong::kVelocity), HasSubstr("depends on the velo"));
}

// C depends on body 2 but J leaves it out.
class Forgetful : public Constraint {
 public:
  std::span<const BodyId> bodies() const override { return bodies_; }
  void AddRows(BodyMotions bodies, double, RowBuffer& rows) const override {
    rows.Add(bodies[1].p_WC.x() - bodies[2].p_WC.x(), 0.0, 0.0, {});
    rows.Touch(BodyId{1}, Vector3::UnitX(), Vector3::Zero());
  }

 private:
  std::array<BodyId, 2> bodies_{BodyId{1}, BodyId{2}};
};

TEST(ConstraintChecker, ForgottenBodyIsNamed) {
  std::mt19937 random(5);
  EXPECT_THAT(CheckConstraint(Forgetful(), RandomMotions(2, random)).message(),
              HasSubstr("J of body 2 along 0 is 0"));
}

// A row on the speed along the body's own x axis: not the derivative of a C.
class KnifeEdge : public Constraint {
 public:
  explicit KnifeEdge(double bias_factor) : bias_factor_(bias_factor) {}
  std::span<const BodyId> bodies() const override { return bodies_; }
  void AddRows(BodyMotions bodies, double, RowBuffer& rows) const override {
    const BodyMotion& body = bodies[1];
    const Vector3 side = body.R_WB.col(0);
    rows.Add(0.0, 0.0, bias_factor_ * body.w_WB.cross(side).dot(body.v_WC), {});
    rows.Touch(BodyId{1}, side, Vector3::Zero());
  }

 private:
  double bias_factor_;
  std::array<BodyId, 1> bodies_{BodyId{1}};
};

TEST(ConstraintChecker, RowWithoutErrorIsJudgedByItsSpeed) {
  std::mt19937 random(7);
  const std::vector<BodyMotion> bodies = RandomMotions(1, random);
  const ConstraintCheck check{.rows_without_error = {0}};
  EXPECT_TRUE(CheckConstraint(KnifeEdge(1.0), bodies, 0.0, check));
  EXPECT_FALSE(CheckConstraint(KnifeEdge(0.999), bodies, 0.0, check));
  EXPECT_FALSE(CheckConstraint(KnifeEdge(1.0), bodies));
}

TEST(Moved, VelocitiesAreTheRatesOfThePoses) {
  std::mt19937 random(9);
  const std::vector<BodyMotion> start = RandomMotions(1, random);
  const std::vector<Vector6> a = {Vector6::Zero(),
                                  (Vector6() << 1, 2, 3, -4, 5, 6).finished()};
  const double s = 0.3;
  const double h = 1e-5;
  const BodyMotion before = Moved(start, a, s - h)[1];
  const BodyMotion now = Moved(start, a, s)[1];
  const BodyMotion after = Moved(start, a, s + h)[1];
  const Vector3 v = (after.p_WC - before.p_WC) / (2 * h);
  const Vector3 w = LogRotation(after.q_WB * before.q_WB.conjugate()) / (2 * h);
  const Vector3 v_origin = (after.p_WB - before.p_WB) / (2 * h);
  EXPECT_LT((v - now.v_WC).norm(), 1e-8);
  EXPECT_LT((w - now.w_WB).norm(), 1e-8);
  EXPECT_LT((v_origin - now.PointVelocity(now.p_WB)).norm(), 1e-8);
}

}  // namespace
}  // namespace limber::dynamics::test
