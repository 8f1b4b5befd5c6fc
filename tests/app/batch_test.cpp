// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches from outside: trees, resuming, kills, shards, limits.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class BatchProgram : public ProgramTest {
 protected:
  /// Puts a bundled clip into the folder under another name.
  std::string Copy(const std::string& clip, const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy_file(Bundled(clip), folder_ / name,
                  fs::copy_options::overwrite_existing);
    return In(name);
  }
  void CopyMany(int count) const {
    for (int i = 0; i < count; ++i) {
      Copy("clips/march.bvh", "in/" + std::to_string(i) + ".bvh");
    }
  }
  std::vector<std::string> Retarget(const std::string& out) const {
    return {"batch",
            "--from",
            In("in") + "/**/*.bvh",
            "--command",
            "retarget --to fat_man",
            "--out",
            In(out)};
  }
  /// The lines of the logs in a folder, whole.
  std::vector<json> Log(const std::string& out) const {
    std::vector<json> lines;
    for (const auto& entry : fs::directory_iterator(folder_ / out)) {
      if (!entry.path().filename().string().starts_with("log.")) continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        lines.push_back(json::parse(line));
      }
    }
    return lines;
  }
  /// What the log says of each job, without times: that must not depend on how
  /// often a batch was stopped, nor on shards.
  std::map<std::string, std::string> Said(const std::string& out) const {
    std::map<std::string, std::string> said;
    for (json line : Log(out)) {
      for (const char* key :
           {"finished", "seconds", "cpu_seconds", "memory_mb"}) {
        line.erase(key);
      }
      line["metrics"].erase("frames_per_second");
      // Reports hold the frames a second, whose digits vary.
      line.erase("outputs");
      EXPECT_TRUE(said.emplace(line["job"], line.dump()).second)
          << line["job"] << " is in the log twice";
    }
    return said;
  }
  /// The bytes of every BVH below a folder.
  std::map<std::string, std::string> Clips(const std::string& out) const {
    std::map<std::string, std::string> clips;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / out)) {
      if (entry.path().extension() != ".bvh") continue;
      clips[entry.path().lexically_relative(folder_ / out)] =
          ReadWholeFile(entry.path()).value();
    }
    return clips;
  }
};

TEST_F(BatchProgram, KeepsTheTreeAndGoesOnAfterAFailure) {
  Copy("clips/march.bvh", "in/a/walk.bvh");
  Copy("clips/march.bvh", "in/b/walk.bvh");
  Make("in/bad.bvh", "HIERARCHY\n");
  const Outcome run = RunLimber(Retarget("out"));
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_TRUE(Exists("out/a/walk.bvh"));
  EXPECT_TRUE(Exists("out/b/walk.bvh"));
  EXPECT_FALSE(Exists("out/bad.bvh"));
  EXPECT_FALSE(Exists("out/.work"));
  EXPECT_THAT(run.out, HasSubstr("3 jobs: 2 look right, 0 look wrong, 1 "
                                 "failed"));
  EXPECT_THAT(run.err, AllOf(HasSubstr("bad: failed: "),
                             HasSubstr("bad.bvh:2:1: error")));
  const json report =
      json::parse(ReadWholeFile(In("out/a/walk.report.json")).value());
  EXPECT_EQ(report["output"], In("out/a/walk.bvh"));
  EXPECT_THAT(
      std::string(report["command"]),
      AllOf(HasSubstr(In("out/a/walk.bvh")), testing::Not(HasSubstr(".work"))));
  for (const json& line : Log("out")) {
    EXPECT_EQ(std::string(line["input_hash"]).size(), 64U);
    EXPECT_EQ(line["command"], "retarget");
    if (line["job"] == "bad") {
      EXPECT_EQ(line["verdict"], "failed");
      EXPECT_TRUE(line["outputs"].empty());
    } else {
      EXPECT_EQ(line["verdict"], "looks right");
      EXPECT_EQ(line["metrics"]["frames"], report["frames"]);
      EXPECT_EQ(line["outputs"].size(), 2U);
    }
  }
  for (const char* file :
       {"out/index.html", "out/summary.csv", "out/summary.json"}) {
    EXPECT_TRUE(Exists(file)) << file;
  }
}

TEST_F(BatchProgram, WhatIsDoneIsSkippedUntilSomethingChanges) {
  Copy("clips/march.bvh", "in/a.bvh");
  Copy("clips/march.bvh", "in/b.bvh");
  const std::string figure = Copy("figures/child.json", "child.json");
  const std::vector<std::string> call = {
      "batch", "--from", In("in/*.bvh"), "--command", "retarget --to " + figure,
      "--out", In("out")};
  EXPECT_EQ(RunLimber(call).code, 0);
  const std::string log = ReadWholeFile(In("out/log.jsonl")).value();
  const auto redone = [&] {
    const std::size_t before = Log("out").size();
    const Outcome run = RunLimber(call);
    EXPECT_EQ(run.code, 0) << run.err;
    return Log("out").size() - before;
  };
  EXPECT_EQ(redone(), 0U);
  EXPECT_EQ(ReadWholeFile(In("out/log.jsonl")).value(), log);
  // Another time of the same content: nothing; an output gone: that job.
  fs::last_write_time(folder_ / "in/a.bvh", fs::file_time_type::clock::now());
  EXPECT_EQ(redone(), 0U);
  fs::remove(folder_ / "out/b.bvh");
  EXPECT_EQ(redone(), 1U);
  EXPECT_TRUE(Exists("out/b.bvh"));
  // Another content of the input: that job; of the figure: both.
  Copy("clips/bow.bvh", "in/a.bvh");
  EXPECT_EQ(redone(), 1U);
  Copy("figures/giant.json", "child.json");
  EXPECT_EQ(redone(), 2U);
  EXPECT_EQ(redone(), 0U);
}

// A log of a million lines takes longer to check than anybody wants to wait.
TEST_F(BatchProgram, JobsTheLogDoesNotKnowComeFirst) {
  for (const char* name : {"in/b.bvh", "in/d.bvh"}) {
    Copy("clips/march.bvh", name);
  }
  std::vector<std::string> call = Retarget("out");
  call.insert(call.end(), {"--jobs", "1"});
  EXPECT_EQ(RunLimber(call).code, 0);
  Copy("clips/walk.bvh", "in/b.bvh");
  for (const char* name : {"in/a.bvh", "in/c.bvh", "in/e.bvh"}) {
    Copy("clips/march.bvh", name);
  }
  const Outcome run = RunLimber(call);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("(1 known from the log)"));
  std::vector<std::string> order;
  for (const json& line : Log("out")) order.push_back(line["job"]);
  EXPECT_THAT(order, testing::ElementsAre("b", "d", "a", "c", "e", "b"));
}

// The name of a job that shares its file's with others is known late.
TEST_F(BatchProgram, JobsThatShareANameAreResumedToo) {
  const std::string clip = Copy("clips/march.bvh", "in/a.bvh");
  std::string jobs;
  for (const char* to : {"child", "fat_man", "adult12"}) {
    jobs += "\n" +
            json{{"command", "retarget"}, {"input", clip}, {"to", to}}.dump() +
            "\r\n \n";
  }
  const std::string manifest = Make("jobs.jsonl", jobs);
  const std::vector<std::string> call = {"batch", manifest, "--out", In("out")};
  EXPECT_EQ(RunLimber(call).code, 0);
  EXPECT_EQ(Log("out").size(), 3U);
  Make("jobs.jsonl",
       jobs + json{{"command", "measure"}, {"input", clip}}.dump());
  const Outcome run = RunLimber(call);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("4 jobs: 4 look right"));
  EXPECT_THAT(run.out, HasSubstr("(3 known from the log)"));
}

TEST_F(BatchProgram, KilledTwentyTimesItEndsWithTheSameLogAndFiles) {
  constexpr int kClips = 24;
  CopyMany(kClips);
  Make("in/bad.bvh", "HIERARCHY\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(RunLimber(Retarget("whole")).code, 1);
  const std::chrono::duration<double> whole =
      std::chrono::steady_clock::now() - start;
  // So early that most of the calls find work left, however fast the machine.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(0.0, whole.count() / 6.0);
  int kills = 0;
  for (int i = 0; i < 20; ++i) {
    if (SignalLimber(SIGKILL, seconds(random), Retarget("cut")).code ==
        1000 + SIGKILL) {
      ++kills;
    }
  }
  EXPECT_GE(kills, 5);
  EXPECT_EQ(RunLimber(Retarget("cut")).code, 1);
  EXPECT_EQ(Said("cut").size(), kClips + 1U);
  EXPECT_EQ(Said("cut"), Said("whole"));
  EXPECT_EQ(Clips("cut"), Clips("whole"));
  EXPECT_FALSE(Exists("cut/.work"));
}

TEST_F(BatchProgram, ShardsTogetherAreTheWhole) {
  CopyMany(12);
  EXPECT_EQ(RunLimber(Retarget("whole")).code, 0);
  for (int i = 1; i <= 3; ++i) {
    std::vector<std::string> call = Retarget("parts");
    call.insert(call.end(), {"--shard", std::to_string(i) + "/3"});
    EXPECT_EQ(RunLimber(call).code, 0);
  }
  EXPECT_EQ(Said("parts"), Said("whole"));
  EXPECT_EQ(Clips("parts"), Clips("whole"));
  const Outcome merged = RunLimber({"batch", "--merge", In("parts")});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("12 jobs: 12 look right"));
  EXPECT_TRUE(Exists("parts/index.html"));
  EXPECT_TRUE(Exists("parts/log.jsonl"));
  // Other shards, and none: everything is known.
  std::vector<std::string> call = Retarget("parts");
  EXPECT_THAT(RunLimber(call).out, HasSubstr("(12 known from the log)"));
}

TEST_F(BatchProgram, ManifestRunsEveryCommand) {
  const std::string walk = Bundled("clips/march.bvh");
  const std::string take = Bundled("takes/march.c3d");
  std::string jobs;
  const auto add = [&jobs](const json& job) { jobs += job.dump() + "\n"; };
  add({{"command", "retarget"},
       {"input", walk},
       {"to", "child"},
       {"name", "r"}});
  add({{"command", "solve"}, {"input", take}, {"csv", true}, {"name", "s"}});
  add({{"command", "measure"}, {"input", walk}, {"name", "m"}});
  add({{"command", "markers"}, {"input", walk}, {"seed", 3}, {"name", "k"}});
  add({{"command", "convert"},
       {"input", take},
       {"format", "trc"},
       {"name", "c"}});
  add({{"command", "edit"},
       {"input", walk},
       {"push", {"chest@0.2s:10Ns:+x"}},
       {"sweep", "push.x=5..15:10"},
       {"name", "e"}});
  const Outcome run =
      RunLimber({"batch", Make("jobs.jsonl", jobs), "--out", In("out")});
  EXPECT_THAT(run.out, HasSubstr("6 jobs: "));
  EXPECT_THAT(run.out, HasSubstr(" 0 failed")) << run.err;
  for (const char* file :
       {"out/r.bvh", "out/s.bvh", "out/s.csv", "out/m.report.json", "out/k.c3d",
        "out/c.trc", "out/e.sweep/e.csv"}) {
    EXPECT_TRUE(Exists(file)) << file;
  }
}

TEST_F(BatchProgram, LimitsOfTimeAndMemoryStopOneJobAndNotTheOthers) {
  Copy("clips/walk.bvh", "in/slow.bvh");
  Make("in/z.bvh", "HIERARCHY\n");
  std::vector<std::string> call = Retarget("out");
  call.insert(call.end(), {"--timeout", "0.001"});
  EXPECT_EQ(RunLimber(call).code, 1);
  std::map<std::string, json> said;
  for (const json& line : Log("out")) said[line["job"]] = line;
  EXPECT_EQ(said["slow"]["verdict"], "broken");
  EXPECT_THAT(std::string(said["slow"]["error"]),
              HasSubstr("stopped after 0.001 s (--timeout)"));
  // With more time the same job is tried again; what failed for good is not.
  EXPECT_EQ(RunLimber(Retarget("out")).code, 1);
  EXPECT_TRUE(Exists("out/slow.bvh"));
  EXPECT_THAT(RunLimber(Retarget("out")).out,
              HasSubstr("2 jobs: 1 look right, 0 look wrong, 1 failed (2 known "
                        "from the log)"));
#ifndef __SANITIZE_ADDRESS__
  call = Retarget("small");
  call.insert(call.end(), {"--memory", "1M"});
  EXPECT_EQ(RunLimber(call).code, 1);
  for (const json& line : Log("small")) said[line["job"]] = line;
  EXPECT_THAT(std::string(said["slow"]["error"]),
              HasSubstr("more memory than --memory 1M"));
#endif
}

TEST_F(BatchProgram, CtrlCStopsAtOnceAndTheSameCallGoesOn) {
  CopyMany(200);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome run = SignalLimber(SIGINT, 0.5, Retarget("out"));
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(run.code, 1000 + SIGINT);
  EXPECT_LT(took.count(), 0.5 + 2.0);
  EXPECT_FALSE(Exists("out/.work"));
  const std::size_t done = Log("out").size();
  EXPECT_LT(done, 200U);
  EXPECT_EQ(RunLimber(Retarget("out")).code, 0);
  EXPECT_EQ(Said("out").size(), 200U);
}

TEST_F(BatchProgram, InputsInTheResultsFolderAreNotTouched) {
  const std::string clip = Copy("clips/march.bvh", "in/a.bvh");
  const Outcome run = RunLimber({"batch", "--from", In("in/*.bvh"), "--command",
                                 "retarget --to child", "--out", In("in")});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("the input lies in the results' folder"));
  EXPECT_EQ(ReadWholeFile(clip).value(),
            ReadWholeFile(Bundled("clips/march.bvh")).value());
}

TEST_F(BatchProgram, ResultsAmongTheInputsAreNotTakenForInputs) {
  Copy("clips/march.bvh", "in/a.bvh");
  EXPECT_EQ(RunLimber(Retarget("in/out")).code, 0);
  const Outcome again = RunLimber(Retarget("in/out"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("1 job: 1 look right, 0 look wrong, 0 "
                                   "failed (1 known from the log)"));
}

TEST_F(BatchProgram, WrongCallsAreExplained) {
  const std::string clip = Copy("clips/march.bvh", "in/a.bvh");
  const auto refusal = [this](std::vector<std::string> words) {
    words.insert(words.begin(), "batch");
    words.insert(words.end(), {"--out", In("out")});
    const Outcome run = RunLimber(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_FALSE(Exists("out"));
    return run.err;
  };
  EXPECT_THAT(refusal({}), HasSubstr("a manifest, or both --from"));
  EXPECT_THAT(refusal({"--from", clip}), HasSubstr("both --from"));
  EXPECT_THAT(refusal({"--from", In("no*"), "--command", "measure"}),
              HasSubstr("no file matches"));
  EXPECT_THAT(refusal({"--from", clip, "--command", "dance"}),
              HasSubstr("no command for a batch: \"dance\""));
  EXPECT_THAT(refusal({"--from", clip, "--command", "retarget --too x"}),
              AllOf(HasSubstr("no such option: \"--too\""),
                    HasSubstr("makes no sense")));
  EXPECT_THAT(refusal({"--from", clip, "--command", "retarget -o x.bvh"}),
              HasSubstr("the batch itself names outputs"));
  EXPECT_THAT(refusal({"--from", clip, "--command", "convert"}),
              HasSubstr("needs --format"));
  EXPECT_THAT(
      refusal({"--from", clip, "--command", "measure", "--shard", "4/3"}),
      HasSubstr("--shard 4/3"));
  EXPECT_THAT(
      refusal({"--from", clip, "--command", "measure", "--memory", "2"}),
      HasSubstr("such as 2G"));
  EXPECT_EQ(RunLimber({"batch", In("no.jsonl"), "--out", In("out")}).code, 1);
  EXPECT_EQ(RunLimber({"batch", "--merge", In("in")}).code, 1);
}

TEST_F(BatchProgram, DryRunPrintsCallsAndScripts) {
  Copy("clips/march.bvh", "in/a b.bvh");
  std::vector<std::string> call = Retarget("out");
  call.push_back("--dry-run");
  EXPECT_EQ(RunLimber(call).out,
            "limber retarget '" + In("in/a b.bvh") +
                "' --to fat_man '--output=" + In("out/a b.bvh") +
                "' '--report=" + In("out/a b.report.json") + "'\n");
  call.insert(call.end(), {"--slurm", "--nodes", "2", "--tasks", "8"});
  EXPECT_THAT(RunLimber(call).out, HasSubstr("#SBATCH --array=1-8%2\n"));
  EXPECT_FALSE(Exists("out"));
}

/// The first process that another one started; 0 if there is none.
pid_t ChildOf(pid_t parent) {
  const std::string number = std::to_string(parent);
  std::ifstream in("/proc/" + number + "/task/" + number + "/children");
  pid_t child = 0;
  in >> child;
  return child;
}

TEST_F(BatchProgram, ACrashOfOneJobDoesNotTouchTheOthers) {
  CopyMany(3);
  const std::vector<std::string> words = Retarget("out");
  const pid_t program = ::fork();
  if (program == 0) {
    std::vector<char*> argv = {const_cast<char*>(LIMBER_PROGRAM)};
    for (const std::string& word : words) {
      argv.push_back(const_cast<char*>(word.c_str()));
    }
    argv.push_back(const_cast<char*>("--jobs=1"));
    argv.push_back(nullptr);
    ::execv(LIMBER_PROGRAM, argv.data());
    ::_exit(127);
  }
  pid_t child = 0;
  while (child == 0) child = ChildOf(program);
  ::kill(child, SIGSEGV);
  int status = 0;
  ::waitpid(program, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  int broken = 0;
  for (const json& line : Log("out")) {
    if (line["verdict"] == "looks right") continue;
    ++broken;
    EXPECT_EQ(line["verdict"], "broken");
    EXPECT_THAT(std::string(line["error"]), HasSubstr("ended by signal 11"));
  }
  EXPECT_EQ(broken, 1);
  EXPECT_EQ(Log("out").size(), 3U);
}

}  // namespace
}  // namespace limber::test
