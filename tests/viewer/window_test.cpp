// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The window on a virtual display, driven by scripted events.
#include "viewer/window.h"

#include <gtest/gtest.h>
#include <osgGA/EventQueue>

#include <memory>
#include <random>

#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"
#include "viewer/display.h"

namespace limber::viewer {
namespace {

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(display_.ok()) << display_.problem();
    const auto motion = std::make_shared<const figure::Motion>(
        mocap::ReadBvhFile(test::BundledData("clips/march.bvh"),
                           {0.01, figure::UpAxis::kY})
            .value());
    show_ = ShowClip(
        motion, std::make_shared<const figure::FigureModel>(
                    figure::MakeFigure(motion->shared_skeleton()).value()));
    controls_ = std::make_unique<Controls>(*show_);
    WindowSettings settings;
    settings.width = 320;
    settings.height = 240;
    window_ = std::make_unique<Window>(*controls_, settings);
    window_->Frame(0.0);
  }

  void Type(int key) {
    window_->events().keyPress(key);
    window_->events().keyRelease(key);
    window_->Frame(0.0);
  }

  Display display_;
  std::unique_ptr<Show> show_;
  std::unique_ptr<Controls> controls_;
  std::unique_ptr<Window> window_;
};

TEST_F(WindowTest, KeysReachTheControls) {
  EXPECT_TRUE(controls_->player().playing());
  Type(' ');
  EXPECT_FALSE(controls_->player().playing());
  Type('h');
  EXPECT_TRUE(controls_->help());
}

TEST_F(WindowTest, HelpIsSeenOverThePicture) {
  Type(' ');
  const Image without = window_->Grab();
  Type('h');
  const Image with = window_->Grab();
  EXPECT_NE(without.pixels, with.pixels);
}

TEST_F(WindowTest, ScrubbingShowsTheRightFrame) {
  Type(' ');
  window_->events().mouseButtonPress(160.0F, 3.0F, 1);
  window_->events().mouseButtonRelease(160.0F, 3.0F, 1);
  window_->Frame(0.0);
  EXPECT_NEAR(controls_->player().time(), 0.5 * show_->duration(),
              0.01 * show_->duration());
}

TEST_F(WindowTest, ClosingKeyEndsTheLoop) {
  window_->events().keyPress('q');
  EXPECT_FALSE(window_->Frame(0.0));
}

TEST_F(WindowTest, ResizeDoesNotDistort) {
  Type(' ');
  window_->Resize(480, 240);
  window_->Frame(0.0);
  const Image wide = window_->Grab();
  EXPECT_EQ(wide.width, 480);
  EXPECT_EQ(wide.height, 240);
}

// Seeded keys and pointer moves: nothing may crash or hang.
TEST_F(WindowTest, RandomInputNeverCrashes) {
  std::mt19937 random(11);
  const std::string keys = " ,.[]lrhsfvcp12345x";
  for (int i = 0; i < 120; ++i) {
    const float x = static_cast<float>(random() % 320);
    const float y = static_cast<float>(random() % 240);
    switch (random() % 4) {
      case 0: {
        const char key = keys[random() % keys.size()];
        if (key != 'x') window_->events().keyPress(key);
        break;
      }
      case 1:
        window_->events().mouseButtonPress(x, y, 1 + random() % 3);
        break;
      case 2:
        window_->events().mouseMotion(x, y);
        break;
      default:
        window_->events().mouseButtonRelease(x, y, 1);
    }
    ASSERT_TRUE(window_->Frame(1.0 / 60));
  }
}

}  // namespace
}  // namespace limber::viewer
