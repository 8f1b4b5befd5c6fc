// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/body_point.h"

namespace limber::dynamics {

PointMotion MotionOfPoint(BodyMotions bodies, const BodyPoint& point) {
  const BodyMotion& body = MotionOf(bodies, point.body);
  PointMotion motion;
  motion.position = body.Point(point.p_BA);
  const Vector3 r = motion.position - body.p_WC;
  const Vector3 turning = body.w_WB.cross(r);
  motion.rate = body.v_WC + turning;
  motion.drift = body.w_WB.cross(turning);
  return motion;
}

PointMotion MotionOfDirection(BodyMotions bodies, BodyId body_id,
                              const Vector3& d_B) {
  const BodyMotion& body = MotionOf(bodies, body_id);
  PointMotion motion;
  motion.position = body.R_WB * d_B;
  motion.rate = body.w_WB.cross(motion.position);
  motion.drift = body.w_WB.cross(motion.rate);
  return motion;
}

SeenPoint SeeFrom(BodyMotions bodies, BodyId frame_id, const BodyPoint& point) {
  // With y = p_WA - p_WB = R x:  y' = w x y + R x', and
  //     R x'' = y'' - w' x y - 2 w x y' + w x (w x y).
  const BodyMotion& frame = MotionOf(bodies, frame_id);
  const PointMotion a = MotionOfPoint(bodies, point);
  const PointMotion o = MotionOfPoint(bodies, {frame_id, Vector3::Zero()});
  const Vector3 y = a.position - o.position;
  const Vector3 y_rate = a.rate - o.rate;
  const Vector3& w = frame.w_WB;
  SeenPoint seen;
  seen.p_WA = a.position;
  seen.x = frame.R_WB.transpose() * y;
  seen.rate = frame.R_WB.transpose() * (y_rate - w.cross(y));
  seen.drift =
      frame.R_WB.transpose() *
      (a.drift - o.drift - 2.0 * w.cross(y_rate) + w.cross(w.cross(y)));
  return seen;
}

}  // namespace limber::dynamics
