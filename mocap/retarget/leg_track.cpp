// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/leg_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checkpoint.h"
#include "mocap/retarget/limb.h"

namespace limber::mocap {

using figure::BodyPoint;
using figure::LegPlan;

namespace {

/// How high the lowest point of the toes is when they bend up as far as their
/// hinge lets them [m]; infinite without such a hinge.
double HighestToes(const HumanBody& body, const LegPlan& plan,
                   const std::vector<Transform>& X_WJ) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!body.figure || plan.toes < 0) return kInfinity;
  for (const figure::FigureSegment& segment : body.figure->segments) {
    if (segment.joint != plan.toes ||
        segment.anchor.kind != figure::AnchorKind::kHinge ||
        !segment.anchor.has_limits()) {
      continue;
    }
    double highest = -kInfinity;
    for (const double q :
         {segment.anchor.axes[0].lower, segment.anchor.axes[0].upper}) {
      const Quaternion R_WJ =
          X_WJ[plan.foot].R * figure::RotationOfAnchor(segment.anchor, {q});
      double lowest = kInfinity;
      for (const BodyPoint& point : plan.sole) {
        if (point.joint != plan.toes) continue;
        lowest =
            std::min(lowest, X_WJ[plan.toes].p.y() + (R_WJ * point.p_JQ).y());
      }
      highest = std::max(highest, lowest);
    }
    return highest;
  }
  return kInfinity;
}

}  // namespace

std::array<LegTrack, 2> TrackLegs(const HumanBody& body,
                                  const std::array<FootGoal, 2>& goals,
                                  double rounding,
                                  const std::vector<figure::Pose>& poses) {
  std::array<LegTrack, 2> legs;
  std::array<Vector3, 2> hinge;
  for (int side = 0; side < 2; ++side) {
    const LegPlan& plan = body.plan.legs[side];
    legs[side].length = plan.length;
    // A knee bends the shank backwards.
    const Vector3 d = body.skeleton->joint(plan.foot).offset;
    hinge[side] = body.plan.axes.forward.cross(d).normalized();
  }
  std::vector<Transform> X_WJ;
  const auto parent_rotation = [&](int joint) {
    const int parent = body.skeleton->joint(joint).parent;
    return parent < 0 ? Quaternion::Identity() : X_WJ[parent].R;
  };
  for (const figure::Pose& pose : poses) {
    figure::WorldTransforms(*body.skeleton, pose, X_WJ);
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body.plan.legs[side];
      LegTrack& leg = legs[side];
      leg.hip.push_back(X_WJ[plan.thigh].p);
      leg.knee.push_back(X_WJ[plan.shank].p);
      leg.ankle.push_back(X_WJ[plan.foot].p);
      leg.toe.push_back(plan.toe.At(X_WJ));
      leg.hinge.push_back(X_WJ[plan.shank].R * hinge[side]);
      leg.height.push_back(
          SoleHeight(leg.toe.back().y(), plan.heel.At(X_WJ).y(), rounding));
      double lowest = std::numeric_limits<double>::infinity();
      for (const BodyPoint& point : plan.sole) {
        if (goals[side].bend_toes && point.joint == plan.toes) continue;
        lowest = std::min(lowest, point.At(X_WJ).y());
      }
      if (goals[side].bend_toes) {
        lowest = std::min(lowest, HighestToes(body, plan, X_WJ));
      }
      leg.lowest.push_back(lowest);
      const int toes = plan.toes >= 0 ? plan.toes : plan.foot;
      leg.toes_height.push_back(X_WJ[toes].p.y());
      leg.R.push_back({parent_rotation(plan.thigh), X_WJ[plan.thigh].R,
                       parent_rotation(plan.shank), X_WJ[plan.shank].R,
                       parent_rotation(plan.foot), X_WJ[plan.foot].R,
                       X_WJ[toes].R});
    }
  }
  return legs;
}

LegTurn TurnLeg(const LegTrack& leg, std::size_t i, const Vector3& r,
                const Vector3& g, const Quaternion& Q) {
  Checkpoint();
  const Limb limb{leg.knee[i] - leg.hip[i], leg.ankle[i] - leg.knee[i],
                  leg.hinge[i]};
  const LimbTurn turn = ReachFor(limb, leg.ankle[i] + g - leg.hip[i] - r);
  const LegTrack::Rotations& R = leg.R[i];
  LegTurn result;
  // The parents of shank and foot turn with the bone above.
  result.foot_parent = turn.Q_b * R.foot_parent;
  result.thigh = (R.thigh_parent.conjugate() * turn.Q_a * R.thigh).normalized();
  result.shank = ((turn.Q_a * R.shank_parent).conjugate() * turn.Q_b * R.shank)
                     .normalized();
  result.foot = (result.foot_parent.conjugate() * Q * R.foot).normalized();
  result.Q = Q;
  result.miss = turn.miss;
  return result;
}

Quaternion BendToes(const LegPlan& plan, const LegTrack& leg, std::size_t i,
                    const Quaternion& Q, double lift, double ground) {
  const LegTrack::Rotations& R = leg.R[i];
  const double base = leg.toes_height[i] + lift;
  const Quaternion R_WF = Q * R.foot;
  const Quaternion R_WJ = Q * R.toes;
  const Vector3 n = R_WF * plan.sole_up.cross(plan.sole_forward);
  double turn = 0.0;
  for (const BodyPoint& point : plan.sole) {
    if (point.joint != plan.toes) continue;
    // With v from the joint to the point, the height of R(n, φ) v is
    //
    //     y(φ) = n_y (n·v) + a cos φ + b sin φ = n_y (n·v) + reach cos(φ - φ0)
    //     a = (v - n (n·v))_y     b = (n x v)_y
    const Vector3 v = R_WJ * point.p_JQ;
    if (base + v.y() >= ground) continue;
    const double still = n.y() * n.dot(v);
    const double a = v.y() - still;
    const double b = n.cross(v).y();
    const double reach = std::hypot(a, b);
    const double wanted = ground - base - still;
    if (reach <= 0.0 || wanted > reach) continue;
    const double top = std::atan2(b, a);
    const double half = std::acos(std::clamp(wanted / reach, -1.0, 1.0));
    // Toes bend up by turning about n backwards; the smaller of both ways.
    for (const double angle : {top + half, top - half}) {
      const double back = angle > 0.0 ? angle - 2.0 * kPi : angle;
      if (back > -kPi && back < turn) {
        turn = back;
        break;
      }
    }
  }
  return (R_WF.conjugate() * ExpRotation(turn * n) * R_WJ).normalized();
}

}  // namespace limber::mocap
