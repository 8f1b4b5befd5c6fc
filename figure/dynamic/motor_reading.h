// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joint.h"

namespace limber::figure {

/// What the motors of one joint did in a step of h seconds: mean torques, i.e.
/// impulse / h. Axes as the joint's; of a root x, y, z of the world.
struct MotorReading {
  Vector3 torque = Vector3::Zero();  ///< [N m]
  Vector3 force = Vector3::Zero();   ///< Roots only [N].
  int num_motors = 0;                ///< Driven axes with a finite bound.
  int num_saturated = 0;             ///< Of these, at their bound.
};
MotorReading ReadMotors(const dynamics::Joint& joint, double h);

}  // namespace limber::figure
