// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

void Refresh(Data& data, int i) {
  Body& body = data.bodies[static_cast<std::size_t>(i)];
  BodyMotion& motion = data.motions[static_cast<std::size_t>(i)];
  const Matrix3 R_WC = body.q_WC.toRotationMatrix();
  if (body.dynamic()) {
    // W = R diag(1/I) R^T
    body.inverse_inertia_W =
        R_WC * body.flow.inverse_inertia().asDiagonal() * R_WC.transpose();
    body.step_inverse_inertia_W = body.inverse_inertia_W;
    body.w = body.inverse_inertia_W * body.L;
  }
  motion.q_WB = body.q_WC * body.q_BC.conjugate();
  motion.R_WB = motion.q_WB.toRotationMatrix();
  motion.p_WC = body.p_WC;
  motion.p_WB = body.p_WC - motion.R_WB * body.mass.p_BC;
  motion.v_WC = body.v;
  motion.w_WB = body.w;
}

void RefreshAll(Data& data) {
  for (int i = 0; i < static_cast<int>(data.bodies.size()); ++i) {
    Refresh(data, i);
  }
}

void CollectForces(Data& data, double h) {
  for (Body& body : data.bodies) {
    body.force.setZero();
    body.torque.setZero();
  }
  data.collected.Clear();
  for (const auto& force : data.forces) {
    if (force->enabled()) {
      force->AddForces(data.motions, data.time, h, data.collected);
    }
  }
  for (const ForceBuffer* buffer : {&data.applied, &data.collected}) {
    for (const ForceBuffer::PointForce& force : buffer->forces()) {
      const std::size_t b = static_cast<std::size_t>(force.body.value);
      const Vector3 arm =
          data.motions[b].Point(force.p_BA) - data.motions[b].p_WC;
      data.bodies[b].force += force.f_W;
      data.bodies[b].torque += arm.cross(force.f_W);
    }
    for (const ForceBuffer::Torque& torque : buffer->torques()) {
      data.bodies[static_cast<std::size_t>(torque.body.value)].torque +=
          torque.t_W;
    }
  }
}

void Drift(Data& data, double h) {
  for (Body& body : data.bodies) {
    if (body.removed || body.kind == BodyKind::kFixed) continue;
    body.p_WC += h * body.v;
    body.q_WC = body.dynamic()
                    ? body.flow.Advance(body.q_WC, body.L, h)
                    : (ExpRotation(h * body.w) * body.q_WC).normalized();
  }
}

}  // namespace limber::dynamics::internal
