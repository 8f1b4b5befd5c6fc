// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace limber::mocap::internal {
namespace {

TEST(ParseNumber, TakesEveryFormFilesUse) {
  EXPECT_EQ(ParseNumber("-1.5"), -1.5);
  EXPECT_EQ(ParseNumber("+0.0"), 0.0);
  EXPECT_EQ(ParseNumber(".5"), 0.5);
  EXPECT_EQ(ParseNumber("-.5"), -0.5);
  EXPECT_EQ(ParseNumber("15."), 15.0);
  EXPECT_EQ(ParseNumber("1.25e-005"), 1.25e-5);
  EXPECT_EQ(ParseNumber("1E+3"), 1000.0);
  EXPECT_EQ(ParseNumber("1e-999"), 0.0);
}

TEST(ParseNumber, RefusesWhatIsNotAFiniteNumber) {
  for (const char* text : {"", "+", "-", "nan", "-nan", "inf", "1e999", "1,5",
                           "0x10", "1.5a", "1 ", " 1", "--1", "+-1", "e5"}) {
    EXPECT_FALSE(ParseNumber(text)) << '"' << text << '"';
  }
}

TEST(ParseInteger, RefusesFractionsAndOverflow) {
  EXPECT_EQ(ParseInteger("+12"), 12);
  EXPECT_FALSE(ParseInteger("12.0"));
  EXPECT_FALSE(ParseInteger("99999999999"));
}

TEST(AppendNumber, ReadsBackExactly) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300.0, 300.0);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::pow(10.0, exponent(random));
    std::string text;
    AppendNumber(text, value);
    EXPECT_EQ(ParseNumber(text), value);
  }
}

TEST(AppendFixed, DropsTrailingZerosAndMinusZero) {
  const auto fixed = [](double value, int digits) {
    std::string text;
    AppendFixed(text, value, digits);
    return text;
  };
  EXPECT_EQ(fixed(1.5, 6), "1.5");
  EXPECT_EQ(fixed(100.0, 6), "100");
  EXPECT_EQ(fixed(100.0, 0), "100");
  EXPECT_EQ(fixed(-1e-9, 6), "0");
  EXPECT_EQ(fixed(1.2345678, 3), "1.235");
  EXPECT_EQ(fixed(std::numeric_limits<double>::max(), 6).size(), 309u);
}

TEST(LineReader, TakesEveryLineEndAndTheByteOrderMark) {
  LineReader reader(
      "\xEF\xBB\xBF"
      "a\nb\r\nc\rd\r\n\r\nlast");
  std::vector<std::string> lines;
  while (const auto line = reader.Next()) lines.emplace_back(*line);
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "b", "c", "d", "", "last"}));
  EXPECT_EQ(reader.line(), 6);
}

TEST(Excerpt, CutsBetweenUtf8Characters) {
  EXPECT_EQ(Excerpt("abcdef", 3), "abc...");
  EXPECT_EQ(Excerpt("a\xC3\xA9z", 2), "a...");
  EXPECT_EQ(Excerpt("a\x01z"), "a?z");
}

TEST(TrimAndCompare, IgnoreBlanksAndCase) {
  EXPECT_EQ(Trim(" \tx y\r\n"), "x y");
  EXPECT_EQ(Trim(" \t"), "");
  EXPECT_TRUE(EqualIgnoringCase("Frames:", "FRAMES:"));
  EXPECT_FALSE(EqualIgnoringCase("Frame", "Frames"));
}

}  // namespace
}  // namespace limber::mocap::internal
