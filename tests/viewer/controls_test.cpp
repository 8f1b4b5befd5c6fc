// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/controls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace limber::viewer {
namespace {

/// A show of one ball that remembers what was done to it.
class FakeShow : public Show {
 public:
  FakeShow() : parts_(1) { parts_[0].shape.radius = 0.1; }
  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override { return 10.0; }
  void Draw(double, Picture& picture) override {
    picture.poses.push_back(Transform::Identity());
  }
  Vector3 Centre(double) override { return Vector3(0, 1, 0); }
  double Radius() override { return 1.0; }
  std::vector<std::string> modes() const override {
    return {"kinematic", "dynamic"};
  }
  void SetMode(std::string_view mode) override {
    if (mode != "kinematic" && mode != "dynamic") {
      throw std::invalid_argument("mode");
    }
    mode_set = mode;
  }
  bool Grab(int, const Vector3& p_W) override {
    grabbed = p_W;
    return grabs;
  }
  void Pull(const Vector3& target_W) override { pulled_to = target_W; }
  void Release() override { ++releases; }
  void Fire(const Vector3&, const Vector3&) override { ++shots; }
  void Push(int, const Vector3& impulse) override { pushed = impulse; }
  void Restart() override { ++restarts; }
  void Rewind() override { ++rewinds; }
  double Prepare(double time, double) override {
    // So much more is there after every call.
    there = std::max(there, std::min(time, there + pace));
    return std::min(time, there);
  }
  double live_time() const override { return live; }

  bool grabs = true;
  std::string mode_set;
  Vector3 grabbed = Vector3::Zero();
  Vector3 pulled_to = Vector3::Zero();
  Vector3 pushed = Vector3::Zero();
  int releases = 0;
  int shots = 0;
  int restarts = 0;
  int rewinds = 0;
  double there = 0.0;
  double pace = 1e9;
  double live = -1.0;

 private:
  std::vector<Part> parts_;
};

TEST(Controls, KeysPlayStepAndChangeSpeed) {
  FakeShow show;
  Controls controls(show);
  EXPECT_TRUE(controls.player().playing());
  controls.Key(' ');
  EXPECT_FALSE(controls.player().playing());
  controls.Key('.');
  EXPECT_NEAR(controls.player().time(), 1.0 / 60, 1e-12);
  controls.Key(Controls::kRight);
  EXPECT_NEAR(controls.player().time(), 1.0 + 1.0 / 60, 1e-12);
  controls.Key(']');
  EXPECT_EQ(controls.player().speed(), 2.0);
  controls.Key(Controls::kHome);
  EXPECT_EQ(controls.player().time(), 0.0);
  EXPECT_FALSE(controls.Key('z'));
}

TEST(Controls, NumbersSwitchTheModeOfTheShow) {
  FakeShow show;
  Controls controls(show);
  EXPECT_EQ(controls.mode(), "kinematic");
  controls.Key('2');
  EXPECT_EQ(controls.mode(), "dynamic");
  EXPECT_EQ(show.mode_set, "dynamic");
  EXPECT_FALSE(controls.Key('5'));
}

TEST(Controls, DraggingTheFloorTurnsTheCamera) {
  FakeShow show;
  Controls controls(show);
  const double turn = controls.camera().turn;
  controls.Press(Controls::Button::kLeft, 0.0, 0.0, -1, Vector3::Zero());
  controls.Drag(0.2, 0.0);
  EXPECT_NE(controls.camera().turn, turn);
}

// V-72: dragging a body pulls the point under the pointer, in the plane of the
// picture.
TEST(Controls, DraggingABodyPullsItInThePicturePlane) {
  FakeShow show;
  Controls controls(show);
  const Vector3 p_W(0, 1, 0);
  controls.Press(Controls::Button::kLeft, 0.0, 0.0, 0, p_W);
  EXPECT_EQ(show.grabbed, p_W);
  controls.Drag(0.3, 0.1);
  const Vector3 moved = show.pulled_to - p_W;
  EXPECT_GT(moved.norm(), 0.05);
  EXPECT_NEAR(moved.dot(controls.camera().Forward()), 0.0, 1e-9);
  EXPECT_TRUE(controls.pulling());
  controls.Lift();
  EXPECT_EQ(show.releases, 1);
  EXPECT_FALSE(controls.pulling());
}

TEST(Controls, WhatCannotBePulledTurnsTheCamera) {
  FakeShow show;
  show.grabs = false;
  Controls controls(show);
  const double turn = controls.camera().turn;
  controls.Press(Controls::Button::kLeft, 0.0, 0.0, 0, Vector3::Zero());
  controls.Drag(0.3, 0.0);
  EXPECT_NE(controls.camera().turn, turn);
  EXPECT_EQ(controls.picked(), 0);
}

TEST(Controls, TheLowerEdgeIsTheTimeLine) {
  FakeShow show;
  Controls controls(show);
  controls.Press(Controls::Button::kLeft, 0.0, -0.97, -1, Vector3::Zero());
  EXPECT_NEAR(controls.player().time(), 5.0, 1e-12);
  controls.Drag(0.5, 0.3);
  EXPECT_NEAR(controls.player().time(), 7.5, 1e-12);
}

// V-73: the cannon.
TEST(Controls, CannonPushAndRestartReachTheShow) {
  FakeShow show;
  Controls controls(show);
  controls.Key('c');
  EXPECT_EQ(show.shots, 1);
  controls.Key('p');
  EXPECT_EQ(show.pushed, Vector3::Zero());  // Nothing picked yet.
  controls.Press(Controls::Button::kLeft, 0, 0, 0, Vector3(0, 1, 0));
  controls.Lift();
  controls.Key('p');
  EXPECT_NEAR(show.pushed.dot(controls.camera().Forward()), 10.0, 1e-9);
  controls.Key('r');
  EXPECT_EQ(show.restarts, 1);
}

// A slow simulation never holds up the picture: the clock waits for it, and
// says how much time was lost.
TEST(Controls, SlowShowDropsTimeInsteadOfBlocking) {
  FakeShow show;
  show.pace = 0.01;
  Controls controls(show);
  for (int i = 0; i < 10; ++i) controls.Advance(1.0 / 60);
  EXPECT_NEAR(controls.player().time(), 0.1, 1e-9);
  EXPECT_NEAR(controls.player().dropped(), 10.0 / 60 - 0.1, 1e-9);
}

TEST(Controls, JumpingAheadIsComputedBitByBit) {
  FakeShow show;
  show.pace = 1.0;
  Controls controls(show);
  controls.Press(Controls::Button::kLeft, 0.0, -0.97, -1, Vector3::Zero());
  controls.Lift();
  ASSERT_TRUE(controls.waiting_for().has_value());
  controls.Advance(1.0 / 60);
  EXPECT_NEAR(controls.player().time(), 1.0, 1e-9);
  for (int i = 0; i < 4; ++i) controls.Advance(1.0 / 60);
  EXPECT_NEAR(controls.player().time(), 5.0, 1e-9);
  EXPECT_FALSE(controls.waiting_for().has_value());
  EXPECT_EQ(controls.player().dropped(), 0.0);
}

TEST(Controls, LoopBeginsANewSimulation) {
  FakeShow show;
  Controls controls(show);
  controls.player().Seek(9.95);
  controls.Advance(0.02);
  EXPECT_EQ(show.rewinds, 0);
  controls.Advance(0.1);
  EXPECT_EQ(show.rewinds, 1);
}

// What was looked at is past; what is done happens now.
TEST(Controls, ActingGoesToTheEndOfWhatWasComputed) {
  FakeShow show;
  show.live = 3.0;
  Controls controls(show);
  controls.player().Seek(1.0);
  controls.Key('c');
  EXPECT_EQ(controls.player().time(), 3.0);
  controls.player().Seek(1.0);
  controls.Press(Controls::Button::kLeft, 0, 0, 0, Vector3(0, 1, 0));
  EXPECT_EQ(controls.player().time(), 3.0);
}

TEST(Controls, LayerKeysSwitchWhatIsDrawn) {
  FakeShow show;
  Controls controls(show);
  controls.Key('a');
  EXPECT_TRUE(show.layers().forces);
  EXPECT_FALSE(show.layers().reactions);
  controls.Key('a');
  EXPECT_TRUE(show.layers().forces && show.layers().reactions);
  controls.Key('a');
  EXPECT_FALSE(show.layers().forces || show.layers().reactions);
  for (const char key : std::string("ketmbg")) controls.Key(key);
  const Layers& on = show.layers();
  EXPECT_TRUE(on.contacts && on.effort && on.trails && on.mass_centre &&
              on.bones && on.beside);
}

TEST(Controls, NextFileOnlyWhereThereAreSeveral) {
  FakeShow show;
  Controls controls(show);
  controls.Key('n');
  EXPECT_EQ(controls.wanted_file(), 0);
  controls.set_num_files(3);
  controls.Key('N');
  EXPECT_EQ(controls.wanted_file(), -1);
}

TEST(Controls, EveryKeyOfTheHelpDoesSomething) {
  for (const int key : std::initializer_list<int>{' ',
                                                  ',',
                                                  '.',
                                                  Controls::kLeft,
                                                  Controls::kRight,
                                                  Controls::kHome,
                                                  '[',
                                                  ']',
                                                  'l',
                                                  '1',
                                                  'r',
                                                  'v',
                                                  'f',
                                                  'c',
                                                  'p',
                                                  's',
                                                  'x',
                                                  'h',
                                                  'q',
                                                  'a',
                                                  'k',
                                                  'e',
                                                  't',
                                                  'm',
                                                  'b',
                                                  'g',
                                                  'n',
                                                  'N'}) {
    FakeShow show;
    Controls controls(show);
    EXPECT_TRUE(controls.Key(key)) << key;
  }
}

}  // namespace
}  // namespace limber::viewer
