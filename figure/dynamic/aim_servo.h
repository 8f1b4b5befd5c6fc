// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/dynamic/raw_controller.h"

namespace limber::figure {

/// Angle tracking with one axis of the segment turned towards a direction of
/// the world: the wanted pose is turned the shortest way, by at most
/// `max_turn`, so that `axis_B` points along it. The rest of the pose stays the
/// task's, and the joint's own motors do the work, within their bounds. For
/// segments with a ball joint to their parent.
class AimServo : public AngleServo {
 public:
  Vector3 axis_B = Vector3::UnitZ();  ///< Unit, in the segment.
  double max_turn = kPi / 3.0;        ///< [rad]
  double share = 1.0;                 ///< 0 ignores the aim, 1 follows it.

  std::optional<Transform> Program(const ArticulatedFigure& figure,
                                   const dynamics::World& world, int s,
                                   const Situation& situation,
                                   const Demand& demand, double h) override;

 protected:
  /// The direction wanted at `time` for a segment at `p_WB`; any length, zero
  /// for none.
  virtual Vector3 Direction(const Vector3& p_WB, double time) const = 0;

 private:
  Demand turned_;
};

/// Turns the segment (usually the head) towards a point of the world.
class LookAt : public AimServo {
 public:
  Vector3 p_WT = Vector3::Zero();  ///< May be changed between steps [m].

 protected:
  Vector3 Direction(const Vector3& p_WB, double) const override {
    return p_WT - p_WB;
  }
};

/// Keeps an axis of the segment upright.
class HoldUpright : public AimServo {
 public:
  HoldUpright() { axis_B = Vector3::UnitY(); }

 protected:
  Vector3 Direction(const Vector3&, double) const override {
    return Vector3::UnitY();
  }
};

}  // namespace limber::figure
