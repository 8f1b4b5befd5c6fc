// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses of body models, as AMASS has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "figure/joint_names.h"
#include "mocap/io/npz.h"
#include "tests/mocap/io/npz_samples.h"

namespace limber::mocap {
namespace {

using figure::Role;
using figure::UpAxis;
using test::BytesOf;
using test::Npy;
using test::Zipped;
using testing::HasSubstr;

/// Frames of a body that stands along `up_turn` of +Y, its pelvis at `trans`,
/// the left elbow (joint 18) bent by 0.1 a frame.
std::vector<test::ZipEntry> Poses(int joints, const Vector3& up_turn,
                                  const Vector3& trans, int frames = 3) {
  std::vector<float> poses(std::size_t(3 * joints * frames), 0.0f);
  std::vector<double> places;
  for (int f = 0; f < frames; ++f) {
    for (int k = 0; k < 3; ++k) {
      poses[std::size_t(3 * joints * f + k)] = float(up_turn[k]);
      places.push_back(trans[k]);
    }
    poses[std::size_t(3 * joints * f + 3 * 18 + 1)] = 0.1f * float(f);
  }
  const std::string n = std::to_string(frames);
  return {{"poses.npy",
           Npy("<f4", "(" + n + ", " + std::to_string(3 * joints) + ")",
               BytesOf(poses))},
          {"trans.npy", Npy("<f8", "(" + n + ", 3)", BytesOf(places))},
          {"betas.npy", Npy("<f8", "(16,)", std::string(128, '\0'))},
          {"gender.npy", Npy("|O", "()", "a pickle that nobody opens")},
          {"mocap_framerate.npy", Npy("<f8", "()", BytesOf<double>({120}))}};
}

/// Turns +Y to +Z: how AMASS has a body that stands.
const Vector3 kToZ(kPi / 2, 0, 0);

Result<NpzClip> ReadPoses(const std::vector<test::ZipEntry>& entries,
                          const NpzReadOptions& options = {}) {
  return ReadNpz(Zipped(entries), options);
}

TEST(NpzPoses, TheThreeBodyModelsAreKnownByTheirNumbers) {
  const std::vector<std::pair<int, NpzKind>> models = {{22, NpzKind::kSmpl},
                                                       {24, NpzKind::kSmpl},
                                                       {52, NpzKind::kSmplH},
                                                       {55, NpzKind::kSmplX}};
  for (const auto& [joints, kind] : models) {
    const Result<NpzClip> clip = ReadPoses(Poses(joints, kToZ, {0, 0, 0.93}));
    ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
    ASSERT_EQ(clip.diagnostics().all().size(), 1U);
    EXPECT_EQ(clip.diagnostics().all()[0].kind, "shape-ignored");
    EXPECT_EQ(clip->kind, kind);
    const figure::Skeleton& skeleton = clip->motion.skeleton();
    EXPECT_EQ(skeleton.num_joints(), joints);
    EXPECT_EQ(clip->motion.rate_hz(), 120.0);
    // A body that other commands recognise, its left on the left.
    const std::vector<Role> roles = figure::RecogniseRoles(skeleton);
    EXPECT_TRUE(figure::IsHumanoid(roles)) << joints;
    for (const auto& [name, role] : std::vector<std::pair<const char*, Role>>{
             {"pelvis", Role::kPelvis},
             {"left_hip", Role::kLeftUpperLeg},
             {"left_knee", Role::kLeftLowerLeg},
             {"left_ankle", Role::kLeftFoot},
             {"left_foot", Role::kLeftToes},
             {"spine3", Role::kChest},
             {"neck", Role::kNeck},
             {"head", Role::kHead},
             {"right_collar", Role::kRightClavicle},
             {"right_shoulder", Role::kRightUpperArm},
             {"right_elbow", Role::kRightForearm},
             {"right_wrist", Role::kRightHand}}) {
      EXPECT_EQ(roles[std::size_t(skeleton.Find(name))], role)
          << joints << " " << name;
    }
  }
  // Fingers hang on the wrists in the models' own order.
  const Result<NpzClip> hands = ReadPoses(Poses(55, kToZ, {0, 0, 0.93}));
  const figure::Skeleton& skeleton = hands->motion.skeleton();
  EXPECT_EQ(skeleton.joint(22).name, "jaw");
  EXPECT_EQ(skeleton.joint(25).name, "left_index1");
  EXPECT_EQ(skeleton.joint(25).parent, 20);
  EXPECT_EQ(skeleton.joint(40).name, "right_index1");
  EXPECT_EQ(skeleton.joint(40).parent, 21);
  EXPECT_EQ(skeleton.joint(54).name, "right_thumb3");
}

TEST(NpzPoses, AShapeThatIsNotUsedIsSaid) {
  std::vector<test::ZipEntry> entries = Poses(24, kToZ, {0, 0, 0.93});
  const Result<NpzClip> shaped = ReadPoses(entries, {.file = "walk.npz"});
  EXPECT_THAT(
      shaped.diagnostics().ToString(),
      testing::AllOf(
          testing::HasSubstr("walk.npz: warning: the body's shape (betas and "
                             "gender) is not used"),
          testing::HasSubstr("those of Limber's own figure, 1.7"),
          testing::HasSubstr("--offsets")));
  // Whose bones are given has no need of a shape.
  NpzReadOptions own;
  own.rest = shaped->motion.shared_skeleton();
  EXPECT_EQ(ReadPoses(entries, own).diagnostics().ToString(), "");
  std::erase_if(entries, [](const test::ZipEntry& entry) {
    return entry.name == "betas.npy" || entry.name == "gender.npy";
  });
  EXPECT_EQ(ReadPoses(entries).diagnostics().ToString(), "");
}

TEST(NpzPoses, ABodyStandsUprightWhateverItsFileCallsUp) {
  const std::vector<std::pair<Vector3, Vector3>> files = {
      {kToZ, Vector3(1, 2, 0.9)},                      // Z up
      {Vector3::Zero(), Vector3(1, 0.9, -2)},          // Y up
      {Vector3(0, 0, -kPi / 2), Vector3(0.9, 1, -2)},  // X up
      {Vector3(kPi, 0, 0), Vector3(1, -0.9, 2)}};      // a camera's -Y up
  for (const auto& [turn, trans] : files) {
    const Result<NpzClip> clip = ReadPoses(Poses(24, turn, trans));
    ASSERT_TRUE(clip.ok());
    EXPECT_TRUE(clip->up_sure);
    const figure::Skeleton& skeleton = clip->motion.skeleton();
    const auto X_WJ = figure::WorldTransforms(skeleton, clip->motion.pose(0));
    const Vector3 pelvis = X_WJ[0].p;
    const Vector3 head = X_WJ[std::size_t(skeleton.Find("head"))].p;
    EXPECT_NEAR(pelvis.y(), 0.9, 1e-9);
    EXPECT_NEAR(head.y() - pelvis.y(), (head - pelvis).norm(), 1e-6);
    // A pelvis at 0.9 m is that of somebody of 0.9 / 0.534 m.
    EXPECT_NEAR(clip->figure_height, 0.9 * 1.75 / 0.935, 1e-9);
  }
}

TEST(NpzPoses, BendsArePutOnTheRightJoint) {
  const Result<NpzClip> clip = ReadPoses(Poses(24, kToZ, {0, 0, 0.93}));
  ASSERT_TRUE(clip.ok());
  const auto elbow = std::size_t(clip->motion.skeleton().Find("left_elbow"));
  for (int f = 0; f < 3; ++f) {
    EXPECT_LT(AngleBetween(clip->motion.pose(f).X_PJ[elbow].R,
                           ExpRotation(Vector3(0, double(0.1f * float(f)), 0))),
              1e-9);
  }
}

// 45 degrees are the bound between standing and lying: a third of that leans.
// Half of the frames along Y and half along Z are no way up. The pelvis shows a
// height from 1.2 to 2.2 m.
TEST(NpzPoses, WhatABodyDoesNotShowIsDoubtedAndSaid) {
  const Result<NpzClip> leans =
      ReadPoses(Poses(24, Vector3(kPi / 2 + 0.26, 0, 0), {0, 0, 0.9}));
  EXPECT_TRUE(leans->up_sure);
  EXPECT_EQ(leans->motion.source().up, UpAxis::kZ);
  std::vector<test::ZipEntry> lies = Poses(24, kToZ, {0, 0, 0.1}, 4);
  std::vector<float> poses(72 * 4, 0.0f);
  poses[0] = poses[72] = float(kPi / 2);
  lies[0].bytes = Npy("<f4", "(4, 72)", BytesOf(poses));
  const Result<NpzClip> rolls = ReadPoses(lies);
  ASSERT_TRUE(rolls.ok());
  EXPECT_EQ(rolls.diagnostics().CountOf("up-doubt"), 1);
  EXPECT_FALSE(rolls->up_sure);
  EXPECT_EQ(rolls->figure_height, 1.75);
  EXPECT_THAT(rolls->height_reason, HasSubstr("does not show"));
  const Result<NpzClip> told = ReadPoses(lies, {.up = UpAxis::kY});
  EXPECT_EQ(told.diagnostics().CountOf("up-doubt"), 0);
  for (const double height : {0.4, 3.0}) {
    EXPECT_EQ(ReadPoses(Poses(24, kToZ, {0, 0, height}))->figure_height, 1.75);
  }
}

TEST(NpzPoses, BonesOfAnotherFileAreTaken) {
  std::vector<double> places(72, 0.0);
  for (std::size_t j = 0; j < 24; ++j) {
    places[3 * j + 1] = 0.1 * double(j) - 0.3;
  }
  const std::string model =
      Zipped({{"J.npy", Npy("<f8", "(24, 3)", BytesOf(places))}});
  const auto rest = ReadNpzSkeleton(model, {});
  ASSERT_TRUE(rest.ok()) << rest.diagnostics().ToString();
  const Result<NpzClip> clip =
      ReadPoses(Poses(24, kToZ, {1, 2, 3}), {.rest = *rest});
  ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip->figure_height, 0.0);
  const figure::Skeleton& skeleton = clip->motion.skeleton();
  // Joint 4, the left knee, hangs on joint 1, the left hip.
  EXPECT_LT((skeleton.joint(4).offset - Vector3(0, 0.3, 0)).norm(), 1e-12);
  // The model turns about its pelvis, which is not at its origin: trans plus
  // (0, -0.3, 0), then Z up.
  EXPECT_LT((clip->motion.pose(0).X_PJ[0].p - Vector3(1, 3, -1.7)).norm(),
            1e-9);
  // A model without fingers is none for poses with some.
  const Result<NpzClip> fingers =
      ReadPoses(Poses(52, kToZ, {1, 2, 3}), {.rest = *rest});
  ASSERT_FALSE(fingers.ok());
  EXPECT_THAT(fingers.diagnostics().ToString(),
              HasSubstr("no joint \"left_index1\", which SMPL-H has"));
  const auto wrong = ReadNpzSkeleton(
      Zipped({{"J.npy", Npy("<f8", "(5, 3)", std::string(120, '\0'))}}), {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.diagnostics().ToString(), HasSubstr("found 5"));
}

TEST(NpzPoses, WhatIsWrongIsNamedWithItsPlace) {
  const auto error = [](std::vector<test::ZipEntry> entries) {
    const Result<NpzClip> clip = ReadPoses(entries, {.file = "p.npz"});
    return clip.ok() ? "no error" : clip.diagnostics().ToString();
  };
  std::vector<test::ZipEntry> bad = Poses(24, kToZ, {0, 0, 1});
  EXPECT_EQ(error(bad), "no error");
  bad[0].bytes = Npy("<f4", "(3, 70)", std::string(840, '\0'));
  EXPECT_THAT(error(bad), HasSubstr("poses.npy: expected (frames, 72) for "
                                    "SMPL"));
  EXPECT_THAT(error(bad), HasSubstr("found (3, 70)"));
  bad = Poses(24, kToZ, {0, 0, 1});
  bad[1].bytes = Npy("<f8", "(2, 3)", std::string(48, '\0'));
  EXPECT_THAT(error(bad), HasSubstr("trans.npy: expected the shape (3, 3), "
                                    "found (2, 3)"));
  EXPECT_THAT(error(test::Without(Poses(24, kToZ, {0, 0, 1}), "trans.npy")),
              HasSubstr("expected the member trans.npy"));
  bad = Poses(24, Vector3(NAN, 0, 0), {0, 0, 1});
  EXPECT_THAT(error(bad), HasSubstr("poses.npy: row 0, number 0"));
}

TEST(NpzPoses, JointsMayHaveADimensionOfTheirOwn) {
  std::vector<test::ZipEntry> entries = Poses(24, kToZ, {0, 0, 1}, 1);
  std::string& bytes = entries[0].bytes;
  bytes.replace(bytes.find("(1, 72)"), 7, "(1,24,3)");
  bytes[8] = char(bytes[8] + 1);
  const Result<NpzClip> clip = ReadPoses(entries);
  ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip->kind, NpzKind::kSmpl);
}

}  // namespace
}  // namespace limber::mocap
