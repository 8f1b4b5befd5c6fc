// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// limber page: what moves, reports and pictures on one page.
#include <string>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Page = ProgramTest;

TEST_F(Page, HoldsReportsAndPicturesInTheirOrder) {
  ASSERT_EQ(RunLimber({"measure", Bundled("clips/march.bvh"), "--report",
                       In("march.json")})
                .code,
            0);
  // The eight bytes of a PNG's head, and one and two more: all ends of base 64.
  const std::string head = "\x89PNG\r\n\x1a\n";
  const std::string eight = Make("eight.png", head);
  const std::string nine = Make("nine.png", head + "a");
  const std::string ten = Make("ten.png", head + "ab");
  const Outcome outcome =
      RunLimber({"page", In("march.json"), eight + "=eight & no more", nine,
                 ten, "-o", In("page.html"), "--title", "A <page>"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = ReadWholeFile(In("page.html")).value();
  EXPECT_THAT(page, HasSubstr("<h1>A &lt;page&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("limber measure"));
  EXPECT_THAT(page, HasSubstr("base64,iVBORw0KGgo=\""));
  EXPECT_THAT(page, HasSubstr("base64,iVBORw0KGgph\""));
  EXPECT_THAT(page, HasSubstr("base64,iVBORw0KGgphYg==\""));
  EXPECT_THAT(page, HasSubstr("<figcaption>eight &amp; no more<"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_LT(page.find("limber measure"), page.find("iVBOR"));
}

TEST_F(Page, WhatIsNoReportAndNoPictureIsRefused) {
  const std::string json = Make("a.json", "{\"title\": 3}");
  const std::string text = Make("a.txt", "a");
  const Outcome outcome =
      RunLimber({"page", json, text, In("none.png"), "-o", In("page.html")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("a.json: error: expected a report that"));
  EXPECT_THAT(outcome.err, HasSubstr("a.txt: error: neither"));
  EXPECT_THAT(outcome.err, HasSubstr("none.png: error:"));
  EXPECT_FALSE(Exists("page.html"));
}

TEST_F(Page, ClipsTakesAndScenesMoveOnIt) {
  const std::string walk = BundledData("clips/walk.bvh").string();
  ASSERT_EQ(RunLimber({"markers", walk, "-o", In("take.c3d")}).code, 0);
  const Outcome outcome = RunLimber(
      {"page", walk, walk + "+" + In("take.c3d") + "=Both = one stage",
       BundledData("scenes/chain_of_cubes.json").string(),
       BundledData("figures/fat_man.json").string(), "-o", In("page.html")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = ReadWholeFile(In("page.html")).value();
  std::size_t players = 0;
  for (std::size_t at = page.find("class=\"limber-player\"");
       at != std::string::npos;
       at = page.find("class=\"limber-player\"", at + 1)) {
    ++players;
  }
  EXPECT_EQ(players, 4U);
  EXPECT_THAT(page, HasSubstr("<figcaption>Both = one stage<"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

TEST_F(Page, MeasuresAndScenesHaveThePlayerInTheirReports) {
  const std::string march = Bundled("clips/march.bvh");
  ASSERT_EQ(RunLimber({"measure", march, "--against", march, "--report",
                       In("m.html")})
                .code,
            0);
  const std::string measured = ReadWholeFile(In("m.html")).value();
  EXPECT_THAT(measured, HasSubstr("class=\"limber-player\""));
  EXPECT_THAT(measured, HasSubstr("\"name\":\"Reference\""));
  ASSERT_EQ(RunLimber({"simulate", Bundled("scenes/umbrella.json"), "--report",
                       In("s.html")})
                .code,
            0);
  const std::string played = ReadWholeFile(In("s.html")).value();
  EXPECT_THAT(played, HasSubstr("class=\"limber-player\""));
}

TEST_F(Page, AFigureIsForTheClipsThatHaveItsJoints) {
  const std::string walk = Bundled("clips/walk.bvh");
  ASSERT_EQ(
      RunLimber({"retarget", walk, "--to", "giant", "-o", In("giant.bvh")})
          .code,
      0);
  const std::string chain = Bundled("clips/chain.bvh");
  const Outcome outcome = RunLimber({"page", In("giant.bvh"), chain, "--figure",
                                     "giant", "-o", In("page.html")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Page, NamesAreTakenAsTheyStandFirst) {
  const std::string odd = In("a+b=c.bvh");
  std::filesystem::copy_file(BundledData("clips/walk.bvh"), odd);
  const Outcome outcome = RunLimber({"page", odd, "-o", In("page.html")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = ReadWholeFile(In("page.html")).value();
  EXPECT_THAT(page, HasSubstr("<figcaption>a+b=c.bvh<"));
}

}  // namespace
}  // namespace limber::test
