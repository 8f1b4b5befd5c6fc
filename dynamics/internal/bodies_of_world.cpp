// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/body_refresh.h"

namespace limber::dynamics::internal {

FrameLanes FramesOf(const std::array<const Body*, kLanes>& bodies) {
  FrameLanes o;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const Body& body = *bodies[k];
    SetOne(o.inverse_inertia, k, ToVec(body.flow.inverse_inertia()));
    SetOne(o.p_BC, k, ToVec(body.mass.p_BC));
    // As good as the identity must be it: neighbours may be turned.
    SetOne(o.q_BC, k, body.turned ? ToQuat(body.q_BC) : Quat{});
    o.turned = o.turned || body.turned;
  }
  return o;
}

FlowLanes FlowsOf(const std::array<const Body*, kLanes>& bodies) {
  FlowLanes o;
  o.symmetric = true;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const RotationFlow& flow = bodies[k]->flow;
    o.rate_a[k] = flow.rate_a();
    o.rate_b[k] = flow.rate_b();
    o.inverse_c[k] = flow.inverse_c();
    o.symmetric = o.symmetric && flow.rate_b() == 0.0;
  }
  return o;
}

[[gnu::noinline]] void RefreshFour(const QuatLanes& q_WC, const VecLanes& p_WC,
                                   const VecLanes& v, const VecLanes& L,
                                   const FrameLanes& frames,
                                   const std::array<Body*, kLanes>& bodies,
                                   const Places& motions) {
  const PoseLanes pose = PosesOf(q_WC, p_WC, frames);
  WritePoses(pose, p_WC, v.x, motions);
  // W = R diag(1/I) R^T
  const SymLanes W = AlongAxes(pose.R_WC, frames.inverse_inertia);
  const VecLanes w = W * L;
  Scatter(v.y, v.z, w.x, w.y, motions, 20);
  ScatterOne(w.z, motions, 24);
  Scatter(w.x, w.y, w.z, L.x, StatesOf(bodies), kStateW);
  const Places inertias = {
      bodies[0]->inverse_inertia_W.data(), bodies[1]->inverse_inertia_W.data(),
      bodies[2]->inverse_inertia_W.data(), bodies[3]->inverse_inertia_W.data()};
  Scatter(W.xx, W.xy, W.xz, W.xy, inertias, 0);
  Scatter(W.yy, W.yz, W.xz, W.yz, inertias, 4);
  ScatterOne(W.zz, inertias, 8);
}

void RefreshBody(Body& body, BodyMotion& motion) {
  const std::array<Body*, kLanes> bodies = {&body, &body, &body, &body};
  const StateLanes state = ReadState(StatesOf(bodies));
  const FrameLanes frames = FramesOf({&body, &body, &body, &body});
  double* numbers = NumbersOf(motion);
  const Places motions = {numbers, numbers, numbers, numbers};
  if (body.dynamic()) {
    RefreshFour(state.q_WC, state.p_WC, state.v, state.L, frames, bodies,
                motions);
    return;
  }
  WritePoses(PosesOf(state.q_WC, state.p_WC, frames), state.p_WC, state.v.x,
             motions);
  motion.v_WC = body.v;
  motion.w_WB = body.w;
}

void Refresh(Data& data, int i) {
  const std::size_t b = static_cast<std::size_t>(i);
  RefreshBody(data.bodies[b], data.motions[b]);
}

void RefreshBodies(Data& data, std::span<const int> list) {
  ForFours(list, [&](const std::array<int, kLanes>& four) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, four);
    const StateLanes state = ReadState(StatesOf(bodies));
    RefreshFour(state.q_WC, state.p_WC, state.v, state.L,
                FramesOf(Read(bodies)), bodies, MotionsAt(data.motions, four));
  });
}

void RefreshAll(Data& data) {
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    RefreshBody(data.bodies[b], data.motions[b]);
  }
}

void CollectForces(Data& data, double h) {
  BeginForceRows(data, h);
  const Scheme scheme = data.settings.scheme;
  const auto implicit = [&data](const ForceRows* rows) {
    return IsImplicit(data, rows->force());
  };
  const bool none = data.forces.size() == data.shared.force_rows.size() &&
                    (scheme == Scheme::kLeapfrog ||
                     std::ranges::all_of(data.shared.force_rows, implicit)) &&
                    data.applied.forces().empty() &&
                    data.applied.torques().empty();
  // Not to be written for nothing: other threads read these.
  if (none && data.shared.no_forces) return;
  for (Body& body : data.bodies) {
    body.force.setZero();
    body.torque.setZero();
  }
  data.shared.no_forces = none;
  data.collected.Clear();
  for (const auto& force : data.forces) {
    if (force->enabled() && !IsImplicit(data, *force)) {
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
  if (none) return;
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

void DriftBodies(Data& data, std::span<const int> list, double h) {
  ForFours(list, [&](const std::array<int, kLanes>& four) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, four);
    const Places states = StatesOf(bodies);
    const StateLanes state = ReadState(states);
    const QuatLanes q_WC =
        RotationsAfter(state, FlowsOf(Read(bodies)), bodies, h);
    const VecLanes p_WC = state.p_WC + h * state.v;
    WritePose(q_WC, p_WC, state.v.x, states);
    RefreshFour(q_WC, p_WC, state.v, state.L, FramesOf(Read(bodies)), bodies,
                MotionsAt(data.motions, four));
  });
}

void DriftGiven(Data& data, double h) {
  for (const int b : data.given) {
    Body& body = data.bodies[Index(b)];
    if (body.removed || body.kind != BodyKind::kKinematic) continue;
    body.p_WC += h * body.v;
    body.q_WC = (ExpRotation(h * body.w) * body.q_WC).normalized();
    RefreshBody(body, data.motions[Index(b)]);
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
