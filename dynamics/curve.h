// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/math.h"

namespace limber::dynamics {

/// Range of a curve or surface parameter. Periodic ranges repeat: every value
/// is inside, and min and max are the same point. Open ends are +-infinity.
struct ParameterRange {
  double min = 0.0;
  double max = 1.0;
  bool periodic = false;

  bool Contains(double s) const { return periodic || (min <= s && s <= max); }
  /// The nearest value in the range; a periodic value is brought into
  /// [min, max) by whole periods.
  double Bring(double s) const;
};

/// Position [m] and derivatives by the parameter s, in the curve's frame.
struct CurvePoint {
  Vector3 position = Vector3::Zero();
  Vector3 first = Vector3::Zero();   ///< dp/ds
  Vector3 second = Vector3::Zero();  ///< d2p/ds2
};

/// A curve fixed in a body or in the world. A new kind is one subclass.
class Curve {
 public:
  virtual ~Curve() = default;

  /// Defined for every finite s: beyond the domain the curve goes on smoothly
  /// (with the polynomial of the end segment), so that a step may overshoot.
  virtual CurvePoint Evaluate(double s) const = 0;

  virtual ParameterRange domain() const = 0;

  /// The s in the domain whose point is nearest to p (the smallest such s, if
  /// several). The version here samples a finite domain and refines the best
  /// sample; the kinds below override it with exact answers.
  /// @throws std::logic_error here, if the domain is not finite.
  virtual double ClosestParameter(const Vector3& p) const;

  /// The stationary point of the distance reached from s by safeguarded
  /// Newton steps inside the domain: for following a point that moves little.
  double ClosestParameterNear(const Vector3& p, double s) const;

  Vector3 Position(double s) const { return Evaluate(s).position; }
};

/// p(s) = origin + s direction, s from -inf to inf; direction is unit: s is
/// arc length [m].
class Line : public Curve {
 public:
  /// `direction` of any length but zero. @throws std::invalid_argument.
  Line(const Vector3& origin, const Vector3& direction);
  CurvePoint Evaluate(double s) const override;
  ParameterRange domain() const override;
  double ClosestParameter(const Vector3& p) const override;

 private:
  Vector3 origin_;
  Vector3 direction_;
};

/// From `start` (s = 0) to `end` (s = length); s is arc length [m].
class LineSegment : public Curve {
 public:
  /// @throws std::invalid_argument if the ends coincide.
  LineSegment(const Vector3& start, const Vector3& end);
  CurvePoint Evaluate(double s) const override;
  ParameterRange domain() const override;
  double ClosestParameter(const Vector3& p) const override;

 private:
  Vector3 start_;
  Vector3 direction_;
  double length_;
};

/// s is the angle [rad] about `normal` by the right-hand rule, from `start`;
/// periodic, 0 to 2 pi.
class Circle : public Curve {
 public:
  /// @param start  direction of s = 0 from the centre; its part along `normal`
  ///               is dropped.
  /// @throws std::invalid_argument unless radius > 0 and `start` is not along
  ///         `normal`.
  Circle(const Vector3& centre, const Vector3& normal, const Vector3& start,
         double radius);
  CurvePoint Evaluate(double s) const override;
  ParameterRange domain() const override;
  double ClosestParameter(const Vector3& p) const override;

 private:
  Vector3 centre_;
  Vector3 x_;  ///< Unit, towards s = 0.
  Vector3 y_;  ///< Unit, towards s = pi/2.
  double radius_;
};

/// Piecewise cubic with a unit of s per segment.
class CubicSpline : public Curve {
 public:
  /// Uniform cubic B-spline, C2, near its n control points. Open: n >= 4,
  /// n - 3 segments. Closed: n >= 3, n segments, periodic.
  /// @throws std::invalid_argument on too few or non-finite points.
  static CubicSpline BSpline(std::span<const Vector3> control_points,
                             bool closed = false);
  /// Catmull-Rom, C1, through its n points: s = i at point i. Open: n >= 2,
  /// n - 1 segments, the end tangents are those of mirrored neighbours.
  /// Closed: n >= 3, n segments, periodic.
  static CubicSpline CatmullRom(std::span<const Vector3> points,
                                bool closed = false);

  CurvePoint Evaluate(double s) const override;
  ParameterRange domain() const override;
  double ClosestParameter(const Vector3& p) const override;
  int num_segments() const { return static_cast<int>(segments_.size()); }

 private:
  /// p(t) = c[0] + c[1] t + c[2] t^2 + c[3] t^3, t in [0, 1].
  using Segment = std::array<Vector3, 4>;
  CubicSpline(std::vector<Segment> segments, bool closed);

  std::vector<Segment> segments_;
  bool closed_;
};

}  // namespace limber::dynamics
