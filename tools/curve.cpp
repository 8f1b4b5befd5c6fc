// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tools/curve.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace limber {

double Curve::operator()(double time) const {
  if (time <= knots_.front().time) return knots_.front().value;
  if (time >= knots_.back().time) return knots_.back().value;
  std::size_t i = 0;
  while (knots_[i + 1].time < time) ++i;
  const Knot& a = knots_[i];
  const Knot& b = knots_[i + 1];
  const double h = b.time - a.time;
  const double s = (time - a.time) / h;
  // Quintic Hermite: y = Σ c_k s^k with both ends' value, slope, curvature.
  const double c0 = a.value;
  const double c1 = a.slope * h;
  const double c2 = 0.5 * a.curvature * h * h;
  const double dy = b.value - c0 - c1 - c2;
  const double dv = b.slope * h - c1 - 2.0 * c2;
  const double da = b.curvature * h * h - 2.0 * c2;
  const double c3 = 10.0 * dy - 4.0 * dv + 0.5 * da;
  const double c4 = -15.0 * dy + 7.0 * dv - da;
  const double c5 = 6.0 * dy - 3.0 * dv + 0.5 * da;
  return c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
}

double Smooth(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  return s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
}

double Bump(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  const double product = 4.0 * s * (1.0 - s);
  return product * product * product;
}

PeriodicSpline::PeriodicSpline(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)) {
  // Slopes agree at every knot: with h the widths and m the curvatures,
  //   h₋ m₋ + 2 (h₋ + h) m + h m₊ = 6 ((y₊ - y)/h - (y - y₋)/h₋).
  const Eigen::Index n = static_cast<Eigen::Index>(x_.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b(n);
  const auto width = [&](Eigen::Index i) {
    const std::size_t k = static_cast<std::size_t>((i + n) % n);
    return k + 1 < x_.size() ? x_[k + 1] - x_[k] : x_[0] + 1.0 - x_[k];
  };
  const auto value = [&](Eigen::Index i) {
    return y_[static_cast<std::size_t>((i + n) % n)];
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    const double before = width(i - 1);
    const double after = width(i);
    A(i, (i + n - 1) % n) += before;
    A(i, i) += 2.0 * (before + after);
    A(i, (i + 1) % n) += after;
    b(i) = 6.0 * ((value(i + 1) - value(i)) / after -
                  (value(i) - value(i - 1)) / before);
  }
  const Eigen::VectorXd m = A.partialPivLu().solve(b);
  curvature_.assign(m.data(), m.data() + n);
}

double PeriodicSpline::operator()(double phase) const {
  double p = phase - std::floor(phase);
  if (p < x_[0]) p += 1.0;
  std::size_t i = x_.size() - 1;
  while (x_[i] > p) --i;
  const std::size_t next = (i + 1) % x_.size();
  const double h = (next == 0 ? x_[0] + 1.0 : x_[next]) - x_[i];
  const double t = p - x_[i];
  const double u = h - t;
  return (curvature_[i] * u * u * u + curvature_[next] * t * t * t) /
             (6.0 * h) +
         (y_[i] / h - curvature_[i] * h / 6.0) * u +
         (y_[next] / h - curvature_[next] * h / 6.0) * t;
}

}  // namespace limber
