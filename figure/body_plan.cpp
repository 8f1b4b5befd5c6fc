// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/body_plan.h"

#include <algorithm>
#include <cmath>

namespace limber::figure {

namespace {

struct LegRoles {
  Role thigh, shank, foot, toes;
};
constexpr std::array<LegRoles, 2> kLegRoles = {
    {{Role::kLeftUpperLeg, Role::kLeftLowerLeg, Role::kLeftFoot,
      Role::kLeftToes},
     {Role::kRightUpperLeg, Role::kRightLowerLeg, Role::kRightFoot,
      Role::kRightToes}}};

struct ArmRoles {
  Role clavicle, upper_arm, forearm, hand;
  std::array<Role, 4> fingers;
};
constexpr std::array<ArmRoles, 2> kArmRoles = {
    {{Role::kLeftClavicle,
      Role::kLeftUpperArm,
      Role::kLeftForearm,
      Role::kLeftHand,
      {Role::kLeftMiddle, Role::kLeftIndex, Role::kLeftRing, Role::kLeftPinky}},
     {Role::kRightClavicle,
      Role::kRightUpperArm,
      Role::kRightForearm,
      Role::kRightHand,
      {Role::kRightMiddle, Role::kRightIndex, Role::kRightRing,
       Role::kRightPinky}}}};

/// Joints from below `from` down to `to`, `to` last.
std::vector<int> PathBetween(const Skeleton& skeleton, int from, int to) {
  std::vector<int> path;
  for (int joint = to; joint >= 0 && joint != from;
       joint = skeleton.joint(joint).parent) {
    path.push_back(joint);
  }
  std::ranges::reverse(path);
  return path;
}

/// Place of `joint` in the rest pose [m].
Vector3 RestPlace(const Skeleton& skeleton, int joint) {
  Vector3 p = Vector3::Zero();
  for (; joint >= 0; joint = skeleton.joint(joint).parent) {
    p += skeleton.joint(joint).offset;
  }
  return p;
}

/// Ends of `joint`: sites and child joints, as points of `joint`.
std::vector<Vector3> EndsOf(const Skeleton& skeleton, int joint) {
  std::vector<Vector3> ends;
  for (const Site& site : skeleton.sites()) {
    if (site.joint == joint) ends.push_back(site.offset);
  }
  for (const Joint& other : skeleton.joints()) {
    if (other.parent == joint) ends.push_back(other.offset);
  }
  return ends;
}

/// The farthest end in direction `forward`; end sites of some programs are
/// nonsense, so only ends that are no longer than `longest` and do not go
/// farther down than forward count. Zero when there is none.
Vector3 ForwardEnd(const Skeleton& skeleton, int joint, const BodyAxes& axes,
                   double longest) {
  Vector3 best = Vector3::Zero();
  for (const Vector3& end : EndsOf(skeleton, joint)) {
    const double ahead = end.dot(axes.forward);
    if (end.norm() > longest || ahead <= std::abs(end.dot(axes.up))) continue;
    if (ahead > best.dot(axes.forward)) best = end;
  }
  return best;
}

/// Which way the sole's normal points in the rest pose; see LegPlan.
Vector3 SoleUp(const Vector3& shank, const Vector3& toe, const BodyAxes& axes) {
  const auto slant = [&axes](const Vector3& p) {
    return std::atan2(p.dot(axes.left), -p.dot(axes.up));
  };
  constexpr double kLeast = 0.07;  // 4 degrees
  constexpr double kAlike =
      0.15;  // The toe lies far ahead: left is not that exact.
  if (std::abs(slant(shank)) < kLeast ||
      std::abs(slant(shank) - slant(toe)) > kAlike) {
    return axes.up;
  }
  const Vector3 down = shank - axes.forward * axes.forward.dot(shank);
  return -down.normalized();
}

void PlanFoot(const Skeleton& skeleton, const BodyAxes& axes, LegPlan& leg) {
  const double shank = BoneLength(skeleton, leg.shank, leg.foot);
  std::vector<BodyPoint> front;
  if (leg.toes >= 0) {
    const Vector3 p =
        RestPlace(skeleton, leg.toes) - RestPlace(skeleton, leg.foot);
    const Vector3 tip = ForwardEnd(skeleton, leg.toes, axes, shank);
    // A joint of the toes that lies below the ankle is no ball of the foot.
    constexpr double kLeastShare = 0.3;
    if (p.dot(axes.forward) > kLeastShare * (p + tip).dot(axes.forward)) {
      front.push_back({leg.toes, Vector3::Zero()});
    }
    if (!tip.isZero()) front.push_back({leg.toes, tip});
  }
  if (front.empty()) {
    front.push_back({leg.foot, ForwardEnd(skeleton, leg.foot, axes, shank)});
  }
  leg.toe = front.front();

  const Vector3 ankle = RestPlace(skeleton, leg.foot);
  const auto from_ankle = [&](const BodyPoint& point) -> Vector3 {
    return RestPlace(skeleton, point.joint) + point.p_JQ - ankle;
  };
  leg.sole_up =
      SoleUp(ankle - RestPlace(skeleton, leg.shank), from_ankle(leg.toe), axes);
  // The sole passes through the lowest front point.
  double drop = 0.0;
  for (const BodyPoint& point : front) {
    drop = std::max(drop, -from_ankle(point).dot(leg.sole_up));
  }
  leg.heel = {leg.foot, -drop * leg.sole_up};
  Vector3 along = from_ankle(leg.toe);
  along -= leg.sole_up * leg.sole_up.dot(along);
  if (along.norm() < 1e-6 * leg.length) {
    along = axes.forward - leg.sole_up * leg.sole_up.dot(axes.forward);
  }
  leg.sole_forward = along.normalized();
  leg.sole = front;
  leg.sole.push_back(leg.heel);
  leg.ankle_height = drop;
  leg.foot_length = from_ankle(leg.toe).dot(leg.sole_forward);
}

/// The farthest of the hand's own ends; zero when there is none.
Vector3 HandEnd(const Skeleton& skeleton, int hand) {
  Vector3 end = Vector3::Zero();
  for (const Vector3& p : EndsOf(skeleton, hand)) {
    if (p.norm() > end.norm()) end = p;
  }
  return end;
}

void PlanArm(const Skeleton& skeleton, const std::vector<Role>& roles,
             const ArmRoles& wanted, ArmPlan& arm) {
  arm.clavicle = FindRole(roles, wanted.clavicle);
  arm.upper_arm = FindRole(roles, wanted.upper_arm);
  arm.forearm = FindRole(roles, wanted.forearm);
  arm.hand = FindRole(roles, wanted.hand);
  if (arm.upper_arm < 0 || arm.forearm < 0 ||
      !IsAbove(skeleton, arm.upper_arm, arm.forearm)) {
    arm.upper_arm = arm.forearm = arm.hand = -1;
    return;
  }
  if (arm.hand >= 0 && !IsAbove(skeleton, arm.forearm, arm.hand)) arm.hand = -1;
  if (arm.hand < 0) {
    arm.palm = {arm.forearm, HandEnd(skeleton, arm.forearm)};
    arm.length =
        BoneLength(skeleton, arm.upper_arm, arm.forearm) + arm.palm.p_JQ.norm();
    return;
  }
  arm.length = BoneLength(skeleton, arm.upper_arm, arm.hand);
  Vector3 knuckle = Vector3::Zero();
  for (const Role role : wanted.fingers) {
    const int finger = FindRole(roles, role);
    if (finger < 0 || !IsAbove(skeleton, arm.hand, finger)) continue;
    knuckle = RestPlace(skeleton, finger) - RestPlace(skeleton, arm.hand);
    if (!knuckle.isZero()) break;
  }
  if (knuckle.isZero()) knuckle = HandEnd(skeleton, arm.hand);
  arm.palm = {arm.hand, 0.5 * knuckle};
}

}  // namespace

double FootRatio(const BodyPlan& source, const BodyPlan& target) {
  const auto length = [](const BodyPlan& plan) {
    return plan.legs[0].foot_length + plan.legs[1].foot_length;
  };
  if (length(source) > 0.0 && length(target) > 0.0) {
    return length(target) / length(source);
  }
  return target.leg_length / source.leg_length;
}

void SetSole(const Skeleton& skeleton, const std::vector<BodyPoint>& points,
             LegPlan& leg) {
  const Vector3 ankle = RestPlace(skeleton, leg.foot);
  const auto from_ankle = [&](const BodyPoint& point) -> Vector3 {
    return RestPlace(skeleton, point.joint) + point.p_JQ - ankle;
  };
  double drop = 0.0;
  const BodyPoint* back = &points.front();
  for (const BodyPoint& point : points) {
    drop = std::max(drop, -from_ankle(point).dot(leg.sole_up));
    if (from_ankle(point).dot(leg.sole_forward) <
        from_ankle(*back).dot(leg.sole_forward)) {
      back = &point;
    }
  }
  leg.heel = *back;
  // Toes that bend must not carry the point the foot stands on.
  const Vector3 toe = from_ankle(leg.toe);
  leg.toe = {leg.foot, toe - leg.sole_up * (drop + toe.dot(leg.sole_up))};
  leg.sole = points;
  leg.ankle_height = drop;
}

bool IsAbove(const Skeleton& skeleton, int ancestor, int joint) {
  while (joint > ancestor) joint = skeleton.joint(joint).parent;
  return joint == ancestor;
}

double BoneLength(const Skeleton& skeleton, int ancestor, int joint) {
  if (!IsAbove(skeleton, ancestor, joint)) return 0.0;
  double length = 0.0;
  for (; joint != ancestor; joint = skeleton.joint(joint).parent) {
    length += skeleton.joint(joint).offset.norm();
  }
  return length;
}

std::optional<BodyPlan> MakeBodyPlan(const Skeleton& skeleton,
                                     const std::vector<Role>& roles) {
  BodyPlan plan;
  plan.pelvis = FindRole(roles, Role::kPelvis);
  if (plan.pelvis < 0) return std::nullopt;
  plan.axes = FindBodyAxes(skeleton, roles);
  for (int side = 0; side < 2; ++side) {
    LegPlan& leg = plan.legs[side];
    leg.thigh = FindRole(roles, kLegRoles[side].thigh);
    leg.shank = FindRole(roles, kLegRoles[side].shank);
    leg.foot = FindRole(roles, kLegRoles[side].foot);
    leg.toes = FindRole(roles, kLegRoles[side].toes);
    if (leg.thigh < 0 || leg.shank < 0 || leg.foot < 0 ||
        !IsAbove(skeleton, plan.pelvis, leg.thigh) ||
        !IsAbove(skeleton, leg.thigh, leg.shank) ||
        !IsAbove(skeleton, leg.shank, leg.foot)) {
      return std::nullopt;
    }
    if (leg.toes >= 0 && !IsAbove(skeleton, leg.foot, leg.toes)) leg.toes = -1;
    leg.length = BoneLength(skeleton, leg.thigh, leg.foot);
    if (leg.length <= 0.0) return std::nullopt;
    PlanFoot(skeleton, plan.axes, leg);
    plan.leg_length += 0.5 * leg.length;
    PlanArm(skeleton, roles, kArmRoles[side], plan.arms[side]);
  }
  int chest = FindRole(roles, Role::kChest);
  if (chest < 0) chest = FindRole(roles, Role::kSpine);
  if (chest >= 0 && IsAbove(skeleton, plan.pelvis, chest)) {
    plan.spine = PathBetween(skeleton, plan.pelvis, chest);
  }
  const int base = plan.spine.empty() ? plan.pelvis : plan.spine.back();
  int head = FindRole(roles, Role::kHead);
  if (head < 0) head = FindRole(roles, Role::kNeck);
  if (head >= 0 && head != base && IsAbove(skeleton, base, head)) {
    plan.neck = PathBetween(skeleton, base, head);
  }
  return plan;
}

}  // namespace limber::figure
