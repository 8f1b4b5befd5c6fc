// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/figure_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/file.h"
#include "figure/make_figure.h"
#include "tests/support/test_data.h"
#include "tools/bundled_figures.h"

namespace limber::figure {
namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

TEST(FigureFile, RoundTripIsExact) {
  for (const Person& person : BundledPeople()) {
    const FigureModel figure = MakePerson(person);
    const std::string text = FormatFigure(figure);
    const Result<FigureModel> read = ReadFigure(text, "a.json");
    ASSERT_TRUE(read.ok()) << read.diagnostics().ToString();
    EXPECT_TRUE(read.diagnostics().all().empty())
        << read.diagnostics().ToString();
    EXPECT_EQ(FormatFigure(*read), text);
    ASSERT_EQ(read->num_segments(), figure.num_segments());
    EXPECT_EQ(read->roles, figure.roles);
    EXPECT_EQ(read->segment_of_joint, figure.segment_of_joint);
    for (int s = 0; s < figure.num_segments(); ++s) {
      const FigureSegment& a = figure.segments[At(s)];
      const FigureSegment& b = read->segments[At(s)];
      EXPECT_EQ(a.mass, b.mass);
      EXPECT_EQ(a.parent, b.parent);
      EXPECT_EQ(a.p_JC, b.p_JC);
      EXPECT_EQ(a.I_JC, b.I_JC);
      EXPECT_EQ(a.shapes.size(), b.shapes.size());
      for (int k = 0; k < a.anchor.num_axes(); ++k) {
        EXPECT_EQ(a.anchor.axes[At(k)].lower, b.anchor.axes[At(k)].lower);
        EXPECT_EQ(a.anchor.axes[At(k)].upper, b.anchor.axes[At(k)].upper);
        EXPECT_EQ(a.anchor.axes[At(k)].max_torque,
                  b.anchor.axes[At(k)].max_torque);
      }
      EXPECT_EQ(a.anchor.R_PF.coeffs(), b.anchor.R_PF.coeffs());
    }
  }
}

constexpr const char* kShort = R"({
  "limber_figure": 1,
  "mass": 12,  // kilograms
  "joints": [
    {"name": "root", "offset": [0, 1, 0]},
    {"name": "tail", "parent": "root", "offset": [0, 0, -0.5]}
  ],
  "sites": [{"joint": "tail", "offset": [0, 0, -0.5]}],
  "changes": [
    {"segment": "tail", "mass": 5,
     "anchor": {"kind": "hinge",
                "axes": [{"lower_deg": -30, "upper_deg": 30, "torque": 8}]}}
  ]
})";

TEST(FigureFile, ShortFileGetsABodyWithChanges) {
  const Result<FigureModel> read = ReadFigure(kShort, "a.json");
  ASSERT_TRUE(read.ok()) << read.diagnostics().ToString();
  ASSERT_EQ(read->num_segments(), 2);
  EXPECT_NEAR(read->segments[0].mass, 6.0, 1e-9);
  EXPECT_EQ(read->segments[1].mass, 5.0);
  const Anchor& anchor = read->segments[1].anchor;
  EXPECT_EQ(anchor.kind, AnchorKind::kHinge);
  EXPECT_EQ(anchor.axes[0].upper, 30 * (kPi / 180));
  EXPECT_EQ(anchor.axes[0].max_torque, 8.0);
}

/// The findings on `kShort` after one replacement.
std::string Findings(const std::string& from, const std::string& to) {
  std::string text = kShort;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  const Result<FigureModel> read = ReadFigure(text, "a.json");
  EXPECT_FALSE(read.ok());
  return read.diagnostics().ToString();
}

// V-39: a wrong word gets file, line, column, what was found and the list of
// valid words.
TEST(FigureFile, WrongWordGetsThePlaceAndTheValidWords) {
  EXPECT_THAT(
      Findings("\"hinge\"", "\"hingee\""),
      testing::AllOf(testing::HasSubstr("a.json:11:25: error: "),
                     testing::HasSubstr("hingee"),
                     testing::HasSubstr("free, ball, universal, hinge, weld")));
  EXPECT_THAT(Findings("\"segment\": \"tail\"", "\"segment\": \"tale\""),
              testing::AllOf(testing::HasSubstr("a.json:10:17: error: "),
                             testing::HasSubstr("root, tail")));
  EXPECT_THAT(
      Findings("\"mass\": 5", "\"mas\": 5"),
      testing::AllOf(testing::HasSubstr("a.json:10:"),
                     testing::HasSubstr("mas"), testing::HasSubstr("mass")));
  EXPECT_THAT(Findings("\"parent\": \"root\"", "\"parent\": \"rooot\""),
              testing::HasSubstr(
                  "a.json:6:32: error: parent: expected the name of a joint "
                  "listed before, found \"rooot\""));
  EXPECT_THAT(Findings("{\"lower_deg\": -30, \"upper_deg\": 30, \"torque\": 8}",
                       "{}, {}"),
              testing::HasSubstr("a hinge joint has 1 axes, found 2"));
  EXPECT_THAT(Findings("\"limber_figure\": 1", "\"limber_figure\": 2"),
              testing::HasSubstr("a.json:2:20: error: expected version 1"));
  EXPECT_THAT(Findings("\"lower_deg\": -30", "\"lower_deg\": 31"),
              testing::HasSubstr("lower_deg must be at most upper_deg"));
  EXPECT_THAT(Findings("\"mass\": 12", "\"mass\": -12"),
              testing::HasSubstr("a.json:3:11: error: "));
}

// Found by the fuzzer: the second mention was looked up in a segment that was
// not there yet.
TEST(FigureFile, AJointTwiceInOneSegmentIsRefused) {
  const std::string text = R"({
  "limber_figure": 1, "name": "x",
  "joints": [{"name": "root", "offset": [0, 0, 0]}],
  "segments": [{"name": "trunk", "joint": "root", "welded": ["root"],
    "mass": 1, "centre": [0, 0, 0], "inertia": [1, 1, 1, 0, 0, 0],
    "anchor": {"kind": "free"}}]})";
  const Result<FigureModel> read = ReadFigure(text, "a.json");
  EXPECT_FALSE(read.ok());
  EXPECT_THAT(read.diagnostics().ToString(),
              testing::HasSubstr("joint \"root\" already belongs to segment "
                                 "\"trunk\""));
}

TEST(FigureFile, ExampleOfTheManualIsGood) {
  const std::string manual =
      ReadWholeFile(test::SourceDir() / "docs/figures.md").value();
  const std::size_t begin = manual.find("```json") + 7;
  const std::size_t end = manual.find("```", begin);
  const Result<FigureModel> read =
      ReadFigure(manual.substr(begin, end - begin), "figures.md");
  ASSERT_TRUE(read.ok()) << read.diagnostics().ToString();
  EXPECT_EQ(read->segments[1].mass, 20.0);
}

TEST(FigureFile, EveryPrefixIsRefusedWithoutACrash) {
  const std::string text = kShort;
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(ReadFigure(text.substr(0, size), "a.json").ok()) << size;
  }
}

}  // namespace
}  // namespace limber::figure
