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
  Alignment(const HumanBody& source, const HumanBody& target,
            const JointMap& map)
      : source_(source), target_(target) {
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
    Set(t.hand, s.hand < 0 ? forearm : AlignHand(s, t, forearm));
  }

  /// The hand points where the source's does. Where both have fingers, the
  /// palms face alike; otherwise it is turned about its length as the forearm.
  Quaternion AlignHand(const ArmPlan& s, const ArmPlan& t,
                       const Quaternion& forearm) const {
    const Quaternion along = AlignBone(s.palm.p_JQ, t.palm.p_JQ, forearm);
    const std::optional<Vector3> across_s = AcrossPalm(source_, s);
    const std::optional<Vector3> across_t = AcrossPalm(target_, t);
    if (!across_s || !across_t) return along;
    const auto frame = [](const Vector3& hand, const Vector3& across) {
      const Vector3 x = hand.normalized();
      const Vector3 y = (across - x * x.dot(across)).normalized();
      return FrameOf(x, y, x.cross(y));
    };
    return frame(s.palm.p_JQ, *across_s) *
           frame(t.palm.p_JQ, *across_t).conjugate();
  }

  /// From the little finger's side of the palm to the thumb's, in the rest
  /// pose; nothing where the fingers do not say.
  static std::optional<Vector3> AcrossPalm(const HumanBody& body,
                                           const ArmPlan& arm) {
    using figure::Role;
    const bool is_left = &arm == &body.plan.arms[0];
    const auto place = [&](Role left) -> std::optional<Vector3> {
      const int joint =
          figure::FindRole(body.roles, is_left ? left : figure::Mirrored(left));
      if (joint < 0 || !figure::IsAbove(*body.skeleton, arm.hand, joint)) {
        return std::nullopt;
      }
      return BoneBetween(*body.skeleton, arm.hand, joint);
    };
    const std::optional<Vector3> thumb = place(Role::kLeftThumb);
    const std::optional<Vector3> index = place(Role::kLeftIndex);
    const std::optional<Vector3> pinky = place(Role::kLeftPinky);
    std::optional<Vector3> across;
    if (index && pinky) {
      across = *index - *pinky;
    } else if (thumb) {
      across = *thumb;
    }
    if (!across) return across;
    // Fingers that all leave from one point say nothing.
    constexpr double kLeast = 0.1;  // Of the length of the palm.
    const Vector3 x = arm.palm.p_JQ.normalized();
    const double width = (*across - x * x.dot(*across)).norm();
    if (width < kLeast * arm.palm.p_JQ.norm()) return std::nullopt;
    return across;
  }

  const HumanBody& source_;
  const HumanBody& target_;
  Quaternion A_body_;
  std::vector<std::optional<Quaternion>> A_;
};

}  // namespace

std::vector<Quaternion> AlignRestPoses(const HumanBody& source,
                                       const HumanBody& target,
                                       const JointMap& map) {
  return Alignment(source, target, map).Run();
}

}  // namespace limber::mocap
