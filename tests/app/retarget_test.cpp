// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::HasSubstr;

class RetargetProgram : public ProgramTest {};

TEST_F(RetargetProgram, ProportionsGiveAClipAndAReport) {
  const Outcome run =
      RunLimber({"retarget", Bundled("clips/walk.bvh"), "--scale", "legs=1.25",
                 "-o", In("out.bvh"), "--report", In("r.json"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Exists("out.bvh"));
  EXPECT_TRUE(Exists("r.json"));
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_NEAR(json["leg_ratio"], 1.25, 1e-9);
  EXPECT_LE(json["stance_speed_per_leg"].get<double>(),
            json["source_stance_speed_per_leg"].get<double>() + 1e-9);
  EXPECT_LT(json["planted_off_mm"].get<double>(), 1e-6);
  // The written file says the same as the report.
  const Outcome measured = RunLimber({"measure", In("out.bvh"), "--against",
                                      Bundled("clips/walk.bvh"), "--json"});
  ASSERT_EQ(measured.code, 0) << measured.err;
  EXPECT_NEAR(nlohmann::json::parse(measured.out)["stance_speed_per_leg"],
              json["stance_speed_per_leg"].get<double>(), 1e-4);
}

TEST_F(RetargetProgram, FigureAsTargetShowsMapAndPage) {
  const Outcome run =
      RunLimber({"retarget", Bundled("clips/walk.bvh"), "--to",
                 Bundled("figures/fat_man.json"), "-o", In("fat.bvh"),
                 "--report", In("fat.html"), "--show-map"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("LeftLeg <- LeftLeg"));
  EXPECT_THAT(run.out, HasSubstr("joint limits passed by 0 deg"));
  EXPECT_THAT(run.out, testing::EndsWith("looks right\n"));
  EXPECT_TRUE(Exists("fat.html"));
}

TEST_F(RetargetProgram, DynamicPlaysAndReportsTheRootsHelp) {
  const std::vector<std::string> call = {
      "retarget",  Bundled("clips/walk.bvh"),
      "--to",      Bundled("figures/child.json"),
      "-o",        In("child.bvh"),
      "--dynamic", "--json"};
  const Outcome run = RunLimber(call);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_LT(json["dynamic_difference_deg"].get<double>(), 4.0);
  EXPECT_GT(json["dynamic_difference_deg"].get<double>(), 0.0);
  EXPECT_LT(json["root_help_fraction"].get<double>(), 0.1);
  EXPECT_LT(json["joint_gap_mm"].get<double>(), 0.1);
  EXPECT_LT(json["stance_speed_per_leg"].get<double>(), 0.005);
  // The same call gives the same bytes.
  const std::string first = ReadWholeFile(In("child.bvh")).value();
  ASSERT_EQ(RunLimber(call).code, 0);
  EXPECT_EQ(ReadWholeFile(In("child.bvh")).value(), first);
}

TEST_F(RetargetProgram, BatchGoesOnAfterAFailure) {
  Make("bad.bvh", "HIERARCHY\n");
  Make("chain.bvh", kSmallBvh);
  const Outcome run =
      RunLimber({"retarget", Bundled("clips/walk.bvh"), In("*.bvh"), "--scale",
                 "arms=0.7", "-o", In("out/"), "--report", In("all.json")});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(Exists("out/walk.bvh"));
  EXPECT_TRUE(Exists("out/walk.report.json"));
  EXPECT_THAT(run.out, HasSubstr("1 clip done, 2 failed, 0 look wrong"));
  EXPECT_THAT(run.err, HasSubstr("expected a pelvis with two legs"));
  EXPECT_TRUE(Exists("all.json"));
}

TEST_F(RetargetProgram, AFolderOfClipsIsWrittenOntoTheCharacter) {
  const std::string hero = In("hero.glb");
  ASSERT_EQ(RunLimber({"convert", Bundled("clips/walk.bvh"), hero}).code, 0);
  const std::vector<std::string> clips = {Bundled("clips/march.bvh"),
                                          Bundled("clips/wave.bvh")};
  const Outcome run = RunLimber({"retarget", clips[0], clips[1], "--to", hero,
                                 "-o", In("out/"), "--format", "glb"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("march.glb"));
  EXPECT_FALSE(Exists("out/march.bvh"));
  // Byte for byte what a call for the one clip writes.
  for (const char* name : {"march", "wave"}) {
    const std::string alone = In(std::string("alone/") + name + ".glb");
    std::filesystem::create_directories(In("alone"));
    ASSERT_EQ(
        RunLimber({"retarget", Bundled(std::string("clips/") + name + ".bvh"),
                   "--to", hero, "-o", alone})
            .code,
        0);
    EXPECT_EQ(ReadWholeFile(In(std::string("out/") + name + ".glb")).value(),
              ReadWholeFile(alone).value());
  }
  const Outcome one = RunLimber({"retarget", clips[0], "--to", hero, "-o",
                                 In("one.glb"), "--format", "glb"});
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.err, HasSubstr("--format is for clips in a folder"));
}

TEST_F(RetargetProgram, WrongCallsAreExplained) {
  const std::string walk = Bundled("clips/walk.bvh");
  EXPECT_EQ(RunLimber({"retarget", walk, "-o", In("o.bvh")}).code, 2);
  const Outcome word =
      RunLimber({"retarget", walk, "--scale", "tail=2", "-o", In("o.bvh")});
  EXPECT_EQ(word.code, 2);
  EXPECT_THAT(word.err, HasSubstr("unknown length"));
  EXPECT_EQ(RunLimber({"retarget", In("no*.bvh"), "--scale", "legs=2", "-o",
                       In("o/")})
                .code,
            2);
}

TEST_F(RetargetProgram, EndingsThatAreNotWrittenAreRefusedBeforeTheWork) {
  for (const char* name : {"x.fbx", "x.json", "x"}) {
    const Outcome run = RunLimber({"retarget", Bundled("clips/walk.bvh"),
                                   "--scale", "legs=1.1", "-o", In(name)});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr(".bvh"));
    EXPECT_FALSE(Exists(name));
  }
}

TEST_F(RetargetProgram, SpeaksInLinesAndKeysAreForMachines) {
  const Outcome run =
      RunLimber({"retarget", Bundled("clips/walk.bvh"), "--to",
                 Bundled("figures/child.json"), "-o", In("child.bvh")});
  EXPECT_EQ(run.code, 0) << run.err << run.out;
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 6) << run.out;
  EXPECT_THAT(run.out, Not(HasSubstr("_per_leg")));
  const Outcome measured = RunLimber({"measure", In("child.bvh")});
  EXPECT_EQ(measured.code, 0) << measured.out;
  EXPECT_LE(std::ranges::count(measured.out, '\n'), 6) << measured.out;
  EXPECT_THAT(measured.out, testing::EndsWith("looks right\n"));
}

TEST_F(RetargetProgram, CombineJoinsClips) {
  const std::string walk = Bundled("clips/walk.bvh");
  const Outcome run = RunLimber(
      {"combine", walk, walk, "-o", In("ww.bvh"), "--report", In("ww.json")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("joined at"));
  EXPECT_TRUE(Exists("ww.bvh"));
  const Outcome other = RunLimber(
      {"combine", walk, Bundled("clips/march.bvh"), "-o", In("x.bvh")});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("limber retarget"));
}

TEST_F(RetargetProgram, MeasureOfClipWithoutLegsSaysWhy) {
  const Outcome run = RunLimber({"measure", Make("small.bvh", kSmallBvh)});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("expected a pelvis with two legs"));
}

}  // namespace
}  // namespace limber::test
