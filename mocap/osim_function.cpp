// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/osim_function.h"

#include <algorithm>
#include <cmath>

namespace limber::mocap {

namespace {

bool IsRising(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size() || x.size() < 2) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return false;
    if (i > 0 && !(x[i] > x[i - 1])) return false;
  }
  return true;
}

/// The unknowns s of the spline, with h the steps of x and m the slopes of the
/// chords:
///
///     h_{i-1} s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_i s_{i+1} = m_i - m_{i-1}
///     (s_1 - s_0) / h_0 = third divided difference of the first four points
///
/// and likewise at the end. Solved by elimination without exchange of rows.
std::vector<double> SplineUnknowns(std::span<const double> h,
                                   std::span<const double> m) {
  const std::size_t n = h.size() + 1;
  std::vector<double> diagonal(n);
  std::vector<double> s(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    s[i] = m[i] - m[i - 1];
  }
  diagonal[0] = -h[0];
  diagonal[n - 1] = -h[n - 2];
  if (n > 3) {
    const auto third = [&](std::size_t i) {
      return ((m[i + 2] - m[i + 1]) / (h[i + 1] + h[i + 2]) -
              (m[i + 1] - m[i]) / (h[i] + h[i + 1])) /
             (h[i] + h[i + 1] + h[i + 2]);
    };
    s[0] = h[0] * h[0] * third(0);
    s[n - 1] = -h[n - 2] * h[n - 2] * third(n - 4);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double t = h[i - 1] / diagonal[i - 1];
    diagonal[i] -= t * h[i - 1];
    s[i] -= t * s[i - 1];
  }
  s[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    s[i] = (s[i] - h[i] * s[i + 1]) / diagonal[i];
  }
  return s;
}

}  // namespace

const OsimFunction::Piece& OsimFunction::PieceAt(double x) const {
  const auto after = std::ranges::upper_bound(pieces, x, {}, &Piece::x);
  return after == pieces.begin() ? pieces.front() : *(after - 1);
}

double OsimFunction::Value(double x) const {
  double y = 0.0;
  if (pieces.empty()) {
    for (const double a : powers) y = y * x + a;
    return scale * y;
  }
  const Piece& piece = PieceAt(x);
  const double d = x - piece.x;
  if (d < 0) return scale * (piece.y + d * piece.b);
  return scale * (piece.y + d * (piece.b + d * (piece.c + d * piece.e)));
}

double OsimFunction::Slope(double x) const {
  if (pieces.empty()) {
    double slope = 0.0;
    double y = 0.0;
    for (const double a : powers) {
      slope = slope * x + y;
      y = y * x + a;
    }
    return scale * slope;
  }
  const Piece& piece = PieceAt(x);
  const double d = x - piece.x;
  if (d < 0) return scale * piece.b;
  return scale * (piece.b + d * (2 * piece.c + d * 3 * piece.e));
}

OsimFunction OsimFunction::Constant(double y) {
  OsimFunction function;
  function.powers = {y};
  return function;
}

OsimFunction OsimFunction::Linear(double slope, double y0) {
  OsimFunction function;
  function.powers = {slope, y0};
  return function;
}

std::optional<OsimFunction> OsimFunction::Spline(std::span<const double> x,
                                                 std::span<const double> y) {
  if (x.size() < 3) return Lines(x, y);
  if (!IsRising(x, y)) return std::nullopt;
  const std::size_t n = x.size();
  std::vector<double> h;
  std::vector<double> m;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h.push_back(x[i + 1] - x[i]);
    m.push_back((y[i + 1] - y[i]) / h[i]);
  }
  const std::vector<double> s = SplineUnknowns(h, m);
  OsimFunction function;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    function.pieces.push_back({x[i], y[i], m[i] - h[i] * (s[i + 1] + 2 * s[i]),
                               3 * s[i], (s[i + 1] - s[i]) / h[i]});
  }
  const double last = m[n - 2] + h[n - 2] * (s[n - 2] + 2 * s[n - 1]);
  function.pieces.push_back({x[n - 1], y[n - 1], last, 0.0, 0.0});
  return function;
}

std::optional<OsimFunction> OsimFunction::Lines(std::span<const double> x,
                                                std::span<const double> y) {
  if (!IsRising(x, y)) return std::nullopt;
  OsimFunction function;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    function.pieces.push_back(
        {x[i], y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0.0, 0.0});
  }
  const double last = function.pieces.back().b;
  function.pieces.push_back({x.back(), y.back(), last, 0.0, 0.0});
  return function;
}

}  // namespace limber::mocap
