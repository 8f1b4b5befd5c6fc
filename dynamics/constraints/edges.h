// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// A straight edge between two points, usually of point masses. `first` and
/// `second` may be on one body, but not both on the ground.
struct Edge {
  BodyPoint first;
  BodyPoint second;
};

/// The angle between two edges is kept. With their unit vectors a and b,
/// cos = a . b; one row
///
///     C = arccos(a . b) - angle
///
/// for angles away from 0 and pi, where it has no gradient (EdgesParallel).
class EdgeAngle : public Link {
 public:
  /// @throws std::invalid_argument unless 0 < angle < pi [rad].
  EdgeAngle(const Edge& a, const Edge& b, double angle);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;

 private:
  Edge a_;
  Edge b_;
  double angle_;
};

/// Two edges are kept parallel (or antiparallel, whichever is nearer); two rows
///
///     C = (u . (a x b), v . (a x b))
///
/// with u, v fixed for the step in the body of b's first point, at right angles
/// to b at its start.
class EdgesParallel : public Link {
 public:
  /// @param bodies  as they stand now, for u and v.
  EdgesParallel(const Edge& a, const Edge& b, BodyMotions bodies);
  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  void AfterStep(BodyMotions bodies, double time) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  Edge a_;
  Edge b_;
  Vector3 u_ = Vector3::Zero();
  Vector3 v_ = Vector3::Zero();
};

}  // namespace limber::dynamics
