// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace limber {

/// A twice continuously differentiable function of time: quintic polynomials
/// between knots that state value, slope and curvature.
class Curve {
 public:
  struct Knot {
    double time = 0.0;
    double value = 0.0;
    double slope = 0.0;
    double curvature = 0.0;
  };

  /// Constant.
  explicit Curve(double value = 0.0) : knots_{{0.0, value}} {}
  /// At least one knot, times ascending. Constant before and after.
  explicit Curve(std::vector<Knot> knots) : knots_(std::move(knots)) {}

  double operator()(double time) const;

 private:
  std::vector<Knot> knots_;
};

/// 0 before 0, 1 after 1, in between smooth to the second derivative.
double Smooth(double share);
/// 0 outside [0, 1], 1 in the middle, smooth to the second derivative.
double Bump(double share);

/// A cubic spline with period 1 through (x[i], y[i]), x ascending in [0, 1);
/// smooth to the second derivative.
class PeriodicSpline {
 public:
  PeriodicSpline(std::vector<double> x, std::vector<double> y);
  double operator()(double phase) const;

 private:
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> curvature_;
};

}  // namespace limber
