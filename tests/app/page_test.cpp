// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// limber page: reports and pictures on one page.
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
  EXPECT_THAT(outcome.err,
              HasSubstr("a.txt: error: expected a report (.json)"));
  EXPECT_THAT(outcome.err, HasSubstr("none.png: error:"));
  EXPECT_FALSE(Exists("page.html"));
}

}  // namespace
}  // namespace limber::test
