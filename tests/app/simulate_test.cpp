// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "mocap/io/bvh.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SimulateCommand : public ProgramTest {};

TEST_F(SimulateCommand, WritesTheMotionAndTheReport) {
  const Outcome outcome =
      RunLimber({"simulate", Bundled("scenes/umbrella.json"), "-o", In("u.bvh"),
                 "--report", In("u.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("met      the umbrella is upright"),
                    HasSubstr("root help"), HasSubstr("worst joint gap"),
                    HasSubstr("unsolved steps"), Not(HasSubstr("NOT MET"))));
  EXPECT_THAT(outcome.err, HasSubstr("x real time"));
  const figure::Motion motion = mocap::ReadBvhFileGuessed(In("u.bvh")).value();
  EXPECT_EQ(motion.num_frames(), 211);
  EXPECT_DOUBLE_EQ(motion.rate_hz(), 60.0);
  // Channels and unit of the clip.
  EXPECT_EQ(ReadWholeFile(In("u.bvh")).value().substr(0, 700),
            ReadWholeFile(Bundled("clips/bow.bvh")).value().substr(0, 700));
  const nlohmann::json report =
      nlohmann::json::parse(ReadWholeFile(In("u.json")).value());
  EXPECT_EQ(report["all_met"], true);
  EXPECT_EQ(report["criteria_met"], report["criteria"]);
  EXPECT_LT(report["joint_gap_mm"].get<double>(), 1.0);
  EXPECT_GT(report["real_time_factor"].get<double>(), 0.0);
}

TEST_F(SimulateCommand, SeveralFiguresGetFilesOfTheirNames) {
  const Outcome both =
      RunLimber({"simulate", Bundled("scenes/combined.json"), "-o", In("c.bvh"),
                 "--duration", "0.1", "--rate", "30"});
  EXPECT_EQ(both.code, 3) << both.err;
  EXPECT_EQ(mocap::ReadBvhFileGuessed(In("c-carrier.bvh")).value().num_frames(),
            4);
  EXPECT_TRUE(std::filesystem::exists(In("c-mixer.bvh")));
  const Outcome one =
      RunLimber({"simulate", Bundled("scenes/combined.json"), "-o",
                 In("one.bvh"), "--duration", "0.1", "--figure", "mixer"});
  EXPECT_EQ(one.code, 3) << one.err;
  EXPECT_TRUE(std::filesystem::exists(In("one.bvh")));
}

TEST_F(SimulateCommand, CriterionThatFailsIsTheExitCode) {
  const std::string scene = Make("fall.json", R"({"limber_scene": 1,
    "duration": 0.2, "bodies": [{"name": "ball", "mass": 1,
    "shapes": [{"kind": "sphere", "radius": 0.1}]}],
    "criteria": [{"name": "stays", "measure": "speed", "body": "ball",
                  "below": 0.1}]})");
  const Outcome outcome = RunLimber({"simulate", scene});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("NOT MET  stays"), HasSubstr("(< 0.1)")));
}

TEST_F(SimulateCommand, SceneWithoutFigureHasNoMotionToWrite) {
  const std::string scene = Bundled("scenes/simultaneous_impacts.json");
  const Outcome outcome = RunLimber({"simulate", scene, "-o", In("x.bvh")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no figure whose motion"),
                                 HasSubstr("leave out -o")));
  EXPECT_FALSE(std::filesystem::exists(In("x.bvh")));
  const Outcome report =
      RunLimber({"simulate", scene, "--report", In("r.html")});
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(ReadWholeFile(In("r.html")).value(),
              AllOf(HasSubstr("joint gap</abbr>"),
                    HasSubstr("class=\"limber-player\"")));
}

TEST_F(SimulateCommand, BadInputIsExplained) {
  const std::string bad = Make("bad.json",
                               "{\"limber_scene\": 1,\n"
                               " \"figures\": [{\"name\": \"w\",\n"
                               "   \"tusk\": \"rag_doll\"}]}");
  const Outcome outcome = RunLimber({"simulate", bad});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr(bad + ":2:14: error: "));
  EXPECT_EQ(RunLimber({"simulate", In("none.json")}).code, 1);
  EXPECT_EQ(RunLimber({"simulate"}).code, 2);
  const std::string scene = Bundled("scenes/umbrella.json");
  EXPECT_EQ(RunLimber({"simulate", scene, "--duration", "-1"}).code, 2);
  EXPECT_EQ(RunLimber({"simulate", scene, "-o", In("x.amc")}).code, 2);
  EXPECT_EQ(RunLimber({"simulate", scene, "--report", In("x.txt")}).code, 2);
  const Outcome clip = RunLimber({"simulate", Bundled("clips/walk.bvh")});
  EXPECT_EQ(clip.code, 2);
  EXPECT_THAT(clip.err, HasSubstr("is a recording"));
  const Outcome who =
      RunLimber({"simulate", scene, "--figure", "bowre", "-o", In("x.bvh")});
  EXPECT_EQ(who.code, 2);
  EXPECT_THAT(who.err, AllOf(HasSubstr("did you mean \"bower\""),
                             HasSubstr("it has: bower")));
}

}  // namespace
}  // namespace limber::test
