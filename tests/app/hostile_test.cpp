// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What became of inputs that once were handled badly (tests/hostile).
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/hostile_scenes.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Call = std::vector<std::string>;

std::string Hostile(const std::string& name) {
  return (SourceDir() / "tests" / "hostile" / name).string();
}

class HostileTest : public ProgramTest {
 protected:
  /// Runs a call that must end by itself, soon and with little memory, and
  /// without words of the C++ library.
  Outcome RunSafely(const Call& call) {
    Outcome outcome = RunLimberFor(60, call);
    std::string line;
    for (const std::string& word : call) line += word + " ";
    EXPECT_LE(outcome.code, 3) << line << outcome.err;
    EXPECT_LT(outcome.peak_megabytes, 512.0) << line;
    for (const char* word : {"std::", "bad_alloc", "vector::", "basic_string",
                             "_M_", "json.exception", "stod"}) {
      EXPECT_THAT(outcome.err, Not(HasSubstr(word))) << line;
    }
    return outcome;
  }
  std::string March() const { return Bundled("clips/march.bvh"); }
};

TEST_F(HostileTest, RatesBeyondMeasureAreRefusedByEveryJob) {
  for (const char* name : {"slow_rate_hang.bvh", "measure_hang_min.bvh",
                           "combine_segv_min.bvh", "fast_rate_hang.bvh"}) {
    const std::string bad = Hostile(name);
    for (const Call& call : std::vector<Call>{
             {"measure", bad},
             {"retarget", bad, "--scale", "legs=1.1", "-o", In("o.bvh")},
             {"retarget", March(), "--to", bad, "-o", In("p.bvh")},
             {"edit", bad, "-o", In("o.bvh")},
             {"combine", March(), bad, "-o", In("o.bvh")},
             {"combine", bad, March(), "-o", In("o.bvh")},
             {"markers", bad, "-o", In("o.c3d")}}) {
      const Outcome outcome = RunSafely(call);
      // A body may be taken from any clip.
      if (call[0] == "retarget" && call[1] == March()) continue;
      EXPECT_EQ(outcome.code, 1) << name << " " << call[0] << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("this job takes")) << outcome.err;
      EXPECT_FALSE(Exists("o.bvh"));
    }
    const Outcome info = RunSafely({"info", bad});
    EXPECT_EQ(info.code, 0);
    EXPECT_THAT(info.out, HasSubstr("recordings have from 1 to 10000"));
  }
}

TEST_F(HostileTest, FrameTimesInMillisecondsAreRecognisedAndSaid) {
  const Outcome outcome = RunSafely({"info", Hostile("frame_time_in_ms.bvh")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("taken as milliseconds: 60"));
  EXPECT_THAT(outcome.out, HasSubstr("60 Hz"));
  EXPECT_EQ(
      RunSafely({"info", "--strict", Hostile("frame_time_in_ms.bvh")}).code, 1);
  // 3 s and 300 s stay what they say, and are doubted.
  const std::string text =
      ReadWholeFile(Hostile("frame_time_in_ms.bvh")).value();
  for (const char* seconds : {"1.3", "300"}) {
    std::string other = text;
    other.replace(other.find("16.667"), 6, seconds);
    const Outcome slow = RunSafely({"info", Make("slow.bvh", other)});
    EXPECT_THAT(slow.out, HasSubstr("recordings have from 1 to 10000"));
    EXPECT_THAT(slow.out, Not(HasSubstr("milliseconds")));
  }
}

TEST_F(HostileTest, CoordinatesBeyondMeasureAreMissing) {
  for (const char* name :
       {"t_huge1.trc", "t_1e30.trc", "c3d_int_scale_inf.c3d"}) {
    for (const char* to : {"o.trc", "o.c3d"}) {
      const Outcome outcome = RunSafely({"convert", Hostile(name), In(to)});
      if (outcome.code != 0) continue;
      EXPECT_THAT(outcome.err, HasSubstr("taken as missing")) << name;
      const Outcome again = RunSafely({"info", In(to)});
      EXPECT_EQ(again.code, 0) << name << " " << to << again.err;
      EXPECT_THAT(again.out, Not(HasSubstr("inf "))) << name;
      std::filesystem::remove(In(to));
    }
  }
}

TEST_F(HostileTest, WhatIsWrittenCanBeRead) {
  for (const char* name :
       {"c3d_sgi16_nodata.c3d", "c3d_to_sgi16_unreadable.c3d"}) {
    for (const char* order : {"pc", "dec", "sgi"}) {
      for (const char* numbers : {"float", "int16"}) {
        const Outcome outcome =
            RunSafely({"convert", Hostile(name), In("o.c3d"), "--c3d-order",
                       order, "--c3d-numbers", numbers});
        if (outcome.code != 0) continue;
        EXPECT_EQ(RunSafely({"info", In("o.c3d")}).code, 0)
            << name << order << numbers;
      }
    }
  }
  for (const char* clip : {"march.bvh", "walk.bvh"}) {
    const Outcome outcome =
        RunSafely({"retarget", Bundled(std::string("clips/") + clip), "--to",
                   Hostile("pipe_79.bvh"), "-o", In("o.bvh")});
    if (!Exists("o.bvh")) continue;
    EXPECT_EQ(RunSafely({"info", In("o.bvh")}).code, 0) << outcome.err;
    std::filesystem::remove(In("o.bvh"));
  }
}

TEST_F(HostileTest, AChainOf170JointsStaysFiniteOrIsRefusedInWords) {
  const Outcome outcome =
      RunSafely({"edit", Hostile("chain170.bvh"), "-o", In("o.bvh")});
  if (Exists("o.bvh")) {
    EXPECT_EQ(RunSafely({"info", In("o.bvh")}).code, 0);
  } else {
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err,
                testing::AnyOf(HasSubstr("no number any more"),
                               HasSubstr("bodies lie in one another")));
  }
}

TEST_F(HostileTest, EditedResultsObeyLimitsAndFloor) {
  for (const char* clip : {"walk.bvh", "run.bvh"}) {
    for (const char* events : {"x105_min.json", "run_gravity_sink.json"}) {
      const Outcome outcome =
          RunSafely({"edit", Bundled(std::string("clips/") + clip), "--events",
                     Hostile(events), "-o", In("o.bvh"), "--report",
                     In("r.json"), "--force"});
      if (outcome.code == 2) continue;  // An event after the clip's end.
      ASSERT_EQ(outcome.code % 3, 0) << outcome.err;
      const auto report =
          nlohmann::json::parse(ReadWholeFile(In("r.json")).value());
      EXPECT_LE(report.at("limit_violation_deg"), 1.0) << clip << events;
      EXPECT_LE(report.at("floor_penetration_mm"), 5.0) << clip << events;
    }
  }
}

TEST_F(HostileTest, AFloorThatIsNotThereCannotMove) {
  for (const Call& event : std::vector<Call>{{"--floor", "0.5s:+0.05m"},
                                             {"--slope", "0.5s:5deg:+x"}}) {
    const Outcome outcome = RunSafely(
        {"edit", March(), event[0], event[1], "--no-floor", "-o", In("o.bvh")});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--no-floor"));
  }
}

TEST_F(HostileTest, NumbersOfOptionsAreBounded) {
  const std::string march = March();
  for (const Call& call : std::vector<Call>{
           {"combine", march, march, "-o", In("o.bvh"), "--blend", "1e30"},
           {"combine", march, march, "-o", In("o.bvh"), "--blend", "180"},
           {"combine", march, march, "-o", In("o.bvh"), "--search", "inf"},
           {"markers", march, "-o", In("o.c3d"), "--swaps", "1000000000"},
           {"markers", march, "-o", In("o.c3d"), "--swaps", "30000"},
           {"markers", march, "-o", In("o.c3d"), "--ghosts", "2000000000"},
           {"markers", march, "-o", In("o.c3d"), "--gaps", "20%:1e300s"},
           {"figure", march, "-o", In("o.json"), "--height", "1e300"},
           {"figure", march, "-o", In("o.json"), "--weight", "nan"},
           {"edit", march, "-o", In("o.bvh"), "--threads", "100000"},
           {"edit", march, "-o", In("o.bvh"), "--let-go", "1e9"},
           {"info", "--rate", "1e300", march}}) {
    const Outcome outcome = RunSafely(call);
    EXPECT_THAT(outcome.code, testing::AnyOf(1, 2)) << call[0] << outcome.err;
    EXPECT_FALSE(outcome.err.empty());
  }
}

TEST_F(HostileTest, ScenesOfTimesBeyondMeasureAreRefusedInWords) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"until_1e9", "\"until\" must be above 0.0 and at most 86400.0"},
      {"until_int64", "\"until\" must be above 0.0 and at most 86400.0"},
      {"duration_1e18", "a scene plays for at most 86400 s (a day)"},
      {"step_denormal", "\"step\" must be from 1e-06 to 1.0"}};
  std::size_t count = 0;
  for (const HostileScene& scene : HostileScenes()) {
    for (const auto& [name, words] : expected) {
      if (scene.name != name) continue;
      const Outcome outcome =
          RunSafely({"simulate", Make("scene.json", scene.text)});
      EXPECT_EQ(outcome.code, 1) << name;
      EXPECT_THAT(outcome.err, HasSubstr("scene.json:1:")) << name;
      EXPECT_THAT(outcome.err, HasSubstr(words)) << name;
      ++count;
    }
  }
  EXPECT_EQ(count, expected.size());
}

TEST_F(HostileTest, ScenesThatAreHardToSolveEndInOrder) {
  for (const HostileScene& scene : HostileScenes()) {
    const Outcome outcome =
        RunLimberFor(10, {"simulate", Make("scene.json", scene.text),
                          "--duration", "0.5", "--report", In("r.json")});
    EXPECT_LE(outcome.code, 3) << scene.name << outcome.err;
    if (!Exists("r.json")) {
      EXPECT_THAT(outcome.err, HasSubstr("error: ")) << scene.name;
      continue;
    }
    // What is no number is not called done.
    const auto report =
        nlohmann::json::parse(ReadWholeFile(In("r.json")).value());
    if (!report.at("finite")) {
      EXPECT_EQ(outcome.code, 3) << scene.name;
    }
    std::filesystem::remove(In("r.json"));
  }
}

// Two thousand boxes in one place touch each other two million times.
TEST_F(HostileTest, BodiesInOneAnotherAreRefusedInWords) {
  const Outcome outcome = RunSafely(
      {"simulate", Make("scene.json", SceneOfBoxes(2000, 1e-9, 0.02))});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("too many bodies lie in one another"));
  EXPECT_LT(outcome.seconds, 10.0);
}

// Islands once had a table of all bodies each: memory and time grew with the
// square of their number.
TEST_F(HostileTest, ManyBodiesCostInProportion) {
  // They fall, or stand on the floor and then sleep.
  for (const auto& [height, duration] :
       {std::pair(1.0, 0.02), std::pair(0.5, 0.02), std::pair(0.5, 0.7)}) {
    SCOPED_TRACE(std::to_string(height) + " m, " + std::to_string(duration));
    const auto megabytes = [&](int boxes) {
      const std::string scene = SceneOfBoxes(boxes, 2.0, duration, height);
      const Outcome outcome =
          RunSafely({"simulate", Make("scene.json", scene)});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return outcome.peak_megabytes;
    };
    // What more bodies add: the program itself has some megabytes to spare.
    const double few = megabytes(4000);
    const double some = megabytes(8000);
    const double many = megabytes(16'000);
    EXPECT_LT(many - some, 2.2 * (some - few));
    // So 100 000 fit in a gigabyte.
    EXPECT_LT(many - few, 0.12 * 1024.0);
  }
}

/// How long a job may go on after Ctrl-C [s]. The clock counts what other
/// programs do on a busy machine too, so it gets ten times as much.
constexpr double kMostAfterCtrlC = 0.2;
constexpr double kMostOnABusyClock = 2.0;

class CtrlC : public HostileTest {
 protected:
  /// The walk, as often as it takes to keep a reader busy.
  std::string LongClip() const {
    const std::string text = ReadWholeFile(Bundled("clips/walk.bvh")).value();
    const std::size_t count = text.find("Frames:");
    const std::size_t rows = text.find('\n', text.find("Frame Time:")) + 1;
    const auto num_rows =
        std::count(text.begin() + long(rows), text.end(), '\n');
    constexpr int kTimes = 60;
    std::string clip =
        text.substr(0, count) + "Frames: " + std::to_string(kTimes * num_rows) +
        text.substr(text.find('\n', count), rows - text.find('\n', count));
    for (int i = 0; i < kTimes; ++i) clip += text.substr(rows);
    std::filesystem::create_directories(folder_ / "in");
    return Make("in/long.bvh", clip);
  }

  /// Interrupts the call at several times; it ends at once, and leaves a whole
  /// output or none, and nothing else.
  void Check(const Call& call) {
    std::filesystem::create_directories(folder_ / "out");
    int interrupted = 0;
    for (const double after : {0.02, 0.1, 0.3}) {
      const Outcome outcome = InterruptLimber(after, call);
      interrupted += outcome.code == 1000 + SIGINT ? 1 : 0;
      EXPECT_LT(outcome.cpu_seconds, kMostAfterCtrlC)
          << call[0] << " after " << after;
      EXPECT_LT(outcome.seconds, kMostOnABusyClock)
          << call[0] << " after " << after;
      for (const auto& entry :
           std::filesystem::directory_iterator(folder_ / "out")) {
        const std::string name = entry.path().filename().string();
        EXPECT_THAT(name, testing::StartsWith("o.")) << call[0];
        const std::string ending = entry.path().extension().string();
        if (ending == ".json" || ending == ".png") continue;
        EXPECT_EQ(RunSafely({"info", entry.path().string()}).code, 0) << name;
      }
      std::filesystem::remove_all(folder_ / "out");
      std::filesystem::create_directories(folder_ / "out");
    }
    EXPECT_GT(interrupted, 0) << call[0] << " is over too soon to be tested";
  }
  std::string Out(const std::string& name) const {
    return (folder_ / "out" / name).string();
  }
};

TEST_F(CtrlC, EndsWorkOnBodiesAtOnce) {
  const std::string walk = Bundled("clips/walk.bvh");
  Check({"edit", walk, "--loosen", "arms@0.5s..2s", "-o", Out("o.bvh")});
  Check({"retarget", walk, "--to", Bundled("figures/fat_man.json"), "-o",
         Out("o.bvh"), "--dynamic"});
  Check(
      {"simulate", Bundled("scenes/limited_forces.json"), "-o", Out("o.bvh")});
}

TEST_F(CtrlC, EndsWorkOnLongFilesAtOnce) {
  const std::string clip = LongClip();
  Check({"combine", clip, clip, "-o", Out("o.bvh")});
  Check({"info", clip});
  Check({"measure", clip, "--report", Out("o.json")});
  Check({"markers", clip, "-o", Out("o.c3d")});
  Check({"retarget", clip, "--scale", "legs=1.2", "-o", Out("o.bvh")});
  Check({"convert", clip, Out("o.glb")});
  const std::string take = In("in/long.c3d");
  ASSERT_EQ(RunLimber({"markers", clip, "-o", take}).code, 0);
  Check({"solve", take, "-o", Out("o.bvh")});
  Check({"convert", take, Out("o.trc")});
}

#ifdef LIMBER_HAS_VIEWER
TEST_F(CtrlC, EndsDrawingAtOnce) {
  Check({"view", Bundled("clips/walk.bvh"), "--strip", Out("o.png"), "--size",
         "1600x900", "--poses", "30"});
}
#endif

// Only its bodies times its steps say, before anything moves, that a scene
// would not end in any useful time.
TEST_F(HostileTest, APoolOfThousandsIsRefusedUnlessItIsAskedFor) {
  const std::string pool = Make("pool.json", SceneOfPool(32768));
  const Outcome refused =
      RunSafely({"simulate", pool, "--report", In("r.json")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_LT(refused.cpu_seconds, 10.0);
  EXPECT_THAT(refused.err, HasSubstr("pool.json: error: 32797 bodies for 1920 "
                                     "steps are too much work"));
  EXPECT_THAT(refused.err, HasSubstr("--unbounded"));
  EXPECT_FALSE(Exists("r.json"));
  const Outcome asked =
      RunLimber({"simulate", pool, "--unbounded", "--duration", "0.01"});
  EXPECT_EQ(asked.code, 0) << asked.err;
}

}  // namespace
}  // namespace limber::test
