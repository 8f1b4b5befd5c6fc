// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// The five-link arm of [Hong et al.]: rows H-1 to H-4, H-13, H-18, H-19. The
// expected sums are those of the inventory, made by an independent program
// with the same set-up; the energies beside them tell what the sums hide.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenes/five_link_arm.h"

namespace limber::dynamics {
namespace {

using test::FiveLinkArm;

WorldSettings Euler() { return {.scheme = Scheme::kEuler}; }

WorldSettings Improved(bool projection) {
  WorldSettings settings;
  settings.scheme = Scheme::kImprovedImplicit;
  settings.velocity_projection = projection;
  return settings;
}

double FirstOrder(double h, double seconds, double end_mass = 1.0) {
  FiveLinkArm arm(Euler(), Stabilisation::Implicit(), 1.0, end_mass);
  return arm.AccumulatedError(h, seconds);
}

double ImprovedError(double h, double seconds, bool projection,
                     double end_mass = 1.0) {
  FiveLinkArm arm(Improved(projection), Stabilisation::Implicit(), 1.0,
                  end_mass);
  return arm.AccumulatedError(h, seconds);
}

double Baumgarte(double h, double alpha, double beta) {
  FiveLinkArm arm(Euler(), Stabilisation::Baumgarte(alpha, beta));
  return arm.AccumulatedError(h, 2.0);
}

// Within the digits the inventory prints.
void ExpectPrinted(double value, double printed, double unit) {
  EXPECT_NEAR(value, printed, 0.51 * unit);
}

// H-3, H-13, H-18, H-19
TEST(FiveLinkArm, FirstOrderImplicitGivesTheTable) {
  ExpectPrinted(FirstOrder(0.001, 1.0), 0.0096289, 1e-7);
  ExpectPrinted(FirstOrder(0.01, 1.0), 0.098223, 1e-6);
  ExpectPrinted(FirstOrder(0.01, 2.0), 0.26103, 1e-5);
  ExpectPrinted(FirstOrder(0.01, 5.0), 0.81165, 1e-5);
  ExpectPrinted(FirstOrder(0.01, 10.0), 2.8678, 1e-4);
  ExpectPrinted(FirstOrder(0.1, 1.0), 1.1670, 1e-4);
  ExpectPrinted(FirstOrder(0.1, 2.0), 2.8943, 1e-4);
  ExpectPrinted(FirstOrder(0.1, 10.0), 14.875, 1e-3);
  ExpectPrinted(FirstOrder(0.01, 1.0, 50.0), 0.046681, 1e-6);
}

// H-4: half the error while the motion is smooth; worse at coarse steps.
TEST(FiveLinkArm, ImprovedImplicitGivesTheTable) {
  ExpectPrinted(ImprovedError(0.001, 1.0, false), 0.0048145, 1e-7);
  ExpectPrinted(ImprovedError(0.01, 1.0, false), 0.049118, 1e-6);
  ExpectPrinted(ImprovedError(0.01, 2.0, false), 0.13047, 1e-5);
  ExpectPrinted(ImprovedError(0.01, 5.0, false), 0.42537, 1e-5);
  ExpectPrinted(ImprovedError(0.1, 1.0, false), 0.65268, 1e-5);
  ExpectPrinted(ImprovedError(0.1, 2.0, false), 5.4480, 1e-4);
  ExpectPrinted(ImprovedError(0.01, 1.0, false, 50.0), 0.023409, 1e-6);
}

// H-4, H-18: ten seconds. At h = .01 the sum is 2.21805, one unit off in the
// last digit of the table. At h = .1 the scheme has made so much energy that
// the motion is chaotic: a mass that differs by 1e-12 moves the sum by more
// than the table's last digits, so that it is held to its first three.
TEST(FiveLinkArm, ImprovedImplicitGivesTheTableOfTenSeconds) {
  EXPECT_NEAR(ImprovedError(0.01, 10.0, false), 2.2181, 1e-4);
  const double sum = ImprovedError(0.1, 10.0, false);
  EXPECT_NEAR(sum, 73.618, 0.1);
  const double other = ImprovedError(0.1, 10.0, false, 1.0 + 1e-12);
  EXPECT_GT(std::abs(other - sum), 1e-3);
}

// H-4: the projection leaves the errors and takes the energy out of the
// constraint-normal velocity.
TEST(FiveLinkArm, VelocityProjectionCuresTheEnergyOfTheImprovedScheme) {
  FiveLinkArm printed(Improved(false), Stabilisation::Implicit());
  FiveLinkArm projected(Improved(true), Stabilisation::Implicit());
  FiveLinkArm first(Euler(), Stabilisation::Implicit());
  const double E0 = printed.Energy();
  const double error = printed.AccumulatedError(0.01, 2.0);
  EXPECT_NEAR(projected.AccumulatedError(0.01, 2.0), error, 1e-3 * error);
  printed.AccumulatedError(0.01, 8.0);
  projected.AccumulatedError(0.01, 8.0);
  first.AccumulatedError(0.01, 10.0);
  EXPECT_NEAR(printed.Energy() - E0, 5511.0, 600.0);
  EXPECT_NEAR(projected.Energy() - E0, -0.054, 0.02);
  EXPECT_NEAR(first.Energy() - E0, -9.6, 0.1);
}

// H-2: explicit Baumgarte, whose gains decide everything.
TEST(FiveLinkArm, BaumgarteGivesTheTable) {
  ExpectPrinted(Baumgarte(0.01, 0.0, 0.0), 22.69, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 1.0, 1.0), 8.69, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 5.0, 5.0), 9.52, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 10.0, 10.0), 5.25, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 20.0, 20.0), 2.66, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 50.0, 50.0), 1.05, 1e-2);
  ExpectPrinted(Baumgarte(0.01, 70.0, 70.0), 0.747, 1e-3);
  ExpectPrinted(Baumgarte(0.01, 50.0, 100.0), 0.2609, 1e-4);
  EXPECT_FALSE(Baumgarte(0.01, 100.0, 100.0) < 100.0) << "should blow up";
  ExpectPrinted(Baumgarte(0.1, 0.5, 0.5), 7.53, 1e-2);
  ExpectPrinted(Baumgarte(0.1, 1.0, 1.0), 9.62, 1e-2);
  ExpectPrinted(Baumgarte(0.1, 5.0, 5.0), 2841.0, 1.0);
  EXPECT_FALSE(Baumgarte(0.1, 20.0, 20.0) < 1e6) << "should blow up";
}

// Finding 1 of the inventory: with gravity alone, uniform mass cannot matter.
TEST(FiveLinkArm, UniformMassDoesNotMatter) {
  FiveLinkArm light(Euler(), Stabilisation::Implicit(), 1.0, 1.0);
  FiveLinkArm heavy(Euler(), Stabilisation::Implicit(), 50.0, 50.0);
  const double a = light.AccumulatedError(0.01, 2.0);
  EXPECT_NEAR(heavy.AccumulatedError(0.01, 2.0), a, 1e-9 * a);
}

// H-1: the multiplier of a hanging chain is the tension, the weight below.
TEST(FiveLinkArm, MultiplierOfAHangingChainIsItsTension) {
  World world(Euler());
  std::vector<test::SquaredDistance*> links;
  BodyId last = kGround;
  for (int i = 1; i <= 5; ++i) {
    BodySpec node;
    node.point_mass = true;
    node.X_WB.p = Vector3(0, -i, 0);
    const BodyId body = world.AddBody(node);
    links.push_back(&world.Add(
        test::SquaredDistance(last, body, 1.0, Stabilisation::Implicit())));
    last = body;
  }
  const double h = 0.01;
  for (int i = 0; i < 5; ++i) world.Step(h);
  for (int i = 0; i < 5; ++i) {
    // The row is d^2: its force along the link is |2 d| lambda.
    const double tension =
        -2.0 * links[static_cast<std::size_t>(i)]->impulses()[0] / h;
    EXPECT_NEAR(tension, (5 - i) * kGravity, 1e-8) << i;
  }
}

}  // namespace
}  // namespace limber::dynamics
