// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/event_words.h"

#include <gtest/gtest.h>

#include "figure/figure_file.h"
#include "jobs/bad_call.h"
#include "jobs/sweep.h"
#include "tests/support/test_data.h"

namespace limber::jobs {
namespace {

using figure::EditEvent;
using figure::Role;
using Kind = EditEvent::Kind;

class EditEventsTest : public testing::Test {
 protected:
  std::vector<EditEvent> Parse(std::string_view flag,
                               const std::string& text) const {
    return ParseEvents(flag, text, {&model_, nullptr});
  }

  const figure::FigureModel model_ =
      figure::ReadFigureFile(test::BundledData("figures/adult18.json")).value();
};

TEST_F(EditEventsTest, PushIsReadInAllForms) {
  const std::vector<EditEvent> impulse =
      Parse("--push", "left-forearm@1.2s:10Ns:+x");
  ASSERT_EQ(impulse.size(), 1U);
  EXPECT_EQ(impulse[0].segment, model_.SegmentOf(Role::kLeftForearm));
  EXPECT_EQ(impulse[0].time, 1.2);
  EXPECT_EQ(impulse[0].vector, Vector3(10, 0, 0));
  EXPECT_FALSE(impulse[0].in_body);
  const std::vector<EditEvent> force =
      Parse("--push", "forearm_l@1:200N/0.3s:0,0,-2");
  EXPECT_EQ(force[0].segment, model_.SegmentOf(Role::kLeftForearm));
  EXPECT_NEAR(force[0].vector.z(), -60.0, 1e-12);
  EXPECT_EQ(force[0].duration, 0.3);
  const std::vector<EditEvent> body = Parse("--push", "chest@1s:5Ns:body-z");
  EXPECT_TRUE(body[0].in_body);
  EXPECT_EQ(body[0].vector, Vector3(0, 0, -5));
}

TEST_F(EditEventsTest, LoosenedArmsAreStrongAgainLater) {
  const std::vector<EditEvent> events = Parse("--loosen", "arms@0.5s..2s");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_GE(events[0].segments.size(), 4U);
  EXPECT_EQ(events[0].kind, Kind::kStrength);
  EXPECT_LT(events[0].strength.torque, 0.5);
  EXPECT_EQ(events[1].kind, Kind::kRecover);
  EXPECT_EQ(events[1].segments, events[0].segments);
  EXPECT_EQ(events[1].time, 2.0);
  EXPECT_GT(Parse("--stiffen", "legs,head@1s")[0].strength.torque, 1.0);
}

// Every flag reads its own example.
TEST_F(EditEventsTest, ExamplesAreRead) {
  for (const EventFlag& flag : EventFlags()) {
    if (flag.name == "--wall") continue;  // Needs a clip; tested below.
    const std::string example(flag.example.substr(0, flag.example.find(' ')));
    EXPECT_FALSE(Parse(flag.name, example).empty()) << flag.name;
  }
}

TEST_F(EditEventsTest, GoalsHaveTargetsThatMayMove) {
  const EditEvent point =
      Parse("--point", "right-hand@1s..3s:0.3,1.4,2:0,0,1.2").at(0);
  EXPECT_EQ(point.kind, Kind::kReach);
  EXPECT_EQ(point.duration, 2.0);
  EXPECT_EQ(TargetAt(point, 2.0), Vector3(0.3, 1.4, 3.2));
  EXPECT_EQ(Parse("--look", "head@1s:0,1.6,5").at(0).segment,
            model_.SegmentOf(Role::kHead));
  EXPECT_EQ(Parse("--pin", "left-hand@1s:+z").at(0).vector, Vector3::UnitZ());
}

TEST_F(EditEventsTest, FloorsGoUpAndTiltAndComeBack) {
  const std::vector<EditEvent> slope = Parse("--slope", "1s..2s:30deg:+z");
  ASSERT_EQ(slope.size(), 2U);
  EXPECT_NEAR(slope[0].vector.z(), -0.5, 1e-12);
  EXPECT_NEAR(slope[0].vector.y(), std::sqrt(0.75), 1e-12);
  EXPECT_EQ(slope[1].vector, Vector3::UnitY());
  EXPECT_EQ(Parse("--floor", "1s:+0.05m").at(0).rise, 0.05);
  EXPECT_EQ(Parse("--gravity", "1s..2s:0,-3.7,0").at(1).vector.y(), -kGravity);
}

TEST_F(EditEventsTest, WrongWordsAreABadCall) {
  for (const char* text :
       {"", "chest", "chest@", "chest@1s", "chest@1s:10Ns", "chest@1s:10:+x",
        "chest@1s:10Ns:sideways", "chest@x:10Ns:+x", "tail@1s:10Ns:+x",
        "chest@1s:10N/0s:+x", "chest@1s:nanNs:+x", "chest@1s:10Ns:0,0,0",
        "chest@1s:10Ns:+x:1"}) {
    EXPECT_THROW(static_cast<void>(Parse("--push", text)), BadCall) << text;
  }
  const std::pair<const char*, const char*> others[] = {
      {"--loosen", "arms@2s..1s"},
      {"--loosen", "wings@1s..2s"},
      {"--carry", "right-hand@0s:-1kg"},
      {"--carry", "right-hand@0s:1"},
      {"--rag-doll", "soon"},
      {"--throw", "chest@1s:2kg:+x"},
      {"--point", "right-hand@1s:1,2"},
      {"--slope", "1s:80deg:+z"},
      {"--slope", "1s:5deg:+y"},
      {"--floor", "1s:5cm"},
      {"--gravity", "1s"},
      {"--obstacle", "0s:0,0,1:1,0,1"},
      {"--wall", "-2m"},
      {"--shove", "chest"},
  };
  for (const auto& [flag, text] : others) {
    EXPECT_THROW(static_cast<void>(Parse(flag, text)), BadCall)
        << flag << " " << text;
  }
  EXPECT_THROW(static_cast<void>(ParseStrength("mighty")), BadCall);
  EXPECT_THROW(static_cast<void>(ParseStrength("-1")), BadCall);
  EXPECT_THROW(
      static_cast<void>(PresetEvents("loose-tail", {&model_, nullptr})),
      BadCall);
}

TEST_F(EditEventsTest, PresetsAndStrengthsHaveNames) {
  for (const char* name : {"loose-arm", "loose-head", "carried-weight"}) {
    EXPECT_EQ(PresetEvents(name, {&model_, nullptr}).size(), 1U) << name;
  }
  EXPECT_LT(ParseStrength("weak").torque, ParseStrength("normal").torque);
  EXPECT_LT(ParseStrength("normal").torque, ParseStrength("strong").torque);
  EXPECT_EQ(ParseStrength("0.7").torque, 0.7);
}

TEST_F(EditEventsTest, SweepTakesEveryValue) {
  const Sweep sweep = ParseSweep("push2.x=-30..30:5");
  EXPECT_EQ(sweep.kind, "push");
  EXPECT_EQ(sweep.index, 2);
  ASSERT_EQ(sweep.values.size(), 13U);
  EXPECT_EQ(sweep.values.front(), -30.0);
  EXPECT_EQ(sweep.values.back(), 30.0);
  std::vector<EditEvent> events = Parse("--push", "chest@1s:10Ns:+x");
  figure::EditSettings settings;
  EXPECT_THROW(ApplySweep(sweep, 5.0, events, settings), BadCall);
  events.push_back(events[0]);
  ApplySweep(sweep, 5.0, events, settings);
  EXPECT_EQ(events[0].vector.x(), 10.0);
  EXPECT_EQ(events[1].vector.x(), 5.0);
  ApplySweep(ParseSweep("push.size=1..2:1"), 2.0, events, settings);
  EXPECT_EQ(events[0].vector, Vector3(2, 0, 0));
  ApplySweep(ParseSweep("strength=0.5..1:0.5"), 0.5, events, settings);
  EXPECT_EQ(settings.strength.torque, 0.5);
  EXPECT_EQ(Combinations({sweep, ParseSweep("strength=1..2:1")}).size(), 26U);
  for (const char* text :
       {"", "push.x", "push.x=1..2", "push.x=2..1:1", "push.x=1..2:0",
        "push.x=1..2:x", "colour=1..2:1", "push.x=0..1:1e-9"}) {
    EXPECT_THROW(static_cast<void>(ParseSweep(text)), BadCall) << text;
  }
  EXPECT_THROW(
      ApplySweep(ParseSweep("push.colour=1..2:1"), 1.0, events, settings),
      BadCall);
}

}  // namespace
}  // namespace limber::jobs
