// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/working_rig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/angle.h"

namespace limber::figure {

namespace {

/// Angle between two directions [rad]; 0 where one has no length.
double Angle(const Vector3& a, const Vector3& b) {
  const double lengths = a.norm() * b.norm();
  if (lengths <= 0.0) return 0.0;
  return std::acos(std::clamp(a.dot(b) / lengths, -1.0, 1.0));
}

struct LimbPlaces {
  Vector3 root, middle, end;  ///< Hip, knee, ankle; shoulder, elbow, wrist.
};

/// Where the parts of a body are in one pose [m].
struct BodyPlaces {
  Vector3 hips, top;  ///< Middle of the hip joints; base of the neck.
  std::array<LimbPlaces, 2> legs;
  std::optional<std::array<LimbPlaces, 2>> arms;
  Vector3 left;  ///< Unit, at right angles to the trunk.

  Vector3 trunk() const { return top - hips; }
};

/// Reads the parts of a body from the places of its joints.
class PlaceFinder {
 public:
  explicit PlaceFinder(const std::vector<Role>& roles) {
    for (int side = 0; side < 2; ++side) {
      const auto find = [&](Role left) {
        return FindRole(roles, side == 0 ? left : Mirrored(left));
      };
      legs_[side] = {find(Role::kLeftUpperLeg), find(Role::kLeftLowerLeg),
                     find(Role::kLeftFoot)};
      arms_[side] = {find(Role::kLeftUpperArm), find(Role::kLeftForearm),
                     find(Role::kLeftHand)};
    }
    top_ = FindRole(roles, Role::kNeck);
    if (top_ < 0) top_ = FindRole(roles, Role::kHead);
    if (top_ < 0) top_ = FindRole(roles, Role::kChest);
  }

  /// Whether there are hips, legs and something above them.
  bool has_body() const {
    return HasAll(legs_[0]) && HasAll(legs_[1]) &&
           (top_ >= 0 || (HasAll(arms_[0]) && HasAll(arms_[1])));
  }

  BodyPlaces At(const std::vector<Transform>& X_WJ) const {
    BodyPlaces places;
    const auto limb = [&](const std::array<int, 3>& joints) {
      return LimbPlaces{X_WJ[joints[0]].p, X_WJ[joints[1]].p,
                        X_WJ[joints[2]].p};
    };
    for (int side = 0; side < 2; ++side) {
      places.legs[side] = limb(legs_[side]);
    }
    places.hips = 0.5 * (places.legs[0].root + places.legs[1].root);
    places.left = places.legs[0].root - places.legs[1].root;
    if (HasAll(arms_[0]) && HasAll(arms_[1])) {
      places.arms = {limb(arms_[0]), limb(arms_[1])};
      places.left += (*places.arms)[0].root - (*places.arms)[1].root;
    }
    places.top =
        top_ >= 0
            ? X_WJ[top_].p
            : Vector3(0.5 * ((*places.arms)[0].root + (*places.arms)[1].root));
    const Vector3 up = places.trunk().normalized();
    places.left -= up * up.dot(places.left);
    if (places.left.norm() > 0.0) places.left.normalize();
    return places;
  }

 private:
  static bool HasAll(const std::array<int, 3>& joints) {
    return std::ranges::all_of(joints, [](int joint) { return joint >= 0; });
  }

  std::array<std::array<int, 3>, 2> legs_;
  std::array<std::array<int, 3>, 2> arms_;
  int top_ = -1;
};

/// The direction seen in a mirror that swaps left and right.
Vector3 InMirror(const Vector3& d, const Vector3& left) {
  return d - 2.0 * left * left.dot(d);
}

bool IsBodyPose(const BodyPlaces& places) {
  const Vector3 trunk = places.trunk();
  for (const LimbPlaces& leg : places.legs) {
    // Nobody's rest pose has the legs beside the trunk, or a folded knee.
    if (Angle(trunk, leg.end - leg.root) < 75.0 * kRadiansPerDegree)
      return false;
    if (Angle(leg.middle - leg.root, leg.end - leg.middle) >
        90.0 * kRadiansPerDegree) {
      return false;
    }
  }
  if (Angle(places.legs[0].end - places.legs[0].root,
            places.legs[1].end - places.legs[1].root) >
      90.0 * kRadiansPerDegree) {
    return false;
  }
  if (places.arms) {
    const auto& arms = *places.arms;
    const Vector3 a = arms[0].end - arms[0].root;
    const Vector3 b = arms[1].end - arms[1].root;
    // Arms like each other; neither goes through the body to the other side.
    if (Angle(a, InMirror(b, places.left)) > 90.0 * kRadiansPerDegree)
      return false;
    if (Angle(a, places.left) > 120.0 * kRadiansPerDegree) return false;
    if (Angle(b, -places.left) > 120.0 * kRadiansPerDegree) return false;
  }
  return true;
}

/// How far a pose is from standing straight with like arms that hang or are
/// held out [rad²].
double Strangeness(const BodyPlaces& places) {
  const Vector3 up = Vector3::UnitY();
  double sum = std::pow(Angle(places.trunk(), up), 2);
  for (const LimbPlaces& leg : places.legs) {
    sum += std::pow(Angle(leg.middle - leg.root, -up), 2);
    sum += std::pow(Angle(leg.end - leg.middle, -up), 2);
  }
  const double drop = places.legs[0].end.y() - places.legs[1].end.y();
  const double length = (places.legs[0].end - places.legs[0].root).norm();
  sum += 4.0 * std::pow(drop / std::max(length, 1e-9), 2);
  if (places.arms) {
    const auto& arms = *places.arms;
    // The shoulders are above the hips, not turned against them.
    const Vector3 hips = places.legs[0].root - places.legs[1].root;
    sum += std::pow(Angle(arms[0].root - arms[1].root, hips), 2);
    for (int bone = 0; bone < 2; ++bone) {
      const auto along = [bone](const LimbPlaces& arm) -> Vector3 {
        return bone == 0 ? arm.middle - arm.root : arm.end - arm.middle;
      };
      sum += 0.5 * std::pow(Angle(along(arms[0]),
                                  InMirror(along(arms[1]), places.left)),
                            2);
    }
    for (const LimbPlaces& arm : arms) {
      sum +=
          0.5 * std::pow(Angle(arm.middle - arm.root, arm.end - arm.middle), 2);
    }
  }
  return sum;
}

/// Frames looked at, spread over the clip.
constexpr std::int64_t kSamples = 400;

std::vector<std::int64_t> SampledFrames(const Motion& motion) {
  const std::int64_t n = std::min(kSamples, motion.num_frames());
  std::vector<std::int64_t> frames;
  for (std::int64_t i = 0; i < n; ++i) {
    frames.push_back(i * motion.num_frames() / n);
  }
  return frames;
}

/// Which joints inside the body have position channels.
std::vector<bool> JointsWithPositions(const Motion& motion, int pelvis) {
  std::vector<bool> result(motion.skeleton().num_joints(), false);
  for (const Channel& channel : motion.layout()->channels()) {
    if (channel.kind == ChannelKind::kTranslation) result[channel.joint] = true;
  }
  // Pelvis and what is above it carry the body over the floor.
  for (int joint = pelvis; joint >= 0;
       joint = motion.skeleton().joint(joint).parent) {
    result[joint] = false;
  }
  return result;
}

/// The bones as the position channels have them: the median of each component,
/// which is the value itself where it is constant.
std::vector<Vector3> ChannelOffsets(const Motion& motion, int pelvis) {
  const Skeleton& skeleton = motion.skeleton();
  std::vector<Vector3> offsets;
  for (const Joint& joint : skeleton.joints()) offsets.push_back(joint.offset);
  const std::vector<bool> has = JointsWithPositions(motion, pelvis);
  if (std::ranges::find(has, true) == has.end()) return offsets;
  std::vector<Pose> poses;
  for (const std::int64_t frame : SampledFrames(motion)) {
    poses.push_back(motion.pose(frame));
  }
  std::vector<double> values(poses.size());
  for (std::size_t j = 0; j < offsets.size(); ++j) {
    if (!has[j] || skeleton.is_root(static_cast<int>(j))) continue;
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < poses.size(); ++i) {
        values[i] = poses[i].X_PJ[j].p[axis];
      }
      const auto middle =
          values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::ranges::nth_element(values, middle);
      offsets[j][axis] = *middle;
    }
  }
  return offsets;
}

std::shared_ptr<const Skeleton> WithOffsets(const Skeleton& skeleton,
                                            const std::vector<Vector3>& offsets,
                                            const std::vector<Quaternion>& Q) {
  std::vector<Joint> joints = skeleton.joints();
  std::vector<Site> sites = skeleton.sites();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    joints[j].offset =
        Q.empty() || parent < 0 ? offsets[j] : Q[parent] * offsets[j];
  }
  for (Site& site : sites) {
    if (!Q.empty()) site.offset = Q[site.joint] * site.offset;
  }
  return Skeleton::Make(std::move(joints), std::move(sites));
}

/// A mean of rotations that are near each other.
class RotationMean {
 public:
  void Add(const Quaternion& R, double weight) {
    const double sign = sum_.dot(R.coeffs()) < 0.0 ? -1.0 : 1.0;
    sum_ += sign * weight * R.coeffs();
  }
  Quaternion Get() const {
    if (sum_.norm() <= 0.0) return Quaternion::Identity();
    return Quaternion(Vector4(sum_.normalized()));
  }

 private:
  Vector4 sum_ = Vector4::Zero();  // x, y, z, w.
};

/// How the body faces: its left over the floor becomes +X.
Quaternion HeadingOf(const BodyPlaces& places) {
  Vector3 left = places.left;
  left.y() = 0.0;
  if (left.norm() < 1e-6) return Quaternion::Identity();
  left.normalize();
  Matrix3 R;
  R << left, Vector3::UnitY(), left.cross(Vector3::UnitY());
  return Quaternion(R);
}

/// Of the squared angle to standing straight: frames farther away than this
/// from the best one hardly count [rad²].
constexpr double kTolerance = 0.2;

/// R_WJ in the neutral pose: see WorkingRig.
std::vector<Quaternion> NeutralTurns(const Motion& motion,
                                     const PlaceFinder& finder,
                                     const std::vector<Role>& roles) {
  std::vector<std::vector<Transform>> worlds;
  std::vector<BodyPlaces> places;
  double least = std::numeric_limits<double>::infinity();
  for (const std::int64_t frame : SampledFrames(motion)) {
    worlds.push_back(WorldTransforms(motion.skeleton(), motion.pose(frame)));
    places.push_back(finder.At(worlds.back()));
    least = std::min(least, Strangeness(places.back()));
  }
  // Lowest place of each ankle: a foot counts where it is not far above.
  std::array<double, 2> lowest;
  for (std::size_t side = 0; side < 2; ++side) {
    lowest[side] = std::numeric_limits<double>::infinity();
    for (const BodyPlaces& one : places) {
      lowest[side] = std::min(lowest[side], one.legs[side].end.y());
    }
  }
  const int num_joints = motion.skeleton().num_joints();
  std::vector<int> foot_of(static_cast<std::size_t>(num_joints), -1);
  for (int joint = 0; joint < num_joints; ++joint) {
    const int parent = motion.skeleton().joint(joint).parent;
    if (parent >= 0) foot_of[joint] = foot_of[parent];
    if (roles[joint] == Role::kLeftFoot) foot_of[joint] = 0;
    if (roles[joint] == Role::kRightFoot) foot_of[joint] = 1;
  }
  std::vector<RotationMean> means(static_cast<std::size_t>(num_joints));
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const double weight =
        std::exp((least - Strangeness(places[i])) / kTolerance);
    const Quaternion R_HW = HeadingOf(places[i]).conjugate();
    const double leg =
        (places[i].legs[0].end - places[i].legs[0].middle).norm();
    for (int joint = 0; joint < num_joints; ++joint) {
      double w = weight;
      if (foot_of[joint] >= 0) {
        // A hundredth of a shank above its lowest a foot still stands.
        const auto side = static_cast<std::size_t>(foot_of[joint]);
        const double height =
            (places[i].legs[side].end.y() - lowest[side]) / leg;
        w *= std::exp(-std::pow(height / 0.01, 2));
      }
      means[joint].Add(R_HW * worlds[i][joint].R, w);
    }
  }
  std::vector<Quaternion> Q;
  for (const RotationMean& mean : means) Q.push_back(mean.Get());
  return Q;
}

/// Sets the trunk with head and arms upright in the rest pose of `skeleton`,
/// whose joints are turned by Q: a mean lean is no rest.
void SetUpright(const Skeleton& skeleton, const PlaceFinder& finder,
                const std::vector<Role>& roles, std::vector<Quaternion>& Q) {
  const BodyPlaces places =
      finder.At(WorldTransforms(skeleton, RestPose(skeleton)));
  const Quaternion upright =
      Quaternion::FromTwoVectors(places.trunk(), Vector3::UnitY());
  std::vector<bool> in_leg(Q.size(), false);
  for (std::size_t j = 0; j < Q.size(); ++j) {
    const int parent = skeleton.joint(static_cast<int>(j)).parent;
    in_leg[j] = (parent >= 0 && in_leg[parent]) ||
                LeftOf(roles[j]) == Role::kLeftUpperLeg;
    if (!in_leg[j]) Q[j] = upright * Q[j];
  }
}

/// A leg that is straighter does not say which way its knee points [rad].
constexpr double kLeastBend = 0.1;

/// Lets the knees point straight ahead in the rest pose of `skeleton`, whose
/// joints are turned by Q: knees that point outwards in the mean are no rest
/// either, and their turn would be lost on legs that are straight at rest.
/// Thigh and shank turn about their own bones, so that all joints stay where
/// they are, and the foot as it is.
void PointKneesAhead(const Skeleton& skeleton, const PlaceFinder& finder,
                     const std::vector<Role>& roles,
                     std::vector<Quaternion>& Q) {
  const BodyPlaces places =
      finder.At(WorldTransforms(skeleton, RestPose(skeleton)));
  const Vector3 forward = places.left.cross(Vector3::UnitY());
  for (std::size_t side = 0; side < 2; ++side) {
    const auto find = [&](Role left) {
      return FindRole(roles, side == 0 ? left : Mirrored(left));
    };
    const LimbPlaces& leg = places.legs[side];
    const Vector3 thigh = leg.middle - leg.root;
    const Vector3 shank = leg.end - leg.middle;
    // The axis about which the knee is bent: to the left, if it points ahead.
    const Vector3 axis = thigh.cross(shank);
    if (Angle(thigh, shank) < kLeastBend || axis.dot(places.left) <= 0.0) {
      continue;
    }
    const double out = std::atan2(-axis.dot(forward), axis.dot(places.left));
    const std::array<Quaternion, 2> turns = {
        Quaternion(Eigen::AngleAxisd(out, thigh.normalized())),
        Quaternion(Eigen::AngleAxisd(out, shank.normalized()))};
    // Bones for the twist turn with what they hang on.
    std::vector<int> part(Q.size(), -1);
    for (std::size_t j = 0; j < Q.size(); ++j) {
      const int joint = static_cast<int>(j);
      const int parent = skeleton.joint(joint).parent;
      part[j] = joint == find(Role::kLeftUpperLeg)   ? 0
                : joint == find(Role::kLeftLowerLeg) ? 1
                : joint == find(Role::kLeftFoot)     ? -1
                : parent >= 0                        ? part[parent]
                                                     : -1;
      if (part[j] >= 0) Q[j] = turns[std::size_t(part[j])] * Q[j];
    }
  }
}

const Quaternion& TurnOf(const WorkingRig& rig, int joint) {
  static const Quaternion kNone = Quaternion::Identity();
  return joint < 0 || rig.Q.empty() ? kNone : rig.Q[joint];
}

}  // namespace

bool IsBodyPose(const std::vector<Role>& roles,
                const std::vector<Transform>& X_WJ) {
  const PlaceFinder finder(roles);
  return !finder.has_body() || IsBodyPose(finder.At(X_WJ));
}

WorkingRig MakeWorkingRig(const Motion& motion,
                          const std::vector<Role>& roles) {
  WorkingRig rig;
  rig.own = motion.shared_skeleton();
  rig.skeleton = rig.own;
  const PlaceFinder finder(roles);
  if (!finder.has_body() || motion.num_frames() == 0) return rig;
  const std::vector<Vector3> offsets =
      ChannelOffsets(motion, FindRole(roles, Role::kPelvis));
  bool is_changed = false;
  for (std::size_t j = 0; j < offsets.size(); ++j) {
    is_changed =
        is_changed || offsets[j] != rig.own->joint(static_cast<int>(j)).offset;
  }
  if (is_changed) rig.skeleton = WithOffsets(*rig.own, offsets, {});
  rig.rest_is_good = IsBodyPose(
      finder.At(WorldTransforms(*rig.skeleton, RestPose(*rig.skeleton))));
  if (rig.rest_is_good) return rig;
  rig.Q = NeutralTurns(motion, finder, roles);
  rig.rest_is_from_clip = true;
  SetUpright(*WithOffsets(*rig.own, offsets, rig.Q), finder, roles, rig.Q);
  PointKneesAhead(*WithOffsets(*rig.own, offsets, rig.Q), finder, roles, rig.Q);
  rig.skeleton = WithOffsets(*rig.own, offsets, rig.Q);
  rig.rest_is_good = IsBodyPose(
      finder.At(WorldTransforms(*rig.skeleton, RestPose(*rig.skeleton))));
  return rig;
}

WorkingRig WithBones(const WorkingRig& rig,
                     std::shared_ptr<const Skeleton> changed) {
  WorkingRig result = rig;
  result.own = changed;
  result.skeleton = std::move(changed);
  if (rig.Q.empty()) return result;
  std::vector<Joint> joints = result.skeleton->joints();
  std::vector<Site> sites = result.skeleton->sites();
  for (Joint& joint : joints) {
    joint.offset = TurnOf(rig, joint.parent).conjugate() * joint.offset;
  }
  for (Site& site : sites) {
    site.offset = TurnOf(rig, site.joint).conjugate() * site.offset;
  }
  result.own = Skeleton::Make(std::move(joints), std::move(sites));
  return result;
}

Motion ToWorking(const WorkingRig& rig, const Motion& motion) {
  if (rig.skeleton == rig.own) return motion;
  Motion result(rig.skeleton, motion.rate_hz());
  Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    for (int joint = 0; joint < pose.num_joints(); ++joint) {
      const int parent = rig.own->joint(joint).parent;
      Transform& X_PJ = pose.X_PJ[joint];
      const Quaternion& Q_P = TurnOf(rig, parent);
      X_PJ.R = (Q_P * X_PJ.R * TurnOf(rig, joint).conjugate()).normalized();
      X_PJ.p = Q_P * X_PJ.p;
    }
    result.Append(pose);
  }
  return result;
}

Motion FromWorking(const WorkingRig& rig, const Motion& motion,
                   MotionSource form) {
  Motion result(rig.own, motion.rate_hz(), std::move(form));
  Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    for (int joint = 0; joint < pose.num_joints(); ++joint) {
      const int parent = rig.own->joint(joint).parent;
      const Quaternion& Q_P = TurnOf(rig, parent);
      Transform& X_PJ = pose.X_PJ[joint];
      X_PJ.R = (Q_P.conjugate() * X_PJ.R * TurnOf(rig, joint)).normalized();
      X_PJ.p = Q_P.conjugate() * X_PJ.p;
      // What rounding alone moved keeps its place.
      const Vector3& offset = rig.own->joint(joint).offset;
      if ((X_PJ.p - offset).norm() <= 1e-12 + 1e-12 * offset.norm()) {
        X_PJ.p = offset;
      }
    }
    result.Append(pose);
  }
  return result;
}

}  // namespace limber::figure
