// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_ode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace limber::dynamics {
namespace {

const Vector3 kTopInertia(1.0, 2.0, 3.0);
const Vector3 kTopSpin(1.0, 0.5, 0.2);

Matrix3 TopAfter(OdeMethod method, double duration, int num_steps,
                 bool lead = true) {
  OdeSettings settings;
  settings.step = duration / num_steps;
  settings.lead = lead;
  RotationOde top(kTopInertia);
  VectorX y = RotationOde::MakeState(Quaternion::Identity(), kTopSpin);
  MakeOdeSolver(method, settings)->Advance(top, 0.0, duration, y);
  return RotationOde::Rotation(y).toRotationMatrix();
}

// Frobenius error of the rotation matrix of the torque-free top at T = 4.
double TopError(OdeMethod method, int num_steps, bool lead = true) {
  static const Matrix3 kExact = TopAfter(OdeMethod::kRungeKutta4, 4.0, 20000);
  return (TopAfter(method, 4.0, num_steps, lead) - kExact).norm();
}

// Dynamo-021, Dynamo-022, Dynamo-023, Dynamo-024: the figures of the
// inventory's re-run, three digits, at 100 and 800 steps.
TEST(RotationOde, Dynamo021_EulerErrorsOfTheTop) {
  EXPECT_NEAR(TopError(OdeMethod::kEuler, 100), 2.60e-2, 0.005e-2);
  EXPECT_NEAR(TopError(OdeMethod::kEuler, 800), 3.34e-3, 0.005e-3);
}
TEST(RotationOde, Dynamo022_DoubleEulerErrorsOfTheTop) {
  EXPECT_NEAR(TopError(OdeMethod::kDoubleEuler, 100), 1.32e-2, 0.005e-2);
  EXPECT_NEAR(TopError(OdeMethod::kDoubleEuler, 800), 1.67e-3, 0.005e-3);
}
TEST(RotationOde, Dynamo023_HeunErrorsOfTheTop) {
  EXPECT_NEAR(TopError(OdeMethod::kHeun, 100), 9.63e-4, 0.005e-4);
  EXPECT_NEAR(TopError(OdeMethod::kHeun, 800), 1.48e-5, 0.005e-5);
}
TEST(RotationOde, Dynamo024_RungeKutta4ErrorsOfTheTop) {
  EXPECT_NEAR(TopError(OdeMethod::kRungeKutta4, 100), 6.17e-8, 0.005e-8);
  EXPECT_NEAR(TopError(OdeMethod::kRungeKutta4, 800), 1.52e-11, 0.02e-11);
}

// Dynamo-025: without the lead the error is 6.63e-2, 2.5 times as large.
TEST(RotationOde, Dynamo025_LeadLowersTheErrorOfEuler) {
  EXPECT_NEAR(TopError(OdeMethod::kEuler, 100, false), 6.63e-2, 0.005e-2);
}

// B-4: slope on the tumbling box of B-1.
TEST(RotationOde, B4_ErrorSlopeMatchesTheOrder) {
  for (const OdeMethod method :
       {OdeMethod::kEuler, OdeMethod::kDoubleEuler, OdeMethod::kMidpoint,
        OdeMethod::kHeun, OdeMethod::kAdamsBashforth2,
        OdeMethod::kRungeKutta4}) {
    const auto error = [&](int n) {
      OdeSettings settings;
      RotationOde box(kTopInertia);
      const auto run = [&](OdeMethod m, double h) {
        settings.step = h;
        VectorX y = RotationOde::MakeState(Quaternion::Identity(),
                                           Vector3(0.01, 2.0, 0.01));
        MakeOdeSolver(m, settings)->Advance(box, 0.0, 1.0, y);
        return y;
      };
      return (run(method, 1.0 / n) - run(OdeMethod::kRungeKutta4, 1.0 / 5000.0))
          .norm();
    };
    const double order = std::log2(error(200) / error(400));
    EXPECT_NEAR(order, MakeOdeSolver(method)->order(), 0.1) << NameOf(method);
  }
}

// V-1, and Dynamo-004 at its own step.
TEST(RotationOde, V1_TorqueFreeTumbleKeepsMomentumAndEnergy) {
  RotationOde top(kTopInertia);
  OdeSettings settings;
  settings.step = 1e-3;
  VectorX y =
      RotationOde::MakeState(Quaternion::Identity(), Vector3(0.01, 2.0, 0.01));
  const Vector3 L = top.AngularMomentum(y);
  const double energy = top.KineticEnergy(y);
  MakeOdeSolver(OdeMethod::kRungeKutta4, settings)->Advance(top, 0.0, 10.0, y);
  EXPECT_LT((top.AngularMomentum(y) - L).norm(), 1e-9 * L.norm());
  EXPECT_NEAR(top.KineticEnergy(y) / energy, 1.0, 1e-6);
}

TEST(RotationOde, Dynamo004_KeepsWorldMomentumAtHundredHertz) {
  RotationOde top(kTopInertia);
  OdeSettings settings;
  settings.step = 0.01;
  VectorX y = RotationOde::MakeState(Quaternion::Identity(), kTopSpin);
  const Vector3 L = top.AngularMomentum(y);
  MakeOdeSolver(OdeMethod::kRungeKutta4, settings)->Advance(top, 0.0, 10.0, y);
  EXPECT_LT((top.AngularMomentum(y) - L).norm(), 1e-8);
}

TEST(RotationOde, Dynamo004_TurnsByTheRightHandRule) {
  RotationOde body(Vector3::Ones());
  VectorX y = RotationOde::MakeState(Quaternion::Identity(), Vector3::UnitZ());
  MakeOdeSolver(OdeMethod::kRungeKutta4)->Advance(body, 0.0, kPi / 2, y);
  const Vector3 point = RotationOde::Rotation(y) * Vector3::UnitX();
  EXPECT_LT((point - Vector3::UnitY()).norm(), 1e-8);
}

// Dynamo-003: renormalised after every step.
TEST(RotationOde, Dynamo003_StaysOrthonormalOverManySteps) {
  for (const OdeMethod method : {OdeMethod::kEuler, OdeMethod::kHeun}) {
    RotationOde top(kTopInertia);
    OdeSettings settings;
    settings.step = 1e-3;
    VectorX y = RotationOde::MakeState(Quaternion::Identity(), kTopSpin);
    const OdeReport report =
        MakeOdeSolver(method, settings)->Advance(top, 0.0, 100.0, y);
    EXPECT_EQ(report.num_steps, 100000);
    EXPECT_LT(std::abs(y.head<4>().norm() - 1.0), 1e-10);
    const Matrix3 A = RotationOde::Rotation(y).toRotationMatrix();
    EXPECT_LT((A.transpose() * A - Matrix3::Identity()).norm(), 1e-10);
  }
}

// Dynamo-002: a sphere keeps its spin.
TEST(RotationOde, Dynamo002_TorqueFreeSphereKeepsItsSpin) {
  RotationOde sphere(Vector3::Constant(0.4));
  VectorX y = RotationOde::MakeState(Quaternion::Identity(), kTopSpin);
  MakeOdeSolver(OdeMethod::kRungeKutta4)->Advance(sphere, 0.0, 10.0, y);
  EXPECT_LT((RotationOde::AngularVelocity(y) - kTopSpin).norm(), 1e-12);
}

// Dynamo-007: J = 1, force (0,-1,0) held at the local point (1,0,0):
// theta'' = -cos(theta). Torque taken anew at each stage keeps order 4.
TEST(RotationOde, Dynamo007_TorqueIsTakenAnewAtEachStage) {
  const auto angle = [](int n) {
    RotationOde body(Vector3::Ones(), [](double, const Quaternion& R_WB) {
      return (R_WB * Vector3::UnitX()).cross(Vector3(0.0, -1.0, 0.0));
    });
    OdeSettings settings;
    settings.step = 3.0 / n;
    VectorX y = RotationOde::MakeState(Quaternion::Identity(), Vector3::Zero());
    MakeOdeSolver(OdeMethod::kRungeKutta4, settings)
        ->Advance(body, 0.0, 3.0, y);
    const Vector3 arm = RotationOde::Rotation(y) * Vector3::UnitX();
    return std::atan2(arm.y(), arm.x());
  };
  const double exact = angle(3000);
  const double coarse = std::abs(angle(50) - exact);
  const double fine = std::abs(angle(100) - exact);
  EXPECT_GE(coarse / fine, 14.0);
}

// Dynamo-015: axial torque on a line does nothing.
TEST(RotationOde, Dynamo015_RodIgnoresAxialTorque) {
  const auto run = [](const Vector3& inertia, bool axial) {
    RotationOde rod(inertia, [=](double t, const Quaternion& R_WB) {
      const Vector3 across = R_WB * Vector3(0.0, 0.3, 0.2 * std::sin(t));
      const Vector3 along = R_WB * Vector3(5.0, 0.0, 0.0);
      return axial ? Vector3(across + along) : across;
    });
    OdeSettings settings;
    settings.step = 1e-3;
    VectorX y =
        RotationOde::MakeState(Quaternion::Identity(), Vector3(0.0, 1.0, -0.5));
    const OdeReport report = MakeOdeSolver(OdeMethod::kRungeKutta4, settings)
                                 ->Advance(rod, 0.0, 1.0, y);
    EXPECT_EQ(report.status, OdeStatus::kDone);
    return y;
  };
  const VectorX rod = run({0.0, 1.0 / 12, 1.0 / 12}, true);
  const VectorX thin = run({1e-6, 1.0 / 12, 1.0 / 12}, false);
  EXPECT_TRUE(rod.allFinite());
  const Vector3 axis_rod = RotationOde::Rotation(rod) * Vector3::UnitX();
  const Vector3 axis_thin = RotationOde::Rotation(thin) * Vector3::UnitX();
  EXPECT_LT((axis_rod - axis_thin).norm(), 1e-4);
  EXPECT_LT(
      (RotationOde::AngularVelocity(rod) - RotationOde::AngularVelocity(thin))
          .norm(),
      1e-4 * RotationOde::AngularVelocity(thin).norm());
}

TEST(RotationOde, NegativeInertiaIsRefused) {
  EXPECT_THROW(RotationOde(Vector3(1.0, -1.0, 1.0)), std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
