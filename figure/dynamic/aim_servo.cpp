// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/aim_servo.h"

#include <algorithm>

namespace limber::figure {

std::optional<Transform> AimServo::Program(const ArticulatedFigure& figure,
                                           const dynamics::World& world, int s,
                                           const Situation& situation,
                                           const Demand& demand, double h) {
  const std::size_t i = static_cast<std::size_t>(s);
  const dynamics::BodyMotion& parent = world.motion(figure.joint(s).parent());
  const Vector3 direction =
      Direction(world.motion(figure.body(s)).p_WB, world.time() + h);
  turned_.before.resize(demand.before.size());
  turned_.now.resize(demand.now.size());
  turned_.after.resize(demand.after.size());
  turned_.strength = demand.strength;
  // Each instant with the parent as it then stands, so that the parent's own
  // motion is followed without delay.
  const auto turn = [&](const Transform& wanted, double later) -> Transform {
    const Quaternion R_WP = ExpRotation(later * parent.w_WB) * parent.q_WB;
    if (!(direction.norm() > 1e-9)) return wanted;
    const Quaternion R_WB = R_WP * wanted.R;
    const Vector3 arc =
        LogRotation(Quaternion::FromTwoVectors(R_WB * axis_B, direction));
    const double angle = arc.norm();
    const double most = angle > max_turn ? max_turn / angle : 1.0;
    const Quaternion R = ExpRotation(share * most * arc) * R_WB;
    return {(R_WP.conjugate() * R).normalized(), wanted.p};
  };
  turned_.before[i] = turn(demand.before[i], -h);
  turned_.now[i] = turn(demand.now[i], 0.0);
  turned_.after[i] = turn(demand.after[i], h);
  return AngleServo::Program(figure, world, s, situation, turned_, h);
}

}  // namespace limber::figure
