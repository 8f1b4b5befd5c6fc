// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/body.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "core/checkpoint.h"

namespace limber::mocap {

namespace {

JointModel Ball(const Vector3& sigma_deg, const Vector3& lower_deg,
                const Vector3& upper_deg) {
  JointModel model;
  model.prior = JointPrior::kBall;
  model.sigma = kRadiansPerDegree * sigma_deg;
  model.lower = kRadiansPerDegree * lower_deg;
  model.upper = kRadiansPerDegree * upper_deg;
  return model;
}

JointModel Hinge(const Vector3& axis, const Vector3& bone,
                 double sigma_side_deg, double sigma_twist_deg,
                 double lower_deg, double upper_deg) {
  JointModel model;
  model.prior = JointPrior::kHinge;
  model.axis = axis;
  model.bone = bone;
  model.sigma_side = Radians(sigma_side_deg);
  model.sigma_twist = Radians(sigma_twist_deg);
  model.lower_angle = kRadiansPerDegree * lower_deg;
  model.upper_angle = kRadiansPerDegree * upper_deg;
  return model;
}

/// The same joint on the other side: rotations about Y and Z change their
/// sense, X keeps it.
JointModel Mirror(JointModel model) {
  for (int axis = 1; axis < 3; ++axis) {
    const double lower = model.lower[axis];
    model.lower[axis] = -model.upper[axis];
    model.upper[axis] = -lower;
  }
  // An axis is a direction of rotation, the bone a plain direction.
  model.axis.y() = -model.axis.y();
  model.axis.z() = -model.axis.z();
  model.bone.x() = -model.bone.x();
  return model;
}

std::array<SegmentModel, kNumSegments> MakeBody() {
  std::array<SegmentModel, kNumSegments> body;
  const Vector3 zero = Vector3::Zero();
  const auto set = [&body](Segment i, std::string_view name,
                           std::string_view joint, int parent,
                           const Vector3& offset, const Vector3& end,
                           const JointModel& model, double mass_share) {
    body[i] = {name, joint, parent, offset, end, model, i, mass_share};
  };
  const auto mirror = [&body](Segment right, Segment left,
                              std::string_view name, std::string_view joint) {
    const SegmentModel& from = body[left];
    const auto flip = [](const Vector3& v) {
      return Vector3(-v.x(), v.y(), v.z());
    };
    // Left limbs stand in the order of right ones, so the parent is either in
    // the middle or its own mirror image.
    const int parent =
        from.parent <= kHead ? from.parent : body[from.parent].mirror;
    body[right] = {name,           joint,
                   parent,         flip(from.offset),
                   flip(from.end), Mirror(from.model),
                   left,           from.mass_share};
    body[left].mirror = right;
  };
  const JointModel none;
  // Lengths after [Drillis & Contini 1966], masses after [de Leva 1996]. The
  // pelvis has its origin in the middle between the hips.
  set(kPelvis, "pelvis", "Hips", -1, zero, zero, none, 0.112);
  set(kSpine, "spine", "Spine", kPelvis, {0, 0.105, -0.045}, zero,
      Ball({20, 15, 15}, {-45, -30, -35}, {80, 30, 35}), 0.163);
  set(kChest, "chest", "Chest", kSpine, {0, 0.135, -0.015}, zero,
      Ball({20, 20, 15}, {-45, -45, -35}, {60, 45, 35}), 0.160);
  set(kNeck, "neck", "Neck", kChest, {0, 0.29, 0.015}, zero,
      Ball({20, 20, 15}, {-50, -50, -40}, {50, 50, 40}), 0.01);
  set(kHead, "head", "Head", kNeck, {0, 0.085, 0.015}, {0, 0.19, 0},
      Ball({20, 20, 15}, {-50, -50, -40}, {50, 50, 40}), 0.059);
  set(kLeftClavicle, "left-clavicle", "LeftShoulder", kChest,
      {0.025, 0.245, 0.075}, zero,
      Ball({3, 15, 15}, {-10, -45, -25}, {10, 45, 60}), 0.001);
  set(kLeftUpperArm, "left-upper-arm", "LeftArm", kLeftClavicle,
      {0.15, 0.0, -0.07}, zero, none, 0.027);
  set(kLeftForearm, "left-forearm", "LeftForeArm", kLeftUpperArm, {0.29, 0, 0},
      zero, Hinge(-Vector3::UnitY(), Vector3::UnitX(), 6, 60, -5, 155), 0.016);
  set(kLeftHand, "left-hand", "LeftHand", kLeftForearm, {0.255, 0, 0},
      {0.18, 0, 0}, Ball({8, 20, 35}, {-20, -45, -90}, {20, 45, 90}), 0.006);
  set(kLeftUpperLeg, "left-upper-leg", "LeftUpLeg", kPelvis, {0.088, 0, 0},
      zero, Ball({90, 40, 40}, {-150, -60, -40}, {50, 60, 80}), 0.142);
  set(kLeftLowerLeg, "left-lower-leg", "LeftLeg", kLeftUpperLeg, {0, -0.43, 0},
      zero, Hinge(Vector3::UnitX(), -Vector3::UnitY(), 3, 6, -5, 165), 0.043);
  set(kLeftFoot, "left-foot", "LeftFoot", kLeftLowerLeg, {0, -0.425, 0}, zero,
      Ball({40, 25, 15}, {-50, -50, -35}, {70, 50, 35}), 0.013);
  set(kLeftToes, "left-toes", "LeftToeBase", kLeftFoot, {0.01, -0.055, 0.135},
      {0, -0.01, 0.065}, Ball({25, 4, 4}, {-80, -10, -10}, {50, 10, 10}),
      0.001);
  mirror(kRightClavicle, kLeftClavicle, "right-clavicle", "RightShoulder");
  mirror(kRightUpperArm, kLeftUpperArm, "right-upper-arm", "RightArm");
  mirror(kRightForearm, kLeftForearm, "right-forearm", "RightForeArm");
  mirror(kRightHand, kLeftHand, "right-hand", "RightHand");
  mirror(kRightUpperLeg, kLeftUpperLeg, "right-upper-leg", "RightUpLeg");
  mirror(kRightLowerLeg, kLeftLowerLeg, "right-lower-leg", "RightLeg");
  mirror(kRightFoot, kLeftFoot, "right-foot", "RightFoot");
  mirror(kRightToes, kLeftToes, "right-toes", "RightToeBase");
  return body;
}

}  // namespace

const std::array<SegmentModel, kNumSegments>& Body() {
  static const std::array<SegmentModel, kNumSegments> body = MakeBody();
  return body;
}

int FindSegment(std::string_view name) {
  const auto& body = Body();
  const auto found = std::ranges::find(body, name, &SegmentModel::name);
  return found == body.end() ? -1 : static_cast<int>(found - body.begin());
}

BodyPose BodyPose::Rest() {
  BodyPose pose;
  pose.R_PJ.fill(Quaternion::Identity());
  return pose;
}

void BodyKinematics::Update(const BodyOffsets& p_PJ, const BodyPose& pose) {
  Checkpoint();
  const auto& body = Body();
  R_WJ[0] = pose.R_PJ[0].toRotationMatrix();
  p_WJ[0] = pose.p_WR;
  for (int j = 1; j < kNumSegments; ++j) {
    const int p = body[j].parent;
    R_WJ[j].noalias() = R_WJ[p] * pose.R_PJ[j].toRotationMatrix();
    p_WJ[j] = p_WJ[p] + R_WJ[p] * p_PJ[j];
  }
}

std::shared_ptr<const figure::Skeleton> MakeSkeleton(const BodyOffsets& p_PJ,
                                                     double scale) {
  std::vector<figure::Joint> joints;
  std::vector<figure::Site> sites;
  for (int j = 0; j < kNumSegments; ++j) {
    const SegmentModel& segment = Body()[j];
    joints.push_back({std::string(segment.joint), segment.parent, p_PJ[j]});
    if (segment.end != Vector3::Zero()) {
      sites.push_back({"", j, segment.end * scale});
    }
  }
  return figure::Skeleton::Make(std::move(joints), std::move(sites));
}

void ToFigurePose(const BodyOffsets& p_PJ, const BodyPose& body,
                  figure::Pose& pose) {
  assert(pose.num_joints() == kNumSegments);
  for (int j = 0; j < kNumSegments; ++j) {
    pose.X_PJ[j].R = body.R_PJ[j];
    pose.X_PJ[j].p = j == kPelvis ? body.p_WR : p_PJ[j];
  }
}

ClinicalAngles MeasureJoint(int segment, const Quaternion& R_PJ) {
  const JointModel& model = Body()[segment].model;
  const Matrix3 R = R_PJ.toRotationMatrix();
  const bool is_arm = (segment >= kLeftClavicle && segment <= kRightHand);
  if (model.prior == JointPrior::kHinge && is_arm) {
    // v = R l lies in the plane of a and l but for the side leaning.
    const Vector3& a = model.axis;
    const Vector3& l = model.bone;
    const Vector3 n = a.cross(l);
    const Vector3 v = R * l;
    ClinicalAngles angles;
    angles.flexion = std::atan2(v.dot(n), v.dot(l));
    angles.side = std::asin(std::clamp(v.dot(a), -1.0, 1.0));
    const Vector3 a_J = R.transpose() * a;
    angles.twist = std::atan2(-a_J.dot(n), a_J.dot(a));
    return angles;
  }
  // R = Rx(f) Rz(s) Ry(t): column 1 is (-sin s, cos s cos f, cos s sin f).
  ClinicalAngles angles;
  angles.side = std::asin(std::clamp(-R(0, 1), -1.0, 1.0));
  angles.flexion = std::atan2(R(2, 1), R(1, 1));
  angles.twist = std::atan2(R(0, 2), R(0, 0));
  // Thighs, feet and hands bend forward and upward: against the axis X.
  const bool against = segment == kLeftUpperLeg || segment == kRightUpperLeg ||
                       segment == kLeftFoot || segment == kRightFoot;
  if (against) angles.flexion = -angles.flexion;
  return angles;
}

}  // namespace limber::mocap
