// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/controllers/sensor.h"

#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

double DistanceSensor::Sense(BodyMotions bodies) {
  return (MotionOfPoint(bodies, b_).position -
          MotionOfPoint(bodies, a_).position)
      .norm();
}

PositionSensor::PositionSensor(const BodyPoint& point, const BodyPoint& origin,
                               const Vector3& axis_B)
    : point_(point),
      origin_(origin),
      axis_(UnitOrThrow(axis_B, "PositionSensor: axis_B")) {}

double PositionSensor::Sense(BodyMotions bodies) {
  return axis_.dot(SeeFrom(bodies, origin_.body, point_).x - origin_.p_BA);
}

VelocitySensor::VelocitySensor(const BodyPoint& point, BodyId frame,
                               const Vector3& axis_B)
    : point_(point),
      frame_(frame),
      axis_(UnitOrThrow(axis_B, "VelocitySensor: axis_B")) {}

double VelocitySensor::Sense(BodyMotions bodies) {
  return axis_.dot(SeeFrom(bodies, frame_, point_).rate);
}

double AngleSensor::Sense(BodyMotions bodies) {
  angle_.Follow(bodies);
  return angle_.last();
}

void AngleSensor::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(angle_.last());
}

std::span<const double> AngleSensor::RestoreMemory(
    std::span<const double> memory) {
  angle_.set_last(memory[0]);
  return memory.subspan(1);
}

double AngularSpeedSensor::Sense(BodyMotions bodies) {
  return angle_.Evaluate(bodies).rate;
}

double JointPositionSensor::Sense(BodyMotions bodies) {
  return joint_->Position(bodies, k_);
}

double JointSpeedSensor::Sense(BodyMotions bodies) {
  return joint_->Speed(bodies, k_);
}

}  // namespace limber::dynamics
