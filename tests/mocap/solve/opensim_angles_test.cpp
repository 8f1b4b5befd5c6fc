// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/opensim_angles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/angle.h"
#include "mocap/solve/model_markers.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;

std::map<std::string, double> InDegrees(const BodyPose& pose,
                                        OpenSimFamily family) {
  Actor actor;
  actor.moves.fill(true);
  const OpenSimCoordinates made = ToOpenSim(actor, std::span(&pose, 1), family);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < made.names.size(); ++i) {
    values[made.names[i]] =
        made.is_angle[i] ? Degrees(made.values[i]) : made.values[i];
  }
  return values;
}

/// Upright, arms hanging, palms to the thighs, looking along the world's +X.
BodyPose Standing() {
  BodyPose pose = BodyPose::Rest();
  pose.R_PJ[kPelvis] = ExpRotation({0, kPi / 2, 0});
  pose.R_PJ[kLeftUpperArm] = ExpRotation({0, 0, -kPi / 2});
  pose.R_PJ[kRightUpperArm] = ExpRotation({0, 0, kPi / 2});
  return pose;
}

TEST(ToOpenSim, StandingIsZeroButForTheForearms) {
  for (const auto& [name, value] :
       InDegrees(Standing(), OpenSimFamily::kRajagopal)) {
    if (name.starts_with("pelvis_t") && name != "pelvis_tilt") continue;
    const double expected = name.starts_with("pro_sup") ? 90 : 0;
    EXPECT_NEAR(value, expected, 1e-6) << name;
  }
}

// What the names mean, by where the body goes.
TEST(ToOpenSim, SignsAreThoseOfTheNames) {
  struct Case {
    int segment;
    Vector3 turn;  ///< About the segment's axes [rad].
    std::string name;
    double degrees;
  };
  const double a = Radians(20);
  for (const Case& test :
       std::vector<Case>{// A thigh that swings forward turns about -X.
                         {kLeftUpperLeg, {-a, 0, 0}, "hip_flexion_l", 20},
                         {kRightUpperLeg, {-a, 0, 0}, "hip_flexion_r", 20},
                         // A foot that goes to the left is moved about +Z.
                         {kLeftUpperLeg, {0, 0, a}, "hip_adduction_l", -20},
                         {kRightUpperLeg, {0, 0, a}, "hip_adduction_r", 20},
                         // Toes that turn to the left are turned about +Y.
                         {kLeftUpperLeg, {0, a, 0}, "hip_rotation_l", -20},
                         {kRightUpperLeg, {0, a, 0}, "hip_rotation_r", 20},
                         {kLeftLowerLeg, {a, 0, 0}, "knee_angle_l", 20},
                         {kRightLowerLeg, {a, 0, 0}, "knee_angle_r", 20},
                         {kSpine, {a, 0, 0}, "lumbar_extension", -20},
                         {kChest, {0, a, 0}, "lumbar_rotation", 20},
                         {kChest, {0, 0, a}, "lumbar_bending", 20}}) {
    BodyPose pose = Standing();
    pose.R_PJ[test.segment] = ExpRotation(test.turn);
    EXPECT_NEAR(InDegrees(pose, OpenSimFamily::kRajagopal).at(test.name),
                test.degrees, 1e-6)
        << test.name;
  }
  BodyPose bent = Standing();
  bent.R_PJ[kRightLowerLeg] = ExpRotation({a, 0, 0});
  EXPECT_NEAR(InDegrees(bent, OpenSimFamily::kGait2354).at("knee_angle_r"), -20,
              1e-6);
  // An arm that swings forward, an elbow that bends, a foot that rises.
  BodyPose arm = Standing();
  arm.R_PJ[kRightUpperArm] =
      ExpRotation({-a, 0, 0}) * ExpRotation({0, 0, kPi / 2});
  EXPECT_NEAR(InDegrees(arm, OpenSimFamily::kRajagopal).at("arm_flex_r"), 20,
              1e-6);
  BodyPose foot = Standing();
  foot.R_PJ[kRightFoot] = ExpRotation({-a, 0, 0});
  EXPECT_NEAR(InDegrees(foot, OpenSimFamily::kRajagopal).at("ankle_angle_r"),
              20, 2);
  BodyPose elbow = Standing();
  elbow.R_PJ[kLeftForearm] = ExpRotation({0, -1.0, 0});
  elbow.R_PJ[kRightForearm] = ExpRotation({0, 1.0, 0});
  const auto bends = InDegrees(elbow, OpenSimFamily::kRajagopal);
  EXPECT_NEAR(bends.at("elbow_flex_l"), 57.3, 3);
  EXPECT_NEAR(bends.at("elbow_flex_r"), bends.at("elbow_flex_l"), 1e-6);
  EXPECT_NEAR(bends.at("pro_sup_r"), bends.at("pro_sup_l"), 1e-6);
}

// What is left is what is right: a mirrored pose has the other side's values.
TEST(ToOpenSim, MirroredPoseExchangesTheSides) {
  const SyntheticTake made = MakeSyntheticTake();
  BodyPose pose = made.poses[50];
  pose.R_PJ[kPelvis] = Quaternion::Identity();
  BodyPose mirrored;
  for (int j = 0; j < kNumSegments; ++j) {
    const Quaternion& R = pose.R_PJ[Body()[j].mirror];
    mirrored.R_PJ[j] = Quaternion(R.w(), R.x(), -R.y(), -R.z());
  }
  const auto a = InDegrees(pose, OpenSimFamily::kRajagopal);
  const auto b = InDegrees(mirrored, OpenSimFamily::kRajagopal);
  for (const auto& [name, value] : a) {
    if (!name.ends_with("_r") && !name.ends_with("_l")) continue;
    std::string other = name;
    other.back() = name.back() == 'r' ? 'l' : 'r';
    EXPECT_NEAR(value, b.at(other), 1e-6) << name;
  }
}

TEST(ToOpenSim, AnglesRunOnThroughAFullTurn) {
  std::vector<BodyPose> poses;
  for (int i = 0; i < 40; ++i) {
    poses.push_back(Standing());
    poses.back().R_PJ[kPelvis] = ExpRotation({0, 0.3 * i, 0});
  }
  Actor actor;
  actor.moves.fill(true);
  const OpenSimCoordinates made =
      ToOpenSim(actor, poses, OpenSimFamily::kRajagopal);
  const auto column = std::size_t(
      std::ranges::find(made.names, "pelvis_rotation") - made.names.begin());
  for (std::size_t i = 1; i < poses.size(); ++i) {
    EXPECT_NEAR(made.values[i * made.names.size() + column] -
                    made.values[(i - 1) * made.names.size() + column],
                0.3, 1e-9);
  }
}

TEST(ToOpenSim, JointsWithoutMarkersAreLeftOut) {
  Actor actor;
  actor.moves[kPelvis] = true;
  actor.moves[kRightUpperLeg] = true;
  const BodyPose pose = Standing();
  EXPECT_THAT(
      ToOpenSim(actor, std::span(&pose, 1), OpenSimFamily::kRajagopal).names,
      testing::ElementsAre("pelvis_tilt", "pelvis_list", "pelvis_rotation",
                           "pelvis_tx", "pelvis_ty", "pelvis_tz",
                           "hip_flexion_r", "hip_adduction_r",
                           "hip_rotation_r"));
}

TEST(MarkerSetFromModel, MarkersGoToTheirSegmentsAndPlaces) {
  OsimModel model;
  model.markers = {{"R.ASIS", "pelvis", {0.02, 0.03, 0.128}},
                   {"R.Knee.Lat", "femur_r", {0, -0.404, 0.05}},
                   {"L.Knee.Lat", "femur_l", {0, -0.404, -0.05}},
                   {"R.Elbow", "humerus_r", {0, -0.28, 0.04}},
                   {"Top.Head", "torso", {0, 0.657, 0}},
                   {"Cup", "chair", {0, 0, 0}}};
  const Result<MarkerSet> set = MarkerSetFromModel(model, "a.xml");
  ASSERT_TRUE(set.ok()) << set.diagnostics().ToString();
  EXPECT_EQ(set.diagnostics().CountOf("unknown-body"), 1);
  const auto& markers = set->markers;
  ASSERT_EQ(markers.size(), 5);
  EXPECT_EQ(markers[0].segment, kPelvis);
  // In front of, above and to the right of the middle between the hips.
  EXPECT_GT(markers[0].at.z(), 0.04);
  EXPECT_GT(markers[0].at.y(), 0.04);
  EXPECT_LT(markers[0].at.x(), -0.1);
  EXPECT_EQ(markers[1].segment, kRightUpperLeg);
  EXPECT_LT(markers[1].at.x(), -0.04);
  EXPECT_LT(markers[1].at.y(), -0.38);
  EXPECT_EQ(markers[2].segment, kLeftUpperLeg);
  EXPECT_NEAR(markers[2].at.x(), -markers[1].at.x(), 1e-9);
  // The arm is stretched out to the right.
  EXPECT_EQ(markers[3].segment, kRightUpperArm);
  EXPECT_LT(markers[3].at.x(), -0.25);
  EXPECT_EQ(markers[4].segment, kHead);
  EXPECT_FALSE(MarkerSetFromModel(OsimModel(), "b.osim").ok());
}

}  // namespace
}  // namespace limber::test
