// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys and pointer that make and change events, without a screen.
#include "viewer/edit_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "core/file.h"
#include "tests/jobs/bench_parts.h"
#include "viewer/controls.h"
#include "viewer/performance_show.h"

namespace limber::viewer {
namespace {

using figure::EditEvent;
using jobs::ListedEvent;
using testing::Contains;
using testing::HasSubstr;
using Kind = EditEvent::Kind;

constexpr int kWidth = 1000;
constexpr int kHeight = 600;
constexpr double kFrame = 1.0 / 60.0;

class EditDeskTest : public testing::Test {
 protected:
  void SetUp() override { Open(Bow()); }

  static const jobs::WorkbenchClip& Bow() {
    static const jobs::WorkbenchClip clip = jobs::BundledBow();
    return clip;
  }

  void Open(const jobs::WorkbenchClip& clip) {
    controls_.reset();
    desk_.reset();
    bench_.reset();
    bench_ = std::make_unique<jobs::Workbench>(clip, folder_.folders());
    show_ = ShowPerformance(clip.motion, clip.figure);
    desk_ = std::make_unique<EditDesk>(*bench_, *show_);
    controls_ = std::make_unique<Controls>(*show_);
    controls_->SetDesk(desk_.get());
    controls_->SetSize(kWidth, kHeight);
    controls_->player().SetPlaying(false);
  }

  void Type(const std::string& keys) {
    for (const char key : keys) {
      EXPECT_TRUE(controls_->Key(key == '\n' ? EditDesk::kEnter : key)) << key;
    }
  }
  void Run(double seconds) {
    for (int i = 0; i < int(std::lround(seconds / kFrame)); ++i) {
      controls_->Advance(kFrame);
    }
  }
  void Wait() {
    for (int i = 0; i < 6000 && !bench_->is_current(); ++i) {
      controls_->Advance(0.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(bench_->is_current());
    controls_->Advance(0.0);
  }
  int PartOf(figure::Role role) const {
    const int segment = bench_->clip().figure->SegmentOf(role);
    const auto& figure = dynamic_cast<EditedFigure&>(*show_);
    for (int i = 0; i < int(show_->parts().size()); ++i) {
      if (figure.SegmentOf(i) == segment) return i;
    }
    return -1;
  }
  Vector3 PlaceOf(int part) {
    Picture picture;
    show_->Draw(controls_->player().time(), picture);
    return picture.poses[std::size_t(part)].p;
  }
  /// A click on a body.
  void Pick(int part) {
    controls_->Press(Controls::Button::kLeft, 0.0, 0.5, part, PlaceOf(part));
    controls_->Lift();
    ASSERT_EQ(controls_->picked(), part);
  }
  /// A place on the time line, as the pointer says it.
  static double X(const TimeLine& line, double time) {
    return 2.0 * line.XOf(time) / kWidth - 1.0;
  }
  static double BarY() { return 2.0 * 5.0 / kHeight - 1.0; }
  void DragOnTimeLine(double from, double to) {
    const TimeLine& line = controls_->time_line();
    controls_->Press(Controls::Button::kLeft, X(line, from), BarY(), -1, {});
    for (const double share : {0.3, 0.7, 1.0}) {
      controls_->Drag(X(line, from + share * (to - from)), BarY());
    }
    controls_->Lift();
  }
  const EditEvent& Event(std::size_t i) const {
    return bench_->events().at(i).event;
  }

  const jobs::BenchFolder folder_{"desk"};
  std::unique_ptr<jobs::Workbench> bench_;
  std::unique_ptr<Show> show_;
  std::unique_ptr<EditDesk> desk_;
  std::unique_ptr<Controls> controls_;
};

TEST_F(EditDeskTest, APushIsAnEventWhereTheClockStands) {
  controls_->player().Seek(1.2);
  const int arm = PartOf(figure::Role::kLeftForearm);
  Pick(arm);
  Type("p");
  ASSERT_EQ(bench_->events().size(), 1U);
  EXPECT_EQ(Event(0).kind, Kind::kPush);
  EXPECT_EQ(Event(0).time, 1.2);
  EXPECT_EQ(Event(0).segment,
            bench_->clip().figure->SegmentOf(figure::Role::kLeftForearm));
  EXPECT_NEAR((Event(0).vector - 10.0 * controls_->camera().Forward()).norm(),
              0.0, 1e-12);
  EXPECT_EQ(controls_->mode(), "edited");
  EXPECT_EQ(controls_->player().time(), 1.2);
  EXPECT_THAT(desk_->list(),
              Contains(testing::AllOf(HasSubstr("1.20 s"), HasSubstr("push"),
                                      HasSubstr("10 N s"))));
  // What becomes of the clip is seen.
  Wait();
  controls_->player().Seek(1.3);
  const Vector3 after = PlaceOf(arm);
  Type("/");
  EXPECT_EQ(controls_->mode(), "kinematic");
  EXPECT_GT((PlaceOf(arm) - after).norm(), 0.01);
  Type("/");
  EXPECT_EQ(controls_->mode(), "edited");
  EXPECT_EQ(PlaceOf(arm), after);
}

TEST_F(EditDeskTest, SizesAndTimesAreTyped) {
  Type("p");
  const Vector3 direction = Event(0).vector.normalized();
  Type("=40\n");
  EXPECT_NEAR(Event(0).vector.norm(), 40.0, 1e-12);
  EXPECT_NEAR((Event(0).vector.normalized() - direction).norm(), 0, 1e-12);
  Type("@0.75\n");
  EXPECT_EQ(Event(0).time, 0.75);
  Type("z");
  EXPECT_EQ(Event(0).time, 0.0);
  Type("z");
  EXPECT_NEAR(Event(0).vector.norm(), 10.0, 1e-12);
  Type("yy");
  EXPECT_EQ(Event(0).time, 0.75);
  EXPECT_NEAR(Event(0).vector.norm(), 40.0, 1e-12);
  // Words that are no number, and a time that is none of the clip's.
  Type("=abc\n");
  EXPECT_THAT(desk_->TakeMessage(), HasSubstr("no number"));
  Type("@1000\n");
  EXPECT_THAT(desk_->TakeMessage(), HasSubstr("outside the clip"));
  EXPECT_EQ(Event(0).time, 0.75);
  // While something is typed, keys are letters.
  Type("=q");
  EXPECT_FALSE(controls_->closing());
  EXPECT_THAT(desk_->notes(), Contains("size [N s]: q_"));
  controls_->Key(EditDesk::kBackspace);
  controls_->Key(Controls::kEscape);
  EXPECT_FALSE(controls_->closing());
  EXPECT_TRUE(desk_->notes().empty());
}

TEST_F(EditDeskTest, TheSizeOfTheNextPushIsSetBefore) {
  Type("=25\n");
  Type("p");
  EXPECT_NEAR(Event(0).vector.norm(), 25.0, 1e-12);
  Type("+");
  EXPECT_NEAR(Event(0).vector.norm(), 31.25, 1e-12);
  Type("-");
  EXPECT_NEAR(Event(0).vector.norm(), 25.0, 1e-12);
}

TEST_F(EditDeskTest, AnyEventInWords) {
  Type(":loosen arms@0.5s..2s\n");
  ASSERT_EQ(bench_->events().size(), 2U);
  EXPECT_EQ(Event(0).kind, Kind::kStrength);
  EXPECT_EQ(Event(1).kind, Kind::kRecover);
  Type("z");
  EXPECT_TRUE(bench_->events().empty());
  Type(":push tail@1s:5Ns:+x\n");
  EXPECT_THAT(desk_->TakeMessage(), HasSubstr("tail"));
  Type(":dance\n");
  EXPECT_THAT(desk_->TakeMessage(), testing::Not(testing::IsEmpty()));
  EXPECT_TRUE(bench_->events().empty());
}

// A live body feels a push at once, and the event is where it felt it.
TEST_F(EditDeskTest, LivePushesAndThrowsAreEventsToo) {
  Type("2");
  controls_->player().SetPlaying(true);
  Run(0.5);
  Pick(PartOf(figure::Role::kChest));
  Type("p");
  ASSERT_EQ(bench_->events().size(), 1U);
  EXPECT_NEAR(Event(0).time, 0.5, 0.04);
  EXPECT_EQ(controls_->mode(), "dynamic");
  Run(0.2);
  Type("c");
  ASSERT_EQ(bench_->events().size(), 2U);
  EXPECT_EQ(Event(1).kind, Kind::kThrow);
  EXPECT_EQ(Event(1).segment,
            bench_->clip().figure->SegmentOf(figure::Role::kChest));
  // The next pass shows what was done, not a body that knows nothing of it.
  Run(show_->duration());
  EXPECT_EQ(controls_->mode(), "edited");
}

TEST_F(EditDeskTest, APullIsAnEventWithItsPath) {
  Type("2");
  controls_->player().SetPlaying(true);
  Run(0.3);
  const int hand = PartOf(figure::Role::kRightHand);
  controls_->Press(Controls::Button::kLeft, 0.0, 0.0, hand, PlaceOf(hand));
  ASSERT_TRUE(controls_->pulling());
  for (int i = 0; i < 30; ++i) {
    controls_->Drag(0.01 * i, 0.01 * i);
    Run(kFrame);
  }
  const Vector3 end = controls_->rubber_band().end;
  controls_->Lift();
  ASSERT_EQ(bench_->events().size(), 1U);
  EXPECT_EQ(Event(0).kind, Kind::kReach);
  EXPECT_NEAR(Event(0).time, 0.3, 0.04);
  EXPECT_NEAR(Event(0).duration, 0.5, 0.1);
  // About twenty places a second.
  ASSERT_GE(Event(0).path.size(), 7U);
  EXPECT_LE(Event(0).path.size(), 13U);
  EXPECT_LT((Event(0).path.back().p_WT - end).norm(), 0.05);
  Wait();
  EXPECT_EQ(bench_->problem(), "");
  ASSERT_NE(bench_->result(), nullptr);
  EXPECT_EQ(bench_->events().size(), 1U);
}

// A click is no pull, nor is one that lasts as long as a click.
TEST_F(EditDeskTest, AShortPullIsAClick) {
  const auto pull = [this](double seconds) {
    Open(Bow());
    Type("2");
    controls_->player().SetPlaying(true);
    Run(0.3);
    const int hand = PartOf(figure::Role::kRightHand);
    controls_->Press(Controls::Button::kLeft, 0.0, 0.0, hand, PlaceOf(hand));
    controls_->Drag(0.1, 0.1);
    Run(seconds);
    controls_->Lift();
    return bench_->events().size();
  };
  EXPECT_EQ(pull(0.0), 0U);
  EXPECT_EQ(pull(0.1), 0U);
  EXPECT_EQ(pull(0.3), 1U);
}

TEST_F(EditDeskTest, MarksOnTheTimeLineAreDragged) {
  controls_->player().Seek(1.0);
  Type("p");
  controls_->player().Seek(2.0);
  Type("p");
  ASSERT_EQ(desk_->selected(), 1U);
  DragOnTimeLine(1.0, 1.5);
  EXPECT_EQ(desk_->selected(), 0U);
  // On a frame of the clip.
  EXPECT_NEAR(Event(0).time, 1.5, 0.5 * kFrame);
  EXPECT_NEAR(std::remainder(Event(0).time, kFrame), 0.0, 1e-9);
  EXPECT_EQ(Event(1).time, 2.0);
  // The drag is one step, and the clock stayed where it was.
  EXPECT_EQ(controls_->player().time(), 2.0);
  Type("z");
  EXPECT_EQ(Event(0).time, 1.0);
  // A mark is taken from a few pixels away, not from farther.
  const TimeLine& line = controls_->time_line();
  EXPECT_TRUE(desk_->TakeMark(line, line.XOf(1.0) - 6.0));
  EXPECT_FALSE(desk_->TakeMark(line, line.XOf(1.0) + 14.0));
  controls_->Lift();
  // Beside the marks the time line is the clock's.
  DragOnTimeLine(0.4, 0.6);
  EXPECT_NEAR(controls_->player().time(), 0.6, kFrame);
  EXPECT_EQ(Event(0).time, 1.0);
}

TEST_F(EditDeskTest, TheHandleTurnsAndStretchesAPush) {
  controls_->player().Seek(0.5);
  Pick(PartOf(figure::Role::kChest));
  Type("p=20\n");
  // From the side, so that the push is seen at its length.
  controls_->camera().Orbit(1.2, 0.0);
  const double aspect = double(kWidth) / kHeight;
  const auto handle = desk_->handle();
  ASSERT_TRUE(handle.has_value());
  EXPECT_NEAR((handle->tip - handle->begin).norm(), 0.4, 1e-9);
  const Vector2 from = *controls_->camera().PlaceOf(handle->tip, aspect);
  const Vector3 wanted = handle->tip + Vector3(0.0, 0.3, 0.0);
  const Vector2 to = *controls_->camera().PlaceOf(wanted, aspect);
  controls_->Press(Controls::Button::kLeft, from.x(), from.y(), -1, {});
  for (const double share : {0.2, 0.6, 1.0}) {
    const Vector2 at = from + share * (to - from);
    controls_->Drag(at.x(), at.y());
  }
  controls_->Lift();
  // The pointer's way is in the plane of the picture: up there.
  const Vector2 seen =
      *controls_->camera().PlaceOf(desk_->handle()->tip, aspect);
  EXPECT_NEAR((seen - to).norm(), 0.0, 1e-9);
  EXPECT_GT(Event(0).vector.y(), 10.0);
  Type("z");
  EXPECT_NEAR(Event(0).vector.norm(), 20.0, 1e-9);
  // It is taken from a few pixels away, not from farther.
  const double pixel = 2.0 / kWidth;
  const Camera& camera = controls_->camera();
  EXPECT_TRUE(desk_->TakeHandle(camera, from.x() + 6.0 * pixel, from.y(),
                                aspect, kHeight));
  EXPECT_FALSE(desk_->TakeHandle(camera, from.x() + 14.0 * pixel, from.y(),
                                 aspect, kHeight));
  controls_->Lift();
  // Somewhere else the pointer turns the camera.
  const double turn = controls_->camera().turn;
  controls_->Press(Controls::Button::kLeft, from.x() + 0.2, from.y(), -1, {});
  controls_->Drag(from.x() + 0.3, from.y());
  controls_->Lift();
  EXPECT_NE(controls_->camera().turn, turn);
  EXPECT_NEAR(Event(0).vector.norm(), 20.0, 1e-9);
}

TEST_F(EditDeskTest, ABallHasAHandleToo) {
  Type("c");
  const auto handle = desk_->handle();
  ASSERT_TRUE(handle.has_value());
  EXPECT_NEAR((handle->tip - handle->begin).norm(), 0.75, 1e-9);
  Type(":rag-doll 1s\n");
  EXPECT_FALSE(desk_->handle().has_value());
}

// Forty events do not cover the picture; the selected one is always seen.
TEST_F(EditDeskTest, ALongListIsCutAroundTheSelectedEvent) {
  for (int i = 0; i < 40; ++i) Type("p");
  for (const std::size_t selected : {0U, 3U, 20U, 39U}) {
    desk_->Select(selected);
    const std::vector<std::string> lines = desk_->list();
    EXPECT_LE(lines.size(), 14U);
    EXPECT_GE(lines.size(), 10U);
    EXPECT_EQ(std::ranges::count_if(lines,
                                    [](const std::string& line) {
                                      return line.starts_with("> ");
                                    }),
              1);
  }
}

TEST_F(EditDeskTest, EventsAreSelectedSwitchedNudgedAndRemoved) {
  Type("ppp");
  controls_->Key(EditDesk::kTab);
  EXPECT_EQ(desk_->selected(), 0U);
  Type("o");
  EXPECT_FALSE(bench_->events()[0].is_on);
  EXPECT_TRUE(bench_->events()[1].is_on);
  EXPECT_THAT(desk_->list().front(), HasSubstr("(off)"));
  Type(">>");
  EXPECT_NEAR(Event(0).time, 2 * kFrame, 1e-9);
  Type("<<<");
  EXPECT_EQ(Event(0).time, 0.0);
  Type("d");
  EXPECT_EQ(bench_->events().size(), 2U);
  controls_->Key(EditDesk::kDelete);
  EXPECT_EQ(bench_->events().size(), 1U);
  Type("zz");
  EXPECT_EQ(bench_->events().size(), 3U);
}

TEST_F(EditDeskTest, TheResultIsSavedWhenItIsThere) {
  Type("p");
  Type("W");
  EXPECT_FALSE(
      std::filesystem::exists(folder_.folders().results / "bow-edit-1.bvh"));
  Wait();
  const std::string said = desk_->TakeMessage();
  EXPECT_THAT(said, HasSubstr("bow-edit-1.bvh"));
  EXPECT_THAT(said, HasSubstr("limber edit "));
  EXPECT_TRUE(bench_->is_saved());
  Type("w");
  EXPECT_THAT(desk_->TakeMessage(), HasSubstr("bow-edit-2.json"));
}

TEST_F(EditDeskTest, WhatWasNotSavedIsOfferedAndTaken) {
  Type("p=40\n");
  Open(Bow());
  EXPECT_TRUE(bench_->events().empty());
  EXPECT_THAT(desk_->notes(),
              Contains(testing::AllOf(HasSubstr("1 event"), HasSubstr("j"))));
  Type("j");
  ASSERT_EQ(bench_->events().size(), 1U);
  EXPECT_NEAR(Event(0).vector.norm(), 40.0, 1e-12);
  EXPECT_EQ(controls_->mode(), "edited");
  Type("z");
  EXPECT_NEAR(Event(0).vector.norm(), 10.0, 1e-12);
}

// Converters put a calibration pose in front, which is not shown: events are
// still told in the time of the file.
TEST_F(EditDeskTest, AHiddenFirstFrameCountsInTheTimeOfEvents) {
  jobs::WorkbenchClip clip = Bow();
  auto led = std::make_shared<figure::Motion>(clip.motion->shared_skeleton(),
                                              clip.motion->rate_hz());
  figure::Pose first = clip.motion->pose(0);
  first.X_PJ.back().R = Quaternion(Eigen::AngleAxisd(2.0, Vector3::UnitZ()));
  led->Append(first);
  for (std::int64_t f = 0; f < clip.motion->num_frames(); ++f) {
    led->Append(clip.motion->pose(f));
  }
  clip.motion = led;
  clip.file = "led.bvh";
  Open(clip);
  const double lead_in = dynamic_cast<EditedFigure&>(*show_).lead_in();
  ASSERT_NEAR(lead_in, kFrame, 1e-9);
  controls_->player().Seek(1.0);
  Type("p");
  EXPECT_NEAR(Event(0).time, 1.0 + kFrame, 1e-9);
  EXPECT_NEAR(desk_->marks().front().from, 1.0, 1e-9);
  // Where nothing has happened yet, the result is the clip that is shown.
  Wait();
  controls_->player().Seek(0.5);
  const int hand = PartOf(figure::Role::kRightHand);
  const Vector3 after = PlaceOf(hand);
  Type("/");
  EXPECT_LT((PlaceOf(hand) - after).norm(), 1e-9);
}

// Whatever is typed and clicked, nothing breaks, and the journal knows it.
TEST_F(EditDeskTest, RandomKeysAreAllInTheJournal) {
  std::mt19937 random(2026);
  const std::string keys =
      "pcpcpczyZ+-<>od/123456=40\n@1\n:push chest@1s:5Ns:+x\n. ,[]r";
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  for (int i = 0; i < 1500; ++i) {
    switch (random() % 8) {
      case 0:
        controls_->Key(EditDesk::kTab);
        break;
      case 1:
        controls_->Press(Controls::Button::kLeft, share(random), BarY(), -1,
                         {});
        controls_->Drag(share(random), BarY());
        controls_->Lift();
        break;
      case 2:
        controls_->Advance(kFrame);
        break;
      default: {
        const char key = keys[random() % keys.size()];
        controls_->Key(key == '\n' ? EditDesk::kEnter : key);
      }
    }
  }
  controls_->Key(Controls::kEscape);
  const std::string list = jobs::TextOf(*bench_);
  ASSERT_GT(bench_->events().size(), 0U);
  Open(Bow());
  controls_->Key('j');
  EXPECT_EQ(jobs::TextOf(*bench_), list);
}

TEST_F(EditDeskTest, EveryLineOfHelpIsAboutAKeyThatDoesSomething) {
  const auto help = controls_->Help();
  EXPECT_GE(help.size(), 35U);
  for (const auto& [keys, what] : EditDesk::Help()) {
    const bool is_name = keys == "tab";
    const int key = is_name ? EditDesk::kTab : keys.front();
    Open(Bow());
    Type("p");
    EXPECT_TRUE(controls_->Key(key)) << keys;
  }
}

TEST(Camera, PlacesInThePictureAreWhereTheRaysGo) {
  Camera camera;
  for (const Vector2& place :
       {Vector2(0.0, 0.0), Vector2(0.5, -0.3), Vector2(-1.0, 1.0)}) {
    const Vector3 p_W =
        camera.Eye() + 3.7 * camera.RayThrough(place.x(), place.y(), 1.7);
    EXPECT_LT((*camera.PlaceOf(p_W, 1.7) - place).norm(), 1e-12);
  }
  EXPECT_FALSE(camera.PlaceOf(camera.Eye() - camera.Forward(), 1.7));
}

}  // namespace
}  // namespace limber::viewer
