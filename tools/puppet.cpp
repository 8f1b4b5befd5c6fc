// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tools/puppet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "figure/pose.h"

namespace limber {

namespace {

/// A straight leg has no bending plane: the knee keeps this much bent [m].
constexpr double kShortOfStraight = 1e-4;

std::size_t At(int index) { return static_cast<std::size_t>(index); }

Quaternion About(int axis, double angle_deg) {
  return Quaternion(
      Eigen::AngleAxisd(angle_deg * kRadiansPerDegree, Vector3::Unit(axis)));
}

/// Left is x, so bending forward is a positive turn about it.
Quaternion TrunkTurn(const Posture::Trunk& trunk) {
  return About(0, trunk.forward) * About(2, -trunk.left) * About(1, trunk.turn);
}

Quaternion FootTurn(const Posture::Foot& foot) {
  return About(1, foot.yaw) * About(0, -foot.pitch);
}

/// The rotation whose y axis is `up` and whose x axis lies near `left`.
Quaternion BoneFrame(const Vector3& up, const Vector3& left) {
  Matrix3 R;
  R.col(1) = up.normalized();
  R.col(0) = (left - R.col(1) * R.col(1).dot(left)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return Quaternion(R);
}

}  // namespace

Puppet::Puppet(figure::FigureModel figure) : figure_(std::move(figure)) {
  const figure::Skeleton& skeleton = *figure_.skeleton;
  thigh_ = skeleton.joint(Joint("LeftLeg")).offset.norm();
  shank_ = skeleton.joint(Joint("LeftFoot")).offset.norm();
  half_hips_ = skeleton.joint(Joint("LeftUpLeg")).offset.x();
  p_ankle_ball_ = skeleton.joint(Joint("LeftToeBase")).offset;
  for (const figure::Site& site : skeleton.sites()) {
    if (site.joint == Joint("LeftToeBase")) p_ball_tip_ = site.offset;
  }
  ankle_height_ = -(p_ankle_ball_.y() + p_ball_tip_.y());
  for (const figure::FigureSite& site : figure_.contacts) {
    if (site.name == "left-foot heel") p_ankle_heel_ = site.offset;
  }
}

int Puppet::Joint(const char* name) const {
  return figure_.skeleton->Find(name);
}

Posture Puppet::Standing() const {
  Posture posture;
  // Knees bent by about 9 degrees: the leg is shorter by 3 mm.
  posture.pelvis = {0.0, ankle_height_ + leg_length() - 0.003, 0.0};
  for (std::size_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1.0 : -1.0;
    posture.foot[i].ankle = {side * half_hips_ * 1.1, ankle_height_, 0.0};
    posture.foot[i].yaw = side * 6.0;
  }
  return Balanced(posture, 0.0, 0.045);
}

figure::Pose Puppet::PoseOf(const Posture& posture) const {
  const figure::Skeleton& skeleton = *figure_.skeleton;
  figure::Pose pose = figure::RestPose(skeleton);
  const auto set = [&](const std::string& name, const Quaternion& R) {
    pose.X_PJ[At(Joint(name.c_str()))].R = R;
  };
  const Quaternion R_WP = About(1, posture.pelvis_yaw) *
                          About(0, posture.pelvis_pitch) *
                          About(2, -posture.pelvis_roll);
  pose.X_PJ[0] = {R_WP, posture.pelvis};
  set("Spine", TrunkTurn(posture.spine));
  set("Chest", TrunkTurn(posture.chest));
  set("Head", TrunkTurn(posture.head));
  for (std::size_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1.0 : -1.0;
    const std::string name = i == 0 ? "Left" : "Right";
    // N brings the arm of the T pose to hang.
    const Quaternion N = About(2, -side * 90.0);
    const Posture::Arm& arm = posture.arm[i];
    const Quaternion upper = About(0, -arm.flexion) *
                             About(2, side * arm.abduction) *
                             About(1, side * arm.twist);
    const Quaternion lower =
        About(0, -arm.elbow) * About(1, side * arm.supination);
    set(name + "Arm", upper * N);
    set(name + "ForeArm", N.conjugate() * lower * N);
    set(name + "Hand", N.conjugate() * About(2, -side * arm.wrist) * N);

    // Hip and ankle give the lengths of the triangle, the foot and the pelvis
    // together where the knee points.
    const Posture::Foot& foot = posture.foot[i];
    const Vector3 hip =
        posture.pelvis +
        R_WP * skeleton.joint(Joint((name + "UpLeg").c_str())).offset;
    const Vector3 line = foot.ankle - hip;
    const double distance =
        std::min(line.norm(), leg_length() - kShortOfStraight);
    const Vector3 along = line.normalized();
    const Vector3 left_of_foot = About(1, foot.yaw) * Vector3::UnitX();
    const Vector3 left = 0.5 * (left_of_foot + R_WP * Vector3::UnitX());
    const Vector3 axis = (left - along * along.dot(left)).normalized();
    const Vector3 forward = along.cross(axis);  // the knee's way
    const double cosine =
        (thigh_ * thigh_ + distance * distance - shank_ * shank_) /
        (2.0 * thigh_ * distance);
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
    const Vector3 knee =
        hip + thigh_ * (std::cos(angle) * along + std::sin(angle) * forward);
    const Vector3 ankle = hip + distance * along;
    const Quaternion R_WU = BoneFrame(hip - knee, axis);
    const Quaternion R_WL = BoneFrame(knee - ankle, axis);
    set(name + "UpLeg", R_WP.conjugate() * R_WU);
    set(name + "Leg", R_WU.conjugate() * R_WL);
    set(name + "Foot", R_WL.conjugate() * FootTurn(foot));
    set(name + "ToeBase", About(0, -foot.toes));
  }
  return pose;
}

Vector3 Puppet::MassCentre(const figure::Pose& pose) const {
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(*figure_.skeleton, pose);
  Vector3 sum = Vector3::Zero();
  for (const figure::FigureSegment& segment : figure_.segments) {
    sum += segment.mass * (X_WJ[At(segment.joint)] * segment.p_JC);
  }
  return sum / figure_.total_mass();
}

Posture Puppet::Balanced(Posture posture, double x, double z) const {
  // Trunk and arms follow the pelvis, the legs half: a fixed point that gains
  // a decimal every step.
  for (int i = 0; i < 25; ++i) {
    const Vector3 centre = MassCentre(PoseOf(posture));
    posture.pelvis.x() += x - centre.x();
    posture.pelvis.z() += z - centre.z();
  }
  return posture;
}

Vector3 RolledAnkle(const Puppet& puppet, const Vector3& flat, double yaw_deg,
                    double pitch_deg) {
  const Quaternion R_WY = About(1, yaw_deg);
  const Vector3& pivot =
      pitch_deg >= 0.0 ? puppet.p_ankle_heel() : puppet.p_ankle_ball();
  return flat + R_WY * (pivot - About(0, -pitch_deg) * pivot);
}

figure::Motion MakeClip(const Puppet& puppet, double rate_hz, int num_frames,
                        const std::function<Posture(double)>& posture) {
  const figure::Skeleton& skeleton = *puppet.figure().skeleton;
  std::vector<figure::Channel> channels;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (skeleton.is_root(j)) {
      for (std::uint8_t axis = 0; axis < 3; ++axis) {
        channels.push_back({j, figure::ChannelKind::kTranslation, axis});
      }
    }
    for (const std::uint8_t axis : {2, 0, 1}) {
      channels.push_back({j, figure::ChannelKind::kRotation, axis});
    }
  }
  figure::MotionSource source;
  source.metres_per_unit = 0.01;
  source.channels = std::make_shared<figure::ChannelLayout>(
      skeleton.num_joints(), std::move(channels));
  const std::size_t width = At(source.channels->num_channels());
  std::vector<double> values;
  std::vector<double> row(width, 0.0);
  std::vector<figure::ChannelLoss> loss;
  for (int frame = 0; frame < num_frames; ++frame) {
    const figure::Pose pose = puppet.PoseOf(posture(frame / rate_hz));
    figure::ChannelsFromPose(*source.channels, skeleton, pose, row, row, loss);
    for (std::size_t k = 0; k < width; ++k) {
      const bool is_length = source.channels->channels()[k].kind ==
                             figure::ChannelKind::kTranslation;
      const double step = is_length ? 1e-5 : 1e-4 * kRadiansPerDegree;
      // + 0.0 turns -0 into 0.
      values.push_back(std::round(row[k] / step) * step + 0.0);
    }
  }
  return figure::Motion(puppet.figure().skeleton, rate_hz, std::move(source),
                        std::move(values));
}

}  // namespace limber
