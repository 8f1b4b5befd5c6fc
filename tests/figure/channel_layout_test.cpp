// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/channel_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

namespace limber::figure {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::shared_ptr<const Skeleton> OneJoint(const Vector3& offset) {
  return Skeleton::Make({{"a", -1, offset}});
}

std::vector<Channel> Rotations(const std::vector<int>& axes) {
  std::vector<Channel> channels;
  for (const int axis : axes) {
    channels.push_back(
        {0, ChannelKind::kRotation, static_cast<std::uint8_t>(axis)});
  }
  return channels;
}

Quaternion About(int axis, double angle) {
  return ExpRotation(angle * Vector3::Unit(axis));
}

Pose PoseOf(const ChannelLayout& layout, const std::vector<double>& row,
            const Vector3& offset = Vector3::Zero()) {
  Pose pose;
  PoseFromChannels(layout, *OneJoint(offset), row, pose);
  return pose;
}

const std::vector<std::vector<int>> kOrders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                               {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

TEST(PoseFromChannels, FirstRotationIsOutermostInBvhAndInnermostInAmc) {
  const std::vector<double> row = {0.3, -0.5, 0.7};
  for (const std::vector<int>& axes : kOrders) {
    const Quaternion R1 = About(axes[0], row[0]);
    const Quaternion R2 = About(axes[1], row[1]);
    const Quaternion R3 = About(axes[2], row[2]);
    const ChannelLayout bvh(1, Rotations(axes));
    EXPECT_LT(AngleBetween(PoseOf(bvh, row).X_PJ[0].R, R1 * R2 * R3), 1e-14);
    const ChannelLayout amc(1, Rotations(axes),
                            RotationOrder::kFirstIsInnermost);
    EXPECT_LT(AngleBetween(PoseOf(amc, row).X_PJ[0].R, R3 * R2 * R1), 1e-14);
  }
}

TEST(PoseFromChannels, TranslationReplacesTheOffsetAxisByAxis) {
  const ChannelLayout layout(1, {{0, ChannelKind::kTranslation, 1}});
  const Pose pose = PoseOf(layout, {9.0}, Vector3(1, 2, 3));
  EXPECT_EQ(pose.X_PJ[0].p, Vector3(1, 9, 3));
  EXPECT_EQ(pose.X_PJ[0].R.w(), 1.0);
}

TEST(PoseFromChannels, JointWithoutChannelsRests) {
  const ChannelLayout layout(1, {});
  EXPECT_EQ(PoseOf(layout, {}, Vector3(1, 2, 3)).X_PJ[0].p, Vector3(1, 2, 3));
}

// R_PJ = R_WF R_FA E R_FAᵀ R_WFᵀ, p = R_WF t.
TEST(PoseFromChannels, FileAndBoneAxesConjugateTheRotation) {
  const Quaternion R_WF = ExpRotation(Vector3(-kPi / 2, 0, 0));
  const Quaternion R_FA = ExpRotation(Vector3(0.2, 0.1, -0.4));
  const ChannelLayout layout(
      1, {{0, ChannelKind::kTranslation, 2}, {0, ChannelKind::kRotation, 0}},
      RotationOrder::kFirstIsOutermost, R_WF, {R_FA});
  const Pose pose = PoseOf(layout, {5.0, 0.6});
  const Quaternion A = R_WF * R_FA;
  EXPECT_LT(AngleBetween(pose.X_PJ[0].R, A * About(0, 0.6) * A.conjugate()),
            1e-14);
  EXPECT_LT((pose.X_PJ[0].p - Vector3(0, 5, 0)).norm(), 1e-14);
}

// Random angles, far from gimbal lock and right in it, come back as they were
// when they are the hint.
TEST(ChannelsFromPose, HintBranchIsKept) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-3 * kPi, 3 * kPi);
  const auto skeleton = OneJoint(Vector3::Zero());
  for (const RotationOrder order :
       {RotationOrder::kFirstIsOutermost, RotationOrder::kFirstIsInnermost}) {
    for (const std::vector<int>& axes : kOrders) {
      const ChannelLayout layout(1, Rotations(axes), order, About(0, 0.7),
                                 {About(2, 1.1)});
      for (int trial = 0; trial < 400; ++trial) {
        std::vector<double> row = {angle(random), angle(random), angle(random)};
        if (trial % 4 == 0) row[1] = (trial % 8 == 0 ? 0.5 : -0.5) * kPi;
        Pose pose;
        PoseFromChannels(layout, *skeleton, row, pose);
        std::vector<double> found(3);
        std::vector<ChannelLoss> loss;
        ChannelsFromPose(layout, *skeleton, pose, row, found, loss);
        EXPECT_LT(loss[0].angle, 2e-9);
        // Close to the lock (here within 1e-3 by chance) the outer angles have
        // an error of 1e-16 / cos.
        const double tolerance = trial % 4 == 0 ? 1e-7 : 1e-9;
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(found[k], row[k], tolerance) << "trial " << trial;
        }
      }
    }
  }
}

// Whatever the hint, the rotation itself is right.
TEST(ChannelsFromPose, AnyRotationIsExpressedByThreeChannels) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  const auto skeleton = OneJoint(Vector3::Zero());
  for (const std::vector<int>& axes : kOrders) {
    const ChannelLayout layout(1, Rotations(axes));
    for (int trial = 0; trial < 200; ++trial) {
      Pose pose = RestPose(*skeleton);
      pose.X_PJ[0].R = Quaternion(normal(random), normal(random),
                                  normal(random), normal(random))
                           .normalized();
      const std::vector<double> hint = {normal(random), normal(random),
                                        normal(random)};
      std::vector<double> row(3);
      std::vector<ChannelLoss> loss;
      ChannelsFromPose(layout, *skeleton, pose, hint, row, loss);
      EXPECT_LT(loss[0].angle, 2e-9);
      EXPECT_LT(AngleBetween(PoseOf(layout, row).X_PJ[0].R, pose.X_PJ[0].R),
                2e-9);
    }
  }
}

// A somersault that passes through gimbal lock: with the frame before as hint
// no angle jumps, although the quaternions know nothing of angles.
TEST(ChannelsFromPose, PassesThroughGimbalLockWithoutFlips) {
  const auto skeleton = OneJoint(Vector3::Zero());
  const ChannelLayout layout(1, Rotations({2, 0, 1}));
  std::vector<double> row = {0.2, 0.0, 0.3};
  std::vector<ChannelLoss> loss;
  const int steps = 720;
  for (int i = 0; i <= steps; ++i) {
    const double turn = 4.0 * kPi * i / steps;
    Pose pose = RestPose(*skeleton);
    pose.X_PJ[0].R = About(2, 0.2) * About(0, turn) * About(1, 0.3);
    const std::vector<double> before = row;
    ChannelsFromPose(layout, *skeleton, pose, before, row, loss);
    EXPECT_NEAR(row[0], 0.2, 1e-6) << i;
    EXPECT_NEAR(row[1], turn, 1e-6) << i;
    EXPECT_NEAR(row[2], 0.3, 1e-6) << i;
  }
}

// One and two rotation channels: what they can express comes back exactly, for
// the rest no angles of a fine grid do better.
TEST(ChannelsFromPose, FewerChannelsGiveTheNearestRotation) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> angle(-kPi, kPi);
  std::normal_distribution<double> normal;
  const auto skeleton = OneJoint(Vector3::Zero());
  for (const std::vector<int>& axes :
       std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 1}, {1, 0}, {2, 1}}) {
    const ChannelLayout layout(1, Rotations(axes));
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> row(axes.size());
      for (double& value : row) value = angle(random);
      Pose pose;
      PoseFromChannels(layout, *skeleton, row, pose);
      std::vector<double> found(axes.size());
      std::vector<ChannelLoss> loss;
      ChannelsFromPose(layout, *skeleton, pose, row, found, loss);
      EXPECT_LT(loss[0].angle, 1e-12);
      for (std::size_t k = 0; k < axes.size(); ++k) {
        EXPECT_NEAR(found[k], row[k], 1e-12);
      }

      pose.X_PJ[0].R = Quaternion(normal(random), normal(random),
                                  normal(random), normal(random))
                           .normalized();
      ChannelsFromPose(layout, *skeleton, pose, row, found, loss);
      double best = kPi;
      for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < (axes.size() == 2 ? 64 : 1); ++j) {
          std::vector<double> other = {i * kPi / 32};
          if (axes.size() == 2) other.push_back(j * kPi / 32);
          best = std::min(best, AngleBetween(PoseOf(layout, other).X_PJ[0].R,
                                             pose.X_PJ[0].R));
        }
      }
      EXPECT_LE(loss[0].angle, best + 1e-12);
      EXPECT_GT(loss[0].angle, best - 0.15);
    }
  }
}

TEST(ChannelsFromPose, ReportsWhatNoChannelTakes) {
  const auto skeleton = OneJoint(Vector3(1, 2, 3));
  Pose pose = RestPose(*skeleton);
  pose.X_PJ[0] = {About(1, 0.25), Vector3(1, 5, 7)};
  std::vector<ChannelLoss> loss;
  ChannelsFromPose(ChannelLayout(1, {}), *skeleton, pose, {}, {}, loss);
  EXPECT_NEAR(loss[0].angle, 0.25, 1e-12);
  EXPECT_NEAR(loss[0].distance, 5.0, 1e-12);
  std::array<double, 1> row = {};
  ChannelsFromPose(ChannelLayout(1, {{0, ChannelKind::kTranslation, 1}}),
                   *skeleton, pose, row, row, loss);
  EXPECT_NEAR(loss[0].distance, 4.0, 1e-12);
  EXPECT_EQ(row[0], 5.0);
}

TEST(ChannelLayout, SenselessChannelsAreRefused) {
  const auto make = [](int num_joints, std::vector<Channel> channels) {
    return [=] { ChannelLayout(num_joints, channels); };
  };
  const Channel x = {0, ChannelKind::kRotation, 0};
  const Channel y = {0, ChannelKind::kRotation, 1};
  EXPECT_THAT(make(1, {{1, ChannelKind::kRotation, 0}}),
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("channels[0] names joint 1")));
  EXPECT_THAT(make(1, {{0, ChannelKind::kRotation, 3}}),
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("channels[0] has axis 3")));
  EXPECT_THAT(make(1, {x, y, x}),
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("channels[2] repeats an earlier one")));
  EXPECT_THAT(make(2, {x, {1, ChannelKind::kRotation, 0}, y}),
              ThrowsMessage<std::invalid_argument>(HasSubstr(
                  "channels[2] stands apart from the others of its joint")));
  EXPECT_THAT(make(1, {{0, ChannelKind::kQuaternion, 0}}),
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("not one whole quaternion")));
  EXPECT_THAT(
      [] {
        ChannelLayout(2, {}, RotationOrder::kFirstIsOutermost,
                      Quaternion::Identity(), {Quaternion::Identity()});
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("R_FA has 1 rotations, expected 2")));
}

}  // namespace
}  // namespace limber::figure
