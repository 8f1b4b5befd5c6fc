// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces, contacts and events on a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/player/edit_events_shown.h"
#include "app/player/player_html.h"
#include "app/player/record.h"
#include "app/player/record_edit.h"
#include "app/player/tracks.h"
#include "app/view_shows.h"
#include "figure/dynamic/edit.h"
#include "figure/pose.h"
#include "jobs/event_words.h"
#include "tests/app/player_page.h"
#include "tests/support/test_data.h"

namespace limber::app {
namespace {

using testing::HasSubstr;

/// What becomes of the bundled walk on its own body.
struct Edited {
  figure::Motion walk = Clip("walk.bvh");
  std::shared_ptr<const figure::FigureModel> model = FigureFor(walk);

  PlayerRecording Record(const std::vector<figure::EditEvent>& events) const {
    return *RecordEdit(figure::EditMotion(walk, model, events), walk, model,
                       events);
  }
};

TEST(PlayerMarks, PushesBecomeArrowsThatEndAtTheBody) {
  const Edited edited;
  figure::EditEvent push;
  push.time = 0.5;
  push.segment = 1;
  push.vector = Vector3(60, 0, 0);
  push.in_body = true;
  const PlayerRecording recording = edited.Record({push});
  ASSERT_EQ(recording.events.size(), 1U);
  EXPECT_THAT(recording.events[0].text, HasSubstr("60 N s"));
  const ordered_json json = ToJson(recording);
  const ShowSamples& samples = recording.actors[0].samples;
  const Unpacked unpacked(json["actors"][0], samples.num_frames);
  const auto frame = static_cast<std::size_t>(0.6 * samples.rate_hz);
  // The longest arrow of that moment is the event's: 60 N s are 0.48 m long.
  const auto arrows_at = [&](std::size_t k) {
    std::vector<viewer::Sign> arrows;
    for (const viewer::Sign& sign : samples.signs[k]) {
      if (!sign.is_force) arrows.push_back(sign);
    }
    return arrows;
  };
  ASSERT_EQ(arrows_at(frame).size(), 1U);
  const viewer::Sign arrow = arrows_at(frame)[0];
  EXPECT_NEAR(arrow.vector.norm(), 0.48, 1e-9);
  EXPECT_TRUE(arrows_at(0).empty());
  const auto X_WJ = figure::WorldTransforms(
      edited.walk.skeleton(),
      figure::EditMotion(edited.walk, edited.model,
                         std::vector<figure::EditEvent>{push})
          .motion.pose(static_cast<std::int64_t>(
              std::round(static_cast<double>(frame) / samples.rate_hz *
                         edited.walk.rate_hz()))));
  const Transform& X_WB =
      X_WJ[static_cast<std::size_t>(edited.model->segments[1].joint)];
  EXPECT_LT((arrow.point + arrow.vector - X_WB.p).norm(), 1e-9);
  EXPECT_LT((arrow.vector - X_WB.R * Vector3(0.48, 0, 0)).norm(), 1e-9);
  // And the page has it, to a thousandth of the radius.
  double nearest = 1.0;
  for (const viewer::Sign& sign : unpacked.Marks(frame)) {
    if (sign.kind != viewer::Sign::Kind::kArrow) continue;
    nearest = std::min(nearest, (sign.point - arrow.point).norm() +
                                    (sign.vector - arrow.vector).norm());
  }
  EXPECT_LT(nearest, 2e-3 * samples.radius);
}

TEST(PlayerMarks, FeetOfAnEditedClipCarryTheBody) {
  const Edited edited;
  const PlayerRecording recording = edited.Record({});
  const ShowSamples& samples = recording.actors[0].samples;
  ASSERT_GT(samples.force_scale, 0.0);
  Vector3 sum = Vector3::Zero();
  for (const std::vector<viewer::Sign>& signs : samples.signs) {
    for (const viewer::Sign& sign : signs) {
      if (sign.kind == viewer::Sign::Kind::kArrow) sum += sign.vector;
      // Forces act near the floor.
      EXPECT_LT(std::abs(sign.point.y()), 0.08);
    }
  }
  const double mean =
      sum.y() / samples.force_scale / static_cast<double>(samples.num_frames);
  const double weight = edited.model->total_mass() * kGravity;
  EXPECT_NEAR(mean, weight, 0.1 * weight);
  // The legend says how long a newton is: a round number of them to a metre.
  const std::string legend = ToJson(recording)["legend"].dump();
  EXPECT_THAT(legend, HasSubstr("force, 1 m is 500 N"));
  EXPECT_THAT(legend, HasSubstr("touches"));
}

/// An event of every kind, as the flags of the program make them.
std::vector<figure::EditEvent> EventsOfAllKinds(const Edited& edited) {
  const jobs::EditContext context{edited.model.get(), &edited.walk};
  std::vector<figure::EditEvent> events;
  for (const jobs::EventFlag& flag : jobs::EventFlags()) {
    const std::string example(
        flag.example.substr(0, flag.example.find(" or ")));
    for (const figure::EditEvent& event :
         jobs::ParseEvents(flag.name, example, context)) {
      events.push_back(event);
    }
  }
  return events;
}

TEST(PlayerMarks, EveryKindOfEventIsSeen) {
  const Edited edited;
  using Kind = figure::EditEvent::Kind;
  std::vector<Kind> seen;
  for (const figure::EditEvent& event : EventsOfAllKinds(edited)) {
    if (std::ranges::find(seen, event.kind) != seen.end()) continue;
    seen.push_back(event.kind);
    const PlayerRecording recording = edited.Record({event});
    ASSERT_EQ(recording.events.size(), 1U);
    const PlayerEvent& shown = recording.events[0];
    EXPECT_FALSE(shown.text.empty());
    EXPECT_GE(shown.to, shown.from);
    const ShowSamples& samples = recording.actors[0].samples;
    bool has_sign = false;
    for (const std::vector<viewer::Sign>& signs : samples.signs) {
      has_sign = has_sign || std::ranges::any_of(signs, [](const auto& sign) {
                   return !sign.is_force;
                 });
    }
    const std::size_t usual =
        RecordingOf(edited.walk).actors[0].samples.parts.size();
    const bool has_thing = samples.parts.size() > usual;
    const bool has_colour = !shown.parts.empty();
    // Getting up again is only told on the time line.
    EXPECT_TRUE(has_sign || has_thing || has_colour ||
                event.kind == Kind::kRecover)
        << shown.text;
    EXPECT_LT(FarthestPart(recording), 5e-4) << shown.text;
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Kind::kFloor) + 1);
}

TEST(PlayerMarks, TenSecondsOfPushesTakeLessThan400Kilobytes) {
  const Edited edited;
  figure::Motion longer(edited.walk.shared_skeleton(), edited.walk.rate_hz());
  const auto frames = static_cast<std::int64_t>(10.0 * edited.walk.rate_hz());
  // There and back, so that nothing jumps.
  const std::int64_t last = edited.walk.num_frames() - 1;
  for (std::int64_t k = 0; k < frames; ++k) {
    const std::int64_t at = k % (2 * last);
    longer.Append(edited.walk.pose(at <= last ? at : 2 * last - at));
  }
  std::vector<figure::EditEvent> events(3);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].time = 1.0 + 3.0 * static_cast<double>(i);
    events[i].segment = 1;
    events[i].vector = Vector3(20, 0, 0);
  }
  const auto recording =
      RecordEdit(figure::EditMotion(longer, edited.model, events), longer,
                 edited.model, events);
  ASSERT_TRUE(recording.has_value());
  EXPECT_LT(PlayerHtml(*recording).size(), 400'000U);
}

TEST(PlayerMarks, SignsOfForcesNeverOutgrowTheMotion) {
  PlayerRecording recording = RecordingOf(Clip("walk.bvh"));
  ShowSamples& samples = recording.actors[0].samples;
  const std::size_t most = FindTracks(samples).tracks.size();
  for (std::vector<viewer::Sign>& signs : samples.signs) {
    signs.clear();
    for (int i = 0; i < 100; ++i) {
      viewer::Sign sign;
      sign.vector = Vector3(0, 0.01 * i, 0);
      sign.body = i;
      signs.push_back(sign);
    }
  }
  const ordered_json marks = ToJson(recording)["actors"][0]["marks"];
  EXPECT_EQ(marks["slots"].size(), most);
  EXPECT_EQ(marks["left_out"], 100 - most);
  EXPECT_THAT(ToJson(recording)["legend"].dump(), HasSubstr("left out"));
}

TEST(PlayerMarks, ContactsOfAPairAreOneSignInTheirMiddle) {
  PlayerRecording recording = RecordingOf(Clip("walk.bvh"));
  ShowSamples& samples = recording.actors[0].samples;
  viewer::Sign left;
  left.point = Vector3(0, 0, 0);
  left.vector = Vector3(0, 0.3, 0);
  left.body = 3;
  left.other = 0;
  viewer::Sign right = left;
  right.point = Vector3(0.4, 0, 0);
  right.vector = Vector3(0, 0.1, 0);
  for (std::vector<viewer::Sign>& signs : samples.signs) signs = {left, right};
  const ordered_json json = ToJson(recording);
  const Unpacked unpacked(json["actors"][0], samples.num_frames);
  const std::vector<viewer::Sign> signs = unpacked.Marks(5);
  ASSERT_EQ(signs.size(), 1U);
  EXPECT_LT((signs[0].point - Vector3(0.1, 0, 0)).norm(), 2e-3);
  EXPECT_LT((signs[0].vector - Vector3(0, 0.4, 0)).norm(), 2e-3);
}

/// The signs of one event at a time, on a body whose segments stand at the
/// origin.
std::vector<viewer::Sign> SignsOf(const figure::EditEvent& event, double time) {
  const std::vector<figure::EditEvent> events = {event};
  EventSigns all(events, 10.0);
  std::vector<viewer::Sign> signs;
  all.Add(time, std::vector<Transform>(3), signs);
  return signs;
}

double ArrowOf(const figure::EditEvent& event) {
  for (const viewer::Sign& sign : SignsOf(event, event.time)) {
    if (sign.kind == viewer::Sign::Kind::kArrow) return sign.vector.norm();
  }
  return 0.0;
}

// The weakest push is still seen, the strongest does not leave the picture, and
// in between an arrow is as long as the push is large.
TEST(PlayerMarks, ArrowsOfPushesAreLongEnoughToBeSeenAndNoLonger) {
  figure::EditEvent push;
  const auto length = [&push](double impulse) {
    push.vector = Vector3(0, 0, impulse);
    return ArrowOf(push);
  };
  EXPECT_NEAR(length(1.0), 0.35, 1e-12);
  EXPECT_NEAR(length(43.0), 0.35, 1e-12);
  EXPECT_NEAR(length(50.0), 0.4, 1e-12);
  EXPECT_NEAR(length(150.0), 1.2, 1e-12);
  EXPECT_NEAR(length(190.0), 1.5, 1e-12);
  EXPECT_NEAR(length(10'000.0), 1.5, 1e-12);
}

TEST(PlayerMarks, ArrowsThatOnlyPointAreHalfAMetreLong) {
  figure::EditEvent event;
  event.kind = figure::EditEvent::Kind::kUpright;
  EXPECT_NEAR(ArrowOf(event), 0.5, 1e-12);
  event.kind = figure::EditEvent::Kind::kLook;
  event.target = Vector3(0, 3, 4);
  EXPECT_NEAR(ArrowOf(event), 0.5, 1e-12);
  // The pull of the Earth is as long; that of the Moon a sixth.
  event.kind = figure::EditEvent::Kind::kGravity;
  event.vector = Vector3(0, -kGravity, 0);
  EXPECT_NEAR(ArrowOf(event), 0.5, 1e-12);
  event.vector = Vector3(0, -kGravity / 6, 0);
  EXPECT_NEAR(ArrowOf(event), 0.5 / 6, 1e-12);
}

TEST(PlayerMarks, ABlowIsSeenForAQuarterOfASecond) {
  figure::EditEvent push;
  push.time = 1.0;
  push.vector = Vector3(50, 0, 0);
  EXPECT_TRUE(SignsOf(push, 0.99).empty());
  EXPECT_EQ(SignsOf(push, 1.0).size(), 1U);
  EXPECT_EQ(SignsOf(push, 1.24).size(), 1U);
  EXPECT_TRUE(SignsOf(push, 1.26).empty());
}

TEST(PlayerMarks, EventsNameThreeSegmentsAtMost) {
  const Edited edited;
  figure::EditEvent loose;
  loose.kind = figure::EditEvent::Kind::kStrength;
  loose.strength.torque = 0.1;
  loose.segments = {1, 2, 3, 4, 5};
  const std::string text = EventsForPlayer({loose}, *edited.model, 1.0)[0].text;
  EXPECT_THAT(text, HasSubstr(edited.model->segments[3].name));
  EXPECT_EQ(text.find(edited.model->segments[4].name), std::string::npos)
      << text;
}

// A thousandth of what is seen: finer costs bytes, coarser is seen to jump.
TEST(PlayerMarks, SignsAreAsFineAsAPixel) {
  PlayerRecording recording = RecordingOf(Clip("walk.bvh"));
  ShowSamples& samples = recording.actors[0].samples;
  const ordered_json marks = ToJson(recording)["actors"][0]["marks"];
  EXPECT_NEAR(marks["reach"].get<double>(), 1e-3 * samples.radius, 1e-12);
  EXPECT_NEAR(marks["step"].get<double>(), 1e-3 * samples.radius, 1e-12);
}

TEST(PlayerMarks, AFloorThatRisesIsASquareOfFourMetres) {
  const Edited edited;
  figure::EditEvent rise;
  rise.kind = figure::EditEvent::Kind::kFloor;
  rise.time = 0.3;
  rise.duration = 0.2;
  rise.rise = 0.05;
  rise.vector = Vector3::UnitY();
  const PlayerRecording recording = edited.Record({rise});
  const viewer::Part& floor = recording.actors[0].samples.parts.back();
  EXPECT_EQ(floor.name, "floor");
  EXPECT_EQ(floor.shape.size, Vector3(4.0, 0.01, 4.0));
}

TEST(PlayerMarks, EventsOfScenesAreOnTheTimeLine) {
  auto shows =
      MakeEachShow({test::BundledData("scenes/limited_forces.json")}, {});
  ASSERT_TRUE(shows.ok()) << shows.diagnostics().ToString();
  std::vector<PlayedShow> played;
  played.push_back({"Scene", std::move(shows.value()[0].show)});
  const auto recording = RecordShows("Hit", 60.0, std::move(played), 5.0);
  ASSERT_TRUE(recording.has_value());
  std::string all;
  for (const PlayerEvent& event : recording->events) all += event.text + "\n";
  EXPECT_THAT(all, HasSubstr("push"));
  EXPECT_THAT(all, HasSubstr("walker lets go"));
  bool has_contact = false;
  bool has_arrow = false;
  for (const auto& signs : recording->actors[0].samples.signs) {
    for (const viewer::Sign& sign : signs) {
      has_contact = has_contact || sign.kind == viewer::Sign::Kind::kTouch;
      has_arrow = has_arrow || !sign.is_force;
    }
  }
  EXPECT_TRUE(has_contact);
  EXPECT_TRUE(has_arrow);
}

}  // namespace
}  // namespace limber::app
