// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/json_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace limber {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<std::string_view, 3> kKinds = {"ball", "hinge", "weld"};

JsonValue Parsed(std::string_view text) {
  Result<JsonValue> result = ParseJson(text, "a.json");
  EXPECT_TRUE(result) << result.diagnostics().ToString();
  return std::move(result).value();
}

TEST(ParseJson, EveryValueKnowsItsPlace) {
  const JsonValue root = Parsed(
      "// a figure\n"
      "{ \"mass\": 75.5, /* : , { */ \"name\": \"adult\",\n"
      "  \"sizes\":[1,22 ,-3e0],\"on\":true,\n"
      "\t\"in\" : {\"x\":null } }\n");
  const auto place = [](const JsonValue* value) {
    return std::array{value->place.line, value->place.column};
  };
  EXPECT_THAT(place(&root), ElementsAre(2, 1));
  EXPECT_THAT(place(root.Find("mass")), ElementsAre(2, 11));
  EXPECT_THAT(place(root.Find("name")), ElementsAre(2, 37));
  EXPECT_EQ(root.Find("name")->key_place.column, 29);
  EXPECT_THAT(place(root.Find("sizes")), ElementsAre(3, 11));
  EXPECT_THAT(place(&root.Find("sizes")->items[1]), ElementsAre(3, 14));
  EXPECT_THAT(place(&root.Find("sizes")->items[2]), ElementsAre(3, 18));
  EXPECT_THAT(place(root.Find("on")), ElementsAre(3, 29));
  EXPECT_THAT(place(root.Find("in")->Find("x")), ElementsAre(4, 14));
  EXPECT_EQ(root.Find("mass")->number, 75.5);
  EXPECT_EQ(root.Find("name")->text, "adult");
}

TEST(ParseJson, CommentRightAfterANumberIsSkipped) {
  const JsonValue root = Parsed("[1/* one */,2// two\n,3]");
  ASSERT_EQ(root.items.size(), 3U);
  EXPECT_EQ(root.items[1].place.column, 13);
  EXPECT_EQ(root.items[2].place.line, 2);
  EXPECT_EQ(root.items[2].place.column, 2);
}

TEST(ParseJson, SyntaxErrorSaysWhereAndWhat) {
  const Result<JsonValue> result = ParseJson("{\n  \"a\": 1,,\n}", "b.json");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostics().ToString(),
              HasSubstr("b.json:2:10: error: no JSON: syntax error"));
}

TEST(ParseJson, NumbersThatAreNoneAreRefused) {
  for (const char* text : {"[NaN]", "[1e999]", "[-Infinity]", "[0x10]"}) {
    const Result<JsonValue> result = ParseJson(text, "c.json");
    EXPECT_FALSE(result) << text;
    // In words of its own, not in those of the library.
    EXPECT_THAT(result.diagnostics().ToString(),
                testing::Not(HasSubstr("json.exception")));
  }
}

TEST(ParseJson, DuplicateNameIsRefusedAtTheSecond) {
  const Result<JsonValue> result = ParseJson("{\"a\":1,\n \"a\":2}", "d.json");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostics().ToString(),
              HasSubstr("d.json:2:2: error: the name \"a\" stands here twice"));
}

TEST(ParseJson, DeepNestingIsRefusedNotCrashedOn) {
  const std::string deep(1'000'000, '[');
  const Result<JsonValue> result = ParseJson(deep, "e.json");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics().all().front().kind, "too-deep");
}

TEST(ParseJson, DamagedTextNeverCrashes) {
  const std::string good =
      "{ \"a\": [1, 2.5e3, \"t\\u00e9xt\"], // c\n \"b\": {\"c\": null}}";
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (int damage = 0; damage < 3; ++damage) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    text.resize(random() % (text.size() + 1));
    const Result<JsonValue> result = ParseJson(text, "f.json");
    if (!result) {
      EXPECT_GE(result.diagnostics().all().front().place.line, 1);
    }
  }
}

TEST(JsonObject, ReadsWhatIsThereAndFallsBackElsewhere) {
  const JsonValue root = Parsed(
      R"({"kind": "hinge", "axis": [0, 1, 0], "count": 3, "soft": 0.5})");
  Diagnostics diagnostics("g.json");
  JsonObject joint(root, "a joint", diagnostics);
  EXPECT_EQ(joint.Word("kind", kKinds), 1);
  EXPECT_EQ(joint.Vector("axis"), Vector3(0, 1, 0));
  EXPECT_EQ(joint.Integer("count", 0, 10), 3);
  EXPECT_EQ(joint.Number("soft", NumberRange::NotNegative(), 1.0), 0.5);
  EXPECT_EQ(joint.Number("damping", NumberRange::NotNegative(), 2.0), 2.0);
  EXPECT_TRUE(joint.Flag("on", true));
  EXPECT_EQ(joint.Text("name", "none"), "none");
  joint.Finish();
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToString();
}

// V-39: a wrong word gets the list of valid words, with file, line and column.
TEST(JsonObject, EveryMistakeIsReportedWithItsPlaceInOnePass) {
  const JsonValue root = Parsed(
      "{\"kind\": \"hingee\",\n"
      " \"axis\": [0, 1],\n"
      " \"soft\": -1,\n"
      " \"count\": 2.5,\n"
      " \"name\": 7,\n"
      " \"axes\": 1}");
  Diagnostics diagnostics("h.json");
  JsonObject joint(root, "a joint", diagnostics);
  joint.Word("kind", kKinds);
  joint.Vector("axis");
  joint.Number("soft", NumberRange::NotNegative());
  joint.Integer("count", 0, 10);
  joint.Text("name");
  joint.Number("mass", NumberRange::Positive());
  joint.Finish();
  EXPECT_EQ(
      diagnostics.ToString(),
      "h.json:1:10: error: unknown kind \"hingee\"; did you mean \"hinge\"? "
      "(valid: ball, hinge, weld)\n"
      "h.json:2:10: error: \"axis\" must have 3 numbers, found 2\n"
      "h.json:3:10: error: \"soft\" must be at least 0.0, found -1.0\n"
      "h.json:4:11: error: \"count\" must be a whole number, found 2.5\n"
      "h.json:5:10: error: \"name\" must be a text, found the number 7.0\n"
      "h.json:1:1: error: a joint needs \"mass\": a number\n"
      "h.json:6:2: error: a joint has no \"axes\"; did you mean \"axis\"? "
      "(valid: kind, axis, soft, count, name, mass)\n");
}

TEST(JsonObject, WhatIsNoObjectIsReportedOnce) {
  const JsonValue root = Parsed("[1]");
  Diagnostics diagnostics("i.json");
  JsonObject joint(root, "a joint", diagnostics);
  joint.Number("mass");
  joint.Finish();
  EXPECT_EQ(diagnostics.ToString(),
            "i.json:1:1: error: a joint must be an object {...}, found an "
            "array [...]\n");
}

}  // namespace
}  // namespace limber
