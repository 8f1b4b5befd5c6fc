// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

namespace {

void Set(Vector3& to, const Vec& from) {
  to.x() = from.x;
  to.y() = from.y;
  to.z() = from.z;
}

// Everything goes from registers to memory number by number: reading a vector
// back at once that was written in parts makes the processor wait.
void RefreshBody(Body& body, BodyMotion& motion) {
  const Quat q_WC = ToQuat(body.q_WC);
  Quat q_WB = q_WC;
  const Mat R_WC = ToMat(q_WC);
  Mat R_WB = R_WC;
  Vec w = ToVec(body.w);
  if (body.dynamic()) {
    // W = R diag(1/I) R^T = i0 1 + (i1 - i0) y y^T + (i2 - i0) z z^T
    const Sym W = AlongAxes(R_WC, body.flow.inverse_inertia());
    double* m = body.inverse_inertia_W.data();
    m[0] = W.xx;
    m[1] = m[3] = W.xy;
    m[2] = m[6] = W.xz;
    m[4] = W.yy;
    m[5] = m[7] = W.yz;
    m[8] = W.zz;
    w = W * ToVec(body.L);
    Set(body.w, w);
  }
  if (body.turned) {
    q_WB = q_WC * Conjugate(ToQuat(body.q_BC));
    R_WB = ToMat(q_WB);
  }
  motion.q_WB.w() = q_WB.w;
  motion.q_WB.x() = q_WB.x;
  motion.q_WB.y() = q_WB.y;
  motion.q_WB.z() = q_WB.z;
  double* columns = motion.R_WB.data();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) columns[3 * j + i] = R_WB.m[3 * i + j];
  }
  const Vec p_WC = ToVec(body.p_WC);
  Set(motion.p_WC, p_WC);
  Set(motion.p_WB, p_WC - R_WB * ToVec(body.mass.p_BC));
  Set(motion.v_WC, ToVec(body.v));
  Set(motion.w_WB, w);
}

}  // namespace

void Refresh(Data& data, int i) {
  const std::size_t b = static_cast<std::size_t>(i);
  RefreshBody(data.bodies[b], data.motions[b]);
}

void RefreshAll(Data& data) {
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    RefreshBody(data.bodies[b], data.motions[b]);
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
  if (data.num_asleep == 0) return;
  if (data.forces.empty() && data.applied.forces().empty() &&
      data.applied.torques().empty()) {
    return;
  }
  // A force that changes wakes.
  constexpr double kSame = 1e-9;
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.asleep) continue;
    if (!body.force.isApprox(body.sleep_force, kSame) ||
        !body.torque.isApprox(body.sleep_torque, kSame)) {
      WakeGroup(data, static_cast<int>(b));
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
    if (!body.moves()) continue;
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

namespace {

template <typename After>
void DriftAnd(Data& data, double h, const After& after) {
  AdvanceRotations(data, h);
  const std::size_t n = data.bodies.size();
  std::size_t k = 0;
  for (std::size_t b = 0; b < n; ++b) {
    Body& body = data.bodies[b];
    if (body.asleep) continue;
    if (body.dynamic()) {
      body.q_WC = data.lanes.Rotation(k++, n);
      Set(body.p_WC, ToVec(body.p_WC) + h * ToVec(body.v));
    } else if (!body.removed && body.kind == BodyKind::kKinematic) {
      body.p_WC += h * body.v;
      body.q_WC = (ExpRotation(h * body.w) * body.q_WC).normalized();
    }
    after(body, data.motions[b]);
  }
}

}  // namespace

void Drift(Data& data, double h) {
  DriftAnd(data, h, [](Body&, BodyMotion&) {});
}

void DriftAndRefresh(Data& data, double h) { DriftAnd(data, h, RefreshBody); }

}  // namespace limber::dynamics::internal
