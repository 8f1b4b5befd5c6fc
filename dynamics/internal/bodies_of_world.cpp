// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

void Refresh(Data& data, int i) {
  Body& body = data.bodies[static_cast<std::size_t>(i)];
  BodyMotion& motion = data.motions[static_cast<std::size_t>(i)];
  const Quat q_WC = ToQuat(body.q_WC);
  Quat q_WB = q_WC;
  const Mat R_WC = ToMat(q_WC);
  Mat R_WB = R_WC;
  if (body.dynamic()) {
    // W = R diag(1/I) R^T = i0 1 + (i1 - i0) y y^T + (i2 - i0) z z^T
    const Sym W = AlongAxes(R_WC, body.flow.inverse_inertia());
    body.inverse_inertia_W << W.xx, W.xy, W.xz, W.xy, W.yy, W.yz, W.xz, W.yz,
        W.zz;
    body.step_inverse_inertia_W = body.inverse_inertia_W;
    body.w = ToEigen(W * ToVec(body.L));
  }
  if (body.turned) {
    q_WB = q_WC * Conjugate(ToQuat(body.q_BC));
    R_WB = ToMat(q_WB);
  }
  motion.q_WB = ToEigen(q_WB);
  motion.R_WB << R_WB.m[0], R_WB.m[1], R_WB.m[2], R_WB.m[3], R_WB.m[4],
      R_WB.m[5], R_WB.m[6], R_WB.m[7], R_WB.m[8];
  motion.p_WC = body.p_WC;
  motion.p_WB = ToEigen(ToVec(body.p_WC) - R_WB * ToVec(body.mass.p_BC));
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
