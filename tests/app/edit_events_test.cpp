// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/edit_events.h"

#include <gtest/gtest.h>

#include "app/exit_code.h"
#include "figure/figure_file.h"
#include "tests/support/test_data.h"

namespace limber::app {
namespace {

using figure::EditEvent;
using figure::Role;

class EditEventsTest : public testing::Test {
 protected:
  const figure::FigureModel model_ =
      figure::ReadFigureFile(test::BundledData("figures/adult18.json")).value();
};

TEST_F(EditEventsTest, PushIsReadInBothForms) {
  const std::vector<EditEvent> impulse =
      ParsePush("left-forearm@1.2s:10Ns:+x", model_);
  ASSERT_EQ(impulse.size(), 1U);
  EXPECT_EQ(impulse[0].segment, model_.SegmentOf(Role::kLeftForearm));
  EXPECT_EQ(impulse[0].time, 1.2);
  EXPECT_EQ(impulse[0].vector, Vector3(10, 0, 0));
  const std::vector<EditEvent> force =
      ParsePush("forearm_l@1:200N/0.3s:0,0,-2", model_);
  EXPECT_EQ(force[0].segment, model_.SegmentOf(Role::kLeftForearm));
  EXPECT_NEAR(force[0].vector.z(), -60.0, 1e-12);
  EXPECT_EQ(force[0].duration, 0.3);
}

TEST_F(EditEventsTest, LoosenedArmsAreStiffenedAgain) {
  const std::vector<EditEvent> events = ParseLoosen("arms@0.5s..2s", model_);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_GE(events[0].segments.size(), 4U);
  EXPECT_LT(events[0].strength.torque, events[1].strength.torque);
  EXPECT_EQ(events[1].time, 2.0);
}

TEST_F(EditEventsTest, WrongWordsAreABadCall) {
  for (const char* text :
       {"", "chest", "chest@", "chest@1s", "chest@1s:10Ns", "chest@1s:10:+x",
        "chest@1s:10Ns:sideways", "chest@x:10Ns:+x", "tail@1s:10Ns:+x",
        "chest@1s:10N/0s:+x", "chest@1s:nanNs:+x", "chest@1s:10Ns:0,0,0",
        "chest@1s:10Ns:+x:1"}) {
    EXPECT_THROW(static_cast<void>(ParsePush(text, model_)), BadCall) << text;
  }
  EXPECT_THROW(static_cast<void>(ParseLoosen("arms@2s..1s", model_)), BadCall);
  EXPECT_THROW(static_cast<void>(ParseCarry("right-hand@0s:-1kg", model_)),
               BadCall);
  EXPECT_THROW(static_cast<void>(ParseRagDoll("soon")), BadCall);
}

}  // namespace
}  // namespace limber::app
