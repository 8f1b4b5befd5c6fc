// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/pose_copy.h"

#include <algorithm>
#include <cstdint>

#include "mocap/retarget/rest_alignment.h"

namespace limber::mocap {

namespace {

using figure::Pose;

Vector3 MiddleOfHips(const figure::BodyPlan& plan,
                     const std::vector<Transform>& X_WJ) {
  return 0.5 * (X_WJ[plan.legs[0].thigh].p + X_WJ[plan.legs[1].thigh].p);
}

/// How much longer the bone to a joint of the target is than that of its
/// source; `k` where one of them has no length.
double BoneRatio(const HumanBody& source, int from, const HumanBody& target,
                 int to, double k) {
  const double a = source.skeleton->joint(from).offset.norm();
  const double b = target.skeleton->joint(to).offset.norm();
  return a > 0.0 && b > 0.0 ? b / a : k;
}

/// The part of a turn about the unit vector `axis`.
Quaternion TwistOf(const Quaternion& turn, const Vector3& axis) {
  const Vector3 v = axis * turn.vec().dot(axis);
  const Quaternion twist(turn.w(), v.x(), v.y(), v.z());
  return twist.norm() > 1e-9 ? twist.normalized() : Quaternion::Identity();
}

/// Which joints inside the body of the source slide in their parents: position
/// channels that hold a constant offset are not motion, and the pelvis carries
/// the whole body.
std::vector<bool> SlidingJoints(const figure::Motion& motion,
                                const HumanBody& source) {
  // Of a leg's length: what no bone that means to move stays below.
  constexpr double kLeastSlide = 1e-3;
  std::vector<bool> slides(source.roles.size(), false);
  const std::vector<figure::Channel>& channels = motion.layout()->channels();
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const int joint = channels[c].joint;
    if (channels[c].kind != figure::ChannelKind::kTranslation ||
        figure::IsAbove(*source.skeleton, joint, source.plan.pelvis) ||
        !figure::IsAbove(*source.skeleton, source.plan.pelvis, joint)) {
      continue;
    }
    double least = motion.num_frames() > 0 ? motion.row(0)[c] : 0.0;
    double most = least;
    for (std::int64_t frame = 1; frame < motion.num_frames(); ++frame) {
      least = std::min(least, motion.row(frame)[c]);
      most = std::max(most, motion.row(frame)[c]);
    }
    if (most - least > kLeastSlide * source.plan.leg_length) {
      slides[joint] = true;
    }
  }
  return slides;
}

}  // namespace

std::vector<Pose> CopyPoses(const figure::Motion& motion,
                            const HumanBody& source, const HumanBody& target,
                            const JointMap& map, const WorldScale& scale) {
  const std::vector<Quaternion> A = AlignRestPoses(source, target, map);
  const figure::Skeleton& skeleton = *target.skeleton;
  const int pelvis = target.plan.pelvis;
  const std::vector<bool> slides = SlidingJoints(motion, source);
  std::vector<double> ratio(map.pairs.size(), 1.0);
  for (std::size_t j = 0; j < map.pairs.size(); ++j) {
    const int from = map.pairs[j].source;
    if (from < 0) continue;
    ratio[j] = BoneRatio(source, from, target, static_cast<int>(j), scale.k);
  }
  std::vector<Pose> poses;
  poses.reserve(static_cast<std::size_t>(motion.num_frames()));
  Pose from;
  std::vector<Transform> X_WJs;
  std::vector<Transform> X_WJt(map.pairs.size());
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, from);
    figure::WorldTransforms(*source.skeleton, from, X_WJs);
    Pose pose = figure::RestPose(skeleton);
    for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
      const JointPair& pair = map.pairs[joint];
      const int parent = skeleton.joint(joint).parent;
      const Quaternion R_WP =
          parent < 0 ? Quaternion::Identity() : X_WJt[parent].R;
      Transform& X_PJ = pose.X_PJ[joint];
      if (pair.source >= 0) {
        // R_WJt = R_WJs A
        Quaternion R_WJs = X_WJs[pair.source].R;
        if (pair.next >= 0) {
          Quaternion turn = R_WJs.conjugate() * X_WJs[pair.next].R;
          if (!pair.twist_axis.isZero()) turn = TwistOf(turn, pair.twist_axis);
          R_WJs = R_WJs * Quaternion::Identity().slerp(pair.share, turn);
        }
        X_PJ.R = (R_WP.conjugate() * (R_WJs * A[joint])).normalized();
        const figure::Joint& joint_s = source.skeleton->joint(pair.source);
        // Joints above the pelvis go as far as those of the source.
        if (joint != pelvis && figure::IsAbove(skeleton, joint, pelvis) &&
            pair.source != source.plan.pelvis &&
            figure::IsAbove(*source.skeleton, pair.source,
                            source.plan.pelvis)) {
          X_PJ.p += scale.k * (from.X_PJ[pair.source].p - joint_s.offset);
        }
        // A bone of the source that leaves its offset takes the target's along.
        if (parent >= 0 && slides[pair.source]) {
          const Vector3 moved = from.X_PJ[pair.source].p - joint_s.offset;
          const Quaternion& A_P = A[parent];
          X_PJ.p += ratio[joint] * (A_P.conjugate() * moved);
        }
      }
      X_WJt[joint] = parent < 0 ? X_PJ : X_WJt[parent] * X_PJ;
    }
    // The root goes where it brings the middle of the hips.
    const Vector3 shift = scale(MiddleOfHips(source.plan, X_WJs)) -
                          MiddleOfHips(target.plan, X_WJt);
    const int parent = skeleton.joint(pelvis).parent;
    pose.X_PJ[pelvis].p +=
        parent < 0 ? shift : X_WJt[parent].R.conjugate() * shift;
    poses.push_back(std::move(pose));
  }
  return poses;
}

}  // namespace limber::mocap
