// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// V-74: a picture of every bundled scene, looked at and compared with a stored
// one. With LIMBER_WRITE_REFERENCES set, the stored ones are written anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "core/angle.h"
#include "tests/support/test_data.h"
#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/internal/mesh.h"

namespace limber::viewer {
namespace {

/// Scenes with figures: V-50 to V-62, with the time of the picture [s]. Where
/// figures stand on their own feet it is early: see mode_picture_test.cpp.
struct FigureSceneCase {
  const char* name;
  double time;
  bool stands;  ///< Feet are on the floor then.
  double turn_deg = 35.0;
};
constexpr FigureSceneCase kFigureScenes[] = {
    {"animation", 0.6, false},                 // V-50
    {"loose_arms", 0.6, false},                // V-51
    {"limited_forces", 0.12, true},            // V-52
    {"obstacles", 0.12, true},                 // V-53
    {"pointing_arm", 0.6, false},              // V-54
    {"basket", 0.6, false, -60.0},             // V-55
    {"umbrella", 0.6, false},                  // V-56
    {"fat_man", 0.12, true},                   // V-57
    {"combined", 0.12, true},                  // V-58
    {"by_markers", 0.6, false},                // V-59
    {"hanged_man", 0.3, false},                // V-60
    {"staircase", 0.2, false},                 // V-61
    {"walk_against_wall", 0.12, true, 145.0},  // V-62
};

class ScenePicture : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(display_.ok()) << display_.problem(); }
  static std::filesystem::path Reference(const std::string& name) {
    return test::SourceDir() / "tests" / "viewer" / "references" /
           ("scene_" + name + ".png");
  }
  static void Compare(const std::string& name, const Image& image) {
    if (std::getenv("LIMBER_WRITE_REFERENCES") != nullptr) {
      ASSERT_FALSE(WritePng(Reference(name), image).has_errors());
    }
    EXPECT_LT(Difference(ReadPng(Reference(name)), image), kSamePicture)
        << name;
  }

  Display display_;
};

class FigureScenePicture : public ScenePicture,
                           public testing::WithParamInterface<FigureSceneCase> {
};

TEST_P(FigureScenePicture, FigureIsWholeInTheFrameAndLooksAsItDid) {
  const FigureSceneCase& tested = GetParam();
  const auto show = BundledScene(tested.name);
  // From where everything stands at the start, so that the grid stays.
  Camera camera = CameraOn(*show, 0.0);
  camera.turn = Radians(tested.turn_deg);
  const Image image = DrawSmall(*show, tested.time, camera);
  EXPECT_GT(ColouredPixels(image).count, 400);

  // Every point of the figure is in the picture, and its pixels are there.
  Picture picture;
  show->Draw(tested.time, picture);
  Vector2 least(1e9, 1e9);
  Vector2 most(-1e9, -1e9);
  double lowest = 1e9;
  int figure_parts = 0;
  for (std::size_t i = 0; i < picture.poses.size(); ++i) {
    const Part& part = show->parts()[i];
    const bool of_figure = part.name.find('/') != std::string::npos;
    if (!of_figure || IsHidden(picture.poses[i])) continue;
    ++figure_parts;
    for (const Vector3& vertex : internal::MeshOf(part.shape).vertices) {
      const Vector3 p = picture.poses[i] * vertex;
      const Vector2 pixel = PixelOf(camera, p, image.width, image.height);
      least = least.cwiseMin(pixel);
      most = most.cwiseMax(pixel);
      lowest = std::min(lowest, p.y());
    }
  }
  EXPECT_GE(figure_parts, 12);
  EXPECT_GT(least.x(), 0.0);
  EXPECT_GT(least.y(), 0.0);
  EXPECT_LT(most.x(), image.width);
  EXPECT_LT(most.y(), image.height);
  if (tested.stands) {
    EXPECT_NEAR(lowest, 0.0, 0.02);
  }
  Compare(tested.name, image);
}

INSTANTIATE_TEST_SUITE_P(Scenes, FigureScenePicture,
                         testing::ValuesIn(kFigureScenes),
                         [](const auto& tested) {
                           return std::string(tested.param.name);
                         });

// The others: props alone.
TEST_F(ScenePicture, EveryOtherSceneIsSeenAndLooksAsItDid) {
  std::set<std::string> with_figures;
  for (const FigureSceneCase& one : kFigureScenes)
    with_figures.insert(one.name);
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::BundledData("scenes"))) {
    const std::string name = entry.path().stem().string();
    if (with_figures.contains(name)) continue;
    ++count;
    const auto show = BundledScene(name);
    const double time = std::min(0.1, show->duration());
    const Image image = DrawSmall(*show, time, CameraOn(*show, 0.0));
    // Neither empty nor all of one colour.
    std::set<std::array<std::uint8_t, 3>> colours;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
      colours.insert(
          {image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
    }
    EXPECT_GT(colours.size(), 200u) << name;
    EXPECT_GT(ColouredPixels(image).count, 40) << name;
    Compare(name, image);
  }
  EXPECT_GE(count, 16);
}

// What hangs, rolls and falls can be pulled, too: V-72 on a scene.
TEST_F(ScenePicture, BodyOfASceneIsPulledAndGoesBackToRest) {
  const auto show = BundledScene("chain_of_cubes");
  Picture before;
  show->Draw(0.2, before);
  int part = 0;
  while (!show->Grab(part, before.poses[std::size_t(part)].p)) ++part;
  const Vector3 aim =
      before.poses[std::size_t(part)].p + Vector3(0.3, 0.0, 0.0);
  show->Pull(aim);
  Picture pulled;
  show->Draw(0.7, pulled);
  const auto alone = BundledScene("chain_of_cubes");
  Picture untouched;
  alone->Draw(0.7, untouched);
  EXPECT_GT(
      (pulled.poses[std::size_t(part)].p - untouched.poses[std::size_t(part)].p)
          .norm(),
      0.05);
  show->Release();
  EXPECT_FALSE(show->grabbed_point().has_value());
  show->Restart();
  Picture again;
  show->Draw(0.2, again);
  EXPECT_EQ(again.poses[std::size_t(part)].p,
            before.poses[std::size_t(part)].p);
}

}  // namespace
}  // namespace limber::viewer
