// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "dynamics/internal/body_refresh.h"

namespace limber::dynamics::internal {

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

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void DriftBodies(Data& data, std::span<const int> bodies, double h) {
  const auto body_of = [bodies](std::size_t i) { return Index(bodies[i]); };
  ForRotationsAfter(data.bodies, bodies.size(), h, body_of,
                    [&](std::size_t i, const Quat& q_WC) {
                      Body& body = data.bodies[body_of(i)];
                      Set(body.q_WC, q_WC);
                      Set(body.p_WC, ToVec(body.p_WC) + h * ToVec(body.v));
                      RefreshBody(body, data.motions[body_of(i)]);
                    });
}

void DriftGiven(Data& data, double h) {
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    Body& body = data.bodies[b];
    if (body.removed || body.kind != BodyKind::kKinematic) continue;
    body.p_WC += h * body.v;
    body.q_WC = (ExpRotation(h * body.w) * body.q_WC).normalized();
    RefreshBody(body, data.motions[b]);
  }
}

void Drift(Data& data, double h) {
  for (int n = 0; n < data.num_islands; ++n) {
    if (data.islands[Index(n)].asleep) continue;
    DriftBodies(data, data.islands[Index(n)].bodies, h);
  }
  DriftGiven(data, h);
}

}  // namespace limber::dynamics::internal
