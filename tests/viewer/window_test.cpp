// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The window on a virtual display, driven by scripted events.
#include "viewer/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <osgGA/EventQueue>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tests/viewer/picture_check.h"
#include "viewer/display.h"

namespace limber::viewer {
namespace {

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(display_.ok()) << display_.problem();
    const auto motion = BundledClip("march.bvh");
    show_ = ShowClip(motion, BodyFor(*motion));
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

/// A folder for pictures, which is empty at first and removed at the end.
class PictureFolder {
 public:
  PictureFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("limber-pictures-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~PictureFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string TextOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(WindowTest, PicturesNeverOverwriteAndSayWhereTheyWent) {
  const PictureFolder folder;
  std::ofstream(folder.path() / "limber-1.png") << "yesterday";
  std::ofstream(folder.path() / "limber-3.png") << "also";
  WindowSettings settings;
  settings.width = 320;
  settings.height = 240;
  settings.screenshot_folder = folder.path().string();
  Window window(*controls_, settings);
  const auto take = [&] {
    controls_->Key('x');
    window.Frame(0.0);
    return window.notes();
  };
  EXPECT_THAT(take(),
              testing::Contains("picture: " +
                                (folder.path() / "limber-2.png").string()));
  EXPECT_THAT(take(),
              testing::Contains("picture: " +
                                (folder.path() / "limber-4.png").string()));
  EXPECT_EQ(TextOf(folder.path() / "limber-1.png"), "yesterday");
  EXPECT_EQ(TextOf(folder.path() / "limber-3.png"), "also");
  EXPECT_THAT(TextOf(folder.path() / "limber-2.png"),
              testing::StartsWith("\x89PNG"));
  // It is said for some seconds, not for ever: a path has to be read.
  window.Frame(2.0);
  EXPECT_THAT(window.notes(), testing::Contains(testing::HasSubstr("picture")));
  window.Frame(14.0);
  EXPECT_THAT(window.notes(),
              testing::Not(testing::Contains(testing::HasSubstr("picture"))));
}

TEST_F(WindowTest, APictureThatCannotBeWrittenSaysWhy) {
  WindowSettings settings;
  settings.width = 320;
  settings.height = 240;
  settings.screenshot_folder = "/nowhere/at/all";
  Window window(*controls_, settings);
  controls_->Key('x');
  window.Frame(0.0);
  EXPECT_THAT(window.notes(),
              testing::Contains(
                  "no picture: /nowhere/at/all: No such file or directory"));
}

// Words that an animator knows; how fast it is computed only where it is asked.
TEST_F(WindowTest, SpeedsAreToldWhereTheyAreAsked) {
  const auto is_told = [this] {
    return testing::Value(window_->notes(),
                          testing::Contains(testing::HasSubstr("pictures/s")));
  };
  EXPECT_FALSE(is_told());
  Type('i');
  EXPECT_TRUE(is_told());
  Type('i');
  EXPECT_FALSE(is_told());
}

TEST_F(WindowTest, ClosingKeyEndsTheLoop) {
  window_->events().keyPress('q');
  EXPECT_FALSE(window_->Frame(0.0));
}

// A figure is as tall by its width in a wide window as in a square one.
TEST_F(WindowTest, ResizeDoesNotDistort) {
  Type(' ');
  const auto shape = [this] {
    // Without the overlay's text and time line.
    Image image = window_->Grab();
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        if (y > 90 && y < image.height - 12) continue;
        if (x > 200 && y < image.height - 12) continue;
        std::uint8_t* p = &image.pixels[3 * std::size_t(y * image.width + x)];
        p[0] = p[1] = p[2] = 0;
      }
    }
    const Coloured seen = ColouredPixels(image);
    EXPECT_GT(seen.count, 500);
    return double(seen.bottom - seen.top) / (seen.right - seen.left);
  };
  window_->Resize(480, 480);
  const double in_square = shape();
  window_->Resize(960, 480);
  const Image wide = window_->Grab();
  EXPECT_EQ(wide.width, 960);
  EXPECT_EQ(wide.height, 480);
  EXPECT_NEAR(shape() / in_square, 1.0, 0.03);
}

}  // namespace
}  // namespace limber::viewer
