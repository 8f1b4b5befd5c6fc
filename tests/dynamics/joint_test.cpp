// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joint.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "dynamics/joints/ball_in_cylinder_joint.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/ball_on_plane_joint.h"
#include "dynamics/joints/cylinder_on_plane_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/free_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/planar_joint.h"
#include "dynamics/joints/screw_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "tests/dynamics/constraint_checker.h"
#include "tests/dynamics/joint_checker.h"

namespace limber::dynamics::test {
namespace {

constexpr BodyId kParent{1};
constexpr BodyId kChild{2};
constexpr double kLead = 0.1;

Transform Turned(const Vector3& w, const Vector3& p = Vector3::Zero()) {
  return {ExpRotation(w), p};
}
Transform AboutX(double a) { return Turned(a * Vector3::UnitX()); }
Transform AboutY(double a) { return Turned(a * Vector3::UnitY()); }
Transform AboutZ(double a) { return Turned(a * Vector3::UnitZ()); }
Transform Shifted(double x, double y, double z) {
  return {Quaternion::Identity(), Vector3(x, y, z)};
}

const Transform kX_PF = Turned({0.4, -1.1, 0.7}, {0.2, -0.1, 0.4});
const Transform kX_BM = Turned({-2.0, 0.3, 0.5}, {-0.3, 0.2, 0.1});

// A joint class, and the motion X_FM that its coordinates stand for.
struct JointCase {
  const char* name;
  int num_free;
  std::function<std::unique_ptr<Joint>()> make;
  std::function<Transform(const Vector6& q)> motion;
};

std::ostream& operator<<(std::ostream& out, const JointCase& joint) {
  return out << joint.name;
}

template <typename T, typename... Arguments>
std::unique_ptr<Joint> Make(Arguments... arguments) {
  return std::make_unique<T>(kParent, kX_PF, kChild, kX_BM, arguments...);
}

Transform Xyz(const Vector6& q) {
  return AboutX(q[0]) * AboutY(q[1]) * AboutZ(q[2]);
}

std::vector<JointCase> AllJoints() {
  const auto euler = FreeRotationJoint::Axes::kEulerXyz;
  return {
      {"Weld", 0, [] { return Make<WeldJoint>(); },
       [](const Vector6&) { return Transform(); }},
      {"Slider", 1, [] { return Make<SliderJoint>(); },
       [](const Vector6& q) { return Shifted(0, 0, q[0]); }},
      {"Hinge", 1, [] { return Make<HingeJoint>(); },
       [](const Vector6& q) { return AboutZ(q[0]); }},
      {"Screw", 1, [] { return Make<ScrewJoint>(kLead); },
       [](const Vector6& q) {
         return Shifted(0, 0, kLead * q[0] / (2 * kPi)) * AboutZ(q[0]);
       }},
      {"Cylindrical", 2, [] { return Make<CylindricalJoint>(); },
       [](const Vector6& q) { return Shifted(0, 0, q[1]) * AboutZ(q[0]); }},
      {"Planar", 3, [] { return Make<PlanarJoint>(); },
       [](const Vector6& q) { return Shifted(q[1], q[2], 0) * AboutZ(q[0]); }},
      {"Universal", 2, [] { return Make<UniversalJoint>(); },
       [](const Vector6& q) { return AboutX(q[0]) * AboutY(q[1]); }},
      {"CylinderOnPlane", 4, [] { return Make<CylinderOnPlaneJoint>(); },
       [](const Vector6& q) {
         return Shifted(q[2], q[3], 0) * AboutZ(q[0]) * AboutX(q[1]);
       }},
      {"Ball", 3, [] { return Make<BallJoint>(); },
       [](const Vector6& q) { return Xyz(q); }},
      {"BallXyz", 3, [=] { return Make<BallJoint>(euler); },
       [](const Vector6& q) { return Xyz(q); }},
      {"BallInCylinder", 4, [] { return Make<BallInCylinderJoint>(); },
       [](const Vector6& q) { return Shifted(0, 0, q[3]) * Xyz(q); }},
      {"BallInCylinderXyz", 4, [=] { return Make<BallInCylinderJoint>(euler); },
       [](const Vector6& q) { return Shifted(0, 0, q[3]) * Xyz(q); }},
      {"BallOnPlane", 5, [] { return Make<BallOnPlaneJoint>(); },
       [](const Vector6& q) { return Shifted(q[3], q[4], 0) * Xyz(q); }},
      {"BallOnPlaneXyz", 5, [=] { return Make<BallOnPlaneJoint>(euler); },
       [](const Vector6& q) { return Shifted(q[3], q[4], 0) * Xyz(q); }},
      {"Free", 6, [] { return Make<FreeJoint>(); },
       [](const Vector6& q) { return Shifted(q[3], q[4], q[5]) * Xyz(q); }},
      {"FreeXyz", 6, [=] { return Make<FreeJoint>(euler); },
       [](const Vector6& q) { return Shifted(q[3], q[4], q[5]) * Xyz(q); }},
  };
}

// Limits far away add the coordinates' own rows.
void LimitAllAxes(Joint& joint) {
  for (int k = 0; k < joint.num_free(); ++k) {
    joint.axis(k).lower = -100.0;
    joint.axis(k).upper = 100.0;
  }
}

// Coordinates within the range of every sequence of angles.
Vector6 RandomCoordinates(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.2, 1.2);
  Vector6 q;
  for (double& value : q) value = uniform(random);
  return q;
}

Vector3 RandomDirection(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  const double y = normal(random);
  return Vector3(x, y, normal(random)).normalized();
}

// Whether all rows and coordinates are smooth around the state: no angle near
// its jump, no sequence near its singular middle angle, no screw between two
// threads.
bool IsSmooth(const Joint& joint, const std::vector<BodyMotion>& bodies) {
  const Matrix3 R_FM = (bodies[1].R_WB * joint.R_PF()).transpose() *
                       bodies[2].R_WB * joint.R_BM();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (i != j && std::abs(R_FM(i, j)) > 0.95) return false;
    }
  }
  JointForm form;
  joint.Evaluate(bodies[1], bodies[2], form);
  if (dynamic_cast<const ScrewJoint*>(&joint) != nullptr) {
    if (std::abs(form.locked[2].error) > 0.3 * kLead) return false;
  } else {
    for (int k = 0; k < form.num_free; ++k) {
      const JointForm::Free& free = form.free[static_cast<std::size_t>(k)];
      if (free.measures_angle && std::abs(free.position) > 3.0) return false;
    }
  }
  const double turn = LogRotation(Quaternion(R_FM)).norm();
  return R_FM(2, 2) > -0.9 && turn < 3.0;
}

class EveryJoint : public testing::TestWithParam<JointCase> {};

INSTANTIATE_TEST_SUITE_P(Joints, EveryJoint, testing::ValuesIn(AllJoints()),
                         [](const testing::TestParamInfo<JointCase>& info) {
                           return std::string(info.param.name);
                         });

// V-22, B-11, H-12
TEST_P(EveryJoint, RowsEqualDifferencesWhereItIsTogether) {
  std::mt19937 random(11);
  const std::unique_ptr<Joint> joint = GetParam().make();
  ASSERT_EQ(joint->num_free(), GetParam().num_free);
  LimitAllAxes(*joint);
  for (int i = 0; i < 20; ++i) {
    std::vector<BodyMotion> bodies = RandomMotions(3, random);
    PlaceChild(*joint, GetParam().motion(RandomCoordinates(random)), bodies);
    EXPECT_TRUE(CheckConstraint(*joint, bodies));
    EXPECT_TRUE(CheckJointForm(*joint, bodies));
  }
}

// V-22, B-11, H-12: self-assembly starts with parts scattered anywhere.
TEST_P(EveryJoint, RowsEqualDifferencesWhereItIsApart) {
  std::mt19937 random(13);
  const std::unique_ptr<Joint> joint = GetParam().make();
  LimitAllAxes(*joint);
  int num_checked = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<BodyMotion> bodies = RandomMotions(3, random);
    if (!IsSmooth(*joint, bodies)) continue;
    ++num_checked;
    EXPECT_TRUE(CheckConstraint(*joint, bodies));
    EXPECT_TRUE(CheckJointForm(*joint, bodies, 1e-8));
  }
  EXPECT_GT(num_checked, 60);
}

// The series and the closed forms of every measure, around the switches.
TEST_P(EveryJoint, RowsEqualDifferencesForSmallErrors) {
  std::mt19937 random(17);
  const std::unique_ptr<Joint> joint = GetParam().make();
  LimitAllAxes(*joint);
  for (const double size :
       {1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.14, 0.143, 0.49, 0.51, 1.0}) {
    std::vector<BodyMotion> bodies = RandomMotions(3, random);
    const Transform apart = Turned(size * RandomDirection(random),
                                   0.1 * size * RandomDirection(random));
    PlaceChild(*joint, apart, bodies);
    EXPECT_TRUE(CheckConstraint(*joint, bodies)) << size;
    EXPECT_TRUE(CheckJointForm(*joint, bodies)) << size;
  }
}

TEST_P(EveryJoint, ErrorsVanishAndCoordinatesAreReadBack) {
  std::mt19937 random(19);
  const std::unique_ptr<Joint> joint = GetParam().make();
  for (int i = 0; i < 20; ++i) {
    std::vector<BodyMotion> bodies = RandomMotions(2, random);
    const Vector6 q = RandomCoordinates(random);
    PlaceChild(*joint, GetParam().motion(q), bodies);
    JointForm form;
    joint->Evaluate(bodies[1], bodies[2], form);
    for (int k = 0; k < form.num_locked; ++k) {
      EXPECT_NEAR(form.locked[static_cast<std::size_t>(k)].error, 0.0, 1e-14);
    }
    for (int k = 0; k < form.num_free; ++k) {
      const JointForm::Free& free = form.free[static_cast<std::size_t>(k)];
      if (!free.has_position) continue;
      EXPECT_NEAR(free.position, q[k], 1e-13);
    }
  }
}

// Errors of joints that are apart must not vanish anywhere else than together:
// turning the child half round about any axis at right angles to a locked one
// is an error of half a turn.
TEST(HingeJoint, UpsideDownIsNoEquilibrium) {
  HingeJoint joint(kGround, Transform(), kParent, Transform());
  for (const double angle : {3.0, 3.14, kPi - 1e-7, kPi}) {
    std::vector<BodyMotion> bodies(2);
    PlaceChild(joint, AboutX(angle), bodies);
    JointForm form;
    joint.Evaluate(bodies[0], bodies[1], form);
    const double error = std::hypot(form.locked[3].error, form.locked[4].error);
    EXPECT_NEAR(error, angle, 2e-4);
    EXPECT_TRUE(form.locked[3].angular.allFinite());
    EXPECT_TRUE(form.free[0].row_angular.allFinite());
    EXPECT_GT(form.locked[4].angular.norm(), 0.5);
  }
}

TEST(WeldJoint, HalfATurnIsNoEquilibrium) {
  WeldJoint joint(kGround, Transform(), kParent, Transform());
  for (const double angle : {3.0, 3.14, kPi}) {
    std::vector<BodyMotion> bodies(2);
    PlaceChild(joint, Turned(angle * Vector3(1, 2, -2) / 3.0), bodies);
    JointForm form;
    joint.Evaluate(bodies[0], bodies[1], form);
    Vector3 error;
    for (int i = 0; i < 3; ++i) {
      error[i] = form.locked[static_cast<std::size_t>(3 + i)].error;
    }
    EXPECT_NEAR(error.norm(), angle, 1e-12);
  }
}

TEST(UniversalJoint, MeetingAxesKeepAFiniteRowOfLengthOne) {
  UniversalJoint joint(kGround, Transform(), kParent, Transform());
  std::vector<BodyMotion> bodies(2);
  PlaceChild(joint, AboutZ(-kPi / 2), bodies);
  JointForm form;
  joint.Evaluate(bodies[0], bodies[1], form);
  EXPECT_NEAR(std::abs(form.locked[3].error), kPi / 2, 1e-12);
  EXPECT_NEAR(form.locked[3].angular.norm(), 1.0, 1e-12);
  EXPECT_TRUE(form.free[0].row_angular.allFinite());
}

// Dynamo-038: the angle runs on over whole turns.
TEST(HingeJoint, AngleCountsTurnsFromStepToStep) {
  HingeJoint joint(kParent, kX_PF, kChild, kX_BM);
  std::mt19937 random(23);
  std::vector<BodyMotion> bodies = RandomMotions(2, random);
  for (int step = 1; step <= 400; ++step) {
    PlaceChild(joint, AboutZ(0.05 * step), bodies);
    joint.AfterStep(bodies, 0.0);
  }
  EXPECT_NEAR(joint.Position(bodies, 0), 20.0, 1e-12);
  for (int step = 399; step >= -200; --step) {
    PlaceChild(joint, AboutZ(0.05 * step), bodies);
    joint.AfterStep(bodies, 0.0);
  }
  EXPECT_NEAR(joint.Position(bodies, 0), -10.0, 1e-12);
}

TEST(UniversalJoint, BothAnglesCountTurns) {
  UniversalJoint joint(kParent, kX_PF, kChild, kX_BM);
  std::mt19937 random(29);
  std::vector<BodyMotion> bodies = RandomMotions(2, random);
  for (int step = 1; step <= 100; ++step) {
    PlaceChild(joint, AboutX(0.1 * step) * AboutY(-0.07 * step), bodies);
    joint.AfterStep(bodies, 0.0);
  }
  EXPECT_NEAR(joint.Position(bodies, 0), 10.0, 1e-12);
  EXPECT_NEAR(joint.Position(bodies, 1), -7.0, 1e-12);
}

TEST(ScrewJoint, TurnsAreReadOffTheSlide) {
  ScrewJoint joint(kParent, kX_PF, kChild, kX_BM, -0.02);
  std::mt19937 random(31);
  std::vector<BodyMotion> bodies = RandomMotions(2, random);
  const double q = 37.5;
  PlaceChild(joint, Shifted(0, 0, -0.02 * q / (2 * kPi)) * AboutZ(q), bodies);
  EXPECT_NEAR(joint.Position(bodies, 0), q, 1e-10);
}

TEST(ScrewJoint, NoLeadIsRefused) {
  EXPECT_THROW(ScrewJoint(kParent, kX_PF, kChild, kX_BM, 0.0),
               std::invalid_argument);
}

TEST(BallJoint, DriveErrorLeadsToTheTargetInOneTurn) {
  std::mt19937 random(37);
  for (const auto axes : {FreeRotationJoint::Axes::kParentAxes,
                          FreeRotationJoint::Axes::kEulerXyz}) {
    BallJoint joint(kParent, kX_PF, kChild, kX_BM, axes);
    joint.set_target(ExpRotation({0.3, -0.5, 0.9}));
    std::vector<BodyMotion> bodies = RandomMotions(2, random);
    PlaceChild(joint, Turned({-0.7, 0.4, 0.2}), bodies);
    JointForm form;
    joint.Evaluate(bodies[1], bodies[2], form);
    const Vector6 errors = joint.DriveErrors(form, bodies[1], bodies[2]);
    // Turning by -sum error_k column_k takes R_FM to the target.
    Vector3 turn = Vector3::Zero();
    for (int k = 0; k < 3; ++k) {
      turn -= errors[k] * form.free[static_cast<std::size_t>(k)].column_angular;
    }
    bodies[2].q_WB = ExpRotation(turn) * bodies[2].q_WB;
    const Quaternion R_FM =
        (bodies[1].q_WB * kX_PF.R).conjugate() * (bodies[2].q_WB * kX_BM.R);
    EXPECT_LT(AngleBetween(R_FM, joint.target()), 1e-14);
  }
}

TEST(Joint, DriveAndLimitRowsAreThoseOfThePoweredAxis) {
  SliderJoint joint(kGround, Transform(), kParent, Transform());
  std::vector<BodyMotion> bodies(2);
  SetPose(bodies[1], Shifted(0.0, 0.0, 0.3));
  PoweredAxis& axis = joint.axis(0);
  axis.drive = PoweredAxis::Drive::kSpring;
  axis.target_position = 2.0;
  axis.target_speed = 0.5;
  axis.max_force = 7.0;
  axis.softness = 0.25;
  axis.stiffness = 40.0;
  axis.damping = 3.0;
  axis.lower = -1.0;
  axis.upper = 1.5;
  axis.limit_softness = 0.125;
  RowBuffer rows;
  joint.AddRows(bodies, 0.0, rows);
  ASSERT_EQ(rows.size(), 8);
  const RowBuffer::Row& drive = rows.row(5);
  EXPECT_DOUBLE_EQ(drive.error, 0.3 - 1.5);  // target taken at the limit
  EXPECT_EQ(drive.rate_bias, -0.5);
  EXPECT_EQ(drive.settings.lo, -7.0);
  EXPECT_EQ(drive.settings.hi, 7.0);
  EXPECT_EQ(drive.settings.softness, 0.25);
  EXPECT_EQ(drive.settings.stabilisation.policy,
            Stabilisation::Policy::kSpring);
  EXPECT_EQ(drive.settings.stabilisation.stiffness, 40.0);
  EXPECT_EQ(drive.settings.stabilisation.damping, 3.0);
  EXPECT_FALSE(drive.settings.angular);
  const RowBuffer::Row& lower = rows.row(6);
  EXPECT_DOUBLE_EQ(lower.error, 1.3);
  EXPECT_EQ(lower.settings.lo, 0.0);
  EXPECT_EQ(lower.settings.hi, kInfinity);
  EXPECT_EQ(lower.settings.softness, 0.125);
  const RowBuffer::Row& upper = rows.row(7);
  EXPECT_DOUBLE_EQ(upper.error, -1.2);
  EXPECT_EQ(upper.settings.lo, -kInfinity);
  EXPECT_EQ(upper.settings.hi, 0.0);

  axis.drive = PoweredAxis::Drive::kSpeed;
  rows.Clear();
  joint.AddRows(bodies, 0.0, rows);
  EXPECT_EQ(rows.row(5).error, 0.0);
  EXPECT_EQ(rows.row(5).rate_bias, -0.5);
  EXPECT_EQ(rows.row(5).settings.stabilisation.policy,
            Stabilisation::Policy::kNone);

  axis.drive = PoweredAxis::Drive::kPosition;
  rows.Clear();
  joint.AddRows(bodies, 0.0, rows);
  EXPECT_DOUBLE_EQ(rows.row(5).error, 0.3 - 1.5);
  EXPECT_EQ(rows.row(5).rate_bias, 0.0);
  EXPECT_EQ(rows.row(5).settings.stabilisation.policy,
            Stabilisation::Policy::kImplicit);
}

TEST(Joint, RowsThatMeasureAnglesSaySo) {
  CylindricalJoint joint(kGround, Transform(), kParent, Transform());
  joint.axis(0).lower = -1.0;
  joint.axis(1).lower = -1.0;
  std::vector<BodyMotion> bodies(2);
  RowBuffer rows;
  joint.AddRows(bodies, 0.0, rows);
  ASSERT_EQ(rows.size(), 6);
  const bool angular[6] = {false, false, true, true, true, false};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(rows.row(i).settings.angular, angular[i]) << i;
  }
}

TEST(Joint, SpeedDriveRowsHaveExactBiases) {
  std::mt19937 random(41);
  for (const JointCase& joint_case : AllJoints()) {
    const std::unique_ptr<Joint> joint = joint_case.make();
    std::set<int> drives;
    for (int k = 0; k < joint->num_free(); ++k) {
      joint->axis(k).drive = PoweredAxis::Drive::kSpeed;
      joint->axis(k).target_speed = 0.7;
      drives.insert(6 - joint->num_free() + k);
    }
    std::vector<BodyMotion> bodies = RandomMotions(2, random);
    PlaceChild(*joint, joint_case.motion(RandomCoordinates(random)), bodies);
    EXPECT_TRUE(
        CheckConstraint(*joint, bodies, 0.0, {.rows_without_error = drives}))
        << joint_case.name;
    EXPECT_TRUE(CheckJointForm(*joint, bodies)) << joint_case.name;
  }
}

TEST(Joint, SameBodyTwiceIsRefused) {
  EXPECT_THROW(BallJoint(kChild, Vector3::Zero(), kChild, Vector3::Zero()),
               std::invalid_argument);
}

TEST(Joint, FrameThatIsNotFiniteIsRefused) {
  const Transform broken = Shifted(0.0, std::nan(""), 0.0);
  EXPECT_THROW(HingeJoint(kParent, broken, kChild, Transform()),
               std::invalid_argument);
}

TEST(FrameAlong, HasItsZAxisThere) {
  const Vector3 axis(3.0, -4.0, 12.0);
  const Transform X = FrameAlong({1, 2, 3}, axis);
  EXPECT_LT((X.R * Vector3::UnitZ() - axis / 13.0).norm(), 1e-15);
  EXPECT_EQ(X.p, Vector3(1, 2, 3));
  EXPECT_LT(
      (FrameAlong(Vector3::Zero(), -Vector3::UnitZ()).R * Vector3::UnitZ() +
       Vector3::UnitZ())
          .norm(),
      1e-12);
  EXPECT_THROW(FrameAlong(Vector3::Zero(), Vector3::Zero()),
               std::invalid_argument);
}

// The checker must see a joint whose form is wrong.
class WrongHinge : public Joint {
 public:
  enum class Wrong { kRow, kColumn, kLocked, kPosition, kPoint };
  explicit WrongHinge(Wrong wrong)
      : Joint(kParent, kX_PF, kChild, kX_BM, 1),
        right_(kParent, kX_PF, kChild, kX_BM),
        wrong_(wrong) {}
  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const override {
    right_.Evaluate(parent, child, form);
    switch (wrong_) {
      case Wrong::kRow:
        form.free[0].row_angular *= 1.001;
        break;
      case Wrong::kColumn:
        form.free[0].column_angular.x() += 0.001;
        break;
      case Wrong::kLocked:
        form.locked[4] = form.locked[3];
        break;
      case Wrong::kPosition:
        form.free[0].position *= -1.0;
        break;
      case Wrong::kPoint:
        form.num_locked = 4;
        break;
    }
  }

 private:
  HingeJoint right_;
  Wrong wrong_;
};

TEST(JointChecker, WrongPartsAreNamed) {
  using Wrong = WrongHinge::Wrong;
  using testing::HasSubstr;
  const auto fault_of = [](Wrong wrong) {
    std::mt19937 random(43);
    std::vector<BodyMotion> bodies = RandomMotions(2, random);
    const WrongHinge joint(wrong);
    PlaceChild(joint, AboutZ(0.4), bodies);
    return std::string(CheckJointForm(joint, bodies).message());
  };
  EXPECT_THAT(fault_of(Wrong::kRow), HasSubstr("free row 0 on column 0"));
  EXPECT_THAT(fault_of(Wrong::kColumn), HasSubstr("on column 0"));
  EXPECT_THAT(fault_of(Wrong::kLocked), HasSubstr("rows are dependent"));
  EXPECT_THAT(fault_of(Wrong::kPosition), HasSubstr("rate of coordinate 0"));
  EXPECT_THAT(fault_of(Wrong::kPoint), HasSubstr("num_locked + num_free"));
}

TEST(PoweredAxis, BadNumbersAreNamed) {
  const auto message_of = [](const PoweredAxis& axis) -> std::string {
    try {
      Validate(axis);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(message_of({}), "");
  EXPECT_EQ(message_of({.lower = 0.5, .upper = 0.5}), "");
  EXPECT_THAT(message_of({.target_position = std::nan("")}),
              HasSubstr("target_position must be finite, is nan"));
  EXPECT_THAT(message_of({.target_speed = kInfinity}),
              HasSubstr("target_speed must be finite, is inf"));
  EXPECT_THAT(message_of({.max_force = -1.0}),
              HasSubstr("max_force must be zero or positive, is -1"));
  EXPECT_THAT(message_of({.max_force = std::nan("")}), HasSubstr("max_force"));
  EXPECT_THAT(message_of({.softness = -0.5}), HasSubstr("softness"));
  EXPECT_THAT(message_of({.stiffness = -0.5}), HasSubstr("stiffness"));
  EXPECT_THAT(message_of({.damping = kInfinity}), HasSubstr("damping"));
  EXPECT_THAT(message_of({.limit_softness = -2}), HasSubstr("limit_softness"));
  EXPECT_THAT(message_of({.lower = 1.0, .upper = 0.5}),
              HasSubstr("lower must be at most upper, is 1"));
  EXPECT_THAT(message_of({.upper = std::nan("")}), HasSubstr("upper"));
  EXPECT_THAT(message_of({.lower = std::nan("")}), HasSubstr("lower"));
}

}  // namespace
}  // namespace limber::dynamics::test
