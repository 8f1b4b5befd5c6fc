// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// Point B of one body stays on point A of another; three rows along
///
///     kOfA     the axes of A's body,  C = R_WA^T (p_WB - p_WA)
///     kWorld   the world's axes,      C = p_WB - p_WA
///
/// The force f acts on B, -f on A's body. Seen from A both act at one place, B,
/// so that the pair changes no angular momentum while the points are apart. In
/// world axes each acts at its own point: a pair with a moment, which however
/// brings parts together from afar without whirling them about.
class PointToPoint : public Link {
 public:
  enum class Axes { kOfA, kWorld };
  /// If one body is the ground, the axes are the world's.
  /// @throws std::invalid_argument if both points are on one body.
  PointToPoint(const BodyPoint& a, const BodyPoint& b, Axes axes = Axes::kOfA);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyPoint a_;
  BodyPoint b_;
  Axes axes_;
};

/// Point A of a body stays on the nail N, a point of the world that may be put
/// elsewhere between steps: C = p_WA - p_WN.
class PointNail : public Link {
 public:
  PointNail(const BodyPoint& point, const Vector3& p_WN);
  const Vector3& p_WN() const { return p_WN_; }
  void set_p_WN(const Vector3& p_WN) { p_WN_ = p_WN; }
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  bool GetPointForm(double time, PointForm& form) const override;

 private:
  BodyPoint point_;
  Vector3 p_WN_;
};

/// Point A of a body follows a path X(t) of the world [Barzel & Barr 1988,
/// C.1]: C = p_WA - X(t), rate_bias -X', and -X'' in the acceleration.
class PointOnPath : public Link {
 public:
  /// Position [m], velocity and acceleration at one time.
  struct Sample {
    Vector3 position = Vector3::Zero();
    Vector3 velocity = Vector3::Zero();
    Vector3 acceleration = Vector3::Zero();
  };
  /// Must be the derivatives of one another and must not allocate.
  using Path = std::function<Sample(double time)>;

  /// @throws std::invalid_argument if `path` is empty.
  PointOnPath(const BodyPoint& point, Path path);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  bool GetPointForm(double time, PointForm& form) const override;

 private:
  BodyPoint point_;
  Path path_;
};

/// Points A and B keep equal velocities and so their offset, up to a drift that
/// nothing corrects: three rows C' = v_B - v_A with C left at 0. The world's
/// axes are held: the forces have a moment if the points are apart.
class VelocityMatch : public Link {
 public:
  /// @throws std::invalid_argument if both points are on one body.
  VelocityMatch(const BodyPoint& a, const BodyPoint& b);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  BodyPoint a_;
  BodyPoint b_;
};

}  // namespace limber::dynamics
