// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Seeded hostile calls of the program: damaged files, extreme numbers, outputs
// that are inputs. No call may crash, hang, take much memory, lose an input,
// leave something behind or write what cannot be read. `tools/hostile_calls.sh`
// makes ten thousand of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/app/hostile_scenes.h"
#include "tests/app/mutations.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

namespace fs = std::filesystem;
using Call = std::vector<std::string>;

/// The most that a call may take [s, MB]. A call that is refused takes
/// milliseconds; whole jobs on this data take a second or two.
constexpr int kMostSeconds = 10;
constexpr double kMostMegabytes = 512.0;
/// A scene may have 100 000 parts, whose bodies fit in a gigabyte [MB].
constexpr double kMostSceneMegabytes = 1024.0;

int EnvironmentNumber(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

class HostileCallsTest : public ProgramTest {
 protected:
  std::string Pick(const std::vector<std::string>& words) {
    return words[Below(words.size(), random_)];
  }
  bool Sometimes(std::size_t one_in) { return Below(one_in, random_) == 0; }

  /// Inputs of one kind; `damaged` is put in where it fits.
  void CopyInputs() {
    for (const char* name :
         {"clips/march.bvh", "clips/walk.bvh", "clips/chain.bvh",
          "clips/chain.amc", "clips/chain.asf", "figures/child.json",
          "takes/march.c3d", "takes/march.trc", "marker_sets/cmu-41.json"}) {
      const fs::path from = Bundled(name);
      inputs_.push_back(In(from.filename().string()));
      fs::copy_file(from, inputs_.back());
    }
    for (const auto& entry :
         fs::directory_iterator(SourceDir() / "tests" / "hostile")) {
      if (entry.path().extension() == ".md") continue;
      inputs_.push_back(In(entry.path().filename().string()));
      fs::copy_file(entry.path(), inputs_.back());
    }
    for (const HostileScene& scene : HostileScenes()) {
      inputs_.push_back(Make("scene_" + scene.name + ".json", scene.text));
    }
    std::ranges::sort(inputs_);
    for (const std::string& input : inputs_) {
      contents_[input] = ReadWholeFile(input).value();
    }
  }

  std::vector<std::string> InputsOf(const std::vector<std::string>& endings) {
    std::vector<std::string> found;
    for (const std::string& input : inputs_) {
      const std::string ending = fs::path(input).extension().string();
      if (std::ranges::find(endings, ending) != endings.end()) {
        found.push_back(input);
      }
    }
    return found;
  }
  /// A damaged copy of an input, under a name of the same ending.
  std::string Damaged(const std::string& input) {
    const std::string ending = fs::path(input).extension().string();
    return Make("damaged" + ending, Mutated(contents_.at(input), random_));
  }
  std::string Input(const std::vector<std::string>& endings) {
    const std::string input = Pick(InputsOf(endings));
    if (Sometimes(2)) return Damaged(input);
    used_.push_back(input);
    return input;
  }
  std::string Output(const std::string& ending) {
    // Some outputs are inputs of the same call.
    for (const std::string& input : used_) {
      if (input.ends_with(ending) && Sometimes(3)) return input;
    }
    return In("out" + ending);
  }
  std::string Number() {
    return Sometimes(3) ? ExtremeNumber(random_)
                        : std::to_string(Below(300, random_) / 100.0);
  }

  Call RandomCall() {
    used_.clear();
    const std::vector<std::string> clips = {".bvh", ".amc"};
    const std::vector<std::string> takes = {".c3d", ".trc"};
    switch (Below(13, random_)) {
      case 0:
        return {"info",
                Input({".bvh", ".amc", ".asf", ".c3d", ".trc", ".json"})};
      case 1:
        return {"convert", Input(clips), Output(".bvh")};
      case 2: {
        Call call = {"convert", Input(takes), Output(Pick(takes))};
        if (call[2].ends_with(".c3d")) {
          call.insert(call.end(), {"--c3d-numbers", Pick({"float", "int16"}),
                                   "--c3d-order", Pick({"pc", "dec", "sgi"})});
        }
        return call;
      }
      case 3:
        return {"measure", Input(clips), "--report", Output(".json")};
      case 4:
        return {"retarget", Input(clips),
                "--scale",  Pick({"legs=", "arms=", "all="}) + Number(),
                "-o",       Output(".bvh")};
      case 5:
        return {
            "retarget", Input({".bvh"}), "--to",     Input({".bvh", ".json"}),
            "-o",       Output(".bvh"),  "--report", Output(".json")};
      case 6:
        return {"combine",      Input({".bvh"}), Input({".bvh"}), "-o",
                Output(".bvh"), "--blend",       Number()};
      case 7:
        return {"edit",
                Input({".bvh"}),
                "-o",
                Output(".bvh"),
                "--push",
                Pick({"left-forearm", "chest", "pelvis"}) + "@" + Number() +
                    "s:" + Number() + "Ns:+x",
                "--physics-rate",
                Pick({"30", "60", "240"})};
      case 8:
        return {"edit",
                Input({".bvh"}),
                "-o",
                Output(".bvh"),
                "--events",
                Input({".json"}),
                "--physics-rate",
                "60"};
      case 9:
        return {"markers",  Input({".bvh"}),
                "-o",       Output(Pick(takes)),
                "--swaps",  Number(),
                "--ghosts", Number(),
                "--gaps",   Number() + "%:" + Number() + "s"};
      case 10:
        return {"simulate", Input({".json"}), "--duration",
                "0.02",     "--report",       Output(".json")};
      case 11:
        return {"marker-set", "--from", Input(takes), "-o", Output(".json")};
      default:
        return {"figure",        Input(clips), "-o",
                Output(".json"), "--height",   Number()};
    }
  }

  /// Runs a call and checks what it promises.
  void Check(const Call& call, const std::string& what) {
    const Outcome outcome = RunLimberFor(kMostSeconds, call);
    std::string line = what + ": limber";
    for (const std::string& word : call) line += " " + word;
    ++codes_[outcome.code];
    EXPECT_LE(outcome.code, 3) << line << "\n" << outcome.err;
    EXPECT_LT(outcome.peak_megabytes,
              call[0] == "simulate" ? kMostSceneMegabytes : kMostMegabytes)
        << line;
    slowest_ = std::max(slowest_, outcome.seconds);
    largest_ = std::max(largest_, outcome.peak_megabytes);
    if (outcome.code == 1 || outcome.code == 2) {
      EXPECT_FALSE(outcome.err.empty()) << line;
    }
    for (const char* word :
         {"std::", "vector::", "basic_string", "_M_", "json.exception"}) {
      EXPECT_EQ(outcome.err.find(word), std::string::npos) << line << "\n"
                                                           << outcome.err;
    }
    for (const auto& [path, bytes] : contents_) {
      EXPECT_TRUE(ReadWholeFile(path).value() == bytes)
          << line << " overwrote " << path;
      if (ReadWholeFile(path).value() != bytes) WriteWholeFile(path, bytes);
    }
    CheckOutputs(line);
    // A call that failed leaves what was damaged for a person to look at.
    if (HasFailure() && !kept_) {
      kept_ = true;
      std::error_code ignored;
      fs::copy(
          folder_, fs::temp_directory_path() / "limber_hostile_failed",
          fs::copy_options::recursive | fs::copy_options::overwrite_existing,
          ignored);
    }
  }

  /// What was written can be read again, and nothing else is there.
  void CheckOutputs(const std::string& line) {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string path = entry.path().string();
      const std::string name = entry.path().filename().string();
      if (contents_.contains(path) || name.starts_with("damaged")) continue;
      EXPECT_TRUE(name.starts_with("out")) << line << " left " << name;
      const std::string ending = entry.path().extension().string();
      if (ending == ".json") {
        const auto json =
            nlohmann::json::parse(ReadWholeFile(path).value(), nullptr, false);
        EXPECT_FALSE(json.is_discarded()) << line;
      } else {
        const Outcome again = RunLimberFor(kMostSeconds, {"info", path});
        EXPECT_EQ(again.code, 0) << line << "\n" << again.err;
      }
      fs::remove(path);
    }
  }

  void Report(int count) const {
    std::string codes;
    for (const auto& [code, times] : codes_) {
      codes += " " + std::to_string(code) + ": " + std::to_string(times);
    }
    GTEST_LOG_(INFO) << count << " calls, exit codes" << codes << ", slowest "
                     << slowest_ << " s, largest " << largest_ << " MB";
  }

  std::mt19937 random_{static_cast<unsigned>(
      EnvironmentNumber("LIMBER_HOSTILE_SEED", 20261117))};
  std::vector<std::string> inputs_;
  std::map<std::string, std::string> contents_;
  std::vector<std::string> used_;  ///< Undamaged inputs of the call.
  std::map<int, int> codes_;
  double slowest_ = 0.0;
  double largest_ = 0.0;
  bool kept_ = false;
};

TEST_F(HostileCallsTest, EndInOrder) {
  CopyInputs();
  const int count = EnvironmentNumber("LIMBER_HOSTILE_CALLS", 300);
  for (int i = 0; i < count; ++i) {
    Check(RandomCall(), "call " + std::to_string(i));
    if (testing::Test::HasFatalFailure()) return;
  }
  Report(count);
}

TEST_F(HostileCallsTest, MutationsOfEveryHostileFileEndInOrder) {
  CopyInputs();
  const int times = EnvironmentNumber("LIMBER_HOSTILE_MUTATIONS", 200);
  int count = 0;
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(SourceDir() / "tests" / "hostile")) {
    files.push_back(entry.path());
  }
  for (const HostileScene& scene : HostileScenes()) {
    files.emplace_back("scene_" + scene.name + ".json");
  }
  std::ranges::sort(files);
  for (const fs::path& path : files) {
    const std::string name = path.filename().string();
    const std::string input = In(name);
    if (!contents_.contains(input)) continue;
    const std::string ending = path.extension().string();
    for (int i = 0; i < times; ++i) {
      const std::string file = Damaged(input);
      const std::string march = In("march.bvh");
      std::vector<Call> calls;
      if (ending == ".bvh") {
        calls = {{"info", file},
                 {"convert", file, In("out.bvh")},
                 {"measure", file},
                 {"retarget", file, "--scale", "legs=1.2", "-o", In("out.bvh")},
                 {"retarget", march, "--to", file, "-o", In("out.bvh")},
                 {"edit", file, "-o", In("out.bvh"), "--physics-rate", "60"},
                 {"combine", march, file, "-o", In("out.bvh")},
                 {"markers", file, "-o", In("out.c3d")}};
      } else if (ending == ".c3d" || ending == ".trc") {
        calls = {{"info", file},
                 {"convert", file, In("out.trc")},
                 {"convert", file, In("out.c3d"), "--c3d-numbers", "int16",
                  "--c3d-order", "sgi"},
                 {"convert", file, In("out.c3d")},
                 {"marker-set", "--from", file, "-o", In("out.json")}};
      } else if (name.starts_with("scene_")) {
        calls = {{"simulate", file, "--duration", "0.02"}};
      } else if (name.starts_with("markerset")) {
        calls = {{"solve", In("march.trc"), "--marker-set", file, "-o",
                  In("out.bvh")}};
      } else {
        calls = {{"edit", march, "--events", file, "-o", In("out.bvh"),
                  "--physics-rate", "60"}};
      }
      Check(calls[static_cast<std::size_t>(i) % calls.size()],
            name + " mutation " + std::to_string(i));
      ++count;
    }
  }
  Report(count);
}

}  // namespace
}  // namespace limber::test
