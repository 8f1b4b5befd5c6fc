// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/turn_angle.h"
#include "dynamics/force.h"
#include "dynamics/joint.h"

namespace limber::dynamics {

/// Turns one number into forces. A new kind is one subclass.
class Actuator {
 public:
  virtual ~Actuator() = default;

  /// Largest |value| that is passed on, zero or positive; +inf, the default, is
  /// without limit. (0 means no force at all, not "unlimited".)
  double limit() const { return limit_; }
  /// @throws std::invalid_argument if negative or NaN.
  void set_limit(double limit);

  /// Adds the forces for `value` [N or N m], brought within the limit.
  void Apply(double value, BodyMotions bodies, ForceBuffer& forces);
  /// What the last call passed on.
  double applied() const { return applied_; }

  /// As those of `Force`.
  void SaveMemory(std::vector<double>& memory) const {
    memory.push_back(applied_);
  }
  std::span<const double> RestoreMemory(std::span<const double> memory) {
    applied_ = memory[0];
    return memory.subspan(1);
  }

 private:
  virtual void AddForces(double value, BodyMotions bodies,
                         ForceBuffer& forces) = 0;

  double limit_ = kInfinity;
  double applied_ = 0.0;
};

/// Pushes two points apart along the line between them.
class LineActuator : public Actuator {
 public:
  /// @throws std::invalid_argument if both are on one body.
  LineActuator(const BodyPoint& a, const BodyPoint& b);

 private:
  void AddForces(double value, BodyMotions bodies,
                 ForceBuffer& forces) override;
  BodyPoint a_;
  BodyPoint b_;
};

/// Pushes a point along an axis fixed in the frame's body, which feels the
/// reaction at the same place.
class AxisForceActuator : public Actuator {
 public:
  /// @throws std::invalid_argument if the axis is zero or the point is on the
  ///         frame's body.
  AxisForceActuator(const BodyPoint& point, BodyId frame,
                    const Vector3& axis_B);

 private:
  void AddForces(double value, BodyMotions bodies,
                 ForceBuffer& forces) override;
  BodyPoint point_;
  BodyId frame_;
  Vector3 axis_;
};

/// Turns a body about the axis of a turning angle against its carrier.
class TorqueActuator : public Actuator {
 public:
  explicit TorqueActuator(const TurnAngle& angle) : angle_(angle) {}

 private:
  void AddForces(double value, BodyMotions bodies,
                 ForceBuffer& forces) override;
  TurnAngle angle_;
};

/// Acts along free direction `k` of a joint, which must outlive the actuator:
/// does the work value * q' and nothing else.
class JointActuator : public Actuator {
 public:
  JointActuator(const Joint& joint, int k) : joint_(&joint), k_(k) {}

 private:
  void AddForces(double value, BodyMotions bodies,
                 ForceBuffer& forces) override;
  const Joint* joint_;
  int k_;
};

}  // namespace limber::dynamics
