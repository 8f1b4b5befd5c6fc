// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/expression_constraint.h"
#include "tests/dynamics/constraint_checker.h"
#include "tests/dynamics/small_worlds.h"

namespace limber::dynamics {
namespace {

// D-31: exactly, as a formula and not as a number.
TEST(Expression, D31_DerivativeOfSineIsCosine) {
  Expressions store;
  const Expression x = store.Variable("x");
  const Expression y = store.Variable("y");
  EXPECT_EQ(store.Derivative(Sin(x), x), Cos(x));
  EXPECT_EQ(store.Derivative(Sin(x), y), store.Number(0.0));
  EXPECT_EQ(store.Derivative(x * y, x), y);
  EXPECT_EQ(store.Parse("1*x + 0*y"), x);
  EXPECT_EQ(store.Parse("y + x"), store.Parse("x+y"));
  EXPECT_EQ(store.TimeDerivative(Sin(x)), Cos(x) * store.RateOf(x));
}

// D-31: every operation against differences.
TEST(Expression, D31_DerivativesEqualDifferences) {
  Expressions store;
  const Expression x = store.Variable("x");
  for (const char* text :
       {"x^3 - 2*x", "sin(x)*cos(x)", "tan(x)/x", "exp(-x^2)", "log(x)",
        "sqrt(1 + x*x)", "atan(2*x)", "(x - 1)/(x + 1)", "x^-2", "-x^2"}) {
    const Expression f = store.Parse(text);
    const Expression d = store.Derivative(f, x);
    for (const double at : {0.3, 0.7, 1.2}) {
      const double h = 1e-5;
      const std::array<double, 1> before = {at - h};
      const std::array<double, 1> now = {at};
      const std::array<double, 1> after = {at + h};
      const double slope =
          (store.Evaluate(f, after) - store.Evaluate(f, before)) / (2.0 * h);
      EXPECT_NEAR(store.Evaluate(d, now), slope, 1e-8 * (1.0 + std::abs(slope)))
          << text;
    }
  }
}

TEST(Expression, BadTextIsRefusedWithItsColumn) {
  Expressions store;
  const auto message = [&](const char* text) -> std::string {
    try {
      store.Parse(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("2*(x + 1"),
            "Parse: column 9: expected a closing bracket, found the end");
  EXPECT_EQ(message("x + * y"),
            "Parse: column 5: expected a number, a name or a bracket, found "
            "'*'");
  EXPECT_EQ(message("x y"),
            "Parse: column 3: expected an operator or the end, found 'y'");
  EXPECT_EQ(message("x^y"), "Parse: column 3: expected a number, found 'y'");
  EXPECT_EQ(message("sine(x)"), "Expressions: no function 'sine'");
}

// The box on the bar of the gyroscope of Dumont et al.: 4 kg at
// rho = 1 - (2 + l3) sin a1, y = 0.5 + (l3 + 2) cos a1, which turns with a0;
// +y is down; a spring of 100 N/m.
struct Gyroscope {
  Expressions store;
  std::vector<Expression> equations;  ///< Of a0, a1, l3.

  Gyroscope() {
    const Expression rho = store.Parse("1 - (2 + l3)*sin(a1)");
    const Expression y = store.Parse("0.5 + (l3 + 2)*cos(a1)");
    const Expression a0 = store.Variable("a0");
    const auto square = [this](Expression e) { return store.Power(e, 2.0); };
    const Expression T =
        store.Number(2.0) *
        (square(store.TimeDerivative(rho)) + square(store.TimeDerivative(y)) +
         square(rho * store.RateOf(a0)));
    const Expression work =
        store.Number(4.0 * 9.81) * y - store.Parse("50*l3^2");
    // Lagrange:  dW/dq + dT/dq - d/dt dT/dq' = 0
    for (const char* name : {"a0", "a1", "l3"}) {
      const Expression q = store.Variable(name);
      equations.push_back(
          store.Derivative(work, q) + store.Derivative(T, q) -
          store.TimeDerivative(store.Derivative(T, store.RateOf(q))));
    }
  }
};

// D-31: the printed l3 equation comes out of the energies (without the stray 3
// of its first term).
TEST(Expression, D31_GyroscopeEquationOfL3IsThePrintedOne) {
  Gyroscope gyroscope;
  Expressions& store = gyroscope.store;
  const Expression printed = store.Parse(
      "-4*cos(a1)^2*l3*a0'^2 + 39.24*cos(a1) - 100*l3 - 4*l3'' + 8*a1'^2 + "
      "8*a0'^2 + 4*l3*a1'^2 - 8*cos(a1)^2*a0'^2 - 4*sin(a1)*a0'^2 + "
      "4*l3*a0'^2#");
  std::mt19937 random(31);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  std::vector<double> values(store.variables().size());
  for (int i = 0; i < 100; ++i) {
    for (double& value : values) value = uniform(random);
    EXPECT_NEAR(store.Evaluate(gyroscope.equations[2], values),
                store.Evaluate(printed, values), 1e-11);
  }
}

// D-33: shared parts are kept once.
TEST(Expression, D33_SharingSavesNodesOnTheGyroscope) {
  Gyroscope gyroscope;
  const double shared = gyroscope.store.CountNodes(gyroscope.equations);
  const double unshared = gyroscope.store.CountUnshared(gyroscope.equations);
  EXPECT_GE(unshared / shared, 2.5);
  RecordProperty("ratio", std::to_string(unshared / shared));
}

// D-21: typed equations are rows with exact Jacobians.
TEST(ExpressionConstraint, D21_RowsMatchDifferences) {
  std::mt19937 random(21);
  for (int i = 0; i < 20; ++i) {
    const std::vector<BodyMotion> bodies = test::RandomMotions(2, random);
    ExpressionConstraint constraint(
        {"valid*(x - x0)#", "sin(x)*y + t^2*x*z - z^3"},
        {{"x", {BodyId{1}, Vector3(0.1, 0.2, 0.3)}, Vector3::UnitX()},
         {"y", {BodyId{2}, Vector3(-0.1, 0.3, 0.0)}, Vector3::UnitY()},
         {"z", {BodyId{1}, Vector3(0.4, 0.0, 0.0)}, Vector3(0.0, 0.6, 0.8)}});
    constraint.set_value("valid", 1.5);
    constraint.set_value("x0", 0.25);
    EXPECT_TRUE(test::CheckConstraint(constraint, bodies, 0.7));
  }
}

// D-21: and hold a world as the class of the same meaning does.
TEST(ExpressionConstraint, D21_TypedRodMovesAsTheRod) {
  const auto run = [](bool typed) {
    World world = test::PreciseWorld();
    const BodyId body = test::AddBody(
        world, MassOfBox(Vector3(0.2, 0.3, 0.4), Material::WithMass(2.0)),
        {Quaternion::Identity(), Vector3(0.6, -0.8, 0.0)});
    if (typed) {
      ExpressionConstraint& rod =
          world.Add(ExpressionConstraint({"sqrt(x^2 + y^2 + z^2) - length#"},
                                         {{"x", {body}, Vector3::UnitX()},
                                          {"y", {body}, Vector3::UnitY()},
                                          {"z", {body}, Vector3::UnitZ()}}));
      rod.set_value("length", 1.0);
    } else {
      world.Add(DistanceRod(WorldPoint(Vector3::Zero()), {body}, 1.0));
    }
    test::Advance(world, 0.01, 2.0);
    return world.motion(body).p_WC;
  };
  EXPECT_LT((run(true) - run(false)).norm(), 1e-12);
}

TEST(ExpressionConstraint, BadNamesAreRefused) {
  const BodyPoint point{BodyId{1}};
  EXPECT_THROW(ExpressionConstraint({}, {{"x", point}}), std::invalid_argument);
  EXPECT_THROW(ExpressionConstraint({"x#"}, {}), std::invalid_argument);
  EXPECT_THROW(ExpressionConstraint({"x#"}, {{"x", point}, {"x", point}}),
               std::invalid_argument);
  EXPECT_THROW(ExpressionConstraint({"x#"}, {{"t", point}}),
               std::invalid_argument);
  ExpressionConstraint good({"x - a#"}, {{"x", point}});
  EXPECT_THROW(good.set_value("b", 1.0), std::invalid_argument);
  EXPECT_THROW(good.set_value("x", 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics
