// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace limber::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Ticks, AreRoundAndInside) {
  EXPECT_THAT(Ticks(0.0, 10.0, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(Ticks(-1.2, 1.2, 4), ElementsAre(-1, 0, 1));
  EXPECT_EQ(Ticks(3.0, 3.0, 5).size(), 1U);
}

TEST(PlotSvg, MissingValuesBreakTheLine) {
  const Plot plot{.title = "t",
                  .y_label = "y",
                  .curves = {{"a", {0, 1, 2, 3, 4}, {1, 2, kNaN, 2, 1}}},
                  .spans = {}};
  const std::string svg = PlotSvg(plot);
  const std::size_t path = svg.find(" d=\"");
  EXPECT_EQ(Count(svg.substr(path, svg.find('"', path + 4) - path), "M"), 2);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(PlotSvg, AMillionPointsStaySmallAndKeepTheirPeak) {
  Curve curve{"a", {}, {}};
  for (int i = 0; i < 1'000'000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 500'123 ? 100.0 : std::sin(i * 0.01));
  }
  const std::string svg =
      PlotSvg({.title = "t", .y_label = "y", .curves = {curve}, .spans = {}});
  EXPECT_LT(svg.size(), 100'000U);
  // The peak reaches the upper end of the axis, 12 units from the top.
  EXPECT_THAT(svg, HasSubstr(" 12.0L"));
}

TEST(PlotSvg, EmptyAndConstantCurvesAreDrawn) {
  for (const Curve& curve :
       {Curve{"none", {}, {}}, Curve{"one", {1}, {5}},
        Curve{"flat", {0, 1}, {0, 0}}, Curve{"gap", {0, 1}, {kNaN, kNaN}}}) {
    const std::string svg =
        PlotSvg({.title = "t", .y_label = "y", .curves = {curve}, .spans = {}});
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << curve.name;
    EXPECT_THAT(svg, Not(HasSubstr("inf"))) << curve.name;
  }
}

TEST(EscapeForPage, NamesCannotBecomeMarkup) {
  EXPECT_EQ(EscapeForPage("<b>\"&'"), "&lt;b&gt;&quot;&amp;&#39;");
}

}  // namespace
}  // namespace limber::app
