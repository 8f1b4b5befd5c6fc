// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What is seen: drawn on a virtual display and looked at pixel by pixel.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/support/test_data.h"
#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/renderer.h"
#include "viewer/show.h"

namespace limber::viewer {
namespace {

class PictureTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { display_ = new Display; }
  static void TearDownTestSuite() {
    delete display_;
    display_ = nullptr;
  }
  void SetUp() override {
    ASSERT_TRUE(display_->ok()) << display_->problem();
    motion_ = BundledClip("march.bvh");
    body_ = BodyFor(*motion_);
  }

  static Image Draw(Show& show, double time, bool shadows = false) {
    RenderSettings settings;
    settings.width = 240;
    settings.height = 320;
    settings.samples = 0;
    settings.shadows = shadows;
    Renderer renderer(show, settings);
    Camera camera;
    camera.target = show.Centre(time);
    camera.height = 0.1;
    camera.Fit(show.Radius());
    return renderer.Render(time, camera);
  }

  static Display* display_;
  std::shared_ptr<const figure::Motion> motion_;
  std::shared_ptr<const figure::FigureModel> body_;
};

Display* PictureTest::display_ = nullptr;

// V-70, V-75.
TEST_F(PictureTest, FigureIsSeenWholeInsideTheFrame) {
  const auto show = ShowClip(motion_, body_);
  const Coloured figure = ColouredPixels(Draw(*show, 0.3));
  EXPECT_GT(figure.count, 2500);
  EXPECT_GT(figure.left, 0);
  EXPECT_LT(figure.right, 239);
  EXPECT_GT(figure.top, 0);
  EXPECT_LT(figure.bottom, 319);
  EXPECT_GT(figure.bottom - figure.top, 200);
}

TEST_F(PictureTest, SamePictureTwiceIsTheSameToTheByte) {
  const auto show = ShowClip(motion_, body_);
  EXPECT_EQ(Draw(*show, 0.3).pixels, Draw(*show, 0.3).pixels);
}

TEST_F(PictureTest, GhostHasAnotherColourThanTheFigure) {
  ClipLook ghost;
  ghost.ghost = true;
  const auto solid = ShowClip(motion_, body_);
  const auto through = ShowClip(motion_, body_, ghost);
  EXPECT_GT(Difference(Draw(*solid, 0.3), Draw(*through, 0.3)), 0.5);
}

// A missing limb is noticed: the tolerance of the comparison is finer.
TEST_F(PictureTest, MissingLimbChangesThePicture) {
  const auto whole = ShowClip(motion_, body_);
  figure::FigureModel model = *body_;
  const int forearm = model.SegmentOf(figure::Role::kLeftForearm);
  ASSERT_GE(forearm, 0);
  model.segments[std::size_t(forearm)].shapes.clear();
  const auto maimed = ShowClip(
      motion_, std::make_shared<const figure::FigureModel>(std::move(model)));
  const Image reference = Draw(*whole, 0.3);
  EXPECT_LT(Difference(reference, Draw(*whole, 0.305)), kSamePicture);
  EXPECT_GT(Difference(reference, Draw(*maimed, 0.3)), kSamePicture);
}

TEST_F(PictureTest, ShadowsDarkenTheFloor) {
  const auto show = ShowClip(motion_, body_);
  EXPECT_GT(Difference(Draw(*show, 0.3, true), Draw(*show, 0.3, false)), 0.02);
}

TEST_F(PictureTest, PngRoundTripKeepsEveryPixel) {
  const auto show = ShowClip(motion_, body_);
  const Image image = Draw(*show, 0.1);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "limber_picture_test.png";
  EXPECT_FALSE(WritePng(file, image).has_errors());
  EXPECT_EQ(ReadPng(file).pixels, image.pixels);
  std::filesystem::remove(file);
  EXPECT_TRUE(WritePng("/no/such/folder/a.png", image).has_errors());
}

}  // namespace
}  // namespace limber::viewer
