// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The panel without a screen: laid out, clicked all over.
#include "viewer/internal/panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include "tests/jobs/bench_parts.h"
#include "viewer/performance_show.h"

namespace limber::viewer::internal {
namespace {

constexpr int kWidth = 1024;
constexpr int kHeight = 600;
constexpr double kFrame = 1.0 / 60.0;

class PanelTest : public testing::Test {
 protected:
  PanelTest()
      : bench_(Bow(), folder_.folders()),
        show_(ShowPerformance(Bow().motion, Bow().figure)),
        desk_(bench_, *show_),
        controls_(*show_) {
    controls_.SetDesk(&desk_);
    controls_.SetSize(kWidth, kHeight);
    controls_.player().SetPlaying(false);
    panel_.Show(true);
    Build();
    Build();
  }
  static const jobs::WorkbenchClip& Bow() {
    static const jobs::WorkbenchClip clip = jobs::BundledBow();
    return clip;
  }
  void Build() { panel_.Build(controls_, kWidth, kHeight, kFrame); }
  /// Returns whether it was the panel's.
  bool Click(double x, double y) {
    panel_.Move(x, y);
    Build();
    const bool is_taken = panel_.Press(x, y, 0);
    Build();
    panel_.Lift();
    Build();
    return is_taken;
  }

  const jobs::BenchFolder folder_{"panel"};
  jobs::Workbench bench_;
  std::unique_ptr<Show> show_;
  EditDesk desk_;
  Controls controls_;
  Panel panel_;
};

TEST_F(PanelTest, LiesAtTheRightEdgeAboveTheTimeLine) {
  EXPECT_TRUE(panel_.Press(kWidth - 100, 60, 0));
  panel_.Lift();
  EXPECT_FALSE(panel_.Press(100, 60, 0));
  panel_.Lift();
  EXPECT_FALSE(panel_.Press(kWidth - 100, kHeight - 10, 0));
  panel_.Lift();
  panel_.Show(false);
  EXPECT_FALSE(panel_.Press(kWidth - 100, 60, 0));
}

// What is pressed on the panel is the panel's until it is lifted, wherever the
// pointer goes.
TEST_F(PanelTest, KeepsAPointerThatWasPressedOnIt) {
  panel_.Press(kWidth - 100, 60, 0);
  EXPECT_TRUE(panel_.Move(10, 10));
  EXPECT_TRUE(panel_.is_held());
  EXPECT_TRUE(panel_.Lift());
  EXPECT_FALSE(panel_.Move(10, 10));
  EXPECT_FALSE(panel_.Lift());
}

// Somewhere on it are buttons that push, switch modes, save and take back.
TEST_F(PanelTest, ButtonsDoWhatTheirKeysDo) {
  std::size_t most_events = 0;
  bool was_edited = false;
  for (int y = 20; y < kHeight - 60; y += 9) {
    for (int x = kWidth - 325; x < kWidth - 20; x += 40) {
      Click(x, y);
      most_events = std::max(most_events, bench_.events().size());
      was_edited = was_edited || controls_.mode() == "edited";
    }
  }
  EXPECT_GT(most_events, 0U);
  EXPECT_TRUE(was_edited);
  EXPECT_FALSE(std::filesystem::is_empty(folder_.folders().results));
}

// Values are dragged: one drag is one step.
TEST_F(PanelTest, RandomDragsAreStepsThatCanBeUndone) {
  std::mt19937 random(5);
  controls_.Key('p');
  Build();
  for (int i = 0; i < 300; ++i) {
    const double x = kWidth - 20 - static_cast<double>(random() % 300);
    const double y = 15 + static_cast<double>(random() % 500);
    panel_.Move(x, y);
    Build();
    panel_.Press(x, y, 0);
    Build();
    for (int k = 0; k < 3; ++k) {
      panel_.Move(x + 5.0 * (k + 1), y);
      Build();
    }
    panel_.Lift();
    Build();
    if (random() % 4 == 0) panel_.Key('0' + static_cast<int>(random() % 10));
  }
  const std::string end = [&] {
    while (bench_.Redo()) continue;
    return jobs::TextOf(bench_);
  }();
  while (bench_.Undo()) continue;
  EXPECT_TRUE(bench_.events().empty());
  while (bench_.Redo()) continue;
  EXPECT_EQ(jobs::TextOf(bench_), end);
}

TEST_F(PanelTest, AHiddenPanelTakesNoKeys) {
  EXPECT_FALSE(panel_.Key('p'));
  panel_.Show(false);
  EXPECT_FALSE(panel_.Key('p'));
  EXPECT_FALSE(panel_.Scroll(1.0));
}

}  // namespace
}  // namespace limber::viewer::internal
