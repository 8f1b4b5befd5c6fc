// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <vector>

#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class InfoTest : public ProgramTest {
 protected:
  /// `limber info --json`, which must succeed and print JSON.
  static json Info(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"info", "--json"});
    const Outcome outcome = RunLimber(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    return json::parse(outcome.out);
  }
};

TEST_F(InfoTest, TakeHasThePromisedKeys) {
  const json info = Info({Bundled("takes/march.c3d")});
  EXPECT_EQ(info["format"], "C3D");
  EXPECT_EQ(info["frames"], 121);
  EXPECT_EQ(info["rate_hz"], 60.0);
  EXPECT_EQ(info["markers"], 19);
  EXPECT_EQ(info["unit"], "mm");
  EXPECT_EQ(info["up_axis"], "+Z");
  EXPECT_EQ(info["warnings"], json::array());
  EXPECT_EQ(info["guesses"], json::array());
  EXPECT_EQ(info["events"].size(), 4u);
  EXPECT_EQ(info["analog_channels"][0]["label"], "SYNC");
  // The share of missing samples is that of the listed gaps.
  int missing = 0;
  for (const json& gap : info["gaps"]) {
    missing += gap["missing_frames"].get<int>();
  }
  EXPECT_GT(missing, 0);
  EXPECT_DOUBLE_EQ(info["gap_fraction"], missing / (121.0 * 19.0));
  EXPECT_FALSE(info.contains("joints"));
}

TEST_F(InfoTest, ClipHasThePromisedKeys) {
  const json info = Info({Bundled("clips/march.bvh")});
  EXPECT_EQ(info["format"], "BVH");
  EXPECT_EQ(info["frames"], 121);
  EXPECT_EQ(info["rate_hz"], 60.0);
  EXPECT_EQ(info["joints"], 14);
  EXPECT_EQ(info["unit"], "cm");
  EXPECT_EQ(info["up_axis"], "+Y");
  EXPECT_EQ(info["gap_fraction"], 0.0);
  EXPECT_EQ(info["warnings"], json::array());
  EXPECT_EQ(info["joint_names"][0], "Hips");
  EXPECT_FALSE(info.contains("markers"));
  // BVH says neither unit nor axis: both are marked as guesses, with a reason.
  ASSERT_EQ(info["guesses"].size(), 2u);
  EXPECT_EQ(info["guesses"][0]["what"], "unit");
  EXPECT_EQ(info["guesses"][1]["what"], "up_axis");
  EXPECT_NE(info["guesses"][0]["reason"], "");
}

TEST_F(InfoTest, UnitAndAxisGivenAreNotGuesses) {
  const json info =
      Info({Make("a.bvh", kSmallBvh), "--unit", "in", "--up", "z"});
  EXPECT_EQ(info["unit"], "in");
  EXPECT_EQ(info["metres_per_unit"], 0.0254);
  EXPECT_EQ(info["up_axis"], "+Z");
  EXPECT_EQ(info["guesses"], json::array());
  EXPECT_NEAR(info["rest_extent_m"][1].get<double>() +
                  info["rest_extent_m"][2].get<double>(),
              1.5 * 0.0254, 1e-12);
}

TEST_F(InfoTest, UnitGivenForATakeReplacesTheWordOfTheFile) {
  const json info = Info({Bundled("takes/march.c3d"), "--unit", "cm"});
  EXPECT_EQ(info["unit"], "cm");
  EXPECT_EQ(info["metres_per_unit"], 0.01);
}

TEST_F(InfoTest, TextSaysWhatWasGuessedAndWhy) {
  const Outcome outcome = RunLimber({"info", Bundled("clips/march.bvh")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("14: Hips, Spine"),
                                 HasSubstr("121 frames at 60 Hz, 2.017 s"),
                                 HasSubstr("unit      cm (guessed: "),
                                 HasSubstr("--unit overrides"), HasSubstr("+Y"),
                                 HasSubstr("warnings  none")));
}

TEST_F(InfoTest, TextListsTheGapsOfEachMarker) {
  const Outcome outcome = RunLimber({"info", Bundled("takes/march.c3d")});
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("of the samples, in 3 of 19 points"),
                    HasSubstr("LWRA: "), HasSubstr("LANK: "),
                    HasSubstr("RTOE: "), HasSubstr("1 channel at 240 Hz: SYNC"),
                    HasSubstr("Left Foot Strike 1 s")));
}

TEST_F(InfoTest, AmcFindsItsSkeletonBesideIt) {
  const json info = Info({Bundled("clips/chain.amc")});
  EXPECT_EQ(info["format"], "AMC");
  EXPECT_EQ(info["frames"], 120);
  EXPECT_EQ(info["joints"], 4);
  EXPECT_EQ(info["unit"], "cmu");
  ASSERT_EQ(info["guesses"].size(), 2u);
  EXPECT_EQ(info["guesses"][0]["what"], "asf");
  EXPECT_EQ(info["guesses"][1]["what"], "rate_hz");
  const json given = Info({Bundled("clips/chain.amc"), "--rate", "60", "--asf",
                           Bundled("clips/chain.asf")});
  EXPECT_EQ(given["rate_hz"], 60.0);
  EXPECT_EQ(given["guesses"], json::array());
}

TEST_F(InfoTest, AmcWithoutSkeletonIsAWrongCall) {
  std::filesystem::copy_file(Bundled("clips/chain.amc"), In("chain.amc"));
  const Outcome outcome = RunLimber({"info", In("chain.amc")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("needs its skeleton: --asf FILE"));
}

TEST_F(InfoTest, SkeletonAloneHasNoFrames) {
  const json info = Info({Bundled("clips/chain.asf")});
  EXPECT_EQ(info["format"], "ASF");
  EXPECT_EQ(info["joints"], 4);
  EXPECT_EQ(info["frames"], 0);
  EXPECT_TRUE(info["rate_hz"].is_null());
}

TEST_F(InfoTest, ExtensionMayBeUpperCaseMissingOrWrong) {
  EXPECT_EQ(Info({Make("A.BVH", kSmallBvh)})["warnings"], json::array());
  EXPECT_EQ(Info({Make("noext", kSmallBvh)})["warnings"], json::array());
  const json info = Info({Make("a.trc", kSmallBvh)});
  EXPECT_EQ(info["format"], "BVH");
  ASSERT_EQ(info["warnings"].size(), 1u);
  EXPECT_EQ(info["warnings"][0]["kind"], "extension-lies");
}

TEST_F(InfoTest, StrictMakesTheWarningAnError) {
  const Outcome outcome =
      RunLimber({"info", "--strict", Make("a.trc", kSmallBvh)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err,
              HasSubstr("error: named like TRC but the content is BVH"));
}

TEST_F(InfoTest, BadInputsEndWithOneAndTheReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {In("missing.bvh"), "cannot open: No such file"},
      {folder_.string(), "expected a file, found a directory"},
      {Make("unknown", "what is this"), "of a known format (.bvh, .asf"},
      {Make("a.json", "{}"), ".trc, .json of a figure, .sto, "},
      {Make("scene.json", "{\"limber_scene\": 1}"), "`limber simulate` plays"},
      {Make("events.json", "{\"limber_events\": 1}"),
       "`limber edit --events` plays"},
      {Make("empty.c3d", ""), "error: "},
      {Make("empty.trc", ""), "error: "},
      {Make("empty.bvh", ""), "error: "},
      {Make("cut.bvh", kSmallBvh.substr(0, 100)), "cut.bvh:"},
  };
  for (const auto& [path, words] : cases) {
    const Outcome outcome = RunLimber({"info", path});
    EXPECT_EQ(outcome.code, 1) << path;
    EXPECT_THAT(outcome.out, IsEmpty()) << path;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(path), HasSubstr(words)));
  }
}

TEST_F(InfoTest, SeveralFilesGiveOneBlockEachAndABadOneDoesNotHideTheRest) {
  const std::string good = Make("a.bvh", kSmallBvh);
  const Outcome text = RunLimber({"info", good, In("missing.bvh"), good});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.err, HasSubstr("missing.bvh"));
  const std::size_t first = text.out.find("a.bvh\n");
  EXPECT_NE(text.out.find("a.bvh\n", first + 1), std::string::npos);

  const Outcome machine =
      RunLimber({"info", "--json", good, In("missing.bvh")});
  EXPECT_EQ(machine.code, 1);
  const json list = json::parse(machine.out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["frames"], 2);
  EXPECT_EQ(list[1]["errors"][0]["kind"], "cannot-open");
}

TEST_F(InfoTest, NamesThatAreNotUtf8StillGiveValidJson) {
  std::string text(kSmallBvh);
  text.replace(text.find("Chest"), 5, "Ch\xE9st");
  const Outcome outcome = RunLimber({"info", "--json", Make("a.bvh", text)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json info = json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(info.is_discarded());
  EXPECT_EQ(info["joint_names"].size(), 2u);
}

TEST_F(InfoTest, EveryRealFileIsDescribedOrRefusedNeverACrash) {
  LIMBER_NEEDS_REAL_DATA();
  int described = 0;
  int known = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RealData(""))) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    const Outcome machine = RunLimber({"info", "--json", path});
    EXPECT_THAT(machine.code, testing::AnyOf(0, 1)) << path << machine.err;
    const json info = json::parse(machine.out, nullptr, false);
    ASSERT_FALSE(info.is_discarded()) << path;
    EXPECT_EQ(info.contains("errors"), machine.code == 1) << path;
    EXPECT_EQ(machine.err.empty(), machine.code == 0) << path << machine.err;
    const Outcome text = RunLimber({"info", path});
    EXPECT_EQ(text.code, machine.code) << path;
    if (machine.code == 0) ++described;
    std::string ending = entry.path().extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
    for (const char* one :
         {".c3d", ".trc", ".asf", ".amc", ".bvh", ".sto", ".mot"}) {
      if (ending == one) ++known;
    }
  }
  // All but one: the BVH bad_counts is refused.
  EXPECT_GE(described, known - 1);
}

}  // namespace
}  // namespace limber::test
