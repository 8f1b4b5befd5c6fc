// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "figure/motion.h"

namespace limber::figure {

/// How joint J moves in its parent P at one instant, in the axes of P.
struct JointRates {
  Vector3 w_PJ = Vector3::Zero();      ///< Angular velocity [rad/s].
  Vector3 alpha_PJ = Vector3::Zero();  ///< Angular acceleration [rad/s^2].
  Vector3 v_PJ = Vector3::Zero();      ///< Velocity of J [m/s].
  Vector3 a_PJ = Vector3::Zero();      ///< Acceleration of J [m/s^2].
};

/// A clip as a curve that physics can follow: it goes through every frame and
/// has continuous velocity and acceleration in between.
///
/// Translations are cubic splines. Rotations are cubic splines s(t) of the four
/// parts of the quaternion (neighbours with the same sign), brought to length
/// 1: q = s / |s|. With n = |s|^2, n' = 2 s . s' and Im the vector part,
///
///     w = 2 Im(s' s*) / n        alpha = 2 Im(s'' s*) / n - w n' / n
///
/// exact derivatives of what `Sample` gives. Both ends are not-a-knot, so that
/// a cubic in time is met exactly; two frames are joined straight.
///
/// It needs 8 numbers per joint and frame (6 more for a joint that also moves
/// in its parent) and turns of less than half a turn from frame to frame.
class SmoothMotion {
 public:
  /// @throws std::invalid_argument if the motion has no frames.
  explicit SmoothMotion(const Motion& motion);

  const Skeleton& skeleton() const { return *skeleton_; }
  const std::shared_ptr<const Skeleton>& shared_skeleton() const {
    return skeleton_;
  }
  double rate_hz() const { return rate_hz_; }
  /// From the first frame to the last [s].
  double duration() const;

  /// The pose `time` seconds after the first frame; before the first and after
  /// the last frame those, at rest. Reuses the memory of its results.
  /// @throws std::invalid_argument if `time` is NaN.
  void Sample(double time, Pose& pose) const;
  void Sample(double time, Pose& pose, std::vector<JointRates>& rates) const;

 private:
  struct Place;
  Place Find(double time) const;

  std::shared_ptr<const Skeleton> skeleton_;
  double rate_hz_ = 0.0;
  std::size_t num_frames_ = 0;
  /// Frame after frame, joint after joint: the quaternion and the second
  /// derivative of its spline.
  std::vector<Vector4> turns_;
  std::vector<Vector4> turn_moments_;
  /// The same for the joints of `moving_`; the others keep `still_`.
  std::vector<int> moving_;
  std::vector<Vector3> still_;
  std::vector<Vector3> shifts_;
  std::vector<Vector3> shift_moments_;
};

/// How many frames at the beginning do not belong to the movement: 1 if some
/// joint turns faster from the first frame to the second than anybody can (30
/// rad/s) and five times faster than any joint does in the next, else 0.
/// Converters put a calibration pose in front (the BVH files of the CMU
/// collection have one); a physical figure would have to follow the jump.
int NumLeadInFrames(const Motion& motion);
/// The motion without them.
Motion WithoutLeadIn(const Motion& motion);

}  // namespace limber::figure
