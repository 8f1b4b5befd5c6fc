// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace limber::mocap {

/// A function of one coordinate, as the joints of OpenSim's models have them.
/// Either a polynomial or cubic pieces:
///
///     y = scale Σ_k a_k x^(n-k)                       a from the highest power
///     y = scale (y_i + d (b_i + d (c_i + d e_i)))     d = x - x_i
///
/// Beyond the first and the last knot it goes on straight.
struct OsimFunction {
  struct Piece {
    double x = 0.0;
    double y = 0.0;
    double b = 0.0;  ///< Slope at x.
    double c = 0.0;
    double e = 0.0;
  };

  std::vector<double> powers = {0.0};  ///< a_k; looked at without pieces.
  std::vector<Piece> pieces;           ///< The last one begins at the last x.
  double scale = 1.0;

  double Value(double x) const;
  double Slope(double x) const;

  static OsimFunction Constant(double y);
  static OsimFunction Linear(double slope, double y0);
  /// The spline of OpenSim (SimmSpline, formerly NaturalCubicSpline): twice
  /// differentiable, with the third derivative at each end that of the cubic
  /// through the four points there [Forsythe 1977]. Nothing unless there are
  /// as many x as y, two or more, and x rises from knot to knot.
  static std::optional<OsimFunction> Spline(std::span<const double> x,
                                            std::span<const double> y);
  /// Straight lines from point to point; the same conditions.
  static std::optional<OsimFunction> Lines(std::span<const double> x,
                                           std::span<const double> y);

 private:
  const Piece& PieceAt(double x) const;
};

}  // namespace limber::mocap
