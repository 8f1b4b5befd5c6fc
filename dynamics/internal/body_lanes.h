// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/lanes.h"

namespace limber::dynamics::internal {

/// What never changes of four bodies, as far as their motion needs it.
struct FrameLanes {
  VecLanes inverse_inertia;  ///< Principal.
  VecLanes p_BC;
  QuatLanes q_BC;
  bool turned = false;  ///< Some q_BC is not the identity.
};

/// The numbers of four rotation flows.
struct FlowLanes {
  Lane rate_a, rate_b, inverse_c;
  bool symmetric = false;  ///< All of them: rate_b = 0.
};

// sin(x)/x and cos(x) for t = x^2 up to kLargestFlowTurn: the next term of the
// series is below round-off.
inline constexpr double kLargestFlowTurn = 0.0625;
inline Lane SineSeries(const Lane& t) {
  return 1.0 + t * (-1.0 / 6.0 +
                    t * (1.0 / 120.0 +
                         t * (-1.0 / 5040.0 +
                              t * (1.0 / 362880.0 - t * (1.0 / 39916800.0)))));
}
inline Lane CosineSeries(const Lane& t) {
  return 1.0 +
         t * (-0.5 +
              t * (1.0 / 24.0 +
                   t * (-1.0 / 720.0 +
                        t * (1.0 / 40320.0 + t * (-1.0 / 3628800.0 +
                                                  t * (1.0 / 479001600.0))))));
}

/// `RotationFlow::Advance` of four bodies whose axis of symmetry is x: the same
/// formulas, not the same bits. `turn` receives the square of the largest half
/// angle used; above kLargestFlowTurn the answer is not to be used.
inline QuatLanes AdvanceFlow(const QuatLanes& q, const VecLanes& L,
                             const FlowLanes& flow, double h, Lane& turn) {
  // L in body axes; then A(h/2), B(h), A(h/2), W(h) as in rotation_flow.h.
  const VecLanes L_B = TransposedTimes(ToMat(q), L);
  const Lane scale = (0.5 * h) * flow.inverse_c;
  const Lane t4 = scale * scale * Dot(L, L);
  const Lane s4 = scale * SineSeries(t4);
  const QuatLanes W = {CosineSeries(t4), s4 * L.x, s4 * L.y, s4 * L.z};
  const auto unit = [](const QuatLanes& o) -> QuatLanes {
    // 1/sqrt(1 + d) = 1 - d/2 + ...: a product of unit quaternions is one up to
    // rounding.
    const Lane n = 1.5 - 0.5 * (o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z);
    return {n * o.w, n * o.x, n * o.y, n * o.z};
  };
  const Lane half = (0.25 * h) * flow.rate_a;
  if (flow.symmetric) {
    // The two halves of A join.
    const Lane x = 2.0 * half * L_B.x;
    const Lane t = x * x;
    const Lane s = x * SineSeries(t);
    const Lane c = CosineSeries(t);
    turn = Larger(t, t4);
    return unit(W * QuatLanes{q.w * c - q.x * s, q.x * c + q.w * s,
                              q.y * c + q.z * s, q.z * c - q.y * s});
  }
  const Lane x1 = half * L_B.x;
  const Lane t1 = x1 * x1;
  const Lane s1 = x1 * SineSeries(t1);
  const Lane c1 = CosineSeries(t1);
  const Lane sin_1 = 2.0 * s1 * c1;
  const Lane cos_1 = 1.0 - 2.0 * s1 * s1;
  const Lane x2 = (0.5 * h) * flow.rate_b * (cos_1 * L_B.y + sin_1 * L_B.z);
  const Lane t2 = x2 * x2;
  const Lane s2 = x2 * SineSeries(t2);
  const Lane c2 = CosineSeries(t2);
  const Lane sin_2 = 2.0 * s2 * c2;
  const Lane cos_2 = 1.0 - 2.0 * s2 * s2;
  const Lane x3 =
      half * (cos_2 * L_B.x - sin_2 * (cos_1 * L_B.z - sin_1 * L_B.y));
  const Lane t3 = x3 * x3;
  const Lane s3 = x3 * SineSeries(t3);
  const Lane c3 = CosineSeries(t3);
  const QuatLanes D = {c2 * (c1 * c3 - s1 * s3), c2 * (s1 * c3 + c1 * s3),
                       s2 * (c1 * c3 + s1 * s3), s2 * (s1 * c3 - c1 * s3)};
  turn = Larger(Larger(t1, t2), Larger(t3, t4));
  return unit(W * (q * D));
}

}  // namespace limber::dynamics::internal
