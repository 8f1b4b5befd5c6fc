// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/ode.h"
#include "dynamics/rotation_ode.h"

namespace limber::dynamics {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Tumble {
  std::string name;
  Vector3 inertia;
  Vector3 w;  // start, body axes = world axes
};

// The bodies of the comparison in docs/dynamics_mass_ode.md.
const Tumble kSpinningRod = {"rod 1 m x 1 cm, spin 200 + tumble 20",
                             {5e-5, 0.0833583, 0.0833583},
                             {200, 20, 0}};
const Tumble kTumblingRod = {
    "rod tumbling 60", {5e-5, 0.0833583, 0.0833583}, {5, 60, 1}};
const Tumble kBox = {
    "box, 30 rad/s, middle axis", {0.01, 0.02, 0.03}, {0.02, 30, 0.01}};
const Tumble kForearm = {
    "forearm, spin 50", {5.9e-4, 6.6e-3, 6.6e-3}, {50, 10, 3}};
const Tumble kDisc = {
    "disc, spin 100, wobble 10", {0.01, 0.01, 0.02}, {10, 0, 100}};

Quaternion RunFlow(const Tumble& tumble, double duration, int num_steps,
                   double* largest_energy_error = nullptr) {
  const RotationFlow flow(tumble.inertia);
  Quaternion R_WB = Quaternion::Identity();
  const Vector3 L = flow.AngularMomentum(R_WB, tumble.w);
  const double energy = flow.KineticEnergy(R_WB, L);
  for (int i = 0; i < num_steps; ++i) {
    R_WB = flow.Advance(R_WB, L, duration / num_steps);
    if (largest_energy_error != nullptr) {
      *largest_energy_error =
          std::max(*largest_energy_error,
                   std::abs(flow.KineticEnergy(R_WB, L) / energy - 1.0));
    }
  }
  return R_WB;
}

// An independent answer: Dormand-Prince on the equations of motion.
Quaternion Reference(const Tumble& tumble, double duration) {
  RotationOde ode(tumble.inertia);
  OdeSettings settings;
  settings.step = 1e-5;
  settings.absolute_tolerance = settings.relative_tolerance = 1e-13;
  VectorX y = RotationOde::MakeState(Quaternion::Identity(), tumble.w);
  const OdeReport report = MakeOdeSolver(OdeMethod::kDormandPrince, settings)
                               ->Advance(ode, 0.0, duration, y);
  EXPECT_EQ(report.status, OdeStatus::kDone);
  return RotationOde::Rotation(y);
}

TEST(RotationFlow, SymmetricBodiesAreExactForAnyStep) {
  for (const Tumble& tumble : {kSpinningRod, kTumblingRod, kForearm, kDisc}) {
    const Quaternion exact = Reference(tumble, 1.0);
    // One single step of a second, and 240 small ones.
    EXPECT_LT(AngleBetween(RunFlow(tumble, 1.0, 1), exact), 1e-9)
        << tumble.name;
    EXPECT_LT(AngleBetween(RunFlow(tumble, 1.0, 240), exact), 1e-9)
        << tumble.name;
  }
}

// Ten seconds at 240 and 60 Hz; the energy's swing stays at round-off for
// symmetric bodies and tiny for the box about its middle axis.
TEST(RotationFlow, EnergyStaysOverTenSeconds) {
  for (const Tumble& tumble : {kSpinningRod, kTumblingRod, kForearm, kDisc}) {
    for (const int rate : {240, 60}) {
      double error = 0.0;
      RunFlow(tumble, 10.0, 10 * rate, &error);
      EXPECT_LT(error, 1e-12) << tumble.name << " at " << rate;
    }
  }
  double swing = 0.0;
  RunFlow(kBox, 10.0, 2400, &swing);
  RecordProperty("box_swing", std::to_string(swing));
  EXPECT_LT(swing, 1e-3);
  // Back at the middle axis the swing is over: there is no drift.
  const RotationFlow flow(kBox.inertia);
  const Vector3 L = flow.AngularMomentum(Quaternion::Identity(), kBox.w);
  const double energy = flow.KineticEnergy(Quaternion::Identity(), L);
  const Quaternion end = RunFlow(kBox, 10.0, 2400);
  EXPECT_LT(std::abs(flow.KineticEnergy(end, L) / energy - 1.0), 1e-8);
}

// A box that turns by several radians a step, about axes near none of its own.
TEST(RotationFlow, EnergyStaysInStepsOfSeveralTurns) {
  const RotationFlow flow(Vector3(0.0031, 0.0042, 0.0055));
  constexpr double kStep = 1.0 / 240.0;
  for (const double radians : {0.3, 1.0, 3.0, 10.0, 40.0}) {
    const Vector3 L =
        0.0042 * radians / kStep * Vector3(0.5, 0.7, 0.4).normalized();
    Quaternion q = ExpRotation(Vector3(0.3, -0.2, 0.5));
    const double E = flow.KineticEnergy(q, L);
    double swing = 0.0;
    for (int i = 0; i < 500; ++i) {
      q = flow.Advance(q, L, kStep);
      swing = std::max(swing, std::abs(flow.KineticEnergy(q, L) / E - 1.0));
    }
    EXPECT_LT(swing, 0.01) << radians;
  }
}

TEST(RotationFlow, BoxConvergesWithOrderTwo) {
  const Tumble box = {"box", {1.0, 2.0, 3.0}, {0.7, 1.1, -0.4}};
  const Quaternion exact = Reference(box, 2.0);
  const double coarse = AngleBetween(RunFlow(box, 2.0, 100), exact);
  const double fine = AngleBetween(RunFlow(box, 2.0, 200), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  EXPECT_LT(fine, 1e-4);
}

TEST(RotationFlow, EveryOrderOfTheInertiasConverges) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.2, 1.0);
  for (int trial = 0; trial < 30; ++trial) {
    // Mass moments along the axes give inertias that a body can have.
    const Vector3 s(uniform(random), uniform(random), uniform(random));
    const Tumble body = {"random",
                         {s.y() + s.z(), s.z() + s.x(), s.x() + s.y()},
                         {uniform(random), -uniform(random), uniform(random)}};
    const Quaternion exact = Reference(body, 1.0);
    const double coarse = AngleBetween(RunFlow(body, 1.0, 20), exact);
    const double fine = AngleBetween(RunFlow(body, 1.0, 40), exact);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_NEAR(coarse / fine, 4.0, 0.4);
  }
}

TEST(RotationFlow, IsReversible) {
  const RotationFlow flow({1.0, 2.0, 3.0});
  const Quaternion start = ExpRotation({0.3, -0.8, 1.5});
  const Vector3 L(2.0, -1.0, 4.0);
  Quaternion R_WB = start;
  for (int i = 0; i < 100; ++i) R_WB = flow.Advance(R_WB, L, 0.05);
  EXPECT_GT(AngleBetween(R_WB, start), 0.1);
  for (int i = 0; i < 100; ++i) R_WB = flow.Advance(R_WB, L, -0.05);
  EXPECT_LT(AngleBetween(R_WB, start), 1e-12);
}

// V-1: L read back from the velocity, and the energy, over 10 s.
TEST(RotationFlow, V1_TumbleKeepsMomentumAndEnergy) {
  const RotationFlow flow({1.0, 2.0, 3.0});
  Quaternion R_WB = Quaternion::Identity();
  const Vector3 L = flow.AngularMomentum(R_WB, {0.01, 2.0, 0.01});
  const double energy = flow.KineticEnergy(R_WB, L);
  double worst_L = 0.0;
  double worst_energy = 0.0;
  for (int i = 0; i < 10000; ++i) {
    R_WB = flow.Advance(R_WB, L, 1e-3);
    const Vector3 w = flow.AngularVelocity(R_WB, L);
    worst_L = std::max(worst_L, (flow.AngularMomentum(R_WB, w) - L).norm());
    worst_energy =
        std::max(worst_energy, std::abs(0.5 * w.dot(L) / energy - 1.0));
  }
  EXPECT_LT(worst_L, 1e-9 * L.norm());
  EXPECT_LT(worst_energy, 1e-6);
}

// B-1: the flip about the middle axis (Dzhanibekov) occurs and recurs.
TEST(RotationFlow, B1_MiddleAxisFlips) {
  const RotationFlow flow({1.0, 2.0, 3.0});
  Quaternion R_WB = Quaternion::Identity();
  const Vector3 L = flow.AngularMomentum(R_WB, {0.01, 2.0, 0.01});
  const double energy = flow.KineticEnergy(R_WB, L);
  int flips = 0;
  bool up = true;
  double worst_energy = 0.0;
  for (int i = 0; i < 20000; ++i) {
    R_WB = flow.Advance(R_WB, L, 1e-3);
    const double w_middle = (R_WB.conjugate() * L).y() / 2.0;
    if (up ? w_middle < -1.9 : w_middle > 1.9) {
      up = !up;
      ++flips;
    }
    const Vector3 w = flow.AngularVelocity(R_WB, L);
    EXPECT_NEAR(flow.AngularMomentum(R_WB, w).norm() / L.norm(), 1.0, 1e-6);
    worst_energy = std::max(
        worst_energy, std::abs(flow.KineticEnergy(R_WB, L) / energy - 1.0));
  }
  EXPECT_LT(worst_energy, 1e-4);
  // Growth rate 2 sqrt((2-1)(3-2)/(1*3)) = 1.155/s from 0.01: first flip at
  // some 5 s, then about every 10 s.
  EXPECT_GE(flips, 1);
  EXPECT_LE(flips, 3);
}

// B-2, Dynamo-003
TEST(RotationFlow, B2_Dynamo003_StaysOrthonormalOverManySteps) {
  const RotationFlow flow({1.0, 2.0, 3.0});
  Quaternion R_WB = Quaternion::Identity();
  const Vector3 L(1.0, 4.0, -2.0);
  for (int i = 0; i < 100000; ++i) R_WB = flow.Advance(R_WB, L, 1e-2);
  EXPECT_LT(std::abs(R_WB.norm() - 1.0), 1e-10);
  const Matrix3 A = R_WB.toRotationMatrix();
  EXPECT_LT((A.transpose() * A - Matrix3::Identity()).norm(), 1e-10);
}

// Dynamo-004: w = (0,0,1) brings the local point (1,0,0) to (0,1,0).
TEST(RotationFlow, Dynamo004_TurnsByTheRightHandRule) {
  for (const Vector3& inertia :
       {Vector3(1, 1, 1), Vector3(1, 2, 2.5), Vector3(2, 1, 1.5)}) {
    const RotationFlow flow(inertia);
    const Vector3 L =
        flow.AngularMomentum(Quaternion::Identity(), Vector3::UnitZ());
    const Quaternion R_WB = flow.Advance(Quaternion::Identity(), L, kPi / 2);
    EXPECT_LT((R_WB * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-14);
  }
}

// Dynamo-015, Dynamo-002: lines, points and balls.
TEST(RotationFlow, Dynamo015_RodHasNoSpinAboutItself) {
  const RotationFlow rod({0.0, 1.0 / 12, 1.0 / 12});
  EXPECT_TRUE(rod.is_one_dimensional());
  Quaternion R_WB = ExpRotation({0.4, 0.2, -1.0});
  const Vector3 L = rod.Admissible(R_WB, {1.0, 2.0, 3.0});
  const Vector3 axis = R_WB * Vector3::UnitX();
  EXPECT_NEAR(L.dot(axis), 0.0, 1e-15);
  // The axis turns in the plane across L at |L| / I.
  const double angle = 0.7 * L.norm() * 12.0;
  const Vector3 expected = ExpRotation(angle * L.normalized()) * axis;
  for (int i = 0; i < 70; ++i) R_WB = rod.Advance(R_WB, L, 0.01);
  EXPECT_LT((R_WB * Vector3::UnitX() - expected).norm(), 1e-12);
  EXPECT_NEAR(rod.AngularVelocity(R_WB, L).dot(expected), 0.0, 1e-12);
}

TEST(RotationFlow, PointMassDoesNotTurn) {
  const RotationFlow point(Vector3::Zero());
  const Quaternion R_WB = ExpRotation({0.4, 0.2, -1.0});
  EXPECT_LT(AngleBetween(point.Advance(R_WB, {1, 2, 3}, 1.0), R_WB), 1e-15);
  EXPECT_EQ(point.Admissible(R_WB, {1, 2, 3}).norm(), 0.0);
}

TEST(RotationFlow, Dynamo002_SphereKeepsItsSpin) {
  const RotationFlow sphere(Vector3::Constant(0.4));
  const Vector3 w(1.0, 0.5, 0.2);
  Quaternion R_WB = Quaternion::Identity();
  const Vector3 L = sphere.AngularMomentum(R_WB, w);
  for (int i = 0; i < 1000; ++i) R_WB = sphere.Advance(R_WB, L, 0.01);
  EXPECT_LT((sphere.AngularVelocity(R_WB, L) - w).norm(), 1e-12);
  EXPECT_LT(AngleBetween(R_WB, ExpRotation(10.0 * w)), 1e-12);
}

// What the flow replaces: one Newton step of implicit Euler in body axes,
// I (W+ - W) + h W+ x I W+ = 0. It is stable, but brakes.
TEST(RotationFlow, ImplicitGyroscopicStepLosesEnergyWhereTheFlowDoesNot) {
  for (const Tumble& tumble : {kSpinningRod, kTumblingRod, kForearm}) {
    const Matrix3 I = tumble.inertia.asDiagonal();
    Vector3 W = tumble.w;
    const double h = 1.0 / 240.0;
    const double energy = 0.5 * W.dot(I * W);
    for (int i = 0; i < 2400; ++i) {
      const Vector3 residual = h * W.cross(I * W);
      const Matrix3 D = I + h * (Skew(W) * I - Skew(I * W));
      W -= D.partialPivLu().solve(residual);
    }
    EXPECT_LT(0.5 * W.dot(I * W) / energy, 0.7) << tumble.name;
  }
}

TEST(RotationFlow, ImpossibleInertiasAreNamed) {
  EXPECT_THAT(
      [] {
        RotationFlow({1.0, -0.5, 1.0});
      },
      ThrowsMessage<std::invalid_argument>(
          "inertia must be finite and not negative, found (1, -0.5, "
          "1)"));
  EXPECT_THAT(
      [] {
        RotationFlow({1.0, 1.0, 2.5});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("2.5")));
}

}  // namespace
}  // namespace limber::dynamics
