// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "app/exit_code.h"

namespace limber::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Report Sample() {
  Report report("Solve of <a>.c3d");
  report.Set("marker_rms_mm", 7.25, "marker RMS", "mm");
  report.Set("held_out_rms_mm", std::numeric_limits<double>::quiet_NaN(),
             "held-out RMS", "mm");
  report.Set("frames", 343, "frames");
  report.AddWarning("2 gaps");
  report.AddTable({"markers",
                   "Markers",
                   "",
                   {"marker", "RMS [mm]"},
                   {{"LFHD", 3.5}, {"R&D", nullptr}}});
  report.AddPlot("error",
                 {.title = "Error",
                  .y_label = "[mm]",
                  .curves = {{"mean", {0, 1}, {1, 2}}, {"max", {0, 1}, {2, 3}}},
                  .spans = {{0.2, 0.4, "gap"}}});
  return report;
}

TEST(Report, JsonHasTheMetricsAtTheTopLevel) {
  const nlohmann::ordered_json json = Sample().ToJson();
  EXPECT_EQ(json["marker_rms_mm"], 7.25);
  EXPECT_TRUE(json["held_out_rms_mm"].is_null());
  EXPECT_EQ(json["frames"], 343);
  EXPECT_EQ(json["warnings"][0], "2 gaps");
  EXPECT_EQ(json["tables"]["markers"]["rows"][0][1], 3.5);
  EXPECT_EQ(json["curves"]["error"]["curves"][1]["y"][1], 3.0);
}

TEST(Report, ComesBackFromItsJson) {
  const nlohmann::ordered_json json = Sample().ToJson();
  const std::optional<Report> back = Report::FromJson(json);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->ToPage(), Sample().ToPage());
  EXPECT_EQ(back->ToJson(), json);
  EXPECT_THAT(back->ToSection(), HasSubstr("<b>7.25 <small>mm"));
}

TEST(Report, WhatMattersIsSeenAndTheRestFolded) {
  Report report = Sample();
  EXPECT_THAT(report.ToPage(), Not(HasSubstr("<details>")));
  report.SetMain({"frames"});
  const std::string page = report.ToPage();
  const std::size_t folded = page.find("<details>");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_LT(page.find(">frames<"), folded);
  EXPECT_GT(page.find(">RMS</abbr><"), folded);
  const std::optional<Report> back = Report::FromJson(report.ToJson());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->ToPage(), page);
}

TEST(Report, LongTablesAreFolded) {
  Report report("Markers");
  ReportTable table{"markers", "Markers", "", {"marker"}, {}};
  for (int i = 0; i < 6; ++i) table.rows.push_back({"m"});
  report.AddTable(table);
  EXPECT_THAT(report.ToPage(), Not(HasSubstr("<details>")));
  table.rows.push_back({"m"});
  report.AddTable(table);
  EXPECT_THAT(report.ToPage(), HasSubstr("<summary>Markers (7)</summary>"));
}

TEST(Report, NobodyReadsNoise) {
  Report report("Numbers");
  report.Set("nothing", 3.1e-13, "nothing", "m");
  report.Set("little", -2e-5, "little", "m");
  report.Set("much", 12345.678, "much", "m");
  const std::string page = report.ToPage();
  EXPECT_THAT(page, Not(HasSubstr("e-13")));
  EXPECT_THAT(page, Not(HasSubstr("e-05")));
  EXPECT_THAT(page, HasSubstr("<b>0 <small>m"));
  EXPECT_THAT(page, HasSubstr("<b>&gt; -0.0001 <small>m"));
  EXPECT_THAT(page, HasSubstr("<b>12346 <small>m"));
}

TEST(Report, VerdictComesFirstAndBack) {
  Report report = Sample();
  Verdict verdict;
  verdict.Add(
      {"height", "the actor is <3.1> m tall", "--unit mm", 3.1, 2.3, "m"});
  report.SetVerdict(verdict);
  const nlohmann::ordered_json json = report.ToJson();
  EXPECT_EQ(json["verdict"], "looks wrong");
  EXPECT_EQ(json["doubts"][0]["kind"], "height");
  EXPECT_EQ(json["doubts"][0]["bound"], 2.3);
  const std::string page = report.ToPage();
  EXPECT_LT(page.find("Looks wrong"), page.find("marker RMS"));
  EXPECT_THAT(page, HasSubstr("the actor is &lt;3.1&gt; m tall"));
  const std::optional<Report> back = Report::FromJson(json);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->ToPage(), page);

  report.SetVerdict({});
  EXPECT_EQ(report.ToJson()["verdict"], "looks right");
  EXPECT_TRUE(report.ToJson()["doubts"].empty());
  EXPECT_THAT(report.ToPage(), HasSubstr("Looks right"));
}

TEST(Report, JsonOfAnotherFormIsNoReport) {
  EXPECT_FALSE(Report::FromJson({{"title", "a"}}).has_value());
  nlohmann::ordered_json json = Sample().ToJson();
  json["curves"]["error"]["curves"][0]["y"] = {1.0};
  EXPECT_FALSE(Report::FromJson(json).has_value());
  EXPECT_FALSE(Report::FromJson(nlohmann::ordered_json(3)).has_value());
}

TEST(Report, SettingAKeyAgainReplacesIt) {
  Report report("a");
  report.Set("frames", 1);
  report.Set("frames", 2);
  EXPECT_EQ(report.ToJson()["frames"], 2);
}

TEST(Report, PageEscapesNamesAndNeedsNoOtherFile) {
  const std::string page = Sample().ToPage();
  EXPECT_THAT(page, HasSubstr("Solve of &lt;a&gt;.c3d"));
  EXPECT_THAT(page, HasSubstr("R&amp;D"));
  EXPECT_THAT(page, HasSubstr("7.25 <small>mm</small>"));
  EXPECT_THAT(page, HasSubstr("2 gaps"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
}

TEST(Report, OtherEndingsAreABadCall) {
  EXPECT_THROW(CheckReportPath("a.txt"), BadCall);
  EXPECT_THROW(static_cast<void>(Sample().Write("a")), BadCall);
  EXPECT_NO_THROW(CheckReportPath("a.html"));
}

TEST(CommandLine, WordsAreQuotedForTheShell) {
  std::string words[] = {"x/limber", "solve", "my take.c3d", "it's"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(),
                  words[3].data()};
  SetCommandLine(4, argv);
  EXPECT_EQ(CommandLine(), "limber solve 'my take.c3d' 'it'\\''s'");
}

}  // namespace
}  // namespace limber::app
