// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "dynamics/internal/body_lanes.h"
#include "dynamics/internal/small_algebra.h"
#include "dynamics/internal/world_data.h"

// From the state of a body to its motion as others read it, in parts.
// Everything goes from registers to memory number by number: reading a vector
// back at once that was written in parts makes the processor wait.

namespace limber::dynamics::internal {

inline void Set(Vector3& to, const Vec& from) {
  to.x() = from.x;
  to.y() = from.y;
  to.z() = from.z;
}
inline void Set(Quaternion& to, const Quat& from) {
  to.w() = from.w;
  to.x() = from.x;
  to.y() = from.y;
  to.z() = from.z;
}

/// State of four bodies.
struct StateLanes {
  QuatLanes q_WC;
  VecLanes p_WC, v, w, L;
};
inline Places StatesOf(const std::array<Body*, kLanes>& bodies) {
  Places places;
  for (std::size_t k = 0; k < kLanes; ++k) {
    places[k] = reinterpret_cast<double*>(static_cast<BodyState*>(bodies[k]));
  }
  return places;
}
/// Where the numbers of a BodyState begin: q (x, y, z, w), p, v, w, L.
inline constexpr std::size_t kStateP = 4, kStateV = 7, kStateW = 10,
                             kStateL = 13, kStateSize = 16;
inline StateLanes ReadState(const ConstPlaces& from) {
  const FourLanes q = Gather(from, 0), pv = Gather(from, kStateP);
  const FourLanes vw = Gather(from, 8), wL = Gather(from, 12);
  return {{q.d, q.a, q.b, q.c},
          {pv.a, pv.b, pv.c},
          {pv.d, vw.a, vw.b},
          {vw.c, vw.d, wL.a},
          {wL.b, wL.c, wL.d}};
}
inline StateLanes ReadState(const Places& states) {
  return ReadState(Read(states));
}
/// Writes q and p; v_x is there already.
inline void WritePose(const QuatLanes& q, const VecLanes& p, const Lane& v_x,
                      const Places& states) {
  Scatter(q.x, q.y, q.z, q.w, states, 0);
  Scatter(p.x, p.y, p.z, v_x, states, kStateP);
}

/// Where the numbers of a BodyMotion begin: q_WB (x, y, z, w), R_WB (columns),
/// p_WB, p_WC, v_WC, w_WB.
inline constexpr std::size_t kMotionR = 4, kMotionB = 13, kMotionC = 16,
                             kMotionV = 19, kMotionW = 22, kMotionSize = 25;
static_assert(offsetof(BodyMotion, R_WB) == kMotionR * sizeof(double));
static_assert(offsetof(BodyMotion, p_WB) == kMotionB * sizeof(double));
static_assert(offsetof(BodyMotion, p_WC) == kMotionC * sizeof(double));
static_assert(offsetof(BodyMotion, v_WC) == kMotionV * sizeof(double));
static_assert(offsetof(BodyMotion, w_WB) == kMotionW * sizeof(double));
inline double* NumbersOf(BodyMotion& motion) {
  return reinterpret_cast<double*>(&motion);
}
inline const double* NumbersOf(const BodyMotion& motion) {
  return reinterpret_cast<const double*>(&motion);
}
/// R_WB and p_WB.
struct FrameInWorld {
  MatLanes R;
  VecLanes p;
};
inline FrameInWorld ReadFrame(const ConstPlaces& motions) {
  const FourLanes a = Gather(motions, kMotionR), b = Gather(motions, 8);
  const FourLanes c = Gather(motions, 12);
  return {{a.a, a.d, b.c, a.b, b.a, b.d, a.c, b.b, c.a}, {c.b, c.c, c.d}};
}

FrameLanes FramesOf(const std::array<const Body*, kLanes>& bodies);

/// Poses of four bodies as others read them.
struct PoseLanes {
  QuatLanes q_WB;
  MatLanes R_WC;
  MatLanes R_WB;
  VecLanes p_WB;
};
inline PoseLanes PosesOf(const QuatLanes& q_WC, const VecLanes& p_WC,
                         const FrameLanes& frames) {
  PoseLanes o;
  o.q_WB = q_WC;
  o.R_WC = o.R_WB = ToMat(q_WC);
  if (frames.turned) {
    o.q_WB = q_WC * Conjugate(frames.q_BC);
    o.R_WB = ToMat(o.q_WB);
    // Bits must not depend on the neighbours.
    const LaneMask turned = frames.q_BC.w != AllLanes(1.0);
    for (int i = 0; i < 9; ++i) {
      o.R_WB.m[i] = turned ? o.R_WB.m[i] : o.R_WC.m[i];
    }
  }
  o.p_WB = p_WC - o.R_WB * frames.p_BC;
  return o;
}
/// Writes the poses, and v_x after them.
inline void WritePoses(const PoseLanes& pose, const VecLanes& p_WC,
                       const Lane& v_x, const Places& motions) {
  const QuatLanes& q = pose.q_WB;
  const Lane* R = pose.R_WB.m;
  const VecLanes& p = pose.p_WB;
  Scatter(q.x, q.y, q.z, q.w, motions, 0);
  Scatter(R[0], R[3], R[6], R[1], motions, kMotionR);
  Scatter(R[4], R[7], R[2], R[5], motions, 8);
  Scatter(R[8], p.x, p.y, p.z, motions, 12);
  Scatter(p_WC.x, p_WC.y, p_WC.z, v_x, motions, kMotionC);
}

/// Writes the motions of four dynamic bodies from their states, and the world
/// inertia and w of the bodies, which follow from L. One function for all that
/// refresh bodies: a world that was restored gives the same bits as one that
/// went on.
void RefreshFour(const QuatLanes& q_WC, const VecLanes& p_WC, const VecLanes& v,
                 const VecLanes& L, const FrameLanes& frames,
                 const std::array<Body*, kLanes>& bodies,
                 const Places& motions);

/// Fills the motion of a body, and w and inverse inertia of a dynamic one, from
/// its state.
void RefreshBody(Body& body, BodyMotion& motion);

FlowLanes FlowsOf(const std::array<const Body*, kLanes>& bodies);

/// q_WC of four bodies after h seconds.
inline QuatLanes RotationsAfter(const StateLanes& state, const FlowLanes& flow,
                                const std::array<Body*, kLanes>& bodies,
                                double h) {
  Lane turn;
  QuatLanes q = AdvanceFlow(state.q_WC, state.L, flow, h, turn);
  const LaneMask near = turn < AllLanes(kLargestFlowTurn);
  if (!Any(~near)) return q;
  for (std::size_t k = 0; k < kLanes; ++k) {
    if (near[k] != 0) continue;
    const QuatLanes& from = state.q_WC;
    const Quaternion q_WC(from.w[k], from.x[k], from.y[k], from.z[k]);
    const Vector3 L = ToEigen(OneOf(state.L, k));
    SetOne(q, k, ToQuat(bodies[k]->flow.Advance(q_WC, L, h)));
  }
  return q;
}

/// Where free drift takes four bodies in h seconds, or their rotations alone.
inline void PredictFour(const StateLanes& state, const FlowLanes& flow,
                        const FrameLanes& frames,
                        const std::array<Body*, kLanes>& bodies, double h,
                        bool rotations_only, const Places& predicted) {
  const QuatLanes q_WC = RotationsAfter(state, flow, bodies, h);
  if (rotations_only) {
    const QuatLanes q = frames.turned ? q_WC * Conjugate(frames.q_BC) : q_WC;
    Scatter(q.x, q.y, q.z, q.w, predicted, 0);
    return;
  }
  const VecLanes p_WC = state.p_WC + h * state.v;
  WritePoses(PosesOf(q_WC, p_WC, frames), p_WC, state.v.x, predicted);
  Scatter(state.v.y, state.v.z, state.w.x, state.w.y, predicted, 20);
  ScatterOne(state.w.z, predicted, 24);
}

/// Calls use(four indices) for all of a list; the last fills what is left of
/// the last four.
template <typename Use>
void ForFours(std::span<const int> list, const Use& use) {
  for (std::size_t first = 0; first < list.size(); first += kLanes) {
    std::array<int, kLanes> four;
    for (std::size_t k = 0; k < kLanes; ++k) {
      four[k] = list[std::min(first + k, list.size() - 1)];
    }
    use(four);
  }
}

/// Four bodies and their motions.
inline std::array<Body*, kLanes> BodiesOf(
    Data& data, const std::array<int, kLanes>& bodies) {
  const auto at = [&](std::size_t k) {
    return &data.bodies[static_cast<std::size_t>(bodies[k])];
  };
  return {at(0), at(1), at(2), at(3)};
}
inline ConstPlaces StatesAt(const Data& data,
                            const std::array<int, kLanes>& bodies) {
  const auto at = [&](std::size_t k) {
    const BodyState& state = data.bodies[static_cast<std::size_t>(bodies[k])];
    return reinterpret_cast<const double*>(&state);
  };
  return {at(0), at(1), at(2), at(3)};
}
inline std::array<const Body*, kLanes> Read(
    const std::array<Body*, kLanes>& bodies) {
  return {bodies[0], bodies[1], bodies[2], bodies[3]};
}
inline Places MotionsAt(std::vector<BodyMotion>& motions,
                        const std::array<int, kLanes>& bodies) {
  const auto at = [&](std::size_t k) {
    return NumbersOf(motions[static_cast<std::size_t>(bodies[k])]);
  };
  return {at(0), at(1), at(2), at(3)};
}

}  // namespace limber::dynamics::internal
