// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// No call overwrites what it reads, or writes one file twice.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using Call = std::vector<std::string>;

class OutputsTest : public ProgramTest {
 protected:
  OutputsTest() {
    Copy("clips/march.bvh", "c.bvh");
    Copy("clips/march.bvh", "d.bvh");
    Copy("figures/fat_man.json", "f.json");
    Copy("takes/march.c3d", "t.c3d");
    Make("e.json", R"({"events": [{"kind": "push", "time": 0.2,
        "segment": "left-forearm", "impulse": [1, 0, 0]}]})");
    Make("m.json", R"({"joints": {}})");
    Make("r.json", R"({"title": "T"})");
  }
  void Copy(const std::string& from, const std::string& to) {
    fs::copy_file(Bundled(from), In(to), fs::copy_options::overwrite_existing);
  }
  /// The names and contents of all files of the folder.
  std::map<std::string, std::string> Contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file()) continue;
      contents[entry.path().string()] = ReadWholeFile(entry.path()).value();
    }
    return contents;
  }
  /// Runs a call that must be refused as a call, with nothing touched.
  void ExpectRefused(const Call& call) {
    const auto before = Contents();
    const Outcome outcome = RunLimber(call);
    std::string line;
    for (const std::string& word : call) line += word + " ";
    EXPECT_EQ(outcome.code, 2) << line << outcome.err;
    EXPECT_THAT(outcome.err,
                AnyOf(HasSubstr("itself; --force"), HasSubstr("this name"),
                      HasSubstr("are one file")))
        << line;
    EXPECT_EQ(Contents(), before) << line;
  }
};

TEST_F(OutputsTest, NoOutputIsAnInput) {
  const std::string c = In("c.bvh");
  const std::string f = In("f.json");
  for (const Call& call : std::vector<Call>{
           {"edit", c, "--push", "left-forearm@0.2s:1Ns:+x", "-o", c},
           {"edit", c, "--events", In("e.json"), "-o", In("o.bvh"), "--report",
            In("e.json")},
           {"edit", c, "--figure", f, "-o", In("o.bvh"), "--report", f},
           {"combine", c, In("d.bvh"), "-o", c},
           {"combine", c, c, "-o", c},
           {"combine", c, In("d.bvh"), "-o", In("d.bvh")},
           {"convert", c, c},
           {"figure", c, "-o", c},
           {"measure", c, "--figure", f, "--report", f},
           {"retarget", c, "--to", In("d.bvh"), "-o", In("d.bvh")},
           {"retarget", c, "--to", f, "-o", In("o.bvh"), "--report", f},
           {"retarget", c, "--to", f, "--map", In("m.json"), "-o", In("o.bvh"),
            "--report", In("m.json")},
           {"solve", In("t.c3d"), "--actor", f, "-o", In("o.bvh"), "--report",
            f},
           {"solve", In("t.c3d"), "-o", In("o.bvh"), "--csv", In("t.c3d")},
           {"solve", In("t.c3d"), "--marker-set", f, "--figure-out", f},
           {"marker-set", "--from", In("t.c3d"), "-o", In("t.c3d")},
           {"page", In("r.json"), "-o", In("r.json")}}) {
    ExpectRefused(call);
  }
}

TEST_F(OutputsTest, NoFileIsWrittenTwice) {
  const std::string c = In("c.bvh");
  for (const Call& call : std::vector<Call>{
           {"solve", In("t.c3d"), "-o", In("p.bvh"), "--csv", In("p.bvh")},
           {"solve", In("t.c3d"), "-o", In("p.amc"), "--figure-out",
            In("p.asf")},
           {"solve", In("t.c3d"), "--figure-out", In("p.json"), "--report",
            In("p.json")},
           {"retarget", c, c, "--scale", "legs=1.1", "-o", In("out") + "/"},
           {"retarget", c, In("d.bvh"), "--scale", "legs=1.1", "-o",
            In("out") + "/", "--report", In("out/c.report.json")}}) {
    ExpectRefused(call);
  }
}

TEST_F(OutputsTest, LinksToInputsAreInputs) {
  fs::create_symlink("c.bvh", In("soft.bvh"));
  fs::create_hard_link(In("c.bvh"), In("hard.bvh"));
  for (const char* name : {"soft.bvh", "hard.bvh"}) {
    ExpectRefused({"combine", In("c.bvh"), In("d.bvh"), "-o", In(name)});
  }
}

TEST_F(OutputsTest, FilesThatASceneNamesAreInputs) {
  Make("s.json", R"({"description": "x", "duration": 0.1,
    "figures": [{"name": "walker", "clip": "c.bvh"}]})");
  const auto before = Contents();
  const Outcome scene =
      RunLimber({"simulate", In("s.json"), "--report", In("s.json")});
  EXPECT_EQ(scene.code, 2) << scene.err;
  const Outcome clip = RunLimber({"simulate", In("s.json"), "-o", In("c.bvh")});
  EXPECT_EQ(clip.code, 1) << clip.err;
  EXPECT_EQ(Contents(), before);
}

TEST_F(OutputsTest, TheSkeletonBesideAnAmcIsAnInput) {
  ASSERT_EQ(RunLimber({"solve", In("t.c3d"), "-o", In("p.amc")}).code % 3, 0);
  const auto before = Contents();
  const Outcome outcome =
      RunLimber({"measure", In("p.amc"), "--report", In("p.asf")});
  EXPECT_EQ(outcome.code, 2) << outcome.err;  // Not the ending of a report.
  const Outcome figure = RunLimber({"figure", In("p.amc"), "-o", In("p.asf")});
  EXPECT_EQ(figure.code, 1) << figure.err;
  EXPECT_THAT(figure.err, HasSubstr("is the input"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(OutputsTest, ForceOverwrites) {
  const std::string before = ReadWholeFile(In("c.bvh")).value();
  const Outcome outcome = RunLimber({"retarget", In("c.bvh"), "--scale",
                                     "legs=1.1", "-o", In("c.bvh"), "--force"});
  EXPECT_EQ(outcome.code % 3, 0) << outcome.err;
  EXPECT_NE(ReadWholeFile(In("c.bvh")).value(), before);
}

TEST_F(OutputsTest, TheLimitOfFilesIsAnErrorAndNotTheEnd) {
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{8'000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Outcome outcome = RunLimber({"convert", In("c.bvh"), In("o.bvh")});
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("o.bvh: error: cannot write: File too"));
  EXPECT_FALSE(Exists("o.bvh"));
}

}  // namespace
}  // namespace limber::test
