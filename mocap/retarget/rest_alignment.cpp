// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/rest_alignment.h"

#include <cmath>
#include <optional>

namespace limber::mocap {

namespace {

using figure::ArmPlan;
using figure::LegPlan;
using figure::Skeleton;

Quaternion FrameOf(const Vector3& left, const Vector3& up,
                   const Vector3& forward) {
  Matrix3 R;
  R << left, up, forward;
  return Quaternion(R);
}

Vector3 BoneBetween(const Skeleton& skeleton, int from, int to) {
  Vector3 p = Vector3::Zero();
  for (int joint = to; joint != from; joint = skeleton.joint(joint).parent) {
    p += skeleton.joint(joint).offset;
  }
  return p;
}

/// The turn from A_p d_t to d_s after A_p; A_p alone where a bone has no
/// length.
Quaternion AlignBone(const Vector3& d_s, const Vector3& d_t,
                     const Quaternion& A_p) {
  if (d_s.norm() <= 0.0 || d_t.norm() <= 0.0) return A_p;
  const Vector3 turned = A_p * d_t;
  return Quaternion::FromTwoVectors(turned, d_s) * A_p;
}

class Alignment {
 public:
  Alignment(const Body& source, const Body& target, const JointMap& map)
      : source_(source), target_(target), map_(map) {
    const figure::BodyAxes& s = source.plan.axes;
    const figure::BodyAxes& t = target.plan.axes;
    A_body_ = FrameOf(s.left, s.up, s.forward) *
              FrameOf(t.left, t.up, t.forward).conjugate();
    A_.resize(map.pairs.size());
  }

  std::vector<Quaternion> Run() {
    for (int side = 0; side < 2; ++side) {
      AlignLeg(source_.plan.legs[side], target_.plan.legs[side]);
      AlignArm(source_.plan.arms[side], target_.plan.arms[side]);
    }
    // Every other joint has the alignment of what it hangs on; what hangs on
    // nothing has the body's.
    std::vector<Quaternion> result;
    for (int joint = 0; joint < target_.skeleton->num_joints(); ++joint) {
      const int parent = target_.skeleton->joint(joint).parent;
      const bool on_trunk = IsTrunk(joint) || parent < 0;
      result.push_back(A_[joint]  ? *A_[joint]
                       : on_trunk ? A_body_
                                  : result[parent]);
    }
    return result;
  }

 private:
  bool IsTrunk(int joint) const {
    using figure::Role;
    switch (target_.roles[joint]) {
      case Role::kPelvis:
      case Role::kSpine:
      case Role::kChest:
      case Role::kNeck:
      case Role::kHead:
      case Role::kLeftClavicle:
      case Role::kRightClavicle:
        return true;
      default:
        return false;
    }
  }

  /// Aligns the bone from joint `to` to its end and what lies between them.
  void Set(int to, const Quaternion& A) { A_[to] = A; }

  void AlignLeg(const LegPlan& s, const LegPlan& t) {
    const Quaternion thigh =
        AlignBone(BoneBetween(*source_.skeleton, s.thigh, s.shank),
                  BoneBetween(*target_.skeleton, t.thigh, t.shank), A_body_);
    Set(t.thigh, thigh);
    Set(t.shank,
        AlignBone(BoneBetween(*source_.skeleton, s.shank, s.foot),
                  BoneBetween(*target_.skeleton, t.shank, t.foot), thigh));
    const auto frame = [](const LegPlan& leg) {
      return FrameOf(leg.sole_up.cross(leg.sole_forward), leg.sole_up,
                     leg.sole_forward);
    };
    const Quaternion foot = frame(s) * frame(t).conjugate();
    Set(t.foot, foot);
    if (t.toes >= 0) Set(t.toes, foot);
  }

  void AlignArm(const ArmPlan& s, const ArmPlan& t) {
    if (s.upper_arm < 0 || t.upper_arm < 0) return;
    const Skeleton& from = *source_.skeleton;
    const Skeleton& to = *target_.skeleton;
    const Quaternion upper =
        AlignBone(BoneBetween(from, s.upper_arm, s.forearm),
                  BoneBetween(to, t.upper_arm, t.forearm), A_body_);
    Set(t.upper_arm, upper);
    const auto below = [](const Skeleton& skeleton, const ArmPlan& arm) {
      return arm.hand >= 0 ? BoneBetween(skeleton, arm.forearm, arm.hand)
                           : arm.palm.p_JQ;
    };
    const Vector3 d_s = below(from, s);
    const Vector3 d_t = below(to, t);
    const Quaternion forearm = AlignBone(d_s, d_t, upper);
    Set(t.forearm, forearm);
    if (t.hand < 0) return;
    // A hand that stands off its forearm in the rest pose is an end site that
    // means nothing: then it keeps the forearm's alignment.
    constexpr double kMostBend = 0.8;  // cos 37 degrees
    const auto is_straight = [](const Vector3& hand, const Vector3& arm) {
      return hand.norm() > 0.0 &&
             hand.dot(arm) > kMostBend * hand.norm() * arm.norm();
    };
    const bool good = s.hand >= 0 && is_straight(s.palm.p_JQ, d_s) &&
                      is_straight(t.palm.p_JQ, d_t);
    Set(t.hand, good ? AlignBone(s.palm.p_JQ, t.palm.p_JQ, forearm) : forearm);
  }

  const Body& source_;
  const Body& target_;
  const JointMap& map_;
  Quaternion A_body_;
  std::vector<std::optional<Quaternion>> A_;
};

}  // namespace

std::vector<Quaternion> AlignRestPoses(const Body& source, const Body& target,
                                       const JointMap& map) {
  return Alignment(source, target, map).Run();
}

}  // namespace limber::mocap
