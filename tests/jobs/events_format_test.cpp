// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Events files as they are written: read back, every number is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "figure/figure_file.h"
#include "jobs/event_words.h"
#include "tests/support/test_data.h"

namespace limber::jobs {
namespace {

using figure::EditEvent;
using testing::HasSubstr;
using Kind = EditEvent::Kind;

class EventsFormatTest : public testing::Test {
 protected:
  std::vector<ListedEvent> Back(const std::string& text) const {
    const auto read = ParseEventsFile(text, "back.json", context_);
    EXPECT_TRUE(read.ok()) << read.diagnostics().ToString() << text;
    return read.ok() ? read.value() : std::vector<ListedEvent>{};
  }

  const figure::FigureModel model_ =
      figure::ReadFigureFile(test::BundledData("figures/adult18.json")).value();
  const EditContext context_{&model_, nullptr};
};

void ExpectSame(const EditEvent& a, const EditEvent& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.segment, b.segment);
  EXPECT_EQ(a.point_B, b.point_B);
  EXPECT_EQ(a.vector, b.vector);
  EXPECT_EQ(a.in_body, b.in_body);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.target_velocity, b.target_velocity);
  EXPECT_EQ(a.size, b.size);
  EXPECT_NEAR(a.heading, b.heading, 1e-15);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.max_force, b.max_force);
  EXPECT_EQ(a.rise, b.rise);
  EXPECT_EQ(a.segments, b.segments);
  // Of every other kind the strength means nothing.
  if (a.kind == Kind::kStrength) {
    EXPECT_EQ(a.strength.torque, b.strength.torque);
    EXPECT_EQ(a.strength.time_constant, b.strength.time_constant);
    EXPECT_EQ(a.strength.friction, b.strength.friction);
    EXPECT_EQ(a.strength.damping, b.strength.damping);
  }
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t i = 0; i < a.path.size(); ++i) {
    EXPECT_EQ(a.path[i].time, b.path[i].time);
    EXPECT_EQ(a.path[i].p_WT, b.path[i].p_WT);
  }
}

// Whatever a flag of `limber edit` makes, a file says as well.
TEST_F(EventsFormatTest, EveryFlagComesBackFromAFile) {
  std::vector<ListedEvent> all;
  for (const EventFlag& flag : EventFlags()) {
    // A wall needs the clip that runs into it.
    if (flag.name == "--wall") continue;
    const std::string example(
        flag.example.substr(0, flag.example.find(" or ")));
    for (const EditEvent& event : ParseEvents(flag.name, example, context_)) {
      all.push_back({event, all.size() % 3 != 1});
    }
  }
  ASSERT_GE(all.size(), 14U);
  const std::vector<ListedEvent> back = Back(FormatEvents(all, model_));
  ASSERT_EQ(back.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(back[i].is_on, all[i].is_on);
    ExpectSame(back[i].event, all[i].event);
  }
}

// Numbers that have no short form, as a pointer makes them.
TEST_F(EventsFormatTest, NumbersComeBackToTheLastBit) {
  EditEvent push;
  push.time = 1.0 / 3.0;
  push.segment = 4;
  push.point_B = Vector3(0.1, 1e-17, -2.0 / 7.0);
  push.vector = Vector3(std::sqrt(2.0), -1e300, 5e-324);
  EditEvent reach;
  reach.kind = Kind::kReach;
  reach.segment = 3;
  reach.point_B = model_.segments[3].p_JC;
  reach.path = {{0.1, Vector3(1.0 / 3, 0, 0)}, {0.7, Vector3(0, 1e-9, 3)}};
  const std::vector<ListedEvent> all = {{push, true}, {reach, true}};
  const std::vector<ListedEvent> back = Back(FormatEvents(all, model_));
  ASSERT_EQ(back.size(), 2U);
  ExpectSame(back[0].event, push);
  ExpectSame(back[1].event, reach);
}

TEST_F(EventsFormatTest, WhatIsOffIsKeptButDoesNotHappen) {
  const auto write = [&](bool is_on) {
    const std::string path = testing::TempDir() + "events_off.json";
    std::ofstream(path) << FormatEvents(
        std::vector<ListedEvent>{
            {ParseEvents("--push", "chest@1s:5Ns:+x", context_)[0], is_on}},
        model_);
    return ReadEvents(path, context_);
  };
  EXPECT_EQ(write(true).value().size(), 1U);
  EXPECT_EQ(write(false).value().size(), 0U);
}

TEST_F(EventsFormatTest, WhatNoWordStandsForIsRefused) {
  EditEvent odd;
  odd.kind = Kind::kStrength;
  odd.strength.friction = 0.123;
  EXPECT_THROW(FormatEvents(std::vector<ListedEvent>{{odd, true}}, model_),
               std::invalid_argument);
  EditEvent floor;
  floor.kind = Kind::kFloor;
  floor.rise = 0.1;
  floor.vector = Vector3(0.1, 1.0, 0.0).normalized();
  EXPECT_THROW(FormatEvents(std::vector<ListedEvent>{{floor, true}}, model_),
               std::invalid_argument);
}

TEST_F(EventsFormatTest, ListsAndNormalsThatMakeNoSenseHaveAPlace) {
  const auto said = [&](const std::string& event) {
    return ParseEventsFile(
               "{\"limber_events\": 1, \"events\": [" + event + "]}", "e.json",
               context_)
        .diagnostics()
        .ToString();
  };
  EXPECT_THAT(said(R"({"kind": "recover", "at": 1, "segments": ["tail"]})"),
              HasSubstr("no segment \"tail\""));
  EXPECT_THAT(said(R"({"kind": "recover", "at": 1, "segments": []})"),
              HasSubstr("names some"));
  EXPECT_THAT(said(R"({"kind": "recover", "at": 1, "segments": [3]})"),
              HasSubstr("e.json:1:"));
  EXPECT_THAT(said(R"({"kind": "slope", "at": 1, "normal": [1, 0, 0]})"),
              HasSubstr("45 degrees"));
  EXPECT_THAT(said(R"({"kind": "rag_doll", "at": 1, "off": 1})"),
              HasSubstr("off"));
}

}  // namespace
}  // namespace limber::jobs
