// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/units.h"

#include <gtest/gtest.h>

#include "jobs/words.h"

namespace limber::jobs {
namespace {

TEST(ParseUnit, NamesAndNumbersGiveMetres) {
  EXPECT_EQ(ParseUnit("mm")->metres, 0.001);
  EXPECT_EQ(ParseUnit("in")->metres, 0.0254);
  EXPECT_EQ(ParseUnit("2.5")->metres, 2.5);
  EXPECT_EQ(ParseUnit("0.01")->name, "cm");
  EXPECT_NEAR(ParseUnit("cmu")->metres, 0.056444, 1e-6);
}

TEST(ParseUnit, AnythingElseGivesNothing) {
  for (const char* text :
       {"", "MM", "parsec", "0", "-1", "nan", "inf", "1x", " mm"}) {
    EXPECT_FALSE(ParseUnit(text)) << text;
  }
}

TEST(UnitOf, NamedWhereItHasAName) {
  EXPECT_EQ(UnitOf(0.0254 / 0.45).name, "cmu");
  EXPECT_EQ(UnitOf(0.5).name, "0.5 m");
}

TEST(AxesWithUp, AlwaysGivesValidAxes) {
  using mocap::SignedAxis;
  for (const SignedAxis up :
       {SignedAxis::kPlusX, SignedAxis::kMinusX, SignedAxis::kPlusY,
        SignedAxis::kMinusY, SignedAxis::kPlusZ, SignedAxis::kMinusZ}) {
    EXPECT_TRUE(AxesWithUp(up).IsValid());
    EXPECT_EQ(AxesWithUp(up).up, up);
  }
}

TEST(Rounded, HasFewDigitsHoweverLargeTheNumber) {
  EXPECT_EQ(Rounded(1.25, 3), "1.25");
  EXPECT_EQ(Rounded(5e8, 3), "500000000");
  EXPECT_EQ(Rounded(2e9, 3), "2e+09");
  EXPECT_EQ(Rounded(-1e300, 3), "-1e+300");
}

}  // namespace
}  // namespace limber::jobs
