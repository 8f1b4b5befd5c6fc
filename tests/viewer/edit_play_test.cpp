// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A clip is worked on in a window, through the event queue, and the program
// makes the same of what was saved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <osgGA/EventQueue>
#include <osgGA/GUIEventAdapter>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "core/file.h"
#include "tests/app/run_limber.h"
#include "tests/jobs/bench_parts.h"
#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/performance_show.h"
#include "viewer/window.h"

namespace limber::viewer {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr int kWidth = 1024;
constexpr int kHeight = 600;

class EditPlayTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(display_.ok()) << display_.problem();
    clip_ = jobs::BundledBow();
    bench_ = std::make_unique<jobs::Workbench>(clip_, folder_.folders());
    show_ = ShowPerformance(clip_.motion, clip_.figure);
    desk_ = std::make_unique<EditDesk>(*bench_, *show_);
    controls_ = std::make_unique<Controls>(*show_);
    controls_->SetDesk(desk_.get());
    WindowSettings settings;
    settings.name = "bow.bvh";
    settings.width = kWidth;
    settings.height = kHeight;
    settings.tell = [this](const std::string& text) { told_ += text + "\n"; };
    window_ = std::make_unique<Window>(*controls_, settings);
    controls_->Key('f');
    window_->Frame(0.0);
  }

  void Type(const std::string& keys) {
    for (const char c : keys) {
      const int key = c == '\n' ? int(osgGA::GUIEventAdapter::KEY_Return) : c;
      window_->events().keyPress(key);
      window_->events().keyRelease(key);
      window_->Frame(0.0);
    }
  }
  void Click(const Vector2& at) { Drag(at, at); }
  void Drag(const Vector2& from, const Vector2& to) {
    window_->events().mouseMotion(float(from.x()), float(from.y()));
    window_->events().mouseButtonPress(float(from.x()), float(from.y()), 1);
    window_->Frame(0.0);
    for (const double share : {0.25, 0.5, 1.0}) {
      const Vector2 at = from + share * (to - from);
      window_->events().mouseMotion(float(at.x()), float(at.y()));
      window_->Frame(0.0);
    }
    window_->events().mouseButtonRelease(float(to.x()), float(to.y()), 1);
    window_->Frame(0.0);
  }
  void Wait() {
    for (int i = 0; i < 6000 && !bench_->is_current(); ++i) {
      window_->Frame(0.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(bench_->is_current());
    window_->Frame(0.0);
  }
  /// Pixels of the window, y up.
  Vector2 Pixel(const Vector3& p_W) const {
    const Vector2 p = PixelOf(controls_->camera(), p_W, kWidth, kHeight);
    return {p.x(), kHeight - p.y()};
  }
  std::filesystem::path Result(const std::string& name) const {
    return folder_.folders().results / name;
  }
  /// Keeps the picture for somebody who wants to look at it.
  void Keep(const std::string& name) {
    const char* folder = std::getenv("LIMBER_KEEP_PICTURES");
    if (folder == nullptr) return;
    const Diagnostics written = WritePng(
        std::filesystem::path(folder) / (name + ".png"), window_->Grab());
    EXPECT_FALSE(written.has_errors());
  }

  Display display_;
  const jobs::BenchFolder folder_{"play"};
  jobs::WorkbenchClip clip_;
  std::unique_ptr<jobs::Workbench> bench_;
  std::unique_ptr<Show> show_;
  std::unique_ptr<EditDesk> desk_;
  std::unique_ptr<Controls> controls_;
  std::unique_ptr<Window> window_;
  std::string told_;
};

TEST_F(EditPlayTest, PushChangeUndoRedoSaveIsWhatEditMakes) {
  Type(" ");
  Click({kWidth * 1.2 / show_->duration(), 30.0});
  EXPECT_NEAR(controls_->player().time(), 1.2, 0.02);
  // A click on the chest, then a push of it.
  const int chest = clip_.figure->SegmentOf(figure::Role::kChest);
  int part = 0;
  while (dynamic_cast<EditedFigure&>(*show_).SegmentOf(part) != chest) ++part;
  Picture picture;
  show_->Draw(controls_->player().time(), picture);
  Click(Pixel(picture.poses[std::size_t(part)].p));
  const int picked =
      dynamic_cast<EditedFigure&>(*show_).SegmentOf(controls_->picked());
  EXPECT_GE(picked, 0);
  Type("p");
  ASSERT_EQ(bench_->events().size(), 1U);
  EXPECT_EQ(bench_->events()[0].event.segment, picked);
  Keep("play_pushed");
  // Its direction by the handle, from the side.
  controls_->camera().Orbit(1.3, 0.1);
  window_->Frame(0.0);
  const Vector3 before = bench_->events()[0].event.vector;
  const Vector2 tip = Pixel(desk_->handle()->tip);
  Drag(tip, tip + Vector2(40.0, 60.0));
  EXPECT_GT((bench_->events()[0].event.vector - before).norm(), 5.0);
  Type("=40\n");
  EXPECT_NEAR(bench_->events()[0].event.vector.norm(), 40.0, 1e-9);
  const std::string list = jobs::TextOf(*bench_);
  Keep("play_40");
  Type("zzz");
  EXPECT_TRUE(bench_->events().empty());
  Type("yyy");
  EXPECT_EQ(jobs::TextOf(*bench_), list);
  Wait();
  Type("wW");
  Keep("play_saved");
  EXPECT_EQ(ReadWholeFile(Result("bow-edit-1.json")).value(), list);
  EXPECT_EQ(ReadWholeFile(Result("bow-edit-2.json")).value(), list);
  EXPECT_THAT(told_, HasSubstr("saved: " + Result("bow-edit-2.bvh").string()));
  EXPECT_THAT(told_, HasSubstr("limber edit "));
  const test::Outcome made = test::RunLimber(
      {"edit", clip_.file.string(), "--events",
       Result("bow-edit-1.json").string(), "-o", Result("made.bvh").string()});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(ReadWholeFile(Result("made.bvh")).value(),
            ReadWholeFile(Result("bow-edit-2.bvh")).value());
}

TEST_F(EditPlayTest, MarksListAndProgressAreSeen) {
  Type(" ");
  Click({kWidth * 0.5, 30.0});
  const Image without = window_->Grab();
  Type("p");
  window_->Frame(0.0);
  const Image with = window_->Grab();
  // The mark stands on the bar where the clock is; it is selected: yellow.
  int yellow = 0;
  int changed_in_list = 0;
  for (int y = kHeight - 14; y < kHeight; ++y) {
    for (int x = kWidth / 2 - 10; x < kWidth / 2 + 10; ++x) {
      const std::uint8_t* p = with.at(x, y);
      yellow += p[0] > 200 && p[1] > 140 && p[2] < 120;
    }
  }
  for (int y = 5; y < 40; ++y) {
    for (int x = kWidth - 250; x < kWidth; ++x) {
      changed_in_list +=
          std::abs(int(without.at(x, y)[0]) - with.at(x, y)[0]) > 60;
    }
  }
  EXPECT_GT(yellow, 20);
  EXPECT_GT(changed_in_list, 100);
  Keep("marks");
  Type("o");
  Type(":carry right-hand@0.2s..2s:5kg\n");
  Type(":rag-doll 1s..2s\n");
  window_->Frame(0.0);
  Keep("marks_many");
  Type("h");
  Keep("help");
}

TEST_F(EditPlayTest, ThePanelIsSeenAndTakesThePointer) {
  Type(" p");
  Wait();
  const Image without = window_->Grab();
  Type("u");
  for (int i = 0; i < 3; ++i) window_->Frame(0.0);
  const Image with = window_->Grab();
  int changed = 0;
  int changed_elsewhere = 0;
  for (int y = 100; y < kHeight - 60; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool differs =
          std::abs(int(without.at(x, y)[0]) - with.at(x, y)[0]) > 8;
      (x > kWidth - 345 ? changed : changed_elsewhere) += differs;
    }
  }
  EXPECT_GT(changed, 5000);
  EXPECT_LT(changed_elsewhere, 100);
  Keep("panel");
  const double turn = controls_->camera().turn;
  Drag({kWidth - 200.0, kHeight - 20.0}, {kWidth - 250.0, kHeight - 60.0});
  EXPECT_EQ(controls_->camera().turn, turn);
  // The picture is as before when it is gone.
  Type("u");
  window_->Frame(0.0);
  const Image again = window_->Grab();
  EXPECT_LT(Difference(without, again), kSamePicture);
}

}  // namespace
}  // namespace limber::viewer
