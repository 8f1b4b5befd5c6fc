// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/file.h"
#include "mocap/io/gltf.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

struct Sample {
  const char* file;
  int joints;
  int animations;
  std::int64_t frames;  // -1: not asked.
  double rate;
};

class GltfSample : public testing::TestWithParam<Sample> {};

TEST_P(GltfSample, ReadsWithItsJointsAndTakesOneAnimationMore) {
  LIMBER_NEEDS_REAL_DATA();
  const Sample& sample = GetParam();
  const std::filesystem::path path = test::RealData(sample.file);
  const Result<std::string> bytes = ReadWholeFile(path);
  ASSERT_TRUE(bytes.ok());
  const GltfReadOptions options{.file = PathText(path),
                                .folder = path.parent_path()};
  const Result<CharacterClip> clip = ReadGltf(*bytes, options);
  ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip->motion.skeleton().num_joints(), sample.joints);
  EXPECT_EQ(int(clip->animations.size()), sample.animations);
  if (sample.frames >= 0) {
    EXPECT_EQ(clip->motion.num_frames(), sample.frames);
    EXPECT_NEAR(clip->motion.rate_hz(), sample.rate, 1e-3 * sample.rate);
  }
  // The same motion written onto the character and read again.
  const Result<std::string> written =
      WriteGlbOnto(*bytes, clip->motion, options, {.name = "again"});
  ASSERT_TRUE(written.ok()) << written.diagnostics().ToString();
  const Result<CharacterClip> back = ReadGltf(
      *written, {.rate_hz = clip->motion.rate_hz(), .animation = "again"});
  ASSERT_TRUE(back.ok()) << back.diagnostics().ToString();
  ASSERT_EQ(back->motion.num_frames(), clip->motion.num_frames());
  const double size =
      figure::RestExtent(clip->motion.skeleton()).maxCoeff() + 1e-9;
  for (std::int64_t t = 0; t < clip->motion.num_frames(); ++t) {
    const auto X_a =
        figure::WorldTransforms(clip->motion.skeleton(), clip->motion.pose(t));
    const auto X_b =
        figure::WorldTransforms(back->motion.skeleton(), back->motion.pose(t));
    for (std::size_t j = 0; j < X_a.size(); ++j) {
      ASSERT_LT((X_a[j].p - X_b[j].p).norm(), 1e-5 * size) << t << " " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shared, GltfSample,
    testing::Values(Sample{"rigs/gltf/CesiumMan.glb", 19, 1, 48, 24.0},
                    Sample{"rigs/gltf/RiggedFigure.glb", 19, 1, -1, 0.0},
                    Sample{"rigs/gltf/RiggedSimple.glb", 2, 1, 50, 24.0},
                    Sample{"rigs/gltf/Fox.glb", 24, 3, 83, 24.0},
                    Sample{"rigs/gltf/RecursiveSkeletons.glb", 840, 1, -1, 0},
                    Sample{"rigs/gltf/InterpolationTest.glb", 10, 9, -1, 0},
                    Sample{"rigs/gltf/SimpleSkin.gltf", 2, 1, -1, 0.0},
                    Sample{"gltf-fbx/cesium_man.gltf", 19, 1, -1, 0.0}));

TEST(GltfRealData, CesiumManStandsUprightAtRest) {
  LIMBER_NEEDS_REAL_DATA();
  const Result<std::string> bytes =
      ReadWholeFile(test::RealData("rigs/gltf/CesiumMan.glb"));
  const Result<CharacterClip> clip = ReadGltf(*bytes, {});
  ASSERT_TRUE(clip.ok());
  const figure::Skeleton& skeleton = clip->motion.skeleton();
  const auto rest =
      figure::WorldTransforms(skeleton, figure::RestPose(skeleton));
  const auto height = [&](const char* name) {
    return rest[std::size_t(skeleton.Find(name))].p.y();
  };
  EXPECT_GT(height("Skeleton_neck_joint_2"), 1.0);
  EXPECT_GT(height("Skeleton_torso_joint_1"), 0.6);
  EXPECT_NEAR(height("leg_joint_L_5"), height("leg_joint_R_5"), 0.02);
  EXPECT_LT(height("leg_joint_L_5"), 0.1);
}

}  // namespace
}  // namespace limber::mocap
