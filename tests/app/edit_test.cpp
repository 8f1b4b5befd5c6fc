// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::HasSubstr;

class EditProgram : public ProgramTest {
 protected:
  std::string Read(const std::string& name) const {
    return ReadWholeFile(In(name)).value();
  }
  const std::string walk_ = Bundled("clips/walk.bvh");
};

TEST_F(EditProgram, SameCommandGivesTheSameBytes) {
  for (const char* name : {"a.bvh", "b.bvh"}) {
    const Outcome run =
        RunLimber({"edit", walk_, "--push", "forearm_l@1.2s:10Ns:+x", "-o",
                   In(name), "--report", In("r.json")});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  EXPECT_EQ(Read("a.bvh"), Read("b.bvh"));
  const auto report = nlohmann::json::parse(Read("r.json"));
  EXPECT_LT(report["return_time_s"].get<double>(), 1.0);
  EXPECT_LT(report["root_help_fraction"].get<double>(), 0.1);
  EXPECT_GE(report["differs_from_s"].get<double>(), 1.2);
  EXPECT_LT(report["differs_to_s"].get<double>(), 2.4);
  for (const char* curves : {"difference", "root_help", "torque"}) {
    EXPECT_TRUE(report["curves"].contains(curves)) << curves;
  }
}

TEST_F(EditProgram, EventsFileSaysTheSameAsFlags) {
  const std::string events = Make("events.json", R"({
    "limber_events": 1,
    "events": [
      {"kind": "push", "at": 1.2, "segment": "left-forearm",
       "impulse": [10, 0, 0]},   // As the flag.
      {"kind": "loosen", "at": 2.0, "segment": "arms"},
      {"kind": "recover", "at": 3.0, "segment": "arms", "duration": 0.2}
    ]})");
  ASSERT_EQ(
      RunLimber({"edit", walk_, "--events", events, "-o", In("a.bvh")}).code,
      0);
  ASSERT_EQ(RunLimber({"edit", walk_, "--push", "left-forearm@1.2s:10Ns:+x",
                       "--loosen", "arms@2s..3s", "-o", In("b.bvh")})
                .code,
            0);
  EXPECT_EQ(Read("a.bvh"), Read("b.bvh"));
}

TEST_F(EditProgram, EveryKindOfEventIsReadFromAFile) {
  const std::string events = Make("events.json", R"({
    "limber_events": 1,
    "events": [
      {"kind": "push", "at": 0.1, "segment": "chest", "force": [50, 0, 0],
       "duration": 0.2, "axes": "body", "point": [0, 0.1, 0]},
      {"kind": "throw", "at": 0.2, "segment": "chest", "velocity": [5, 0, 0],
       "mass": 0.5},
      {"kind": "obstacle", "at": 0, "place": [3, 0.2, 0],
       "size": [0.3, 0.3, 0.3], "heading": 30, "mass": 2},
      {"kind": "carry", "at": 0.3, "segment": "left-hand", "mass": 2,
       "duration": 0.5, "friction": 0.1, "length": 0.2},
      {"kind": "umbrella", "at": 0.3, "segment": "right-hand",
       "duration": 0.4},
      {"kind": "point", "at": 1.0, "segment": "right-hand", "duration": 0.6,
       "path": [[1, -0.2, 1.2, 2.0], [1.6, -0.2, 1.3, 2.6]]},
      {"kind": "reach", "at": 2, "segment": "left-hand", "duration": 0.3,
       "target": [0.3, 1.2, 3.2], "target_velocity": [0, 0, 1],
       "max_force": 100},
      {"kind": "pin", "at": 2.8, "segment": "right-hand", "duration": 0.1,
       "rail": [0, 0, 1]},
      {"kind": "look", "at": 1, "segment": "head", "target": [2, 1.6, 4],
       "duration": 0.5},
      {"kind": "upright", "at": 2, "segment": "head", "duration": 0.5},
      {"kind": "loosen", "at": 1, "segment": "left-forearm", "torque": 0.1},
      {"kind": "stiffen", "at": 1.2, "segment": "legs"},
      {"kind": "gravity", "at": 1.3, "gravity": [0, -9, 0]},
      {"kind": "floor", "at": 1.5, "rise": 0.02},
      {"kind": "slope", "at": 2.5, "angle": 2, "uphill": [0, 0, 1]},
      {"kind": "rag_doll", "at": 3.2},
      {"kind": "recover", "at": 3.6}
    ]})");
  const Outcome run = RunLimber({"edit", walk_, "--events", events, "-o",
                                 In("a.bvh"), "--report", In("r.html")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("17 events"));
  EXPECT_THAT(run.out, HasSubstr("umbrella tilts"));
  EXPECT_TRUE(Exists("r.html"));
}

TEST_F(EditProgram, MistakesInAnEventsFileHaveTheirPlaces) {
  const std::string events =
      Make("events.json",
           "{\"limber_events\": 1, \"events\": [\n"
           "{\"kind\": \"shove\", \"at\": 1},\n"
           "{\"kind\": \"push\", \"at\": -1, "
           "\"segment\": \"tail\", \"impulse\": [1, 0]},\n"
           "{\"kind\": \"push\", \"at\": 1, "
           "\"segment\": \"chest\", \"force\": [1, 0, 0]},"
           "\n{\"kind\": \"rag_doll\", \"at\": 1, "
           "\"colour\": 3}\n]}");
  const Outcome run =
      RunLimber({"edit", walk_, "--events", events, "-o", In("a.bvh")});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("events.json:2:"));
  EXPECT_THAT(run.err, HasSubstr("shove"));
  EXPECT_THAT(run.err, HasSubstr("events.json:3:"));
  EXPECT_THAT(run.err, HasSubstr("no segment \"tail\""));
  EXPECT_THAT(run.err, HasSubstr("events.json:4:"));
  EXPECT_THAT(run.err, HasSubstr("needs a \"duration\""));
  EXPECT_THAT(run.err, HasSubstr("colour"));
  EXPECT_FALSE(Exists("a.bvh"));
}

TEST_F(EditProgram, SweepWritesAFamilyAndATable) {
  const Outcome one =
      RunLimber({"edit", walk_, "--push", "forearm_l@1.2s:10Ns:+x", "--sweep",
                 "push.x=-10..10:10", "--threads", "1", "-o", In("one.bvh"),
                 "--report", In("r.json")});
  ASSERT_EQ(one.code, 0) << one.err;
  const Outcome two =
      RunLimber({"edit", walk_, "--push", "forearm_l@1.2s:10Ns:+x", "--sweep",
                 "push.x=-10..10:10", "--threads", "2", "-o", In("two.bvh")});
  ASSERT_EQ(two.code, 0) << two.err;
  for (const char* number : {"1", "2", "3"}) {
    EXPECT_EQ(Read("one_" + std::string(number) + ".bvh"),
              Read("two_" + std::string(number) + ".bvh"));
  }
  EXPECT_NE(Read("one_1.bvh"), Read("one_3.bvh"));
  // The middle one has no push at all.
  const Outcome plain = RunLimber({"edit", walk_, "-o", In("plain.bvh")});
  ASSERT_EQ(plain.code, 0);
  EXPECT_EQ(Read("one_2.bvh"), Read("plain.bvh"));
  EXPECT_THAT(Read("one.csv"), HasSubstr("push.x"));
  const auto report = nlohmann::json::parse(Read("r.json"));
  EXPECT_EQ(report["tables"]["variations"]["rows"].size(), 3U);
}

TEST_F(EditProgram, WallPresetKeepAndReturnAreUnderstood) {
  const Outcome run = RunLimber(
      {"edit", walk_, "--wall", "2.5m", "--preset", "loose-head", "--strength",
       "strong", "--keep", "head", "--return", "pose", "-o", In("a.bvh")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 events"));
}

TEST_F(EditProgram, WrongCallsAreExplained) {
  const auto err = [&](const std::vector<std::string>& more) {
    std::vector<std::string> call = {"edit", walk_, "-o", In("a.bvh")};
    call.insert(call.end(), more.begin(), more.end());
    const Outcome run = RunLimber(call);
    EXPECT_EQ(run.code, 2) << more[0] << " " << run.out << run.err;
    return run.err;
  };
  EXPECT_THAT(err({"--push", "chest@9s:10Ns:+x"}), HasSubstr("lasts from 0"));
  EXPECT_THAT(err({"--push", "chset@1s:10Ns:+x"}), HasSubstr("did you mean"));
  EXPECT_THAT(err({"--return", "home"}), HasSubstr("home"));
  EXPECT_THAT(err({"--keep", "tail"}), HasSubstr("tail"));
  EXPECT_THAT(err({"--sweep", "push.x=1..2:1"}), HasSubstr("no push"));
  EXPECT_THAT(err({"--wall", "90m"}), HasSubstr("goes only"));
  EXPECT_THAT(err({"--look", "left-shank@1s:0,0,0"}), HasSubstr("no ball"));
  EXPECT_FALSE(Exists("a.bvh"));
}

}  // namespace
}  // namespace limber::test
