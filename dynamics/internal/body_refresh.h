// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

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

/// R_WC of a body and the frame that its user sees.
struct BodyAxes {
  Mat R_WC;
  Mat R_WB;
};

/// Writes the rotation of a body that stands at q_WC.
inline BodyAxes RefreshRotation(const Body& body, const Quat& q_WC,
                                BodyMotion& motion) {
  BodyAxes axes;
  Quat q_WB = q_WC;
  axes.R_WC = axes.R_WB = ToMat(q_WC);
  if (body.turned) {
    q_WB = q_WC * Conjugate(ToQuat(body.q_BC));
    axes.R_WB = ToMat(q_WB);
  }
  Set(motion.q_WB, q_WB);
  double* columns = motion.R_WB.data();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) columns[3 * j + i] = axes.R_WB.m[3 * i + j];
  }
  return axes;
}

/// Writes the place of a body; returns the origin of its frame.
inline Vec RefreshPlace(const Body& body, const Vec& p_WC, const Mat& R_WB,
                        BodyMotion& motion) {
  const Vec p_WB = p_WC - R_WB * ToVec(body.mass.p_BC);
  Set(motion.p_WC, p_WC);
  Set(motion.p_WB, p_WB);
  return p_WB;
}

/// Writes the velocities and the world inertia; w follows from L.
inline void RefreshVelocity(Body& body, const Mat& R_WC, BodyMotion& motion) {
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
  Set(motion.v_WC, ToVec(body.v));
  Set(motion.w_WB, w);
}

inline void RefreshBody(Body& body, BodyMotion& motion) {
  const BodyAxes axes = RefreshRotation(body, ToQuat(body.q_WC), motion);
  RefreshPlace(body, ToVec(body.p_WC), axes.R_WB, motion);
  RefreshVelocity(body, axes.R_WC, motion);
}

/// The free rotation of a few bodies at once, components apart.
class RotationBlock {
 public:
  static constexpr std::size_t kSize = 32;

  void Load(std::size_t k, const Body& body) {
    lanes_[0][k] = body.q_WC.w();
    lanes_[1][k] = body.q_WC.x();
    lanes_[2][k] = body.q_WC.y();
    lanes_[3][k] = body.q_WC.z();
    lanes_[4][k] = body.L.x();
    lanes_[5][k] = body.L.y();
    lanes_[6][k] = body.L.z();
    lanes_[7][k] = body.flow.rate_a();
    lanes_[8][k] = body.flow.rate_b();
    lanes_[9][k] = body.flow.inverse_c();
  }
  /// Of the first `count` bodies, by h seconds.
  void Advance(std::size_t count, double h) {
    // Whole registers: the rest stands still.
    const std::size_t padded = (count + 3) / 4 * 4;
    for (std::size_t k = count; k < padded; ++k) {
      lanes_[0][k] = 1.0;
      for (std::size_t j = 1; j < 10; ++j) lanes_[j][k] = 0.0;
    }
    RotationFlow::Lanes lanes;
    lanes.n = static_cast<int>(padded);
    for (std::size_t j = 0; j < 4; ++j) lanes.q[j] = lanes_[j];
    for (std::size_t j = 0; j < 3; ++j) lanes.L[j] = lanes_[4 + j];
    lanes.rate_a = lanes_[7];
    lanes.rate_b = lanes_[8];
    lanes.inverse_c = lanes_[9];
    lanes.turn = lanes_[10];
    RotationFlow::Advance(lanes, h);
  }
  /// q_WC of the k-th body, which is `body` still as it was loaded.
  Quat Rotation(std::size_t k, const Body& body, double h) const {
    if (!(lanes_[10][k] < RotationFlow::kLargestLaneTurn)) {
      return ToQuat(body.flow.Advance(body.q_WC, body.L, h));
    }
    return {lanes_[0][k], lanes_[1][k], lanes_[2][k], lanes_[3][k]};
  }

 private:
  alignas(32) double lanes_[11][kSize];
};

/// Calls use(i, q) for the i-th of `count` dynamic bodies, of index
/// body_of(i), with its rotation after h seconds.
template <typename BodyOf, typename Use>
void ForRotationsAfter(const std::vector<Body>& bodies, std::size_t count,
                       double h, const BodyOf& body_of, const Use& use) {
  RotationBlock block;
  for (std::size_t first = 0; first < count; first += RotationBlock::kSize) {
    const std::size_t size = std::min(RotationBlock::kSize, count - first);
    for (std::size_t k = 0; k < size; ++k) {
      block.Load(k, bodies[body_of(first + k)]);
    }
    block.Advance(size, h);
    for (std::size_t k = 0; k < size; ++k) {
      use(first + k, block.Rotation(k, bodies[body_of(first + k)], h));
    }
  }
}

}  // namespace limber::dynamics::internal
