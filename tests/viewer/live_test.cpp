// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The window with a physical figure, driven through the event queue.
#include <gtest/gtest.h>
#include <osgGA/EventQueue>

#include <memory>
#include <string>

#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/performance_show.h"
#include "viewer/window.h"

namespace limber::viewer {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;
constexpr double kFrame = 1.0 / 60.0;

class LiveTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(display_.ok()) << display_.problem();
    motion_ = BundledClip("bow.bvh");
    body_ = BodyFor(*motion_);
    show_ = ShowPerformance(motion_, body_);
    controls_ = std::make_unique<Controls>(*show_);
    WindowSettings settings;
    settings.width = kWidth;
    settings.height = kHeight;
    window_ = std::make_unique<Window>(*controls_, settings);
    // A camera that stays, from the front.
    controls_->Key('f');
    controls_->camera().turn = 0.0;
    controls_->camera().height = 0.1;
    controls_->SetSize(kWidth, kHeight);
    window_->Frame(0.0);
  }

  void Type(int key) {
    window_->events().keyPress(key);
    window_->events().keyRelease(key);
    window_->Frame(0.0);
  }
  void Run(double seconds) {
    for (int i = 0; i < int(std::lround(seconds / kFrame)); ++i) {
      ASSERT_TRUE(window_->Frame(kFrame));
    }
  }
  /// Where the part of a segment is now.
  static Vector3 Place(Show& show, double time, int part) {
    Picture picture;
    show.Draw(time, picture);
    return picture.poses[std::size_t(part)].p;
  }
  int PartOf(figure::Role role) const {
    const auto& name =
        body_->segments[std::size_t(body_->SegmentOf(role))].name;
    for (std::size_t i = 0; i < show_->parts().size(); ++i) {
      if (show_->parts()[i].name == name) return int(i);
    }
    return -1;
  }
  /// Pixels of the window, y up.
  Vector2 Pixel(const Vector3& p_W) const {
    const Vector2 p = PixelOf(controls_->camera(), p_W, kWidth, kHeight);
    return {p.x(), kHeight - p.y()};
  }

  Display display_;
  std::shared_ptr<const figure::Motion> motion_;
  std::shared_ptr<const figure::FigureModel> body_;
  std::unique_ptr<Show> show_;
  std::unique_ptr<Controls> controls_;
  std::unique_ptr<Window> window_;
};

// V-72: the right hand is dragged 30 cm to the side and comes along, the arm
// and the trunk follow a little; released, all goes back to the clip.
TEST_F(LiveTest, DraggingTheHandMovesItTheRestFollowsAndReturns) {
  Type('2');
  ASSERT_EQ(controls_->mode(), "dynamic");
  Run(0.3);
  const int hand = PartOf(figure::Role::kRightHand);
  const int arm = PartOf(figure::Role::kRightUpperArm);
  const int chest = PartOf(figure::Role::kChest);
  const auto alone = ShowPerformance(motion_, body_);
  alone->SetMode("dynamic");

  const Vector3 p_hand = Place(*show_, controls_->player().time(), hand);
  const Vector2 from = Pixel(p_hand);
  window_->events().mouseButtonPress(float(from.x()), float(from.y()), 1);
  window_->Frame(kFrame);
  ASSERT_EQ(controls_->picked(), hand);
  ASSERT_TRUE(controls_->pulling());
  // The figure faces the camera: its right is on the left of the picture.
  const Vector2 to = Pixel(p_hand + Vector3(-0.30, 0.0, 0.0));
  window_->events().mouseMotion(float(to.x()), float(to.y()));
  Run(0.7);
  const double pulled_time = controls_->player().time();
  const auto moved = [&](int part) {
    const double time = controls_->player().time();
    return Vector3(Place(*show_, time, part) - Place(*alone, time, part));
  };
  const Vector3 hand_moved = moved(hand);
  EXPECT_LT(hand_moved.x(), -0.20);
  EXPECT_GT(hand_moved.x(), -0.40);
  EXPECT_LT(moved(arm).x(), -0.02);
  EXPECT_GT(moved(chest).norm(), 0.002);
  EXPECT_LT(moved(chest).norm(), 0.7 * hand_moved.norm());
  // The rubber band leads from the hand to the pointer.
  const Line band = controls_->rubber_band();
  EXPECT_LT((band.begin - Place(*show_, pulled_time, hand)).norm(), 0.12);
  EXPECT_NEAR(Pixel(band.end).x(), to.x(), 1.0);

  window_->events().mouseButtonRelease(float(to.x()), float(to.y()), 1);
  window_->Frame(kFrame);
  EXPECT_FALSE(controls_->pulling());
  Run(1.5);
  EXPECT_LT(moved(hand).norm(), 0.03);
  EXPECT_LT(moved(chest).norm(), 0.03);
  EXPECT_GT(controls_->player().time(), pulled_time + 1.4);
}

// V-73: a ball flies from the camera and hits; the figure is not where it would
// have been.
TEST_F(LiveTest, CannonHits) {
  Type('2');
  Run(0.3);
  const auto alone = ShowPerformance(motion_, body_);
  alone->SetMode("dynamic");
  const int ball = int(show_->parts().size()) - 8;
  EXPECT_LT(Place(*show_, controls_->player().time(), ball).y(), -900.0);
  Type('c');
  Run(kFrame);
  const double begin = Place(*show_, controls_->player().time(), ball).z();
  EXPECT_GT(begin, 1.0);
  double nearest = 1e9;
  double most = 0.0;
  const int chest = PartOf(figure::Role::kChest);
  for (int i = 0; i < 60; ++i) {
    window_->Frame(kFrame);
    const double time = controls_->player().time();
    nearest = std::min(
        nearest, (Place(*show_, time, ball) - show_->Centre(time)).norm());
    most = std::max(
        most, (Place(*show_, time, chest) - Place(*alone, time, chest)).norm());
  }
  EXPECT_LT(nearest, 0.6);
  EXPECT_GT(most, 0.01);
}

TEST_F(LiveTest, ModeKeysSwitch) {
  Run(0.1);
  for (const auto& [key, mode] : {std::pair{'2', "dynamic"},
                                  {'3', "compare"},
                                  {'4', "loose-arms"},
                                  {'5', "rag-doll"},
                                  {'1', "kinematic"}}) {
    Type(key);
    EXPECT_EQ(controls_->mode(), mode);
    Run(0.1);
  }
  // A rag doll falls.
  Type('5');
  const double before = show_->Centre(controls_->player().time()).y();
  Run(0.8);
  EXPECT_LT(show_->Centre(controls_->player().time()).y(), before - 0.3);
}

// The frame that is scrubbed to is the clip's frame of that time.
TEST_F(LiveTest, ScrubbingShowsTheRightFrame) {
  Type(' ');
  for (const double share : {0.75, 0.2, 0.5}) {
    window_->events().mouseButtonPress(float(share * kWidth), 3.0F, 1);
    window_->events().mouseButtonRelease(float(share * kWidth), 3.0F, 1);
    window_->Frame(0.0);
    // A simulation that is not there yet is computed within its budget.
    for (int i = 0; i < 2000 && controls_->waiting_for(); ++i) {
      window_->Frame(0.0);
    }
    const double time = controls_->player().time();
    EXPECT_NEAR(time, share * show_->duration(), 0.01);
    const auto clip = ShowClip(motion_, body_);
    Picture shown;
    Picture wanted;
    show_->Draw(time, shown);
    clip->Draw(time, wanted);
    for (std::size_t i = 0; i < wanted.poses.size(); ++i) {
      EXPECT_LT((shown.poses[i].p - wanted.poses[i].p).norm(), 1e-12);
    }
  }
}

TEST_F(LiveTest, StateOfThePickedBodyIsOnTheScreen) {
  Type('2');
  Run(0.2);
  const int chest = PartOf(figure::Role::kChest);
  const Vector2 at = Pixel(Place(*show_, controls_->player().time(), chest));
  const Image before = window_->Grab();
  window_->events().mouseButtonPress(float(at.x()), float(at.y()), 1);
  window_->events().mouseButtonRelease(float(at.x()), float(at.y()), 1);
  window_->Frame(0.0);
  ASSERT_GE(controls_->picked(), 0);
  // V-71: text below the other notes.
  const Image after = window_->Grab();
  int changed = 0;
  for (int y = 130; y < 260; ++y) {
    for (int x = 0; x < 180; ++x) {
      changed += std::abs(int(before.at(x, y)[0]) - after.at(x, y)[0]) > 60;
    }
  }
  EXPECT_GT(changed, 100);
  const std::vector<std::string> lines = show_->Describe(controls_->picked());
  EXPECT_GE(lines.size(), 5u);
}

}  // namespace
}  // namespace limber::viewer
