// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/file.h"
#include "dynamics/joint.h"
#include "dynamics/scene/scene.h"
#include "tests/support/test_data.h"

namespace limber::dynamics {
namespace {

using testing::HasSubstr;

std::string ErrorsOf(const std::string& text) {
  const Result<Scene> scene = ParseScene(text, "s.json");
  EXPECT_FALSE(scene.ok()) << text;
  return scene.diagnostics().ToString();
}

std::string WithBodies(const std::string& bodies,
                       const std::string& more = "") {
  return "{\"limber_scene\": 1,\n \"bodies\": [" + bodies + "]" + more + "}";
}

const char* const kBall =
    R"({"name": "a", "shapes": [{"kind": "sphere", "radius": 1, "mass": 1}]})";

TEST(ParseScene, BodyOfOneShapeWeighsWhatTheShapeWeighs) {
  const Result<Scene> scene =
      ParseScene(WithBodies(R"({"name": "a", "position": [1, 2, 3], "shapes":
        [{"kind": "box", "size": [1, 2, 3], "density": 1000}]})"),
                 "s.json");
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const BodyId body = scene->Body("a");
  EXPECT_DOUBLE_EQ(scene->world.mass(body).mass, 6000.0);
  EXPECT_EQ(scene->world.X_WB(body).p, Vector3(1, 2, 3));
}

TEST(ParseScene, RepeatedBodiesAreNumberedAndShifted) {
  const Result<Scene> scene = ParseScene(
      WithBodies(R"({"name": "b{i}", "repeat": {"count": 3, "shift": [0, 2, 0]},
        "position": [1, 0, 0],
        "shapes": [{"kind": "sphere", "radius": 1, "mass": 1}]})",
                 R"(, "joints": [{"kind": "ball", "parent": "b{i}",
        "child": "b{i+1}", "repeat": {"count": 2, "shift": [0, 2, 0]},
        "position": [1, 1, 0]}])"),
      "s.json");
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  EXPECT_EQ(scene->world.X_WB(scene->Body("b2")).p, Vector3(1, 4, 0));
  ASSERT_EQ(scene->constraints.size(), 2U);
  for (const auto& [name, joint] : scene->constraints) {
    EXPECT_LT(scene->world.Error(*joint), 1e-12) << name;
  }
}

TEST(ParseScene, AnglesMayBeGivenInDegrees) {
  Result<Scene> scene = ParseScene(
      WithBodies(kBall, R"(, "joints": [{"name": "j", "kind": "hinge",
        "child": "a", "position": [0, 1, 0], "axis": [0, 0, 2],
        "axes": [{"lower_deg": -90, "upper": 1}]}])"),
      "s.json");
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const auto& joint = dynamic_cast<const Joint&>(scene->ConstraintNamed("j"));
  EXPECT_DOUBLE_EQ(joint.axis(0).lower, -kPi / 2);
  EXPECT_DOUBLE_EQ(joint.axis(0).upper, 1.0);
}

// Each hostile scene gets a message with line, column and what is valid.
TEST(ParseScene, HostileFilesGetAMessageWithItsPlace) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"", "s.json:1:1: error: no JSON"},
      {"[]", "s.json:1:1: error: a scene must be an object {...}"},
      {"{\"limber_scene\": 2}",
       "s.json:1:18: error: \"limber_scene\" must be from 1 to 1, found 2"},
      {WithBodies(R"({"name": "a", "mass": NaN})"), "s.json:2:"},
      {WithBodies(R"({"name": "a", "mass": -1, "inertia": [1, 1, 1]})"),
       "s.json:2:35: error: \"mass\" must be above 0.0, found -1.0"},
      {WithBodies(R"({"name": "a", "mass": 1, "inertia": [1, 1, 3]})"),
       "s.json:2:13: error: "},
      {WithBodies(R"({"name": "a", "mass": 1, "inertia": [0, 0, 1]})"),
       "s.json:2:13: error: "},
      {WithBodies(R"({"name": "a", "mass": 1, "inertia": [0, 0, 0]})"),
       "s.json:2:49: error: \"inertia\" must not be zero about every axis"},
      {WithBodies(R"({"name": "a"})"),
       "s.json:2:13: error: a dynamic body needs \"mass\""},
      {WithBodies(std::string(kBall) + "," + kBall),
       "error: the name \"a\" is taken"},
      {WithBodies(kBall, R"(,
  "joints": [{"kind": "hingee", "child": "a", "position": [0, 0, 0]}])"),
       "s.json:3:23: error: unknown kind \"hingee\"; did you mean \"hinge\"? "
       "(valid: ball, hinge, universal"},
      {WithBodies(kBall, R"(,
  "joints": [{"kind": "ball", "parent": "a", "child": "a",
              "position": [0, 0, 0]}])"),
       "s.json:3:14: error: "},
      {WithBodies(kBall, R"(,
  "joints": [{"kind": "ball", "child": "b", "position": [0, 0, 0]}])"),
       "s.json:3:40: error: no body \"b\""},
      {WithBodies(R"({"name": "a{i}", "repeat": {"count": 1000000000},
        "shapes": [{"kind": "sphere", "radius": 1, "mass": 1}]})"),
       "error: \"count\" must be from 1 to 100000, found 1000000000.0"},
      {WithBodies(kBall, R"(, "gravity": "down")"),
       "error: \"gravity\" must be an array [...], found the text \"down\""},
      {WithBodies(kBall, R"(, "bodys": [])"),
       "error: a scene has no \"bodys\"; did you mean \"bodies\"?"},
      {WithBodies(kBall, R"(, "step": 0)"),
       "error: \"step\" must be from 1e-06 to 1.0, found 0.0"},
      {WithBodies(kBall, R"(, "step": 1e-310)"),
       "error: \"step\" must be from 1e-06 to 1.0, found 1e-310"},
      {WithBodies(kBall, R"(, "step": 16.667)"),
       "error: \"step\" must be from 1e-06 to 1.0, found 16.667"},
      {WithBodies(kBall, R"(,
  "duration": 1e18)"),
       "s.json:3:15: error: a scene plays for at most 86400 s (a day), found "
       "1e+18 s"},
      {WithBodies(kBall, R"(, "step": 1e-6, "duration": 86400)"),
       "error: 86400 s in steps of 1e-06 s are 8.64e+10 steps, at most 1e+09 "
       "are allowed"},
      {WithBodies(kBall, R"(, "events": [{"at": 1, "do": "explode"}])"),
       "error: unknown do \"explode\" (valid: enable, disable"},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(ErrorsOf(one.text), HasSubstr(one.expected)) << one.text;
  }
}

TEST(ParseScene, AllMistakesAreFoundInOnePass) {
  const std::string errors = ErrorsOf(WithBodies(
      R"({"name": "a", "mass": -1}, {"nam": "b", "kind": "solid"})"));
  EXPECT_THAT(errors, HasSubstr("\"mass\" must be above"));
  EXPECT_THAT(errors, HasSubstr("a body needs \"name\""));
  EXPECT_THAT(errors, HasSubstr("unknown kind \"solid\""));
}

TEST(ParseScene, DamagedScenesNeverCrash) {
  const std::string good =
      ReadWholeFile(test::BundledData("scenes/door_spring.json")).value();
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (int damage = 0; damage < 2; ++damage) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random());
      } else {
        text.erase(at, random() % 20);
      }
    }
    const Result<Scene> scene = ParseScene(text, "s.json");
    if (!scene) {
      EXPECT_GE(scene.diagnostics().all().front().place.line, 1) << text;
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
