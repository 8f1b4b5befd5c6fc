// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/token_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace limber::mocap::internal {
namespace {

// All words as "text@line:column", a star before those that start a line.
std::string Words(std::string_view text, const TokenSyntax& syntax = {}) {
  TokenReader reader(text, syntax);
  std::string words;
  for (Token token = reader.Next(); !token.at_end(); token = reader.Next()) {
    if (!words.empty()) words += ' ';
    if (token.starts_line) words += '*';
    words += std::string(token.text) + '@' + std::to_string(token.line) + ':' +
             std::to_string(token.column);
  }
  return words;
}

TEST(TokenReader, CountsLinesOfEveryKindAndColumns) {
  EXPECT_EQ(Words("a b\n c\r\nd\re"), "*a@1:1 b@1:3 *c@2:2 *d@3:1 *e@4:1");
  EXPECT_EQ(Words("\xEF\xBB\xBF\ta\n\n\nb"), "*a@1:2 *b@4:1");
  EXPECT_EQ(Words(" \t\r\n"), "");
}

TEST(TokenReader, PunctuationStandsAlone) {
  EXPECT_EQ(Words("x{y}}", {.punctuation = "{}"}),
            "*x@1:1 {@1:2 y@1:3 }@1:4 }@1:5");
}

TEST(TokenReader, CommentsAndExtraBlanksAreSkipped) {
  EXPECT_EQ(Words("a#b c\r# d\n(1,2)", {.blanks = "(),", .comment = '#'}),
            "*a@1:1 *1@3:2 2@3:4");
}

TEST(TokenReader, RestOfLineStopsAtTheLineEndOrTheCharacter) {
  TokenReader reader("JOINT  two words \t{ x\nnext", {.punctuation = "{}"});
  EXPECT_EQ(reader.Next().text, "JOINT");
  EXPECT_EQ(reader.RestOfLine('{'), "two words");
  EXPECT_EQ(reader.Next().text, "{");
  EXPECT_EQ(reader.RestOfLine(), "x");
  EXPECT_EQ(reader.Peek().line, 2);
  EXPECT_EQ(reader.Next().text, "next");
  EXPECT_TRUE(reader.Next().at_end());
}

TEST(Found, QuotesTheWordOrNamesTheEnd) {
  EXPECT_EQ(Found(Token{"a\x01", 1, 1, true}), "\"a?\"");
  EXPECT_EQ(Found(Token{}), "the end of the file");
}

TEST(ParseValue, RefusesWhatIsTooLargeToBeMeasured) {
  EXPECT_EQ(ParseValue("-1e9"), -1e9);
  EXPECT_FALSE(ParseValue("1.1e9"));
  EXPECT_FALSE(ParseValue("nan"));
}

TEST(ToUtf8, LeavesUtf8AndReadsTheRestAsLatin1) {
  const auto convert = [](std::string_view text, bool expect_changed) {
    bool changed = !expect_changed;
    const std::string result = ToUtf8(text, changed);
    EXPECT_EQ(changed, expect_changed) << text;
    return result;
  };
  // One to four bytes.
  for (const char* good :
       {"a", "\xC3\xAA", "\xE4\xB8\x8A", "\xF0\x9F\x98\x80"}) {
    EXPECT_EQ(convert(good, false), good);
  }
  EXPECT_EQ(convert("\xEA", true), "\xC3\xAA");
  // Cut short, over-long, surrogate, beyond U+10FFFF, stray continuation.
  for (const char* bad : {"\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80"}) {
    convert(bad, true);
  }
}

}  // namespace
}  // namespace limber::mocap::internal
