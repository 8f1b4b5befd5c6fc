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

void AdvanceRotations(Data& data, double h) {
  RotationLanes& store = data.lanes;
  const std::size_t n = data.bodies.size();
  if (store.numbers.size() < 11 * n) store.numbers.resize(11 * n);
  store.body.clear();
  double* lane[11];
  for (std::size_t k = 0; k < 11; ++k) lane[k] = store.numbers.data() + k * n;
  std::size_t i = 0;
  for (std::size_t b = 0; b < n; ++b) {
    const Body& body = data.bodies[b];
    if (!body.dynamic()) continue;
    lane[0][i] = body.q_WC.w();
    lane[1][i] = body.q_WC.x();
    lane[2][i] = body.q_WC.y();
    lane[3][i] = body.q_WC.z();
    lane[4][i] = body.L.x();
    lane[5][i] = body.L.y();
    lane[6][i] = body.L.z();
    lane[7][i] = body.flow.rate_a();
    lane[8][i] = body.flow.rate_b();
    lane[9][i] = body.flow.inverse_c();
    store.body.push_back(static_cast<int>(b));
    ++i;
  }
  RotationFlow::Lanes lanes;
  lanes.n = static_cast<int>(i);
  for (int k = 0; k < 4; ++k) lanes.q[k] = lane[k];
  for (int k = 0; k < 3; ++k) lanes.L[k] = lane[4 + k];
  lanes.rate_a = lane[7];
  lanes.rate_b = lane[8];
  lanes.inverse_c = lane[9];
  lanes.turn = lane[10];
  RotationFlow::Advance(lanes, h);
  for (std::size_t k = 0; k < i; ++k) {
    if (lane[10][k] < RotationFlow::kLargestLaneTurn) continue;
    const Body& body = data.bodies[static_cast<std::size_t>(store.body[k])];
    const Quaternion q = body.flow.Advance(body.q_WC, body.L, h);
    lane[0][k] = q.w();
    lane[1][k] = q.x();
    lane[2][k] = q.y();
    lane[3][k] = q.z();
  }
}

Quaternion RotationLanes::Rotation(std::size_t k,
                                   std::size_t num_bodies) const {
  return Quaternion(numbers[k], numbers[num_bodies + k],
                    numbers[2 * num_bodies + k], numbers[3 * num_bodies + k]);
}

void Drift(Data& data, double h) {
  AdvanceRotations(data, h);
  const std::size_t n = data.bodies.size();
  for (std::size_t k = 0; k < data.lanes.body.size(); ++k) {
    Body& body = data.bodies[static_cast<std::size_t>(data.lanes.body[k])];
    body.p_WC += h * body.v;
    body.q_WC = data.lanes.Rotation(k, n);
  }
  for (Body& body : data.bodies) {
    if (body.removed || body.kind != BodyKind::kKinematic) continue;
    body.p_WC += h * body.v;
    body.q_WC = (ExpRotation(h * body.w) * body.q_WC).normalized();
  }
}

}  // namespace limber::dynamics::internal
