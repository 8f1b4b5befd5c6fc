// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/smpl_body.h"

#include <array>
#include <string>
#include <utility>

namespace limber::mocap::internal {

namespace {

using figure::Joint;
using figure::Site;
using figure::Skeleton;

/// The height for which the offsets below hold: that of adult18 [m].
constexpr double kFigureHeight = 1.75;
/// Pelvis of adult18 above the floor [m].
constexpr double kPelvisHeight = 0.935;
constexpr std::size_t kNumBody = 22;
constexpr std::size_t kLeftWrist = 20;
constexpr std::size_t kRightWrist = 21;
constexpr std::size_t kHead = 15;

struct Row {
  const char* name;
  int parent;
  std::array<double, 3> offset;  // Of the figure of 1.75 m [m].
};

/// The 22 joints that all three models share. adult18 has one joint where SMPL
/// has spine2 and spine3, neck and head, collar and shoulder: its bones are
/// divided.
constexpr std::array<Row, kNumBody> kBody = {{
    {"pelvis", -1, {0.0, 0.935, 0.0}},
    {"left_hip", 0, {0.088, 0.0, 0.0}},
    {"right_hip", 0, {-0.088, 0.0, 0.0}},
    {"spine1", 0, {0.0, 0.1403, 0.0}},
    {"left_knee", 1, {0.0, -0.4244, 0.0}},
    {"right_knee", 2, {0.0, -0.4244, 0.0}},
    {"spine2", 3, {0.0, 0.1038, 0.0}},
    {"left_ankle", 4, {0.0, -0.4426, 0.0}},
    {"right_ankle", 5, {0.0, -0.4426, 0.0}},
    {"spine3", 6, {0.0, 0.1038, 0.0}},
    {"left_foot", 7, {0.0, -0.053, 0.1245}},
    {"right_foot", 8, {0.0, -0.053, 0.1245}},
    {"neck", 9, {0.0, 0.2332, 0.0}},
    {"left_collar", 9, {0.06, 0.1489, 0.0}},
    {"right_collar", 9, {-0.06, 0.1489, 0.0}},
    {"head", 12, {0.0, 0.08, 0.0}},
    {"left_shoulder", 13, {0.125, 0.0, 0.0}},
    {"right_shoulder", 14, {-0.125, 0.0, 0.0}},
    {"left_elbow", 16, {0.2832, 0.0, 0.0}},
    {"right_elbow", 17, {-0.2832, 0.0, 0.0}},
    {"left_wrist", 18, {0.2703, 0.0, 0.0}},
    {"right_wrist", 19, {-0.2703, 0.0, 0.0}},
}};

/// First joints of the fingers in the order of the models, left hand.
struct Finger {
  const char* name;
  std::array<double, 3> base;  // From the wrist [m].
  std::array<double, 2> next;  // Lengths of the two bones that follow [m].
  double tip;                  // Length of the last one [m].
};
constexpr std::array<Finger, 5> kFingers = {{
    {"index", {0.092, 0.0, 0.025}, {0.038, 0.024}, 0.022},
    {"middle", {0.095, 0.0, 0.003}, {0.042, 0.026}, 0.024},
    {"pinky", {0.080, 0.0, -0.036}, {0.030, 0.018}, 0.018},
    {"ring", {0.090, 0.0, -0.018}, {0.038, 0.025}, 0.023},
    {"thumb", {0.025, -0.010, 0.028}, {0.035, 0.030}, 0.025},
}};
/// Half a hand: joint "left_hand" of SMPL, then to the tips of its fingers [m].
constexpr double kHalfHand = 0.0945;
/// From the joint of the head to the crown, and beyond the ball of the foot.
constexpr double kCrown = 0.154;
constexpr std::array<double, 3> kToes = {0.0, -0.015, 0.07};

/// Adds joints and sites of the figure of a given height.
class BodyBuilder {
 public:
  explicit BodyBuilder(double height) : scale_(height / kFigureHeight) {}

  void AddJoint(std::string name, int parent,
                const std::array<double, 3>& offset, double side = 1.0) {
    joints_.push_back({std::move(name), parent, Scaled(offset, side)});
  }
  void AddSite(std::size_t joint, const std::array<double, 3>& offset,
               double side = 1.0) {
    sites_.push_back({"", int(joint), Scaled(offset, side)});
  }
  /// The 15 joints of a hand.
  void AddHand(const std::string& word, std::size_t wrist, double side) {
    for (const Finger& finger : kFingers) {
      const std::string name = word + "_" + finger.name;
      AddJoint(name + "1", int(wrist), finger.base, side);
      AddJoint(name + "2", int(joints_.size()) - 1, {finger.next[0], 0, 0},
               side);
      AddJoint(name + "3", int(joints_.size()) - 1, {finger.next[1], 0, 0},
               side);
      AddSite(joints_.size() - 1, {finger.tip, 0, 0}, side);
    }
  }
  std::size_t num_joints() const { return joints_.size(); }
  std::shared_ptr<const Skeleton> Finish() && {
    return Skeleton::Make(std::move(joints_), std::move(sites_));
  }

 private:
  Vector3 Scaled(const std::array<double, 3>& p, double side) const {
    return scale_ * Vector3(side * p[0], p[1], p[2]);
  }

  double scale_;
  std::vector<Joint> joints_;
  std::vector<Site> sites_;
};

}  // namespace

std::optional<NpzKind> SmplKindOf(std::size_t num_joints) {
  switch (num_joints) {
    case kNumBody:
    case 24:
      return NpzKind::kSmpl;
    case 52:
      return NpzKind::kSmplH;
    case 55:
      return NpzKind::kSmplX;
    default:
      return std::nullopt;
  }
}

std::shared_ptr<const Skeleton> SmplSkeleton(NpzKind kind,
                                             std::size_t num_joints,
                                             double height) {
  BodyBuilder body(height);
  for (const Row& row : kBody) body.AddJoint(row.name, row.parent, row.offset);
  if (num_joints > kNumBody && kind == NpzKind::kSmpl) {
    body.AddJoint("left_hand", int(kLeftWrist), {kHalfHand, 0, 0});
    body.AddJoint("right_hand", int(kRightWrist), {kHalfHand, 0, 0}, -1.0);
    body.AddSite(kNumBody, {kHalfHand, 0, 0});
    body.AddSite(kNumBody + 1, {kHalfHand, 0, 0}, -1.0);
  }
  if (kind == NpzKind::kSmplX) {
    body.AddJoint("jaw", int(kHead), {0.0, 0.0, 0.02});
    body.AddJoint("left_eye_smplhf", int(kHead), {0.032, 0.06, 0.08});
    body.AddJoint("right_eye_smplhf", int(kHead), {-0.032, 0.06, 0.08});
  }
  if (kind != NpzKind::kSmpl) {
    body.AddHand("left", kLeftWrist, 1.0);
    body.AddHand("right", kRightWrist, -1.0);
  }
  if (num_joints == kNumBody) {
    body.AddSite(kLeftWrist, {2.0 * kHalfHand, 0, 0});
    body.AddSite(kRightWrist, {2.0 * kHalfHand, 0, 0}, -1.0);
  }
  body.AddSite(kHead, {0.0, kCrown, 0.0});
  body.AddSite(10, kToes);
  body.AddSite(11, kToes);
  return std::move(body).Finish();
}

double PelvisShare() { return kPelvisHeight / kFigureHeight; }

std::shared_ptr<const Skeleton> SmplSkeletonAt(
    NpzKind kind, const std::vector<Vector3>& places) {
  const std::shared_ptr<const Skeleton> figure =
      SmplSkeleton(kind, places.size(), kFigureHeight);
  std::vector<Joint> joints = figure->joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    joints[j].offset =
        parent < 0 ? places[j] : places[j] - places[std::size_t(parent)];
  }
  return Skeleton::Make(std::move(joints));
}

}  // namespace limber::mocap::internal
