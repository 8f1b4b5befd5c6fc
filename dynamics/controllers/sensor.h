// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dynamics/constraints/body_point.h"
#include "dynamics/constraints/turn_angle.h"
#include "dynamics/joint.h"

namespace limber::dynamics {

/// Reads one number off the bodies. A new kind is one subclass; for a vector
/// take several. A controller senses once per step.
class Sensor {
 public:
  virtual ~Sensor() = default;
  virtual double Sense(BodyMotions bodies) = 0;

  /// As those of `Force`.
  virtual void SaveMemory(std::vector<double>& /*memory*/) const {}
  virtual std::span<const double> RestoreMemory(
      std::span<const double> memory) {
    return memory;
  }
};

/// Distance between two points [m].
class DistanceSensor : public Sensor {
 public:
  DistanceSensor(const BodyPoint& a, const BodyPoint& b) : a_(a), b_(b) {}
  double Sense(BodyMotions bodies) override;

 private:
  BodyPoint a_;
  BodyPoint b_;
};

/// Place of a point along an axis fixed in a frame's body: axis . (x - origin),
/// x the point seen from there [m]. With the ground as frame, a coordinate of
/// the world.
class PositionSensor : public Sensor {
 public:
  /// @throws std::invalid_argument if the axis is zero.
  PositionSensor(const BodyPoint& point, const BodyPoint& origin,
                 const Vector3& axis_B);
  double Sense(BodyMotions bodies) override;

 private:
  BodyPoint point_;
  BodyPoint origin_;
  Vector3 axis_;
};

/// Rate of what PositionSensor reads [m/s].
class VelocitySensor : public Sensor {
 public:
  /// @throws std::invalid_argument if the axis is zero.
  VelocitySensor(const BodyPoint& point, BodyId frame, const Vector3& axis_B);
  double Sense(BodyMotions bodies) override;

 private:
  BodyPoint point_;
  BodyId frame_;
  Vector3 axis_;
};

/// A turning angle past full turns [rad].
class AngleSensor : public Sensor {
 public:
  explicit AngleSensor(const TurnAngle& angle) : angle_(angle) {}
  double Sense(BodyMotions bodies) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  TurnAngle angle_;
};

/// Rate of a turning angle [rad/s].
class AngularSpeedSensor : public Sensor {
 public:
  explicit AngularSpeedSensor(const TurnAngle& angle) : angle_(angle) {}
  double Sense(BodyMotions bodies) override;

 private:
  TurnAngle angle_;
};

/// Coordinate of free direction `k` of a joint, which must outlive the sensor
/// [m or rad].
class JointPositionSensor : public Sensor {
 public:
  JointPositionSensor(const Joint& joint, int k) : joint_(&joint), k_(k) {}
  double Sense(BodyMotions bodies) override;

 private:
  const Joint* joint_;
  int k_;
};

/// Its rate [m/s or rad/s].
class JointSpeedSensor : public Sensor {
 public:
  JointSpeedSensor(const Joint& joint, int k) : joint_(&joint), k_(k) {}
  double Sense(BodyMotions bodies) override;

 private:
  const Joint* joint_;
  int k_;
};

}  // namespace limber::dynamics
