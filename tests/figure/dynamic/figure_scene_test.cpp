// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/figure_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "core/file.h"
#include "figure/dynamic/scene/simulate.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

using testing::AllOf;
using testing::HasSubstr;

FigureSceneOptions Options() {
  FigureSceneOptions options;
  options.read_clip = [](const std::filesystem::path& path) {
    return mocap::ReadBvhFileGuessed(path);
  };
  return options;
}

/// A scene as if it stood in data/scenes.
Result<FigureScene> Parse(const std::string& text) {
  return ParseFigureScene(
      text, (test::BundledData("scenes") / "s.json").string(), Options());
}

std::string ErrorsOf(const std::string& text) {
  const Result<FigureScene> scene = Parse(text);
  EXPECT_FALSE(scene.ok()) << text;
  return scene.diagnostics().ToString();
}

/// One figure with these further members, and what follows the figures.
std::string With(const std::string& members, const std::string& more = "") {
  return "{\"limber_scene\": 1, \"duration\": 0.1,\n \"figures\": [{\"name\": "
         "\"w\", \"clips\": [{\"file\": \"../clips/wave.bvh\"}]" +
         (members.empty() ? "" : ",\n  " + members) + "}]" +
         (more.empty() ? "" : ",\n " + more) + "}";
}

TEST(ParseFigureScene, SegmentsAreBodiesByRoleAndByName) {
  const Result<FigureScene> scene = Parse(With(""));
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const FigureModel& model = scene->figures[0].performer->figure().model();
  EXPECT_EQ(model.num_segments(), 18);
  EXPECT_EQ(scene->scene->Body("w/right-hand"),
            scene->scene->Body("w/RightHand"));
}

// What would fill the memory before the first step is refused where it stands.
TEST(ParseFigureScene, TimesBeyondWhatCanBePlayedAreRefusedInWords) {
  const auto until = [](const std::string& seconds) {
    return "{\"limber_scene\": 1, \"figures\": [{\"name\": \"w\",\n \"clips\": "
           "[{\"file\": \"../clips/wave.bvh\", \"until\": " +
           seconds + "}]}]}";
  };
  EXPECT_THAT(ErrorsOf(until("9223372036854775807")),
              HasSubstr("s.json:2:51: error: \"until\" must be above 0.0 and "
                        "at most 86400.0, found 9.22337"));
  EXPECT_THAT(ErrorsOf(until("1e9")), HasSubstr("at most 86400.0"));
  EXPECT_THAT(ErrorsOf(until("86400")),
              HasSubstr("is looped at most 10000 times"));
  EXPECT_TRUE(Parse(until("60")).ok());
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "duration": 5000,
 "figures": [{"name": "w", "figure": "../figures/adult18.json",
              "task": "rag_doll"}]})"),
              AllOf(HasSubstr("s.json:1:33: error: "),
                    HasSubstr("at most 4166.67 s, found 5000 s")));
  Result<FigureScene> scene = Parse(With(""));
  ASSERT_TRUE(scene.ok());
  EXPECT_THROW(SimulateScene(scene.value(), 1e18), std::invalid_argument);
}

TEST(ParseFigureScene, PropsStandWhereTheFigureIs) {
  const Result<FigureScene> scene =
      Parse(With("\"on_floor\": true",
                 R"("bodies": [{"name": "ball", "mass": 1,
        "position": {"near": "w/head", "offset": [0, 1, 0]},
        "shapes": [{"kind": "sphere", "radius": 0.1}]}])"));
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const dynamics::World& world = scene->scene->world;
  EXPECT_LT((world.X_WB(scene->scene->Body("ball")).p -
             world.X_WB(scene->scene->Body("w/head")).p - Vector3(0, 1, 0))
                .norm(),
            1e-12);
}

TEST(ParseFigureScene, ClipIsMovedTurnedAndPutOnTheFloor) {
  const Result<FigureScene> at_home = Parse(With(""));
  const Result<FigureScene> moved =
      Parse(With(R"("position": [2, 0, 1], "rotation": {"axis": [0, 1, 0],
              "angle_deg": 90})"));
  ASSERT_TRUE(at_home && moved);
  const Vector3 p =
      at_home->scene->world.X_WB(at_home->scene->Body("w/pelvis")).p;
  const Vector3 q = moved->scene->world.X_WB(moved->scene->Body("w/pelvis")).p;
  EXPECT_LT((q - Vector3(2.0 + p.z(), p.y(), 1.0 - p.x())).norm(), 1e-9);
}

TEST(ParseFigureScene, RateOfTheCallerGoesBeforeThatOfTheFile) {
  FigureSceneOptions options = Options();
  options.rate_hz = 1000.0;
  const Result<FigureScene> scene = ParseFigureScene(
      With(""), (test::BundledData("scenes") / "s.json").string(), options);
  ASSERT_TRUE(scene);
  EXPECT_DOUBLE_EQ(scene->stage->step(), 1e-3);
}

// V-39: file, line, column, found, expected.
TEST(ParseFigureScene, WrongWordsGetTheValidOnes) {
  EXPECT_THAT(ErrorsOf(With(R"("strength": "powerd")")),
              AllOf(HasSubstr("s.json:3:15: error: "), HasSubstr("\"powerd\""),
                    HasSubstr("did you mean \"powered\""),
                    HasSubstr("kinematic, powered, loose, limp")));
  EXPECT_THAT(ErrorsOf(With(R"("rood": "free")")),
              AllOf(HasSubstr("s.json:3:3: error: "), HasSubstr("\"rood\""),
                    HasSubstr("root")));
  EXPECT_THAT(
      ErrorsOf(
          With(R"("strengths": [{"segments": "amrs", "strength": "limp"}])")),
      AllOf(HasSubstr("s.json:3:30: error: "), HasSubstr("\"amrs\""),
            HasSubstr("did you mean \"arms\""), HasSubstr("LeftHand")));
  EXPECT_THAT(ErrorsOf(With("", R"("goals": [{"name": "g", "kind": "point_to",
      "body": "w/head", "target": [0, 0, 0]}])")),
              AllOf(HasSubstr("\"point_to\""), HasSubstr("point_at, markers")));
  EXPECT_THAT(ErrorsOf(With("", R"("goals": [{"name": "g", "kind": "point_at",
      "body": "w/haed", "target": [0, 0, 0]}])")),
              AllOf(HasSubstr("s.json:4:15"), HasSubstr("no body \"w/haed\""),
                    HasSubstr("did you mean \"w/head\"")));
  EXPECT_THAT(ErrorsOf(With("", R"("criteria": [{"name": "c",
      "measure": "joint_error", "below": 1}])")),
              AllOf(HasSubstr("s.json:4:18"), HasSubstr("joint_error_deg"),
                    HasSubstr("penetration_mm")));
  EXPECT_THAT(ErrorsOf(With("", R"("criteria": [{"name": "c",
      "measure": "goal_distance", "goal": "g", "below": 1}])")),
              HasSubstr("no goal of kind point_at \"g\""));
}

TEST(ParseFigureScene, FilesThatAreNotThereAreNamedWithTheirPlace) {
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "figures": [{"name": "w",
      "clips": [{"file": "no.bvh"}]}]})"),
              AllOf(HasSubstr("s.json:2:26: error: "), HasSubstr("no.bvh")));
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "figures": [{"name": "w",
      "figure": "no.json", "task": "rag_doll"}]})"),
              AllOf(HasSubstr("s.json:2:17: error: "), HasSubstr("no.json")));
}

TEST(ParseFigureScene, WhatMakesNoSenseIsRefusedWithTheReason) {
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "figures": [{"name": "w"}]})"),
              HasSubstr("needs \"figure\" (a figure file) or \"clips\""));
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "figures": [{"name": "w",
      "figure": "../figures/child.json"}]})"),
              HasSubstr("needs \"clips\" to play, or \"task\": \"rag_doll\""));
  EXPECT_THAT(ErrorsOf(R"({"limber_scene": 1, "figures": [{"name": "w",
      "figure": "../figures/adult12.json",
      "clips": [{"file": "../clips/wave.bvh"}]}]})"),
              AllOf(HasSubstr("another skeleton"), HasSubstr("18 joints"),
                    HasSubstr("limber retarget")));
  EXPECT_THAT(ErrorsOf(With("", R"("criteria": [{"name": "c",
      "measure": "penetration_mm"}])")),
              HasSubstr("needs \"below\" or \"above\""));
  EXPECT_THAT(
      ErrorsOf(With("", R"("criteria": [{"name": "c", "from": 2, "to": 1,
      "measure": "penetration_mm", "below": 1}])")),
      HasSubstr("\"to\" must not be before \"from\""));
  EXPECT_THAT(ErrorsOf(With(R"("self_contact": true)")),
              HasSubstr("needs \"contact\""));
  EXPECT_THAT(ErrorsOf(With(
                  R"("controllers": [{"segments": "Hips", "kind": "none"}])")),
              HasSubstr("see \"root\""));
}

// All mistakes of the figures at once, and none that only follow from them.
TEST(ParseFigureScene, MistakesDoNotBreedOthers) {
  const std::string errors =
      ErrorsOf(With(R"("strength": "strong", "limits": 3)",
                    R"("bodies": [{"name": "b", "mass": 1,
        "position": {"near": "w/head"},
        "shapes": [{"kind": "sphere", "radius": 0.1}]}])"));
  EXPECT_THAT(errors, AllOf(HasSubstr("strong"), HasSubstr("limits")));
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 2) << errors;
}

TEST(ParseFigureScene, DamagedScenesAreRefusedAndNeverCrash) {
  const std::string whole =
      ReadWholeFile(test::BundledData("scenes/umbrella.json")).value();
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string text = whole;
    const std::size_t at = random() % text.size();
    if (i % 2 == 0) {
      text.resize(at);
    } else {
      text[at] = static_cast<char>('!' + random() % 90);
    }
    const Result<FigureScene> scene = Parse(text);
    if (!scene) {
      ++refused;
      EXPECT_THAT(scene.diagnostics().ToString(), HasSubstr("error"));
    }
  }
  EXPECT_GT(refused, 30);
}

TEST(SimulateScene, CriteriaSeeWhatTheirTimeAndKindSay) {
  // A ball that falls freely from 5 m: v = g t, y = 5 - g t^2 / 2.
  Result<FigureScene> scene = Parse(R"({"limber_scene": 1, "duration": 0.5,
    "bodies": [{"name": "ball", "position": [0, 5, 0], "mass": 1,
                "shapes": [{"kind": "sphere", "radius": 0.1}]}],
    "criteria": [
      {"name": "first half", "measure": "speed", "body": "ball", "to": 0.25, "below": 2.5},
      {"name": "whole", "measure": "speed", "body": "ball", "below": 2.5},
      {"name": "last", "measure": "position", "body": "ball", "of": "last", "above": 3.7, "below": 3.85},
      {"name": "smallest", "measure": "position", "body": "ball", "of": "smallest", "above": 4},
      {"name": "later", "measure": "position", "body": "ball", "from": 2, "above": 0},
      {"name": "against another", "measure": "speed", "body": "ball", "to": 0.2,
       "below": {"measure": "speed", "body": "ball", "from": 0.4}}]})");
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const SceneOutcome outcome = SimulateScene(scene.value());
  ASSERT_EQ(outcome.verdicts.size(), 6u);
  EXPECT_TRUE(outcome.verdicts[0].met);
  EXPECT_FALSE(outcome.verdicts[1].met);
  EXPECT_NEAR(outcome.verdicts[1].value, 0.5 * kGravity, 0.03);
  EXPECT_TRUE(outcome.verdicts[2].met);
  EXPECT_FALSE(outcome.verdicts[3].met);
  // Its time has not come.
  EXPECT_FALSE(outcome.verdicts[4].met);
  EXPECT_TRUE(std::isnan(outcome.verdicts[4].value));
  EXPECT_TRUE(outcome.verdicts[5].met);
  EXPECT_FALSE(outcome.AllMet());
  EXPECT_EQ(outcome.num_steps, 120);
}

TEST(SimulateScene, MotionThatIsNoNumberEndsThePlay) {
  Result<FigureScene> scene =
      Parse(With("", R"("events": [{"at": 0.05, "do": "push", "body": "w/head",
               "impulse": [1e300, 0, 0]}])"));
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  const SceneOutcome outcome = SimulateScene(scene.value());
  EXPECT_FALSE(outcome.finite);
  EXPECT_FALSE(outcome.AllMet());
}

TEST(SimulateScene, WorkBeyondItsBoundIsRefusedOrStoppedAtTheSameStep) {
  EXPECT_EQ(TooMuchWork(1e4, 2000.0, 1.0), "");
  EXPECT_EQ(TooMuchWork(1e4, 2001.0, 1.0),
            "10000 bodies for 2001 steps are too much work: 2.001e+07 steps of "
            "bodies, and 2e+07 is the bound");
  // Ten boxes on the floor: eleven bodies with the ground, forty contacts.
  constexpr double kSeconds = 0.1;  // 24 steps.
  const auto play = [](double most_work) {
    Result<FigureScene> scene = Parse(R"({"limber_scene": 1, "floor": {},
      "bodies": [{"name": "b{i}", "position": [0, 0.5, 0], "contact": {},
        "repeat": {"count": 10, "shift": [2, 0, 0]},
        "shapes": [{"kind": "box", "size": [1, 1, 1], "mass": 1}]}]})");
    EXPECT_TRUE(scene) << scene.diagnostics().ToString();
    return SimulateScene(scene.value(), kSeconds, {}, most_work);
  };
  const SceneOutcome whole = play(24 * 51);
  EXPECT_FALSE(whole.too_much_work);
  EXPECT_EQ(whole.num_steps, 24);
  EXPECT_TRUE(whole.AllMet());
  const SceneOutcome stopped = play(300);
  EXPECT_TRUE(stopped.too_much_work);
  EXPECT_EQ(stopped.num_steps, 5);
  EXPECT_FALSE(stopped.AllMet());
  EXPECT_THROW(play(263), std::invalid_argument);
}

// Every scene that needs no figure is read in the same way.
TEST(ReadFigureScene, PlainScenesPlayToo) {
  Result<FigureScene> scene = ReadFigureScene(
      test::BundledData("scenes/simultaneous_impacts.json"), {});
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  EXPECT_TRUE(scene->figures.empty());
  EXPECT_TRUE(SimulateScene(scene.value(), 0.1).AllMet());
}

}  // namespace
}  // namespace limber::figure
